//! An unavailable or unresponsive database: 503 with `Retry-After`, and nothing counted.

use std::time::Duration;

use rbs::clock::Clock;
use rbs::service::TIMEOUT;
use rbs::store::{Store, Tx};
use reqwest::{Client, Method};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};

use crate::http::{assert_nothing_stored, id, ids, round, with, without};
use crate::support::{
    ADMIN_SECRET, App, Database, Engine, Instance, SECRET, answered, refused, refused_saying,
    run_bare, settings,
};

on_both_databases!(
    without_a_database_everything_but_health_is_a_503,
    a_round_that_a_stuck_database_does_not_take_is_a_503_and_counts_once_when_sent_again,
    a_request_that_takes_too_long_is_given_up_with_a_503,
);

async fn without_a_database_everything_but_health_is_a_503(app: &App) {
    let cut_off = Instance::start(&app.settings, app.clock.clone()).await;
    answered(app.bare_to(&cut_off.address, Method::GET, "/readyz")).await;
    cut_off.service.close().await;

    let to = |method, path: &str| {
        let request = app.bare_to(&cut_off.address, method, path);
        request.bearer_auth(ADMIN_SECRET)
    };
    let player = format!("/v1/admin/players/{}", id(1));
    let sent = round("s", "1", "a", &[1], &[2]);
    for request in [
        app.bare_to(&cut_off.address, Method::GET, "/readyz"),
        to(Method::POST, "/v1/update").json(&sent),
        to(Method::POST, "/v1/scramble").json(&json!({"server": "s", "players": ids(1..=4)})),
        to(Method::GET, "/v1/scramble?server=s"),
        to(Method::GET, &format!("/v1/players/{}", id(1))),
        to(Method::GET, &player),
        to(Method::PUT, &player).json(&json!({"rating": 1500})),
        to(Method::POST, &format!("{player}/reset")),
        to(Method::GET, "/v1/admin/quality"),
    ] {
        refused_saying(request, 503, "the database does not answer").await;
    }
    answered(app.bare_to(&cut_off.address, Method::GET, "/healthz")).await;
    refused(to(Method::POST, "/v1/update").json(&json!({})), 422).await;
    refused(to(Method::GET, "/nothing"), 404).await;
    cut_off.stop().await;

    assert_nothing_stored(app).await;
    assert_eq!(app.counted(&sent).await["duplicate"], false);
}

/// Holds the lock that every round needs.
async fn hold_every_lock(app: &App) -> (Store, Tx) {
    let store = Store::connect(&app.settings.database).await;
    let store = store.expect("a database");
    let mut holder = store.begin().await.expect("a unit of work");
    for pool in app.first.service.stored_pools().await.expect("pools") {
        holder.lock_pool(pool.id).await.expect("the lock");
    }
    (store, holder)
}

async fn a_round_that_a_stuck_database_does_not_take_is_a_503_and_counts_once_when_sent_again(
    app: &App,
) {
    let started = Instance::start(&app.settings, app.clock.clone()).await;
    let service = started.stop_serving().await.with_timeout(TIMEOUT);
    let instance = Instance::over(service, &app.settings).await;
    let (store, holder) = hold_every_lock(app).await;
    let sent = round("s", "1", "a", &[1], &[2]);
    let request = app.request_to(&instance.address, Method::POST, "/v1/update");
    let request = request.header("x-request-id", "my-own").json(&sent);
    let stuck = tokio::spawn(refused(request, 503));
    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    assert_eq!(player["rounds"], 0);
    stuck.await.expect("a 503");

    let diagnostics = app.bare_to(&instance.address, Method::GET, "/v1/admin/diagnostics");
    let diagnostics = answered(diagnostics.bearer_auth(ADMIN_SECRET)).await;
    let text = diagnostics["text"].as_str().unwrap_or_default();
    let failed = "2026-11-20T12:00:00Z POST /v1/update: 503 (my-own)";
    assert!(text.contains(failed), "{text}");
    // The transaction may outlast the 503 by a moment; the lock is held until it has failed too.
    instance.stop().await;
    drop(holder);
    store.close().await;
    assert_nothing_stored(app).await;
    assert_eq!(app.counted(&sent).await["duplicate"], false);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
}

async fn a_request_that_takes_too_long_is_given_up_with_a_503(app: &App) {
    let settings = rbs::config::Settings {
        request_timeout: Duration::from_millis(50),
        ..app.settings.clone()
    };
    let hasty = Instance::start(&settings, app.clock.clone()).await;
    let (store, holder) = hold_every_lock(app).await;
    let sent = round("s", "1", "a", &[1], &[2]);
    let request = app.request_to(&hasty.address, Method::POST, "/v1/update");
    refused_saying(request.json(&sent), 503, "took too long").await;
    drop(holder);
    store.close().await;
    // The round may have been counted or not; sent again, it counts once.
    app.counted(&sent).await;
    hasty.stop().await;
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
}

/// SQLite has no table locks, and writers do not block readers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn splits_that_are_stuck_hold_up_no_round_and_are_served_from_memory() {
    run_bare(Engine::Postgres, async |database| {
        stuck_splits_hold_up_no_round(database).await;
    })
    .await;
}

async fn stuck_splits_hold_up_no_round(database: &Database) {
    let settings = rbs::config::Settings {
        request_timeout: Duration::from_secs(4),
        ..settings(&database.url_text())
    };
    let noon = "2026-11-20T12:00:00Z".parse().expect("a time");
    let started = Instance::start(&settings, Clock::manual(noon)).await;
    let service = started.stop_serving().await.with_timeout(TIMEOUT);
    let instance = Instance::over(service, &settings).await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let ask = async |method: Method, path: &str, body: Value| {
        let request = client.request(method, format!("{}{path}", instance.address));
        answered(request.bearer_auth(SECRET).json(&body)).await
    };
    let scramble = json!({"players": ids(1..=4)});
    let first = with(scramble.clone(), json!({"server": "s"}));
    let table = without(ask(Method::POST, "/v1/scramble", first).await, "notices");

    let holder = PgConnection::connect(&database.url_text()).await;
    let mut holder = holder.expect("PostgreSQL");
    for statement in ["begin", "lock table split_tables in access exclusive mode"] {
        holder.execute(statement).await.expect("the lock");
    }
    let last = "/v1/scramble?server=s";
    assert_eq!(
        ask(Method::GET, last, Value::Null).await,
        with(table.clone(), json!({"ratings_changed": null}))
    );
    let sent = round("s", "1", "a", &[1], &[2]);
    let sent = with(sent, json!({"scramble": scramble}));
    let answer = ask(Method::POST, "/v1/update", sent.clone()).await;
    assert_eq!(answer["duplicate"], false);
    assert_eq!(answer["splits"], Value::Null);
    assert_eq!(answer["splits_error"]["status"], 503);
    let detail = answer["splits_error"]["detail"].as_str().expect("a detail");
    assert!(
        detail.starts_with("the database does not answer"),
        "{detail}"
    );

    holder.close().await.expect("PostgreSQL says goodbye");
    assert_eq!(
        ask(Method::GET, last, Value::Null).await,
        with(table, json!({"ratings_changed": true}))
    );
    let again = ask(Method::POST, "/v1/update", sent).await;
    assert_eq!(again["duplicate"], true);
    assert_eq!(again["splits"]["splits"][0]["a"][0], json!(id(1)));
    instance.stop().await;
}
