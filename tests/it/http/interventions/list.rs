//! Interventions recorded by `POST /v1/balance`, and their list for admins.

use rbs::domain::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::splits::scramble::set;
use crate::http::{all_pages, assert_like, id, ids, posted, round, void, with};
use crate::support::{App, answered, refused, send};

on_both_databases!(
    an_intervention_has_its_round_its_moves_and_its_result,
    the_same_answer_asked_for_again_is_the_same_intervention,
    instances_that_are_asked_at_once_note_one,
    where_nothing_is_wrong_nothing_is_noted,
    the_round_is_the_first_of_the_server_that_counts_and_ends_behind_it,
    pages_hold_the_latest_first_and_every_one_once,
);

pub(super) const LIST: &str = "/v1/admin/interventions";
pub(super) const SUMMARY: &str = "/v1/admin/interventions/summary";

/// Sets the clock to this number of seconds after noon.
pub(super) fn at(app: &App, seconds: i64) {
    app.clock.set(after_noon(seconds));
}

pub(super) fn after_noon(seconds: i64) -> Timestamp {
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
    Timestamp::from_unix_micros(noon.unix_micros() + seconds * 1_000_000).expect("a time")
}

pub(super) fn state(server: &str, team_a: &[u64], team_b: &[u64]) -> Value {
    json!({"server": server, "team_a": ids(team_a.iter().copied()),
           "team_b": ids(team_b.iter().copied())})
}

/// Four against two new players; one moves to team b.
pub(super) fn lopsided(server: &str, first: u64) -> Value {
    let player = |n: u64| first + n;
    state(server, &[1, 2, 3, 4].map(player), &[5, 6].map(player))
}

/// The match of [`lopsided`] with all players exempt from moves.
pub(super) fn stuck(server: &str, first: u64) -> Value {
    let immune = |n: u64| json!({"id": id(first + n), "immune": true});
    let team: Value = (1..=4).map(immune).collect();
    with(lopsided(server, first), json!({"team_a": team}))
}

pub(super) async fn balance(app: &App, body: &Value) -> Value {
    posted(app, "/v1/balance", body).await
}

async fn list(app: &App, query: &str) -> Vec<Value> {
    let page = app.get(&format!("{LIST}{query}")).await;
    page["interventions"].as_array().expect("a list").clone()
}

async fn an_intervention_has_its_round_its_moves_and_its_result(app: &App) {
    for (n, rating) in [(1, 1700), (2, 1000), (3, 900), (4, 1250), (5, 800)] {
        set(app, n, rating).await;
    }
    at(app, 30);
    balance(app, &state("s", &[1, 2, 3, 4], &[5, 6])).await;
    at(app, 630);
    app.counted(&round("s", "r-1", "b", &[2, 3, 4], &[5, 6, 1]))
        .await;
    assert_like(
        &list(app, "").await[0]["round"],
        &json!({"round_id": "r-1", "ended_at": "2026-11-20T12:10:30Z", "seconds_after": 600,
                "winner": "b", "win_probability": {"a": 0.463_606_143_922_405_3,
                                                   "b": 0.536_393_856_077_594_7}}),
    );

    let by = |policy: &str, state: Value| with(state, json!({"policy": policy}));
    balance(app, &by("ns2", state("t", &[1, 4], &[3, 5]))).await;
    let swap = &list(app, "?server=t").await[0];
    assert_eq!(swap["policy"], "ns2");
    assert_eq!(swap["reasons"][0]["rule"], "win_probability", "{swap}");
    let moves = swap["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 2, "{swap}");
    assert_eq!(moves[0]["with"], moves[1]["id"], "{swap}");
    assert_eq!(moves[0]["to"], "b", "{swap}");
    balance(app, &by("ut2004", state("u", &[1], &[]))).await;
    let filled = &list(app, "?server=u").await[0];
    assert_eq!(filled["result"], "filled");
    assert_eq!(filled["reasons"][0]["value"], Value::Null);
    assert_eq!(filled["balanced_after"], true);
    assert_eq!(filled["before"]["bots_b"], 0);
    assert_ne!(filled["after"]["bots_b"], 0, "{filled}");
    balance(app, &stuck("v", 20)).await;
    let stuck = &list(app, "?server=v").await[0];
    assert_eq!(stuck["result"], "nothing_helps");
    assert_eq!(stuck["before"], stuck["after"]);
    assert_eq!(stuck["balanced_after"], false);
}

async fn the_same_answer_asked_for_again_is_the_same_intervention(app: &App) {
    for seconds in [0, 60, 110] {
        at(app, seconds);
        balance(app, &lopsided("s", 0)).await;
    }
    let found = list(app, "").await;
    assert_eq!(found.len(), 1, "{found:?}");
    let keys = ["asked", "first_asked_at", "last_asked_at"];
    let expected = json!([3, "2026-11-20T12:00:00Z", "2026-11-20T12:01:50Z"]);
    assert_eq!(json!(keys.map(|key| &found[0][key])), expected);
    balance(app, &lopsided("s", 10)).await;
    balance(app, &stuck("s", 0)).await;
    balance(app, &with(lopsided("s", 0), json!({"policy": "ns2"}))).await;
    balance(app, &lopsided("t", 0)).await;
    balance(app, &lopsided("arena-1", 0)).await;
    for (query, count) in [
        ("", 5),
        ("?server=s", 4),
        ("?server=arena-1", 1),
        ("?pool=arena", 1),
    ] {
        assert_eq!(list(app, query).await.len(), count, "{query}");
    }
    at(app, 120);
    balance(app, &lopsided("s", 0)).await;
    let found = list(app, "?server=s").await;
    assert_eq!(found[3]["asked"], 4, "{found:?}");
    at(app, 181);
    balance(app, &lopsided("s", 0)).await;
    let found = list(app, "?server=s").await;
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["asked"], 1, "{found:?}");
    for (players, expected) in [(12, 1), (12, 1), (16, 2)] {
        let map_players = json!({"least": players, "most": players});
        let policy = json!({"policy": "ut2004", "map_players": map_players});
        let answer = balance(app, &with(lopsided("u", 0), policy)).await;
        assert_eq!(answer["moves"], json!([]), "{answer}");
        assert_eq!(list(app, "?server=u").await.len(), expected, "{answer}");
    }
}

async fn instances_that_are_asked_at_once_note_one(app: &App) {
    let other = app.another_instance().await;
    let asking: Vec<_> = (0..16)
        .map(|place| {
            let address = [&app.first.address, &other][place % 2];
            let request = app.request_to(address, Method::POST, "/v1/balance");
            let server = ["s", "t"][place / 2 % 2];
            tokio::spawn(send(request.json(&lopsided(server, 0))))
        })
        .collect();
    for asked in asking {
        assert_eq!(asked.await.expect("an answer").0, StatusCode::OK);
    }
    let found = list(app, "").await;
    assert_eq!(found.len(), 2, "{found:?}");
    for one in found {
        assert_eq!(one["asked"], 8, "{one}");
    }
}

async fn where_nothing_is_wrong_nothing_is_noted(app: &App) {
    let answer = balance(app, &state("s", &[1, 2], &[3, 4])).await;
    assert_eq!(answer["unbalanced"], false);
    let answer = balance(app, &with(lopsided("s", 0), json!({"modes": ["ffa"]}))).await;
    assert_ne!(answer["suppressed"], json!([]));
    let placed = with(lopsided("s", 0), json!({"joining": [id(9)]}));
    posted(app, "/v1/place", &placed).await;
    let refusal = with(lopsided("s", 0), json!({"policy": "sectors-edge-weights"}));
    refused(app.request(Method::POST, "/v1/balance").json(&refusal), 422).await;
    assert_eq!(list(app, "").await, [] as [Value; 0]);
}

async fn the_round_is_the_first_of_the_server_that_counts_and_ends_behind_it(app: &App) {
    balance(app, &lopsided("s", 0)).await;
    at(app, 4 * 3600);
    let play = async |server: &str, round_id: &str, ended_at: &str, pool: &str| {
        let sent = round(server, round_id, "a", &[1, 2], &[3, 4]);
        let output = json!({"ended_at": format!("2026-11-20T{ended_at}Z"), "pool": pool});
        app.counted(&with(sent, output)).await;
    };
    let its_round = async || list(app, "").await[0]["round"]["round_id"].clone();
    for (server, round_id, ended_at, pool) in [
        ("s", "before", "11:59:59", "default"),
        ("t", "elsewhere", "12:01:00", "default"),
        ("s", "other-pool", "12:01:00", "arena"),
        ("s", "too-late", "15:00:01", "default"),
    ] {
        play(server, round_id, ended_at, pool).await;
    }
    assert_eq!(its_round().await, Value::Null);
    play("s", "just-in-time", "15:00:00", "default").await;
    assert_eq!(its_round().await, "just-in-time");
    play("s", "second", "12:20:00", "default").await;
    assert_eq!(its_round().await, "second");
    play("s", "first", "12:00:00", "default").await;
    assert_eq!(its_round().await, "first");
    assert_eq!(list(app, "").await[0]["round"]["seconds_after"], 0);
    void(app, "s/first").await;
    assert_eq!(its_round().await, "second");
    let unvoid = app.admin(Method::POST, "/v1/admin/rounds/s/first/unvoid");
    answered(unvoid.json(&json!({"reason": "a mistake"}))).await;
    assert_eq!(its_round().await, "first");
}

async fn pages_hold_the_latest_first_and_every_one_once(app: &App) {
    for (server, seconds) in [("a", 0), ("b", 10), ("c", 10), ("d", 20), ("e", 30)] {
        at(app, seconds);
        balance(app, &lopsided(server, 0)).await;
    }
    let found = all_pages(app, &format!("{LIST}?limit=2"), "interventions").await;
    let servers = found.iter().map(|one| one["server"].clone());
    assert_eq!(servers.collect::<Value>(), json!(["e", "d", "c", "b", "a"]));
    let page = app.get(&format!("{LIST}?limit=5")).await;
    assert_eq!(page["next"], Value::Null, "five are all there are");
}
