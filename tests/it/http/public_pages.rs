//! Public pages: `/leaderboard` and `/players/{id}`.

use std::time::Duration;

use rbs::domain::Timestamp;
use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{id, round, set_in_arena, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_from};

same_on_both_databases!(
    the_pages_are_there_only_where_they_are_opened,
    people_read_a_page_where_programs_read_a_problem,
    the_leaderboard_shows_what_it_may_and_is_held_for_some_seconds,
    a_long_leaderboard_has_pages_and_leads_to_a_rank,
    a_player_is_found_by_any_form_of_the_id,
    a_players_page_shows_a_rating_only_where_it_may,
    titles_are_text_whatever_they_are,
);

const YESTERDAY: &str = "2026-11-19T12:00:00Z";

/// An instance whose pool `arena` shows ratings and players. `public` configures `default`; `"listed"` shows all but
/// the players.
async fn open_instance(app: &App, public: &str) -> Instance {
    let (public, pages) = match public {
        "listed" => ("ratings", "false"),
        public => (public, "true"),
    };
    let configuration = r#"
        [leaderboard]
        public = "PUBLIC"
        player_pages = PAGES
        divisions = [{name = "<Gold> & 'co'", from_percentile = 50.0},
                     {name = "Silver", from_percentile = 0}]
        [pools.arena.leaderboard]
        public = "ratings"
        player_pages = true
        title = "Arena & <b>friends</b>"
    "#
    .replace("PUBLIC", public)
    .replace("PAGES", pages);
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
    ];
    let settings = settings_from(app.settings.database.clone(), &configuration, &variables);
    Instance::start(&settings, app.clock.clone()).await
}

/// Plays `count` rounds on `server`. The first player loses every third round.
async fn play(app: &App, to: &Instance, server: &str, name: &str, count: u32, a: u64, b: u64) {
    let rounds: Vec<Value> = (0..count)
        .map(|number| {
            let winner = ["a", "a", "b"][number as usize % 3];
            let sent = round(server, &format!("{name}-{number}"), winner, &[a], &[b]);
            with(sent, json!({"ended_at": YESTERDAY, "map": "well"}))
        })
        .collect();
    let request = app.bare_to(&to.address, Method::POST, "/v1/updates");
    let request = request.bearer_auth(SECRET);
    let (status, body) = send(request.json(&json!({"rounds": rounds}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

async fn read(app: &App, instance: &Instance, path: &str) -> (StatusCode, String) {
    let request = app.bare_to(&instance.address, Method::GET, path);
    let request = request.header(ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    let answer = request.send().await.expect("an answer");
    let header = |name| answer.headers()[name].to_str().expect("a text").to_owned();
    let (status, kind) = (answer.status(), header(CONTENT_TYPE));
    assert_eq!(kind, "text/html; charset=utf-8", "{path}");
    let policy = header(CONTENT_SECURITY_POLICY);
    for needed in ["default-src 'none'", "frame-ancestors 'none'"] {
        assert!(policy.contains(needed), "{path}: {policy}");
    }
    let cached = header(CACHE_CONTROL);
    let expected = if status == StatusCode::OK {
        "public, max-age=15"
    } else {
        "no-store"
    };
    assert_eq!(cached, expected, "{path}");
    let text = answer.text().await.expect("a text");
    for needed in ["<main>", "<h1", "og:title", "lang=\"en\""] {
        assert!(text.contains(needed), "{needed}: {path}: {text}");
    }
    assert!(
        !text.contains("<script") && !text.contains("style="),
        "{path}: {text}"
    );
    (status, text)
}

async fn page(app: &App, instance: &Instance, path: &str) -> String {
    let (status, text) = read(app, instance, path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    text
}

async fn the_pages_are_there_only_where_they_are_opened(app: &App) {
    refused(app.bare(Method::GET, "/leaderboard"), 404).await;
    refused(app.bare(Method::GET, &format!("/players/{}", id(1))), 404).await;
    refused(app.bare(Method::GET, "/v1/leaderboard"), 401).await;
    let instance = open_instance(app, "off").await;
    let empty = page(app, &instance, "/leaderboard?pool=arena").await;
    assert!(
        empty.contains("Nobody has a rank yet") && !empty.contains("<table"),
        "{empty}"
    );
    assert!(empty.contains("3 rounds"), "what it takes: {empty}");
    assert!(!empty.contains("pool=default"), "what is not open: {empty}");
    let mut said = Vec::new();
    for pool in ["default", "no-such-pool"] {
        for path in ["/leaderboard".to_owned(), format!("/players/{}", id(1))] {
            let path = format!("{path}?pool={pool}");
            let request = app.bare_to(&instance.address, Method::GET, &path);
            said.push(refused(request, 404).await.1["detail"].clone());
        }
    }
    assert!(
        said.iter().all(|one| *one == said[0] || *one == said[1]),
        "{said:?}"
    );
    instance.stop().await;

    let instance = open_instance(app, "listed").await;
    play(app, &instance, "public-1", "x", 50, 1, 2).await;
    let own = format!("/players/{}", id(1));
    assert_eq!(read(app, &instance, &own).await.0, StatusCode::NOT_FOUND);
    let board = page(app, &instance, "/leaderboard").await;
    let steam = format!("https://steamcommunity.com/profiles/{}", id(1));
    assert!(
        board.contains(&steam) && !board.contains("/players/"),
        "{board}"
    );
    assert!(
        board.contains("/leaderboard?pool=arena"),
        "another that is open: {board}"
    );
    let pools = app.bare_to(&instance.address, Method::GET, "/v1/admin/pools");
    let (_, pools) = send(pools.bearer_auth(ADMIN_SECRET)).await;
    assert_eq!(pools["pools"][0]["player_pages_public"], true, "arena");
    assert_eq!(pools["pools"][1]["player_pages_public"], false, "default");
    instance.stop().await;
}

async fn people_read_a_page_where_programs_read_a_problem(app: &App) {
    let instance = open_instance(app, "off").await;
    let nobody = format!("/players/{}?pool=arena", id(9));
    for (path, status, words) in [
        ("/leaderboard?pool=none", 404, "Nothing to see here"),
        ("/leaderboard?page=2", 422, "not valid"),
        ("/leaderboard?pool=arena&from=0", 422, "not valid"),
        ("/players/ramona?pool=arena", 422, "STEAM_0:1:0"),
        (nobody.as_str(), 404, "Nothing to see here"),
    ] {
        let (answered, text) = read(app, &instance, path).await;
        assert_eq!(answered.as_u16(), status, "{path}");
        assert!(text.contains(words), "{path}: {text}");
        assert!(
            !text.contains("[leaderboard]"),
            "of the configuration: {text}"
        );
        refused(app.bare_to(&instance.address, Method::GET, path), status).await;
    }
    refused(app.bare(Method::POST, "/leaderboard"), 405).await;
    // Subpaths of a player require a secret.
    refused(app.bare(Method::GET, &format!("/players/{}/x", id(1))), 401).await;
    instance.stop().await;
}

async fn the_leaderboard_shows_what_it_may_and_is_held_for_some_seconds(app: &App) {
    let instance = open_instance(app, "divisions").await;
    play(app, &instance, "arena-1", "new", 3, 1, 2).await;
    set_in_arena(app, 1, 2345).await;
    let shown = page(app, &instance, "/leaderboard?pool=arena").await;
    for part in [
        "2 players have a rank",
        "The best is rated 2,345.",
        &format!("href=\"/players/{}?pool=arena\"", id(1)),
        "<td class=\"number\">2,345</td>",
        "+1,345",
        "How the ratings are distributed",
        "2026-11-20 12:00 UTC",
        "one more round",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    set_in_arena(app, 1, 2346).await;
    let held = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_eq!(held, shown, "it was not held");
    let later = Duration::from_secs(15).as_micros();
    let later = app.clock.now().unix_micros() + i64::try_from(later).expect("a short time");
    app.clock
        .set(Timestamp::from_unix_micros(later).expect("a moment"));
    let fresh = page(app, &instance, "/leaderboard?pool=arena").await;
    assert!(fresh.contains(">2,346<"), "{fresh}");

    // Divisions hide the ratings without a secret; with a secret all ratings are visible.
    play(app, &instance, "public-1", "x", 50, 1, 2).await;
    let request = app.bare_to(&instance.address, Method::GET, "/v1/leaderboard");
    let (_, listed) = send(request.bearer_auth(SECRET)).await;
    assert_eq!(listed["ranked"], 2, "{listed}");
    let board = page(app, &instance, "/leaderboard").await;
    assert!(
        board.contains("&lt;Gold&gt; &amp; 'co'") && board.contains("Silver"),
        "{board}"
    );
    let own = format!("/players/{}", id(1));
    let own = page(app, &instance, &own).await;
    for player in listed["players"].as_array().expect("a list") {
        for key in ["rating", "change_30_days"] {
            let number = player[key].as_i64().expect("a number").unsigned_abs();
            assert!(
                number > 99,
                "what is looked for could stand elsewhere: {player}"
            );
            let grouped = format!("{},{:03}", number / 1000, number % 1000);
            for text in [&board, &own] {
                assert!(
                    !text.contains(&format!(">{number}<")),
                    "{key} of {player}: {text}"
                );
                assert!(
                    number < 1000 || !text.contains(&grouped),
                    "{key} of {player}: {text}"
                );
            }
        }
    }
    instance.stop().await;
}

async fn a_long_leaderboard_has_pages_and_leads_to_a_rank(app: &App) {
    let instance = open_instance(app, "off").await;
    for pair in 0..101 {
        play(
            app,
            &instance,
            "arena-1",
            &format!("p{pair}"),
            3,
            2 * pair + 1,
            2 * pair + 2,
        )
        .await;
    }
    let row = "<tr id=\"player-";
    let first = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_eq!(first.matches(row).count(), 40);
    assert!(first.contains("Places 1 to 40 of 202") && first.contains(">Lower<"));
    assert!(!first.contains(">Higher<"));
    let second = page(app, &instance, "/leaderboard?pool=arena&from=150").await;
    assert!(second.contains("Places 121 to 160 of 202"), "{second}");
    assert!(
        second.contains("from=161\"") && second.contains("from=81\""),
        "{second}"
    );
    for beyond in [202, 2_000_000_000] {
        let path = format!("/leaderboard?pool=arena&from={beyond}");
        let last = page(app, &instance, &path).await;
        assert!(last.contains("Places 201 to 202 of 202"), "{last}");
        assert_eq!(last.matches(row).count(), 2);
        assert!(!last.contains(">Lower<") && last.contains("To the top"));
    }
    instance.stop().await;
}

async fn a_player_is_found_by_any_form_of_the_id(app: &App) {
    let instance = open_instance(app, "off").await;
    play(app, &instance, "arena-1", "x", 3, 1, 2).await;
    play(app, &instance, "arena-1", "few", 1, 3, 4).await;
    let search = async |text: &str| {
        page(
            app,
            &instance,
            &format!("/leaderboard?pool=arena&search={text}"),
        )
        .await
    };
    for form in [
        id(1).as_str(),
        "STEAM_0:1:0",
        "%5BU:1:1%5D",
        "%20STEAM_0:1:0+",
    ] {
        let found = search(form).await;
        assert!(
            found.contains(&format!("/players/{}?pool=arena", id(1))),
            "{form}: {found}"
        );
        assert!(found.contains("Players found: 1"), "{form}: {found}");
    }
    let hidden = search(&id(3)).await;
    assert!(hidden.contains("after 2 more rounds"), "{hidden}");
    for nobody in [id(9).as_str(), "%3Cb%3Eramona", &"x".repeat(2000)] {
        let found = search(nobody).await;
        assert!(
            found.contains("No player of this pool") && !found.contains("<b>"),
            "{found}"
        );
    }
    assert!(search("").await.contains("2 players have a rank"));
    instance.stop().await;
}

async fn a_players_page_shows_a_rating_only_where_it_may(app: &App) {
    let instance = open_instance(app, "off").await;
    play(app, &instance, "arena-1", "x", 6, 1, 2).await;
    set_in_arena(app, 1, 2345).await;
    let path = |n: u64| format!("/players/{}?pool=arena", id(n));
    let shown = page(app, &instance, &path(1)).await;
    for part in [
        "2,345",
        "4 won, 0 drawn, 2 lost",
        "Rating over time",
        "property=\"og:description\" content=\"Rank 1 of 2, &lt;Gold&gt;",
        "Played against",
        "well",
        "This is the highest division.",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let other_form = page(app, &instance, "/players/STEAM_0:1:0?pool=arena").await;
    assert_eq!(other_form, shown);

    // A hidden player's page reveals no data from which the rating follows.
    play(app, &instance, "arena-1", "few", 2, 3, 4).await;
    set_in_arena(app, 3, 4321).await;
    let hidden = page(app, &instance, &path(3)).await;
    assert!(hidden.contains("after 1 more round."), "{hidden}");
    assert!(hidden.contains("2 won, 0 drawn, 0 lost"), "{hidden}");
    for part in [
        "4,321",
        "4321",
        "Rating over time",
        "Change",
        "odds",
        "Rating</",
    ] {
        assert!(!hidden.contains(part), "{part}: {hidden}");
    }
    let known = app.get(&format!("/v1/players/{}?pool=arena", id(4))).await;
    let hidden = page(app, &instance, &path(4)).await;
    assert!(
        !hidden.contains(&format!(">{}<", known["rating"])),
        "{hidden}"
    );

    app.clock
        .set("2027-02-01T12:00:00Z".parse().expect("a time"));
    let away = page(app, &instance, &path(1)).await;
    assert!(
        away.contains("more than 30 days ago. One more round brings it back."),
        "{away}"
    );
    assert!(
        away.contains("2,345") && !away.contains("<h2>Rank</h2>"),
        "{away}"
    );
    instance.stop().await;
}

async fn titles_are_text_whatever_they_are(app: &App) {
    let instance = open_instance(app, "divisions").await;
    let text = page(app, &instance, "/leaderboard?pool=arena").await;
    assert!(
        text.contains("<h1>Arena &amp; &lt;b&gt;friends&lt;/b&gt;</h1>"),
        "{text}"
    );
    assert!(
        page(app, &instance, "/leaderboard")
            .await
            .contains("<h1>Leaderboard</h1>")
    );
    instance.stop().await;
}
