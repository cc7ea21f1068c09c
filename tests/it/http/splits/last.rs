//! `GET /v1/scramble`: the last table of a server, its age, and its validity.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::scramble::set;
use crate::http::{assert_has, ids, round, set_clock, with, without};
use crate::support::{App, Instance, refused, send};

on_both_databases!(
    a_table_ages_in_whole_seconds,
    a_table_says_whether_its_players_are_rated_otherwise_by_now,
    without_a_database_an_instance_answers_what_it_has_seen,
    a_table_of_a_pool_that_is_gone_is_still_served,
    admins_get_nothing_where_no_table_is,
);

async fn scramble(app: &App, address: &str, server: &str) -> Value {
    let body = json!({"server": server, "players": ids(1..=4)});
    let request = app.request_to(address, Method::POST, "/v1/scramble");
    let (status, table) = send(request.json(&body)).await;
    assert_eq!(status, StatusCode::OK, "{table}");
    without(table, "notices")
}

async fn last(app: &App, address: &str, server: &str) -> Value {
    let path = format!("/v1/scramble?server={server}");
    let (status, table) = send(app.request_to(address, Method::GET, &path)).await;
    assert_eq!(status, StatusCode::OK, "{table}");
    table
}

async fn admins_get_nothing_where_no_table_is(app: &App) {
    let path = "/v1/admin/servers/s/scramble";
    let none = send(app.admin(Method::GET, path)).await;
    assert_eq!(none, (StatusCode::OK, json!({"table": null})));
    let table = scramble(app, &app.first.address, "s").await;
    let some = send(app.admin(Method::GET, path)).await;
    assert_eq!(some, (StatusCode::OK, json!({"table": table})));
}

async fn a_table_ages_in_whole_seconds(app: &App) {
    let table = scramble(app, &app.first.address, "s").await;
    assert_has(&table, &json!({"age": 0, "ratings_changed": false}));
    for (time, age) in [
        ("2026-11-20T12:00:00.999999Z", 0),
        ("2026-11-20T12:00:01Z", 1),
        ("2026-11-20T13:01:01.5Z", 3661),
        // Computed by an instance whose clock is ahead.
        ("2026-11-20T11:59:00Z", 0),
        // Maximum integer that plugins can read.
        ("2200-01-01T00:00:00Z", i32::MAX),
    ] {
        set_clock(app, time);
        let aged = with(table.clone(), json!({"age": age}));
        assert_eq!(last(app, &app.first.address, "s").await, aged, "{time}");
    }
    set_clock(app, "2026-11-20T12:00:09Z");
    let again = scramble(app, &app.first.address, "s").await;
    let anew = json!({"age": 0, "computed_at": "2026-11-20T12:00:09Z"});
    assert_has(&again, &anew);
    assert_eq!(last(app, &app.first.address, "s").await, again);
}

async fn a_table_says_whether_its_players_are_rated_otherwise_by_now(app: &App) {
    let address = &app.first.address;
    let changed = async || last(app, address, "s").await["ratings_changed"].clone();
    scramble(app, address, "s").await;
    assert_eq!(changed().await, false);
    app.counted(&round("s", "1", "a", &[8], &[9])).await;
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    assert_eq!(changed().await, false);
    set(app, 1, 1000).await;
    assert_eq!(changed().await, true);
    scramble(app, address, "s").await;
    assert_eq!(changed().await, false);
    set(app, 1, 1100).await;
    assert_eq!(changed().await, true);
    set(app, 1, 1000).await;
    assert_eq!(changed().await, false);
    app.counted(&round("s", "2", "a", &[9], &[4])).await;
    assert_eq!(changed().await, true);
    let table = scramble(app, address, "s").await;
    assert_eq!(table["ratings_changed"], false);
    assert_eq!(changed().await, false);
}

async fn without_a_database_an_instance_answers_what_it_has_seen(app: &App) {
    let cut_off = Instance::start(&app.settings, app.clock.clone()).await;
    let own = scramble(app, &cut_off.address, "own").await;
    let seen = scramble(app, &app.first.address, "seen").await;
    scramble(app, &app.first.address, "unseen").await;
    assert_eq!(last(app, &cut_off.address, "seen").await, seen);
    cut_off.service.close().await;

    set_clock(app, "2026-11-20T12:01:00Z");
    let unknown = json!({"age": 60, "ratings_changed": null});
    for (server, table) in [("own", own), ("seen", seen)] {
        assert_eq!(
            last(app, &cut_off.address, server).await,
            with(table, unknown.clone()),
            "{server}"
        );
    }
    let path = "/v1/scramble?server=unseen";
    refused(app.request_to(&cut_off.address, Method::GET, path), 503).await;
    let body = json!({"server": "own", "players": ids(1..=4)});
    let request = app.request_to(&cut_off.address, Method::POST, "/v1/scramble");
    refused(request.json(&body), 503).await;
    cut_off.stop().await;
}

async fn a_table_of_a_pool_that_is_gone_is_still_served(app: &App) {
    let table = scramble(app, &app.first.address, "arena-1").await;
    assert_eq!(table["pool"], "arena");
    let mut settings = app.settings.clone();
    settings.pools.retain(|name, _| name.as_str() == "default");
    settings.servers.clear();
    let changed = Instance::start(&settings, app.clock.clone()).await;
    assert_eq!(
        last(app, &changed.address, "arena-1").await,
        with(table, json!({"ratings_changed": null}))
    );
    changed.stop().await;
}
