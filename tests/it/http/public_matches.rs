//! Public pages of rounds, `/matches/{server}/{round_id}`, and the pools' names and percentiles on public pages.

use std::time::Duration;

use rbs::domain::Timestamp;
use rbs::store::DatabaseUrl;
use reqwest::Method;
use reqwest::header::ACCEPT;
use serde_json::{Value, json};

use super::{id, ids, round, set_in_arena, void, with};
use crate::support::{
    ADMIN_SECRET, App, Database, Engine, Instance, SECRET, refused, send, settings_from,
};

same_on_both_databases!(
    what_may_not_be_shown_looks_like_what_is_unknown,
    a_page_has_teams_odds_and_result_and_says_if_void,
    a_page_says_which_scramble_made_the_teams,
    divisions_and_hidden_players_stay_what_they_are,
    a_player_is_better_than_the_players_below,
    pools_with_one_title_are_told_apart,
);

async fn start(app: &App, configuration: &str) -> Instance {
    start_on(app, app.settings.database.clone(), configuration).await
}

async fn start_on(app: &App, database: DatabaseUrl, configuration: &str) -> Instance {
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
    ];
    let settings = settings_from(database, configuration, &variables);
    Instance::start(&settings, app.clock.clone()).await
}

const OPEN: &str =
    "[pools.arena.leaderboard]\npublic = \"ratings\"\nmatch_pages = true\nplayer_pages = true\n";

async fn read(app: &App, instance: &Instance, path: &str) -> (u16, String) {
    let request = app.bare_to(&instance.address, Method::GET, path);
    let answer = request.header(ACCEPT, "text/html").send().await;
    let answer = answer.expect("an answer");
    let status = answer.status().as_u16();
    (status, answer.text().await.expect("a text"))
}

async fn page(app: &App, instance: &Instance, path: &str) -> String {
    let (status, text) = read(app, instance, path).await;
    assert_eq!(status, 200, "{path}: {text}");
    text
}

fn pass(app: &App, seconds: u64) {
    let micros = i64::try_from(Duration::from_secs(seconds).as_micros()).expect("a short time");
    let later = app.clock.now().unix_micros() + micros;
    app.clock
        .set(Timestamp::from_unix_micros(later).expect("a moment"));
}

async fn what_may_not_be_shown_looks_like_what_is_unknown(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    app.counted(&round("public-1", "1", "a", &[1], &[2])).await;
    let mut seen = Vec::new();
    for default in ["public = \"ratings\"", "match_pages = true"] {
        let configuration = format!("[pools.default.leaderboard]\n{default}\n{OPEN}");
        let instance = start(app, &configuration).await;
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
    let closed = start(app, &OPEN.replace("match_pages = true", "")).await;
    let (status, _) = read(app, &closed, "/matches/arena-1/1?pool=arena").await;
    assert_eq!(status, 404, "match pages are off by default");
    let own = page(app, &closed, &format!("/players/{}?pool=arena", id(1))).await;
    assert!(!own.contains("/matches/"), "{own}");
    closed.stop().await;
}

async fn a_page_has_teams_odds_and_result_and_says_if_void(app: &App) {
    let instance = start(app, OPEN).await;
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
    for part in [
        "<h1 dir=\"auto\">&lt;well&gt; on arena-1</h1>",
        "Team B won",
        &odds,
        "<td class=\"number\">2,000</td>",
        &format!(">\u{2212}{}</span>", -lost),
        "<td class=\"number\">hidden</td>",
        "RBS has no record of a scramble before this round",
        &format!("property=\"og:description\" content=\"Team B won; the odds were {odds}."),
        "name=\"robots\" content=\"noindex\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for n in 1..=4 {
        let link = format!("href=\"/players/{}?pool=arena\"", id(n));
        assert_eq!(text.matches(&link).count(), 1, "{link}: {text}");
    }
    assert!(!text.contains("does not count"), "{text}");
    void(app, "arena-1/a%2Fb%3Fc:%26d").await;
    assert_eq!(page(app, &instance, path).await, text, "it was not held");
    pass(app, 15);
    let text = page(app, &instance, path).await;
    assert!(text.contains("voided and does not count"), "{text}");
    assert!(text.contains(&id(4)) && !text.contains("Change"), "{text}");
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
    let (status, table) = send(app.request(Method::POST, "/v1/scramble").json(&asked)).await;
    assert_eq!(status, 200, "{table}");
    pass(app, 600);
    let split = &table["splits"][0];
    let [mut a, mut b] = ["a", "b"].map(|side| split[side].as_array().expect("a team").clone());
    change(&mut a, &mut b);
    let sent = with(
        round("arena-1", name, "a", &[1], &[2]),
        json!({"team_a": a, "team_b": b}),
    );
    app.counted(&sent).await;
    let text = page(
        app,
        instance,
        &format!("/matches/arena-1/{name}?pool=arena"),
    )
    .await;
    let message = split["message"].as_str().expect("a sentence").to_owned();
    (message, text)
}

async fn a_page_says_which_scramble_made_the_teams(app: &App) {
    let instance = start(app, OPEN).await;
    let (message, text) = play_scrambled(app, &instance, "same", std::mem::swap).await;
    let made = |at: &str| format!("RBS made these teams on 2026-11-20 {at} UTC: ");
    assert!(
        text.contains(&format!("{}{message}", made("12:01"))),
        "{text}"
    );
    assert!(!text.contains("class=\"tag\""), "{text}");

    let swap_and_join = |a: &mut Vec<Value>, b: &mut Vec<Value>| {
        std::mem::swap(&mut a[0], &mut b[0]);
        a.push(json!({"id": id(9), "at_start": false}));
    };
    let (message, text) = play_scrambled(app, &instance, "changed", |a, b| {
        a.pop();
        a.push(json!(id(9)));
        b.push(json!({"id": id(10), "at_start": false}));
    })
    .await;
    assert!(text.contains(&message), "{text}");
    assert_eq!(text.matches(">joined</span>").count(), 2, "{text}");
    let (_, text) = play_scrambled(app, &instance, "moved", |a, b| {
        std::mem::swap(&mut a[0], &mut b[0]);
    })
    .await;
    assert_eq!(text.matches(">moved</span>").count(), 2, "{text}");
    assert!(text.contains("RBS made these teams"), "{text}");

    let (message, text) = play_scrambled(app, &instance, "others", |a, b| {
        swap_and_join(a, b);
        std::mem::swap(&mut a[1], &mut b[1]);
    })
    .await;
    assert!(
        text.contains("but other teams played") && !text.contains(&message),
        "{text}"
    );
    app.counted(&round("arena-1", "after", "a", &[1], &[2]))
        .await;
    let text = page(app, &instance, "/matches/arena-1/after?pool=arena").await;
    assert!(text.contains("RBS has no record of a scramble"), "{text}");
    instance.stop().await;
}

async fn divisions_and_hidden_players_stay_what_they_are(app: &App) {
    for number in 0..3 {
        let mut sent = round("arena-1", &number.to_string(), "a", &[1, 3], &[2]);
        sent["team_a"] = json!([{"id": id(1), "name": "Ada <i>"}, {"id": id(3), "name": "Cid"}]);
        app.counted(&sent).await;
    }
    set_in_arena(app, 1, 2345).await;
    app.counted(&round("arena-1", "last", "a", &[1, 3], &[2]))
        .await;
    let path = format!("/v1/admin/players/{}/forget?pool=arena", id(3));
    let request = app.admin(Method::POST, &path);
    let (status, body) = send(request.json(&json!({"hide_id": true}))).await;
    assert_eq!(status, 200, "{body}");
    let divisions = "divisions = [{name = \"All\", from_percentile = 0}]\n";
    for (public, names) in [("ratings", true), ("divisions", false)] {
        let configuration = format!("{OPEN}names = {names}\n{divisions}");
        let configuration = configuration.replace("\"ratings\"", &format!("\"{public}\""));
        let instance = start(app, &configuration).await;
        let text = page(app, &instance, "/matches/arena-1/last?pool=arena").await;
        for part in [">2,345<", "Rating</th>", "Change</th>"] {
            assert_eq!(text.contains(part), public == "ratings", "{part}: {text}");
        }
        assert_eq!(text.contains("Ada &lt;i&gt;</a>"), names, "{text}");
        assert_eq!(text.contains(&format!(">{}</a>", id(1))), !names, "{text}");
        assert!(text.contains(">forgotten player 1</span>"), "{text}");
        assert!(!text.contains(&id(3)) && !text.contains("Cid"), "{text}");
        let own = page(app, &instance, &format!("/players/{}?pool=arena", id(1))).await;
        assert_eq!(
            own.contains("A win can now add"),
            public == "ratings",
            "{own}"
        );
        instance.stop().await;
    }
}

async fn a_player_is_better_than_the_players_below(app: &App) {
    let instance = start(app, OPEN).await;
    let mut ratings = Vec::new();
    for n in 1..=11 {
        if n == 10 {
            let few = page(app, &instance, &format!("/players/{}?pool=arena", id(1))).await;
            assert!(
                few.contains("of 9 players") && !few.contains("etter than"),
                "{few}"
            );
            pass(app, 15);
        }
        for number in 0..3 {
            app.counted(&round(
                "arena-1",
                &format!("{n}-{number}"),
                "a",
                &[n],
                &[1000 + 3 * n + number],
            ))
            .await;
        }
        // Some players have equal ratings.
        let rating = 1000 + 100 * (n * 7 % 5);
        set_in_arena(app, n, i64::try_from(rating).expect("a small number")).await;
        ratings.push((n, rating));
    }
    let listed = app.get("/v1/leaderboard?pool=arena&limit=100").await;
    let players = listed["players"].as_array().expect("a list");
    for (n, rating) in ratings {
        let rating = i64::try_from(rating).expect("a small number");
        let below = players
            .iter()
            .filter(|one| one["rating"].as_i64() < Some(rating))
            .count();
        let others = players.len() - 1;
        let text = page(app, &instance, &format!("/players/{}?pool=arena", id(n))).await;
        let expected = format!(
            "etter than {} % of the {others} other players",
            below * 100 / others
        );
        assert!(text.contains(&expected), "{expected}: {text}");
        let details = app
            .get(&format!("/v1/admin/players/{}?pool=arena", id(n)))
            .await;
        let most = details["k"].as_f64().expect("a K-factor");
        let expected = format!("A win can now add up to {most:.0} points");
        assert!(text.contains(&expected), "{expected}: {text}");
    }
    let found = page(
        app,
        &instance,
        &format!("/leaderboard?pool=arena&search={}", id(1)),
    )
    .await;
    assert!(found.contains(">1,200<"), "{found}");
    instance.stop().await;
}

async fn pools_with_one_title_are_told_apart(app: &App) {
    let common = "[leaderboard]\npublic = \"ratings\"\nplayer_pages = true\ntitle = \"Ours\"\n";
    let third = format!("{common}[pools.third.leaderboard]\ntitle = \"Third's\"\n");
    // The database of `app` may have no other pools than its configuration.
    let database = Database::create(Engine::Sqlite).await;
    let instance = start_on(app, database.url(), &third).await;
    let play = async |server: &str, count: u32| {
        let rounds = (0..count).map(|number| round(server, &number.to_string(), "a", &[1], &[2]));
        let rounds = json!({"rounds": rounds.collect::<Vec<_>>()});
        let request = app.bare_to(&instance.address, Method::POST, "/v1/updates");
        let (status, body) = send(request.bearer_auth(SECRET).json(&rounds)).await;
        assert_eq!(status, 200, "{body}");
    };
    play("arena-1", 3).await;
    // Nobody has a rank in `default`, so the busiest pool comes first.
    let first = page(app, &instance, "/leaderboard").await;
    assert_eq!(first, page(app, &instance, "/leaderboard?pool=arena").await);
    for part in [
        "<h1>Ours · arena</h1>",
        "<title>Ours · arena</title>",
        "<meta property=\"og:title\" content=\"Ours · arena\">",
        "<a href=\"/leaderboard?pool=default\">Ours · default</a>",
        "<a href=\"/leaderboard?pool=third\">Third's</a>",
    ] {
        assert!(first.contains(part), "{part}: {first}");
    }
    let own = page(app, &instance, &format!("/players/{}?pool=arena", id(1))).await;
    assert!(
        own.contains(&format!("<title>{} · Ours · arena</title>", id(1))),
        "{own}"
    );
    let third = page(app, &instance, "/leaderboard?pool=third").await;
    assert!(third.contains("<h1>Third's</h1>"), "{third}");
    play("public-1", 50).await;
    pass(app, 15);
    let default = page(app, &instance, "/leaderboard").await;
    assert!(default.contains("<h1>Ours · default</h1>"), "{default}");
    instance.stop().await;
    database.remove().await;
    let alone = format!("{common}[pools.arena.leaderboard]\npublic = \"off\"\n");
    let instance = start(app, &alone).await;
    let alone = page(app, &instance, "/leaderboard").await;
    assert!(alone.contains("<h1>Ours</h1>"), "{alone}");
    instance.stop().await;
}
