use std::collections::BTreeMap;

use reqwest::Method;
use serde_json::{Value, json};

use super::{all_pages, id, posted, round, set_clock, set_in_arena, with};
use crate::support::{App, refused};

on_both_databases!(
    ranks_are_shared_by_equals_and_changes_look_back_thirty_days,
    what_comes_late_counts_to_the_time_since_it_came,
);

async fn play(app: &App, name: &str, ended_at: &str, count: u32, a: u64, b: u64) -> [i64; 2] {
    let rounds: Vec<Value> = (0..count)
        .map(|number| {
            let winner = ["a", "a", "b"][number as usize % 3];
            let sent = round("arena-1", &format!("{name}-{number}"), winner, &[a], &[b]);
            with(sent, json!({"ended_at": ended_at}))
        })
        .collect();
    let body = posted(app, "/v1/updates", &json!({"rounds": rounds})).await;
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
        json!({"rank": rank, "id": id(n), "name": null, "id_hidden": false, "rating": rating, "division": null,
               "rounds": rounds, "placing_rounds": 0, "change_30_days": rating - before, "last_played": YESTERDAY})
    };
    let expected = json!([
        player(1, 3, 1600, 3, 1000),
        player(2, 1, 1500, 90, 1300),
        player(2, 2, 1500, 90, second),
        player(4, 4, 1200, 3, 1000),
    ]);
    let whole = app.get("/v1/leaderboard?server=arena-1").await;
    let all = json!({"pool": "arena", "season": 0, "season_name": null, "computed_at": "2026-11-20T12:00:00Z",
                     "ranked": 4, "players": expected, "next": null});
    assert_eq!(whole, all);
    assert_eq!(app.get("/v1/leaderboard?pool=arena").await, whole);

    for limit in [1, 2, 3] {
        let path = format!("/v1/leaderboard?pool=arena&limit={limit}");
        let listed = all_pages(app, &path, "players").await;
        assert_eq!(json!(listed), expected, "pages of {limit}");
    }
    let expected = expected.as_array().expect("a list");
    for (rank, before) in [(1, 0), (2, 1), (3, 3), (4, 3), (5, 4)] {
        let path = format!("/v1/leaderboard?pool=arena&limit=2&rank={rank}");
        let page = app.get(&path).await;
        let shown: Vec<&Value> = expected[before..].iter().take(2).collect();
        assert_eq!(page["players"], json!(shown), "rank {rank}");
        assert_eq!(page["next"].is_string(), before < 2, "rank {rank}");
    }
    let both = "/v1/leaderboard?pool=arena&rank=1&after=1000.76561197960265729";
    refused(app.request(Method::GET, both), 422).await;
    assert_eq!(app.get("/v1/leaderboard").await["ranked"], 0);
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
    let expected = |now: [i64; 2]| {
        let change = |index: usize| (now[index], now[index] - then[index]);
        [(id(1), change(0)), (id(2), change(1))].into()
    };
    // The pool was quiet when the first of them came.
    set_clock(app, "2026-11-20T12:00:00Z");
    let old = play(app, "older", "2026-09-01T12:00:00Z", 61, 1, 2).await;
    assert_ne!(old, then, "the old rounds move nobody");
    for (name, ended_at, count) in [
        ("late", "2026-10-25T12:00:00Z", 6),
        ("new", YESTERDAY, 5),
        ("later", "2026-10-20T12:00:00Z", 60),
        ("oldest", "2026-08-01T12:00:00Z", 60),
        ("newest", "2026-11-20T11:00:00Z", 5),
    ] {
        let now = play(app, name, ended_at, count, 1, 2).await;
        assert_eq!(changes(app).await, expected(now), "{name}");
    }
}
