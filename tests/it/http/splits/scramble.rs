//! Tests of `POST` and `GET /v1/scramble`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, ids, round, set_clock, with, without};
use crate::support::{App, refused, send};

on_both_databases!(
    below_four_players_there_are_no_splits,
    a_wish_that_is_null_is_no_wish,
    unknown_players_count_as_new_ones_and_are_not_kept,
    the_last_table_of_each_server_is_kept_for_every_instance,
);

const WISHES: &str = "by mode mutators roles bench current parties party_price apart must_play must_wait waited \
                      tolerance newcomers spread recent sizes anchor alternatives pick repeat seats";

pub async fn set(app: &App, n: u64, rating: i32) {
    let path = format!("/v1/admin/players/{}", id(n));
    let request = app.admin(Method::PUT, &path);
    let (status, body) = send(request.json(&json!({"rating": rating}))).await;
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
                   "eligible": count, "computed_at": "2026-11-20T12:00:00Z", "splits": [], "alternatives": [],
                   "drawn": null, "is_probe": false,
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
    for wish in WISHES.split_whitespace() {
        let asked = with(body.clone(), json!({wish: null}));
        assert_eq!(scramble(app, &asked).await, table, "{wish}");
    }
}

async fn unknown_players_count_as_new_ones_and_are_not_kept(app: &App) {
    let of = async |server: &str, players: Vec<String>| {
        scramble(app, &json!({"server": server, "players": players})).await
    };
    let table = of("arena-1", ids(1..=4)).await;
    assert_eq!(table["pool"], "arena");
    let even = json!({"sum_a": 2000, "sum_b": 2000, "win_probability_a": 0.5, "waiting": []});
    assert_has(&table["splits"][0], &even);
    assert_nothing_stored(app).await;
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    for server in ["arena-1", "s"] {
        let table = of(server, ids(1..=4)).await;
        let split = &table["splits"][0];
        assert_eq!(split["sum_a"], 2000, "{server}: {split}");
        assert_eq!(split["a"][0], id(1), "the highest of {server}");
    }
    let table = of("arena-1", ids([1, 3, 4, 5])).await;
    assert_eq!(table["splits"][0]["difference"], 36);
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
    let other_case = app.request_to(&another, Method::GET, "/v1/scramble?server=S");
    refused(other_case, 404).await;

    set_clock(app, "2026-11-20T12:00:05Z");
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
