//! Public pages of rounds, `/matches/{server}/{round_id}`, and the names and percentiles on public pages.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::public_pages::{assert_hides, assert_shows, page, pass, read};
use super::{
    configuration, configured, id, ids, posted, posted_to, round, set_in_arena, void, with,
};
use crate::support::{App, Database, Engine, Instance, refused, send};

same_on_both_databases!(
    what_may_not_be_shown_looks_like_what_is_unknown,
    a_page_has_teams_odds_and_result_and_says_if_void,
    a_page_says_which_scramble_made_the_teams,
    names_stand_only_where_the_pool_shows_them_and_hidden_ids_nowhere,
    a_player_is_better_than_the_players_below,
    pools_with_one_title_are_told_apart,
);

const OPEN: &str =
    "[pools.arena.leaderboard]\npublic = \"ratings\"\nmatch_pages = true\nplayer_pages = true\n";

async fn what_may_not_be_shown_looks_like_what_is_unknown(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    app.counted(&round("public-1", "1", "a", &[1], &[2])).await;
    let mut seen = Vec::new();
    for default in ["public = \"ratings\"", "match_pages = true"] {
        let configuration = format!("[pools.default.leaderboard]\n{default}\n{OPEN}");
        let instance = configured(app, &configuration).await;
        page(app, &instance, "/matches/arena-1/1?pool=arena").await;
        for path in [
            "/matches/arena-1/2?pool=arena",
            "/matches/arena-1/1?pool=default",
            "/matches/arena-1/1",
            "/matches/arena-1/1?pool=none",
            "/matches/public-1/1?pool=default",
            "/matches/public-1/1?pool=arena",
        ] {
            let request = app.bare_to(&instance.address, Method::GET, path);
            let problem = refused(request, 404).await.1;
            seen.push((problem["detail"].clone(), read(app, &instance, path).await));
        }
        for path in ["/matches/arena-1/1/x?pool=arena", "/matches/arena-1"] {
            refused(app.bare_to(&instance.address, Method::GET, path), 401).await;
        }
        instance.stop().await;
    }
    assert!(seen.iter().all(|one| *one == seen[0]), "{seen:?}");
    let closed = configured(app, &OPEN.replace("match_pages = true", "")).await;
    let (status, _) = read(app, &closed, "/matches/arena-1/1?pool=arena").await;
    assert_eq!(status, StatusCode::NOT_FOUND, "they are off by default");
    let own = page(app, &closed, &format!("/players/{}?pool=arena", id(1))).await;
    assert_hides(&own, &["/matches/"]);
    closed.stop().await;
}

async fn a_page_has_teams_odds_and_result_and_says_if_void(app: &App) {
    let instance = configured(app, OPEN).await;
    for number in 0..3 {
        app.counted(&round("arena-1", &number.to_string(), "a", &[1], &[2]))
            .await;
    }
    set_in_arena(app, 1, 2000).await;
    let odd = with(
        round("arena-1", "a/b?c:&d", "b", &[1, 3], &[2, 4]),
        json!({"map": "<well>"}),
    );
    let counted = app.counted(&odd).await;
    let own = page(app, &instance, &format!("/players/{}?pool=arena", id(1))).await;
    let path = "/matches/arena-1/a%2Fb%3Fc:%26d?pool=arena";
    assert!(own.contains(&format!("href=\"{path}\"")), "{own}");
    let text = page(app, &instance, path).await;
    let odds = ["a", "b"].map(|side| counted["win_probability"][side].as_f64().expect("odds"));
    assert!((odds[0] - 0.5).abs() > 0.05, "{odds:?}");
    let odds = odds
        .map(|odds| format!("{:.0} %", odds * 100.0))
        .join(" to ");
    let lost = counted["players"][0]["delta"].as_i64().expect("a change");
    assert!(lost < 0, "{counted}");
    assert_shows(
        &text,
        &[
            "<h1 dir=\"auto\">&lt;well&gt; on arena-1</h1>",
            "Team B won",
            &odds,
            "<td class=\"number\">2,000</td>",
            &format!(">\u{2212}{}</span>", -lost),
            "<td class=\"number\">hidden</td>",
            "RBS has no record of a scramble before this round",
            &format!("property=\"og:description\" content=\"Team B won; the odds were {odds}."),
            "name=\"robots\" content=\"noindex\"",
        ],
    );
    for n in 1..=4 {
        let link = format!("href=\"/players/{}?pool=arena\"", id(n));
        assert_eq!(text.matches(&link).count(), 1, "{link}: {text}");
    }
    assert_hides(&text, &["does not count"]);
    void(app, "arena-1/a%2Fb%3Fc:%26d").await;
    assert_eq!(page(app, &instance, path).await, text, "it was not held");
    pass(app, 15);
    let text = page(app, &instance, path).await;
    assert_shows(&text, &["voided and does not count", &id(4)]);
    assert_hides(&text, &["Change"]);
    instance.stop().await;
}

/// Scrambles players 1 to 8 on `arena-1`, and plays round `name` with the teams that `change` makes of it. Returns the
/// sentence of the scramble, and the page of the round.
async fn play_scrambled(
    app: &App,
    instance: &Instance,
    name: &str,
    change: impl Fn(&mut Vec<Value>, &mut Vec<Value>),
) -> (String, String) {
    pass(app, 60);
    let asked = json!({"server": "arena-1", "players": ids(1..=8), "sizes": [4]});
    let table = posted(app, "/v1/scramble", &asked).await;
    pass(app, 600);
    let split = &table["splits"][0];
    let [mut a, mut b] = ["a", "b"].map(|side| split[side].as_array().expect("a team").clone());
    change(&mut a, &mut b);
    let sent = with(
        round("arena-1", name, "a", &[1], &[2]),
        json!({"team_a": a, "team_b": b}),
    );
    app.counted(&sent).await;
    let path = format!("/matches/arena-1/{name}?pool=arena");
    let text = page(app, instance, &path).await;
    let message = split["message"].as_str().expect("a sentence").to_owned();
    (message, text)
}

async fn a_page_says_which_scramble_made_the_teams(app: &App) {
    let instance = configured(app, OPEN).await;
    let (message, text) = play_scrambled(app, &instance, "same", std::mem::swap).await;
    let made = "RBS made these teams on 2026-11-20 12:01 UTC: ";
    assert_shows(&text, &[&format!("{made}{message}")]);
    assert_hides(&text, &["class=\"tag\""]);

    let swap = |a: &mut Vec<Value>, b: &mut Vec<Value>| std::mem::swap(&mut a[0], &mut b[0]);
    let (message, text) = play_scrambled(app, &instance, "moved", swap).await;
    assert_shows(&text, &["RBS made these teams", &message]);
    assert_eq!(text.matches(">moved</span>").count(), 2, "{text}");
    let (message, text) = play_scrambled(app, &instance, "changed", |a, b| {
        a.pop();
        a.push(json!(id(9)));
        b.push(json!({"id": id(10), "at_start": false}));
    })
    .await;
    assert_shows(&text, &[&message]);
    assert_eq!(text.matches(">joined</span>").count(), 2, "{text}");

    let (message, text) = play_scrambled(app, &instance, "others", |a, b| {
        swap(a, b);
        a.push(json!({"id": id(9), "at_start": false}));
    })
    .await;
    assert_shows(&text, &["but other teams played"]);
    assert_hides(&text, &[&message]);
    app.counted(&round("arena-1", "after", "a", &[1], &[2]))
        .await;
    let text = page(app, &instance, "/matches/arena-1/after?pool=arena").await;
    assert_shows(&text, &["RBS has no record of a scramble"]);
    instance.stop().await;
}

async fn names_stand_only_where_the_pool_shows_them_and_hidden_ids_nowhere(app: &App) {
    for number in 0..3 {
        let mut sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        sent["team_a"] = json!([{"id": id(1), "name": "Ada <i>"}]);
        sent["team_b"] = json!([{"id": id(2), "name": "Bob"}, {"id": id(3), "name": "Cid"}]);
        app.counted(&sent).await;
    }
    let path = format!("/v1/admin/players/{}/forget?pool=arena", id(3));
    let request = app.admin(Method::POST, &path);
    let (status, body) = send(request.json(&json!({"hide_id": true}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let path = |n: u64| format!("/players/{}?pool=arena", id(n));
    let search = |text: &str| format!("/leaderboard?pool=arena&search={text}");
    for names in [true, false] {
        let instance = configured(app, &format!("{OPEN}names = {names}\n")).await;
        let board = page(app, &instance, "/leaderboard?pool=arena").await;
        let own = page(app, &instance, &path(1)).await;
        let played = page(app, &instance, "/matches/arena-1/0?pool=arena").await;
        let found = page(app, &instance, &search("ADA")).await;
        for (text, part) in [
            (&board, "Ada &lt;i&gt;</a>"),
            (&board, "Bob"),
            (&own, "<h1 dir=\"auto\">Ada &lt;i&gt;</h1>"),
            (&own, "Bob"),
            (&played, "Ada &lt;i&gt;</a>"),
            (&found, "Players found: 1"),
        ] {
            assert_eq!(text.contains(part), names, "{part}: {text}");
        }
        for text in [&board, &own, &played] {
            // Links contain ids.
            assert_shows(text, &[&id(1), "forgotten player 1"]);
            assert_hides(text, &[&id(3), "Cid"]);
        }
        assert_eq!(
            read(app, &instance, &path(3)).await.0,
            StatusCode::NOT_FOUND
        );
        for text in [id(3).as_str(), "forgotten"] {
            let found = page(app, &instance, &search(text)).await;
            assert_shows(&found, &["Players found: 0"]);
        }
        instance.stop().await;
    }
}

async fn a_player_is_better_than_the_players_below(app: &App) {
    let instance = configured(app, OPEN).await;
    let own = async |n: u64| page(app, &instance, &format!("/players/{}?pool=arena", id(n))).await;
    for n in 1..=11 {
        if n == 10 {
            let few = own(1).await;
            assert_shows(&few, &["of 9 players"]);
            assert_hides(&few, &["etter than"]);
            pass(app, 15);
        }
        for number in 0..3 {
            let (name, other) = (format!("{n}-{number}"), 1000 + 3 * n + number);
            app.counted(&round("arena-1", &name, "a", &[n], &[other]))
                .await;
        }
        // Some players have equal ratings.
        let rating = 1000 + 100 * (n * 7 % 5);
        set_in_arena(app, n, i64::try_from(rating).expect("small")).await;
    }
    let listed = app.get("/v1/leaderboard?pool=arena&limit=100").await;
    let players = listed["players"].as_array().expect("a list");
    for n in [1, 2, 5, 11] {
        let path = format!("/v1/admin/players/{}?pool=arena", id(n));
        let details = app.get(&path).await;
        let rating = details["rating"].as_i64();
        let below = players.iter().filter(|one| one["rating"].as_i64() < rating);
        let share = below.count() * 100 / 10;
        let most = details["k"].as_f64().expect("a K-factor");
        let better = format!("etter than {share} % of the 10 other players");
        let most = format!("A win can now add up to {most:.0} points");
        assert_shows(&own(n).await, &[&better, &most]);
    }
    instance.stop().await;
}

async fn pools_with_one_title_are_told_apart(app: &App) {
    let common = "[leaderboard]\npublic = \"ratings\"\nplayer_pages = true\ntitle = \"Ours\"\n";
    let third = format!("{common}[pools.third.leaderboard]\ntitle = \"Third's\"\n");
    // The database of `app` may have no other pools than its configuration.
    let database = Database::create(Engine::Sqlite).await;
    let settings = configuration(database.url(), &third);
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let play = async |server: &str, count: u32| {
        let rounds = (0..count).map(|number| round(server, &number.to_string(), "a", &[1], &[2]));
        let rounds = json!({"rounds": rounds.collect::<Vec<_>>()});
        posted_to(app, &instance.address, "/v1/updates", &rounds).await;
    };
    play("arena-1", 3).await;
    // Nobody has a rank in `default`, so the busiest pool comes first.
    let first = page(app, &instance, "/leaderboard").await;
    assert_eq!(first, page(app, &instance, "/leaderboard?pool=arena").await);
    assert_shows(
        &first,
        &[
            "<h1>Ours · arena</h1>",
            "<title>Ours · arena</title>",
            "<meta property=\"og:title\" content=\"Ours · arena\">",
            "<a href=\"/leaderboard?pool=default\">Ours · default</a>",
            "<a href=\"/leaderboard?pool=third\">Third's</a>",
        ],
    );
    let own = page(app, &instance, &format!("/players/{}?pool=arena", id(1))).await;
    let title = format!("<title>{} · Ours · arena</title>", id(1));
    assert_shows(&own, &[&title]);
    let third = page(app, &instance, "/leaderboard?pool=third").await;
    assert_shows(&third, &["<h1>Third's</h1>"]);
    play("public-1", 50).await;
    pass(app, 15);
    let default = page(app, &instance, "/leaderboard").await;
    assert_shows(&default, &["<h1>Ours · default</h1>"]);
    instance.stop().await;
    database.remove().await;
    let alone = format!("{common}[pools.arena.leaderboard]\npublic = \"off\"\n");
    let instance = configured(app, &alone).await;
    let alone = page(app, &instance, "/leaderboard").await;
    assert_shows(&alone, &["<h1>Ours</h1>"]);
    instance.stop().await;
}
