//! Tests of `POST` and `GET /v1/scramble`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, ids, round, with, without};
use crate::support::{App, refused, send};

on_both_databases!(
    below_four_players_there_are_no_splits,
    a_wish_that_is_null_is_no_wish,
    unknown_players_count_as_new_ones_and_are_not_kept,
    the_current_teams_may_be_told_whoever_is_in_them,
    the_last_table_of_each_server_is_kept_for_every_instance,
    pools_beyond_the_exact_limit_are_answered,
);

const WISHES: [&str; 22] = [
    "by",
    "mode",
    "mutators",
    "roles",
    "bench",
    "current",
    "parties",
    "party_price",
    "apart",
    "must_play",
    "must_wait",
    "waited",
    "tolerance",
    "newcomers",
    "spread",
    "recent",
    "sizes",
    "anchor",
    "alternatives",
    "pick",
    "repeat",
    "seats",
];

pub async fn set(app: &App, n: u64, rating: i32) {
    let path = format!("/v1/admin/players/{}", id(n));
    let (status, body) = send(
        app.admin(Method::PUT, &path)
            .json(&json!({"rating": rating})),
    )
    .await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

pub(super) fn request(app: &App, body: &Value) -> reqwest::RequestBuilder {
    app.request(Method::POST, "/v1/scramble").json(body)
}

/// Requests a table, in the form of `GET`: without notices, which must be empty.
pub(super) async fn scramble(app: &App, body: &Value) -> Value {
    let (status, table) = send(request(app, body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {table}");
    assert_eq!(table["notices"], json!([]), "{table}");
    without(table, "notices")
}

async fn below_four_players_there_are_no_splits(app: &App) {
    let here = [
        "nobody is here",
        "1 player is here",
        "2 players are here",
        "3 players are here",
    ];
    for (count, here) in (0..4).zip(here) {
        let body = json!({"server": "s", "players": ids(1..=count)});
        let table = scramble(app, &body).await;
        assert_eq!(
            table,
            json!({"server": "s", "pool": "default", "by": "rating", "powers": [], "scale": null,
                   "eligible": count,
                   "computed_at": "2026-11-20T12:00:00Z", "splits": [], "alternatives": [], "drawn": null, "is_probe": false,
                   "message": format!("no teams: {here}, and two teams of 2 need 4."),
                   "age": 0, "ratings_changed": false})
        );
        assert_eq!(app.get("/v1/scramble?server=s").await, table);
    }
    let body = json!({"server": "s", "players": ids(1..=5), "sizes": [12, 9]});
    let table = scramble(app, &body).await;
    assert_eq!(table["splits"], json!([]));
    assert_eq!(
        table["message"],
        "no teams: 5 players are here, and two teams of 9 need 18."
    );
}

async fn a_wish_that_is_null_is_no_wish(app: &App) {
    let body = json!({"server": "s", "players": ids(1..=5)});
    let table = scramble(app, &body).await;
    for wish in WISHES {
        let asked = with(body.clone(), json!({wish: null}));
        assert_eq!(scramble(app, &asked).await, table, "{wish}");
    }
}

async fn unknown_players_count_as_new_ones_and_are_not_kept(app: &App) {
    let table = scramble(
        app,
        &json!({"server": "arena-1", "players": ids(1..=4), "current": null}),
    )
    .await;
    assert_eq!(table["pool"], "arena");
    let split = &table["splits"][0];
    assert_eq!(
        (&split["sum_a"], &split["sum_b"]),
        (&json!(2000), &json!(2000))
    );
    assert_eq!(split["win_probability_a"], 0.5);
    assert_eq!(split["waiting"], json!([]));
    assert_nothing_stored(app).await;
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    for (server, sum) in [("arena-1", 2000), ("s", 2000)] {
        let table = scramble(app, &json!({"server": server, "players": ids(1..=4)})).await;
        let split = &table["splits"][0];
        assert_eq!(split["sum_a"], sum, "{server}: {split}");
        let highest = split["a"][0].as_str().expect("an id");
        assert_eq!(highest, id(1), "{server}");
    }
    let table = scramble(
        app,
        &json!({"server": "arena-1", "players": ids([1, 3, 4, 5])}),
    )
    .await;
    assert_eq!(table["splits"][0]["difference"], 36);
}

/// Checks the invariants of every table of `players`.
fn assert_is_table_of(table: &Value, players: &[String]) {
    let splits = table["splits"].as_array().expect("splits");
    let sizes: Vec<_> = splits.iter().map(|split| split["size"].clone()).collect();
    let expected: Vec<_> = (2..=players.len() / 2).map(|size| json!(size)).collect();
    assert_eq!(sizes, expected, "a split of every size, in ascending order");
    let mut players = players.to_vec();
    players.sort_unstable();
    for split in splits {
        let list = |key: &str| -> Vec<String> {
            let list = split[key].as_array().expect("a list");
            let text = |id: &Value| id.as_str().expect("an id").to_owned();
            list.iter().map(text).collect()
        };
        let (a, b) = (list("a"), list("b"));
        assert_eq!(a.len(), b.len(), "{split}");
        assert_eq!(json!(a.len()), split["size"], "{split}");
        let mut all = [a, b, list("waiting")].concat();
        all.sort_unstable();
        assert_eq!(all, players, "everybody stands in a split once");
        let sum = |key: &str| split[key].as_i64().expect("a sum");
        assert_eq!(
            (sum("sum_a") - sum("sum_b")).abs(),
            sum("difference"),
            "{split}"
        );
        let method = split["method"].as_str().unwrap_or_default();
        assert!(["exact", "greedy"].contains(&method), "{split}");
        assert!(split["optimal"].is_boolean(), "{split}");
        assert!(method != "exact" || split["optimal"] == true, "{split}");
    }
}

async fn the_current_teams_may_be_told_whoever_is_in_them(app: &App) {
    let players = ids(1..=8);
    for current in [
        json!({"a": [], "b": []}),
        json!({"a": ids(1..=4), "b": ids(5..=8)}),
        json!({"a": ids(1..=7), "b": []}),
        json!({"a": ids([1, 90, 91]), "b": ids([92, 2])}),
        json!({"a": ids(200..=327), "b": ids(400..=527)}),
    ] {
        let body = json!({"server": "s", "players": players, "current": current});
        assert_is_table_of(&scramble(app, &body).await, &players);
    }
    assert_nothing_stored(app).await;
}

async fn the_last_table_of_each_server_is_kept_for_every_instance(app: &App) {
    let (_, problem) = refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
    let detail = problem["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("\"s\""), "{problem}");

    let first = scramble(app, &json!({"server": "s", "players": ids(1..=4)})).await;
    let of_arena = scramble(app, &json!({"server": "arena-1", "players": ids(1..=6)})).await;
    let another = app.another_instance().await;
    let from = async |address: &str, server: &str| {
        let path = format!("/v1/scramble?server={server}");
        let (status, table) = send(app.request_to(address, Method::GET, &path)).await;
        assert_eq!(status, StatusCode::OK, "{table}");
        table
    };
    assert_eq!(from(&another, "s").await, first);
    assert_eq!(from(&another, "arena-1").await, of_arena);
    refused(
        app.request_to(&another, Method::GET, "/v1/scramble?server=S"),
        404,
    )
    .await;

    app.clock
        .set("2026-11-20T12:00:05Z".parse().expect("a time"));
    let second = scramble(app, &json!({"server": "s", "players": ids(3..=8)})).await;
    assert_eq!(second["computed_at"], "2026-11-20T12:00:05Z");
    assert_eq!(from(&another, "s").await, second);
    assert_eq!(from(&app.first.address, "s").await, second);
    let aged = with(of_arena, json!({"age": 5}));
    assert_eq!(from(&another, "arena-1").await, aged);
    let body = json!({"server": "s", "players": ids(1..=129)});
    refused(request(app, &body), 422).await;
    assert_eq!(from(&another, "s").await, second);
}

/// One player far above 31 others in steps: no split is even, and no optimality proof is quick.
async fn make_hard_pool(app: &App) -> Vec<String> {
    set(app, 1, 10_000).await;
    for n in 2..=32_u64 {
        let step = i32::try_from(n * n * n % 101 + 37 * n).expect("a small number");
        set(app, n, 800 + step).await;
    }
    ids(1..=32)
}

async fn pools_beyond_the_exact_limit_are_answered(app: &App) {
    make_hard_pool(app).await;
    for count in [33, 64, 128] {
        let players = ids(1..=count);
        let table = scramble(app, &json!({"server": "s", "players": players})).await;
        assert_is_table_of(&table, &players);
        assert_eq!(table["eligible"], count);
    }
}
