use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{id, round, set_clock, set_in_arena, with};
use crate::support::{App, refused, send};

on_both_databases!(
    ranks_are_shared_by_equals_and_changes_look_back_thirty_days,
    what_comes_late_counts_to_the_time_since_it_came,
    what_comes_late_to_a_pool_that_was_quiet_counts_too,
    a_change_by_an_admin_counts_to_when_it_was_made,
    who_is_hidden_or_stale_has_no_rank,
    what_is_asked_wrongly_is_refused,
);

async fn play(app: &App, name: &str, ended_at: &str, count: u32, a: u64, b: u64) -> [i64; 2] {
    let rounds: Vec<Value> = (0..count)
        .map(|number| {
            let winner = ["a", "a", "b"][number as usize % 3];
            let sent = round("arena-1", &format!("{name}-{number}"), winner, &[a], &[b]);
            with(sent, json!({"ended_at": ended_at}))
        })
        .collect();
    let request = app.request(Method::POST, "/v1/updates");
    let (status, body) = send(request.json(&json!({"rounds": rounds}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let answers = body["answers"].as_array().expect("a list");
    assert!(answers.iter().all(|one| one["status"] == 200), "{body}");
    let last = &answers.last().expect("an answer")["body"]["players"];
    [0, 1].map(|index| last[index]["rating"].as_i64().expect("a rating"))
}

const LONG_AGO: &str = "2026-10-01T12:00:00Z";
const YESTERDAY: &str = "2026-11-19T12:00:00Z";

async fn ranks_are_shared_by_equals_and_changes_look_back_thirty_days(app: &App) {
    let [_, second] = play(app, "old", LONG_AGO, 40, 1, 2).await;
    set_in_arena(app, 1, 1300).await;
    play(app, "old-too", "2026-10-02T12:00:00Z", 3, 9, 8).await;
    play(app, "new", YESTERDAY, 50, 1, 2).await;
    play(app, "newer", YESTERDAY, 3, 3, 4).await;
    for (n, rating) in [(1, 1500), (2, 1500), (3, 1600), (4, 1200)] {
        set_in_arena(app, n, rating).await;
    }
    let player = |rank: u32, n: u64, rating: i64, rounds: u32, before: i64| {
        json!({"rank": rank, "id": id(n), "name": null, "id_hidden": false, "rating": rating, "division": null, "rounds": rounds,
               "placing_rounds": 0, "change_30_days": rating - before, "last_played": YESTERDAY})
    };
    let expected = json!([
        player(1, 3, 1600, 3, 1000),
        player(2, 1, 1500, 90, 1300),
        player(2, 2, 1500, 90, second),
        player(4, 4, 1200, 3, 1000),
    ]);
    let whole = app.get("/v1/leaderboard?server=arena-1").await;
    let all = json!({"pool": "arena", "season": 0, "season_name": null, "computed_at": "2026-11-20T12:00:00Z", "ranked": 4,
                     "players": expected, "next": null});
    assert_eq!(whole, all);
    let (status, same) = send(app.request(Method::GET, "/v1/leaderboard?pool=arena")).await;
    assert_eq!((status, same), (StatusCode::OK, whole));

    for limit in [1, 2, 3] {
        let mut listed: Vec<Value> = Vec::new();
        let mut path = format!("/v1/leaderboard?pool=arena&limit={limit}");
        for _ in 0..4 {
            let page = app.get(&path).await;
            assert_eq!(page["ranked"], 4);
            listed.extend(page["players"].as_array().expect("a list").iter().cloned());
            let Some(next) = page["next"].as_str() else {
                break;
            };
            path = format!("/v1/leaderboard?pool=arena&limit={limit}&after={next}");
        }
        assert_eq!(json!(listed), expected, "pages of {limit}");
    }
    let expected = expected.as_array().expect("a list");
    for rank in 1..=6 {
        let page = app
            .get(&format!("/v1/leaderboard?pool=arena&limit=2&rank={rank}"))
            .await;
        let from_there = expected
            .iter()
            .filter(|player| player["rank"].as_u64() >= Some(rank));
        let from_there: Vec<Value> = from_there.cloned().collect();
        let shown = &from_there[..from_there.len().min(2)];
        assert_eq!(page["players"], json!(shown), "rank {rank}");
        assert_eq!(
            page["next"].is_string(),
            from_there.len() > 2,
            "rank {rank}"
        );
    }
    for query in ["rank=0", "rank=x", "rank=1&after=1000.76561197960265729"] {
        let path = format!("/v1/leaderboard?pool=arena&{query}");
        refused(app.request(Method::GET, &path), 422).await;
    }
    let other = app.get("/v1/leaderboard").await;
    assert_eq!(
        (&other["ranked"], &other["players"]),
        (&json!(0), &json!([]))
    );
}

async fn changes(app: &App) -> BTreeMap<String, (i64, i64)> {
    let listed = app.get("/v1/leaderboard?pool=arena").await;
    let players = listed["players"].as_array().expect("a list");
    let figures = |player: &Value| {
        let id = player["id"].as_str().expect("an id").to_owned();
        let number = |key: &str| player[key].as_i64().expect("a number");
        (id, (number("rating"), number("change_30_days")))
    };
    players.iter().map(figures).collect()
}

async fn what_comes_late_counts_to_the_time_since_it_came(app: &App) {
    set_clock(app, LONG_AGO);
    let mut then = [0; 2];
    for day in 0..3 {
        then = play(app, &format!("old-{day}"), LONG_AGO, 60, 1, 2).await;
    }
    set_clock(app, YESTERDAY);
    let [first, second] = play(app, "new", YESTERDAY, 5, 1, 2).await;
    set_clock(app, "2026-11-20T12:00:00Z");
    let expected = |now: [i64; 2]| {
        let change = |index: usize| (now[index], now[index] - then[index]);
        [(id(1), change(0)), (id(2), change(1))]
    };
    let served = changes(app).await;
    assert_eq!(served, expected([first, second]).into());

    let mut now = [0; 2];
    for ended_at in [
        "2026-10-20T12:00:00Z",
        "2026-09-01T12:00:00Z",
        "2026-10-25T12:00:00Z",
    ] {
        now = play(app, ended_at, ended_at, 60, 1, 2).await;
        assert_eq!(changes(app).await, expected(now).into(), "{ended_at}");
    }
    let again = play(app, "newest", "2026-11-20T11:00:00Z", 5, 1, 2).await;
    assert_ne!(again, now);
    assert_eq!(changes(app).await, expected(again).into());
}

async fn what_comes_late_to_a_pool_that_was_quiet_counts_too(app: &App) {
    set_clock(app, LONG_AGO);
    let then = play(app, "served", LONG_AGO, 60, 1, 2).await;
    set_clock(app, "2026-11-20T12:00:00Z");
    let old = play(app, "older", "2026-09-01T12:00:00Z", 60, 1, 2).await;
    assert_ne!(old, then, "the old rounds move nobody");
    let now = play(app, "newer", "2026-10-25T12:00:00Z", 6, 1, 2).await;
    let expected = [0, 1].map(|index| now[index] - then[index]);
    assert_eq!(
        changes(app).await,
        [
            (id(1), (now[0], expected[0])),
            (id(2), (now[1], expected[1]))
        ]
        .into(),
        "{old:?} points after the old rounds, {then:?} before"
    );
}

async fn a_change_by_an_admin_counts_to_when_it_was_made(app: &App) {
    set_clock(app, LONG_AGO);
    let [first, second] = play(app, "old", LONG_AGO, 9, 1, 2).await;
    set_clock(app, "2026-10-05T12:00:00Z");
    set_in_arena(app, 1, 1400).await;
    set_clock(app, "2026-10-28T12:00:00Z");
    set_in_arena(app, 1, 1500).await;
    set_in_arena(app, 2, 1450).await;
    set_clock(app, "2026-10-29T12:00:00Z");
    assert_eq!(
        changes(app).await,
        [(id(1), (1500, 1500 - 1000)), (id(2), (1450, 1450 - 1000))].into(),
        "nobody had a rating thirty days before"
    );
    set_clock(app, "2026-11-05T12:00:00Z");
    let now = play(app, "new", "2026-11-05T12:00:00Z", 3, 1, 2).await;
    assert_eq!(
        changes(app).await,
        [
            (id(1), (now[0], now[0] - 1400)),
            (id(2), (now[1], now[1] - second))
        ]
        .into(),
        "after {first} points"
    );
}

async fn who_is_hidden_or_stale_has_no_rank(app: &App) {
    play(app, "old", LONG_AGO, 3, 1, 2).await;
    play(app, "few", YESTERDAY, 2, 3, 4).await;
    play(app, "enough", YESTERDAY, 3, 5, 6).await;
    play(app, "reset", YESTERDAY, 3, 7, 8).await;
    let path = format!("/v1/admin/players/{}/reset?pool=arena", id(7));
    send(app.admin(Method::POST, &path)).await;
    set_in_arena(app, 9, 5000).await;
    let listed = app.get("/v1/leaderboard?pool=arena").await;
    let mut ids: Vec<&str> = listed["players"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|player| player["id"].as_str().expect("an id"))
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [id(5), id(6), id(8)]);
    assert_eq!(listed["ranked"], 3);
}

async fn what_is_asked_wrongly_is_refused(app: &App) {
    for query in [
        "limit=0",
        "limit=501",
        "after=x",
        "after=1500",
        "pools=arena",
    ] {
        let path = format!("/v1/leaderboard?{query}");
        refused(app.request(Method::GET, &path), 422).await;
    }
    refused(app.request(Method::GET, "/v1/leaderboard?pool=none"), 404).await;
}
