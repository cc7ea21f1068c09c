//! Splits are computed once, in the background, within a limited capacity.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http::{id, ids, round, with, without};
use crate::support::{App, Instance, refused, send};

on_both_databases!(
    equal_requests_are_computed_once_until_a_rating_changes,
    equal_requests_at_once_are_computed_once,
    too_many_at_once_are_told_to_come_back_and_everything_else_is_answered,
);

async fn scramble(app: &App, server: &str, accounts: &[u64]) -> Value {
    let body = json!({"server": server, "players": ids(accounts.iter().copied())});
    let request = app.request(Method::POST, "/v1/scramble").json(&body);
    let (status, table) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{table}");
    table
}

async fn equal_requests_are_computed_once_until_a_rating_changes(app: &App) {
    let computed = || app.first.service.tables_computed();
    assert_eq!(computed(), 0);
    let first = scramble(app, "s", &[1, 2, 3, 4, 5]).await;
    assert_eq!(scramble(app, "s", &[5, 3, 1, 4, 2]).await, first);
    let elsewhere = scramble(app, "s2", &[1, 2, 3, 4, 5]).await;
    assert_eq!(elsewhere, with(first.clone(), json!({"server": "s2"})));
    assert_eq!(computed(), 1);

    app.counted(&round("s3", "1", "a", &[8], &[9])).await;
    assert_eq!(scramble(app, "s", &[1, 2, 3, 4, 5]).await, first);
    assert_eq!(computed(), 1);
    app.counted(&round("s", "2", "a", &[1], &[9])).await;
    let after_round = scramble(app, "s", &[1, 2, 3, 4, 5]).await;
    assert_eq!(after_round["splits"][0]["a"][0], json!(id(1)));
    assert_ne!(after_round["splits"], first["splits"]);
    assert_eq!(computed(), 2);
    assert_eq!(scramble(app, "s", &[1, 2, 3, 4, 5]).await, after_round);
    assert_eq!(computed(), 2);

    let path = format!("/v1/admin/players/{}", id(2));
    let set = app.admin(Method::PUT, &path).json(&json!({"rating": 1500}));
    assert_eq!(send(set).await.0, StatusCode::OK);
    let after_set = scramble(app, "s", &[1, 2, 3, 4, 5]).await;
    assert_eq!(after_set["splits"][0]["a"][0], json!(id(2)));
    assert_eq!(computed(), 3);

    let reset = app.admin(Method::POST, &format!("{path}/reset"));
    assert_eq!(send(reset).await.0, StatusCode::OK);
    assert_eq!(scramble(app, "s", &[1, 2, 3, 4, 5]).await, after_round);
    assert_eq!(computed(), 3);
    app.get("/v1/scramble?server=s").await;
    assert_eq!(computed(), 3);
}

async fn equal_requests_at_once_are_computed_once(app: &App) {
    let players = ids(1..=12);
    let mut asking = JoinSet::new();
    for number in 0..24 {
        let body = json!({"server": format!("s{number}"), "players": players});
        let request = app.request(Method::POST, "/v1/scramble").json(&body);
        asking.spawn(send(request));
    }
    let mut splits = Vec::new();
    for (status, table) in asking.join_all().await {
        assert_eq!(status, StatusCode::OK, "{table}");
        splits.push(table["splits"].clone());
    }
    splits.dedup();
    assert_eq!(splits.len(), 1, "all get the same answer");
    assert_eq!(app.first.service.tables_computed(), 1);
}

async fn too_many_at_once_are_told_to_come_back_and_everything_else_is_answered(app: &App) {
    let known = json!({"server": "s", "players": ids(1..=4)});
    let table = scramble(app, "s", &[1, 2, 3, 4]).await;
    let full = app.first.service.clone().with_solvers(0);
    let full = Instance::over(full, &app.settings).await;
    let to = |method, path: &str| app.request_to(&full.address, method, path);
    let asks = |players: Vec<String>| {
        let body = json!({"server": "s", "players": players});
        to(Method::POST, "/v1/scramble").json(&body)
    };
    for _ in 0..3 {
        let (headers, problem) = refused(asks(ids(1..=5)), 429).await;
        assert_eq!(headers["retry-after"], "1");
        assert_eq!(
            problem["detail"],
            "too many requests are waiting; try again shortly"
        );
    }
    let (status, last) = send(to(Method::GET, "/v1/scramble?server=s")).await;
    let without_notices = without(table.clone(), "notices");
    assert_eq!((status, last), (StatusCode::OK, without_notices));
    let again = send(to(Method::POST, "/v1/scramble").json(&known)).await;
    assert_eq!(again, (StatusCode::OK, table));
    let sent = round("s", "1", "a", &[1], &[2]);
    for request in [
        app.bare_to(&full.address, Method::GET, "/healthz"),
        app.bare_to(&full.address, Method::GET, "/readyz"),
        to(Method::POST, "/v1/update").json(&sent),
        to(Method::GET, &format!("/v1/players/{}", id(1))),
    ] {
        let (status, body) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    refused(asks(ids(1..=4)), 429).await;
    assert_eq!(app.first.service.tables_computed(), 1);
    let table = scramble(app, "s", &[1, 2, 3, 4, 5]).await;
    assert_eq!(without(table, "splits")["eligible"], 5);
    let stopped = full.stop_serving().await;
    assert_eq!(stopped.tables_computed(), 2);
}
