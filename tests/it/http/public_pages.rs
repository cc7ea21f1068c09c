//! Public pages: `/leaderboard` and `/players/{id}`.

use std::time::Duration;

use reqwest::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{configured, id, posted, round, set_clock, set_in_arena, with};
use crate::support::{App, Instance, refused};

same_on_both_databases!(
    the_pages_are_there_only_where_they_are_opened,
    people_read_a_page_where_programs_read_a_problem,
    the_leaderboard_shows_what_it_may_and_is_held_for_some_seconds,
    a_long_leaderboard_has_pages_and_leads_to_a_rank,
    a_player_is_found_by_any_form_of_the_id,
    a_players_page_shows_a_rating_only_where_it_may,
    browsers_get_what_they_ask_for_by_themselves,
);

const YESTERDAY: &str = "2026-11-19T12:00:00Z";

/// An instance whose pool `arena` shows ratings and players. `public` configures `default`; `"listed"` shows all but
/// the players.
async fn open_instance(app: &App, public: &str) -> Instance {
    let (public, pages) = match public {
        "listed" => ("ratings", "false"),
        public => (public, "true"),
    };
    let text = r#"
        [leaderboard]
        public = "PUBLIC"
        player_pages = PAGES
        match_pages = PAGES
        divisions = [{name = "<Gold> & 'co'", from_percentile = 50.0},
                     {name = "Silver", from_percentile = 0}]
        [pools.arena.leaderboard]
        public = "ratings"
        player_pages = true
        title = "Arena & <b>friends</b>"
    "#;
    configured(app, &text.replace("PUBLIC", public).replace("PAGES", pages)).await
}

/// Plays `count` rounds on `server`. The first player loses every third round.
async fn play(app: &App, server: &str, name: &str, count: u32, a: u64, b: u64) {
    let rounds: Vec<Value> = (0..count)
        .map(|number| {
            let winner = ["a", "a", "b"][number as usize % 3];
            let sent = round(server, &format!("{name}-{number}"), winner, &[a], &[b]);
            with(sent, json!({"ended_at": YESTERDAY, "map": "well"}))
        })
        .collect();
    posted(app, "/v1/updates", &json!({"rounds": rounds})).await;
}

pub(super) async fn read(app: &App, instance: &Instance, path: &str) -> (StatusCode, String) {
    let request = app.bare_to(&instance.address, Method::GET, path);
    let request = request.header(ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8");
    let answer = request.send().await.expect("an answer");
    let header = |name| answer.headers()[name].to_str().expect("a text").to_owned();
    let (status, kind) = (answer.status(), header(CONTENT_TYPE));
    assert_eq!(kind, "text/html; charset=utf-8", "{path}");
    let policy = header(CONTENT_SECURITY_POLICY);
    assert_shows(&policy, &["default-src 'none'", "frame-ancestors 'none'"]);
    let cached = header(CACHE_CONTROL);
    let expected = if status == StatusCode::OK {
        "public, max-age=15"
    } else {
        "no-store"
    };
    assert_eq!(cached, expected, "{path}");
    let text = answer.text().await.expect("a text");
    assert_shows(&text, &["<main>", "<h1", "og:title", "lang=\"en\""]);
    assert_hides(&text, &["<script", "style="]);
    (status, text)
}

pub(super) async fn page(app: &App, instance: &Instance, path: &str) -> String {
    let (status, text) = read(app, instance, path).await;
    assert_eq!(status, StatusCode::OK, "{path}: {text}");
    text
}

/// Asserts that `text` contains all of `parts`.
pub(super) fn assert_shows(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Asserts that `text` contains none of `parts`.
pub(super) fn assert_hides(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(!text.contains(part), "{part}: {text}");
    }
}

pub(super) fn pass(app: &App, seconds: u64) {
    let later = app.clock.now().later(Duration::from_secs(seconds));
    app.clock.set(later);
}

async fn the_pages_are_there_only_where_they_are_opened(app: &App) {
    refused(app.bare(Method::GET, "/leaderboard"), 404).await;
    refused(app.bare(Method::GET, &format!("/players/{}", id(1))), 404).await;
    let instance = open_instance(app, "off").await;
    let empty = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_shows(&empty, &["Nobody has a rank yet", "3 rounds"]);
    assert_hides(&empty, &["<table", "pool=default"]);
    for path in ["/leaderboard".to_owned(), format!("/players/{}", id(1))] {
        let said = async |pool: &str| {
            let path = format!("{path}?pool={pool}");
            let request = app.bare_to(&instance.address, Method::GET, &path);
            refused(request, 404).await.1["detail"].clone()
        };
        assert_eq!(said("default").await, said("no-such-pool").await, "{path}");
    }
    instance.stop().await;

    let instance = open_instance(app, "listed").await;
    play(app, "public-1", "x", 50, 1, 2).await;
    let own = format!("/players/{}", id(1));
    assert_eq!(read(app, &instance, &own).await.0, StatusCode::NOT_FOUND);
    let board = page(app, &instance, "/leaderboard").await;
    let steam = format!("https://steamcommunity.com/profiles/{}", id(1));
    assert_shows(&board, &[&steam, "/leaderboard?pool=arena"]);
    assert_hides(&board, &["/players/"]);
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
        assert_shows(&text, &[words]);
        assert_hides(&text, &["[leaderboard]"]);
        refused(app.bare_to(&instance.address, Method::GET, path), status).await;
    }
    // Subpaths of a player require a secret.
    refused(app.bare(Method::GET, &format!("/players/{}/x", id(1))), 401).await;
    instance.stop().await;
}

async fn the_leaderboard_shows_what_it_may_and_is_held_for_some_seconds(app: &App) {
    let instance = open_instance(app, "divisions").await;
    play(app, "arena-1", "new", 3, 1, 2).await;
    set_in_arena(app, 1, 2345).await;
    let shown = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_shows(
        &shown,
        &[
            "<h1>Arena &amp; &lt;b&gt;friends&lt;/b&gt;</h1>",
            "2 players have a rank",
            "The best is rated 2,345.",
            &format!("href=\"/players/{}?pool=arena\"", id(1)),
            "<td class=\"number\">2,345</td>",
            "+1,345",
            "How the ratings are distributed",
            "2026-11-20 12:00 UTC",
            "one more round",
        ],
    );
    set_in_arena(app, 1, 2346).await;
    let held = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_eq!(held, shown, "it was not held");
    pass(app, 15);
    let fresh = page(app, &instance, "/leaderboard?pool=arena").await;
    assert!(fresh.contains(">2,346<"), "{fresh}");

    // Divisions hide the ratings without a secret; with a secret all ratings are visible.
    play(app, "public-1", "x", 50, 1, 2).await;
    let listed = app.get("/v1/leaderboard").await;
    assert_eq!(listed["ranked"], 2, "{listed}");
    let board = page(app, &instance, "/leaderboard").await;
    let parts = ["<h1>Leaderboard</h1>", "&lt;Gold&gt; &amp; 'co'", "Silver"];
    assert_shows(&board, &parts);
    let own = page(app, &instance, &format!("/players/{}", id(1))).await;
    assert_hides(&own, &["A win can now add"]);
    let played = page(app, &instance, "/matches/public-1/x-49").await;
    assert_hides(&played, &["Rating</th>", "Change</th>"]);
    for player in listed["players"].as_array().expect("a list") {
        for key in ["rating", "change_30_days"] {
            let number = player[key].as_i64().expect("a number").unsigned_abs();
            assert!(number > 99, "this could stand elsewhere: {player}");
            let grouped = format!("{},{:03}", number / 1000, number % 1000);
            for text in [&board, &own, &played] {
                assert_hides(text, &[&format!(">{number}<")]);
                assert!(number < 1000 || !text.contains(&grouped), "{text}");
            }
        }
    }
    instance.stop().await;
}

async fn a_long_leaderboard_has_pages_and_leads_to_a_rank(app: &App) {
    let instance = open_instance(app, "off").await;
    for pair in 0..101 {
        let (name, a) = (format!("p{pair}"), 2 * pair + 1);
        play(app, "arena-1", &name, 3, a, a + 1).await;
    }
    let row = "<tr id=\"player-";
    let first = page(app, &instance, "/leaderboard?pool=arena").await;
    assert_eq!(first.matches(row).count(), 40);
    assert_shows(&first, &["Places 1 to 40 of 202", ">Lower<"]);
    assert_hides(&first, &[">Higher<"]);
    let second = page(app, &instance, "/leaderboard?pool=arena&from=150").await;
    let parts = ["Places 121 to 160 of 202", "from=161\"", "from=81\""];
    assert_shows(&second, &parts);
    for beyond in [202, 2_000_000_000] {
        let path = format!("/leaderboard?pool=arena&from={beyond}");
        let last = page(app, &instance, &path).await;
        assert_shows(&last, &["Places 201 to 202 of 202", "To the top"]);
        assert_hides(&last, &[">Lower<"]);
        assert_eq!(last.matches(row).count(), 2);
    }
    instance.stop().await;
}

async fn a_player_is_found_by_any_form_of_the_id(app: &App) {
    let instance = open_instance(app, "off").await;
    play(app, "arena-1", "x", 3, 1, 2).await;
    play(app, "arena-1", "few", 1, 3, 4).await;
    let search = async |text: &str| {
        let path = format!("/leaderboard?pool=arena&search={text}");
        page(app, &instance, &path).await
    };
    let link = format!("/players/{}?pool=arena", id(1));
    for form in [id(1).as_str(), "%5BU:1:1%5D", "%20STEAM_0:1:0+"] {
        assert_shows(&search(form).await, &[&link, "Players found: 1"]);
    }
    assert_shows(&search(&id(3)).await, &["after 2 more rounds"]);
    for nobody in [id(9).as_str(), "%3Cb%3Eramona", &"x".repeat(2000)] {
        let found = search(nobody).await;
        assert_shows(&found, &["No player of this pool"]);
        assert_hides(&found, &["<b>"]);
    }
    assert_shows(&search("").await, &["2 players have a rank"]);
    instance.stop().await;
}

async fn a_players_page_shows_a_rating_only_where_it_may(app: &App) {
    let instance = open_instance(app, "off").await;
    play(app, "arena-1", "x", 6, 1, 2).await;
    set_in_arena(app, 1, 2345).await;
    let path = |n: u64| format!("/players/{}?pool=arena", id(n));
    let shown = page(app, &instance, &path(1)).await;
    assert_shows(
        &shown,
        &[
            "2,345",
            "4 won, 0 drawn, 2 lost",
            "Rating over time",
            "property=\"og:description\" content=\"Rank 1 of 2, &lt;Gold&gt;",
            "Played against",
            "well",
            "This is the highest division.",
        ],
    );
    let other_form = page(app, &instance, "/players/STEAM_0:1:0?pool=arena").await;
    assert_eq!(other_form, shown);

    // A hidden player's page reveals no data from which the rating follows.
    play(app, "arena-1", "few", 2, 3, 4).await;
    set_in_arena(app, 3, 4321).await;
    let hidden = page(app, &instance, &path(3)).await;
    assert_shows(&hidden, &["after 1 more round.", "2 won, 0 drawn, 0 lost"]);
    assert_hides(&hidden, &["4,321", "4321", "Rating over time"]);
    assert_hides(&hidden, &["Change", "odds", "Rating</"]);
    let known = app.get(&format!("/v1/players/{}?pool=arena", id(4))).await;
    let hidden = page(app, &instance, &path(4)).await;
    assert_hides(&hidden, &[&format!(">{}<", known["rating"])]);

    set_clock(app, "2027-02-01T12:00:00Z");
    let away = page(app, &instance, &path(1)).await;
    let back = "more than 30 days ago. One more round brings it back.";
    assert_shows(&away, &[back, "2,345"]);
    assert_hides(&away, &["<h2>Rank</h2>"]);
    instance.stop().await;
}

async fn browsers_get_what_they_ask_for_by_themselves(app: &App) {
    for (path, kind) in [
        ("/favicon.ico", "image/svg+xml"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/assets/public.css", "text/css; charset=utf-8"),
    ] {
        let answer = app.bare(Method::GET, path).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()[CONTENT_TYPE], kind, "{path}");
    }
}
