//! The service's own knowledge of a server's last rounds: waits and teams.

use serde_json::{Value, json};

use super::scramble::scramble;
use crate::http::{id, ids, round, set_clock, with};
use crate::support::App;

on_both_databases!(
    who_has_waited_is_known_from_rounds_and_tables,
    rounds_of_another_server_or_evening_or_pool_do_not_count,
    the_teams_of_the_last_rounds_are_not_repeated,
);

/// Waiting players of the only split of players 1 to `count`, with their number of rounds waited.
async fn waits(app: &App, server: &str, count: u64) -> Vec<(String, u64)> {
    let body = json!({"server": server, "players": ids(1..=count), "waited": "auto", "sizes": [2],
                      "spread": false});
    let table = scramble(app, &body).await;
    let waits = table["splits"][0]["waits"]
        .as_array()
        .expect("a list")
        .iter();
    let wait = |one: &Value| {
        let id = one["id"].as_str().expect("an id").to_owned();
        (id, one["waited"].as_u64().expect("a count"))
    };
    waits.map(wait).collect()
}

/// Plays a round that ends `minute` minutes past noon.
async fn play(app: &App, server: &str, minute: u32, team_a: &[u64], team_b: &[u64]) {
    let time = format!("2026-11-20T12:{minute:02}:00Z");
    set_clock(app, &time);
    app.counted(&round(
        server,
        &format!("at-{minute}"),
        "draw",
        team_a,
        team_b,
    ))
    .await;
    set_clock(app, &format!("2026-11-20T12:{minute:02}:01Z"));
}

async fn who_has_waited_is_known_from_rounds_and_tables(app: &App) {
    let who = |waits: &[(String, u64)]| {
        let ids: Vec<String> = waits.iter().map(|(id, _)| id.clone()).collect();
        ids
    };
    let first = waits(app, "s", 7).await;
    assert!(first.iter().all(|(_, waited)| *waited == 0), "{first:?}");
    play(app, "s", 1, &[1, 2], &[3, 4]).await;
    let second = waits(app, "s", 7).await;
    assert!(second.iter().all(|(_, waited)| *waited == 0), "{second:?}");
    assert!(
        !who(&second).iter().any(|one| ids(5..=7).contains(one)),
        "{second:?}"
    );
    assert_eq!(waits(app, "s", 7).await, second);
    play(app, "s", 2, &[1, 2], &[3, 4]).await;
    play(app, "s", 3, &[1, 2], &[3, 5]).await;
    let body = json!({"server": "s", "players": ids(1..=9), "waited": "auto", "must_wait": ids([4, 5, 6, 7, 8])});
    let table = scramble(app, &with(body, json!({"sizes": [2], "anchor": false}))).await;
    let of = table["splits"][0]["waits"]
        .as_array()
        .expect("a list")
        .iter();
    let of: Vec<(&Value, &Value)> = of.map(|one| (&one["id"], &one["waited"])).collect();
    for (n, waited) in [(4, 1), (5, 0), (6, 3), (7, 3), (8, 0)] {
        assert!(
            of.contains(&(&json!(id(n)), &json!(waited))),
            "{n}: {table}"
        );
    }
}

async fn rounds_of_another_server_or_evening_or_pool_do_not_count(app: &App) {
    play(app, "s", 1, &[1, 2], &[3, 4]).await;
    play(app, "other", 2, &[5], &[6]).await;
    let found = waits(app, "other", 5).await;
    assert!(found.iter().all(|(_, waited)| *waited == 0), "{found:?}");
    play(app, "s", 3, &[1, 2], &[3, 5]).await;
    let four =
        json!({"server": "s", "players": ids(1..=5), "waited": "auto", "must_wait": ids([4])});
    let waited = async || scramble(app, &four).await["splits"][0]["waits"][0]["waited"].clone();
    assert_eq!(waited().await, 1);
    set_clock(app, "2026-11-21T12:00:00Z");
    let tomorrow = with(
        round("s", "next", "draw", &[1, 2], &[3, 5]),
        json!({"pool": "arena"}),
    );
    app.counted(&tomorrow).await;
    assert_eq!(waited().await, 0);
}

async fn the_teams_of_the_last_rounds_are_not_repeated(app: &App) {
    play(app, "s", 1, &[1, 2], &[3, 4]).await;
    play(app, "s", 2, &[1, 3], &[2, 4]).await;
    let body = json!({"server": "s", "players": ids(1..=4), "tolerance": 1000});
    let teams = async |repeat: u32| {
        let table = scramble(app, &with(body.clone(), json!({"repeat": repeat}))).await;
        let split = &table["splits"][0];
        assert_eq!(split["repeats"], false, "{split}");
        let with_1 = ["a", "b"].map(|team| split[team].as_array().expect("a team").clone());
        let with_1 = with_1.into_iter().find(|team| team.contains(&json!(id(1))));
        let mate = with_1
            .expect("a team of 1")
            .into_iter()
            .find(|one| *one != json!(id(1)));
        mate.expect("a mate")
    };
    assert_ne!(teams(1).await, id(3), "the last round's");
    assert_eq!(teams(2).await, id(4), "what is left of three");
    play(app, "s", 3, &[1, 4], &[2, 3]).await;
    let table = scramble(app, &with(body.clone(), json!({"repeat": 16}))).await;
    assert_eq!(table["splits"][0]["repeats"], true, "{table}");
    let sent = json!({"repeat": 2, "recent": [{"a": ids([1, 2]), "b": ids([3, 4])}]});
    let table = scramble(app, &with(body, sent)).await;
    assert_eq!(table["splits"][0]["repeats"], true, "{table}");
}
