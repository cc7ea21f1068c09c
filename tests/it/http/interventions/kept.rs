//! Retention of interventions, and failures to store them.

use std::time::{Duration, Instant as Stopwatch};

use rbs::clock::Clock;
use rbs::metrics::Format;
use rbs::store::Store;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::list::{LIST, after_noon, lopsided};
use crate::support::{ADMIN_SECRET, Database, Engine, Instance, SECRET, send, settings};

on_both_engines!(
    interventions_are_kept_for_ninety_days,
    an_answer_comes_where_it_cannot_be_noted,
    an_answer_does_not_wait_for_a_database_that_is_stuck,
);

async fn instance(database: &Database) -> (Instance, Clock) {
    let clock = Clock::manual(after_noon(0));
    let settings = settings(&database.url_text());
    (Instance::start(&settings, clock.clone()).await, clock)
}

fn request(instance: &Instance, method: Method, path: &str) -> RequestBuilder {
    let client = reqwest::Client::builder().no_proxy().build();
    let client = client.expect("a client");
    client.request(method, format!("{}{path}", instance.address))
}

async fn asked(instance: &Instance, body: &Value) -> Value {
    let request = request(instance, Method::POST, "/v1/balance");
    let (status, answer) = send(request.bearer_auth(SECRET).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn listed(instance: &Instance) -> Vec<Value> {
    let request = request(instance, Method::GET, LIST);
    let (_, page) = send(request.bearer_auth(ADMIN_SECRET)).await;
    page["interventions"].as_array().expect("a list").clone()
}

async fn interventions_are_kept_for_ninety_days(database: &Database) {
    const NINETY_DAYS: i64 = 90 * 86_400;
    let (instance, clock) = instance(database).await;
    asked(&instance, &lopsided("s", 0)).await;
    clock.set(after_noon(1));
    asked(&instance, &lopsided("t", 0)).await;
    clock.set(after_noon(NINETY_DAYS));
    assert_eq!(listed(&instance).await.len(), 2);
    clock.set(after_noon(NINETY_DAYS + 1));
    assert_eq!(listed(&instance).await.len(), 1);
    let rows = "select count(*) from interventions";
    assert_eq!(database.count(rows).await, 2);
    asked(&instance, &lopsided("u", 0)).await;
    assert_eq!(database.count(rows).await, 2, "the first is gone");
    assert_eq!(listed(&instance).await[1]["server"], "t");
    instance.stop().await;
}

fn not_noted(instance: &Instance) -> bool {
    let metrics = instance.service.metrics().text(Format::Plain);
    let says = "rbs_interventions_not_noted_total{pool=\"default\"} 1\n";
    metrics.expect("metrics").contains(says)
}

async fn an_answer_comes_where_it_cannot_be_noted(database: &Database) {
    let (instance, _) = instance(database).await;
    let noted = asked(&instance, &lopsided("s", 0)).await;
    assert!(!not_noted(&instance));
    database.execute("drop table interventions").await;
    let answer = asked(&instance, &lopsided("s", 0)).await;
    assert_eq!(answer, noted);
    assert!(not_noted(&instance), "that it was not noted is not counted");
    instance.stop().await;
}

async fn an_answer_does_not_wait_for_a_database_that_is_stuck(database: &Database) {
    let (instance, _) = instance(database).await;
    // SQLite has one write lock; a table lock does not block readers of other tables.
    let mut holder = None;
    let mut store = None;
    match database.engine() {
        Engine::Sqlite => {
            let other = Store::connect(&database.url()).await.expect("a database");
            store = Some((other.begin().await.expect("the lock"), other));
        }
        Engine::Postgres => {
            let url = database.url_text();
            let mut other = PgConnection::connect(&url).await.expect("PostgreSQL");
            for statement in ["begin", "lock table interventions in access exclusive mode"] {
                other.execute(statement).await.expect("the lock");
            }
            holder = Some(other);
        }
    }
    let begun = Stopwatch::now();
    let answer = asked(&instance, &lopsided("s", 0)).await;
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(1400), "{took:?} is too long");
    assert_eq!(answer["moves"].as_array().map(Vec::len), Some(1));
    assert!(not_noted(&instance));
    if let Some((lock, other)) = store {
        drop(lock);
        other.close().await;
    }
    if let Some(other) = holder {
        other.close().await.expect("PostgreSQL says goodbye");
    }
    asked(&instance, &lopsided("s", 0)).await;
    assert_eq!(listed(&instance).await.len(), 1);
    instance.stop().await;
}
