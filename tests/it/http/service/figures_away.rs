//! Pools whose figures cannot be read, while the database is reported as available.

use std::time::Duration;

use rbs::clock::Clock;
use reqwest::{Client, StatusCode};
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::metrics::{assert_value, scrape, value};
use crate::http::{round, with};
use crate::support::{
    ADMIN_SECRET, Database, Engine, Instance, SECRET, answered, run_bare, send, settings,
};

on_both_engines!(
    figures_that_cannot_be_read_take_neither_other_pools_nor_the_database_away,
    counting_activity_goes_on_where_it_failed,
);

const NOON: &str = "2026-11-20T12:00:00Z";
const NOON_SECONDS: f64 = 1_795_176_000.0;

async fn start(database: &Database) -> Instance {
    let clock = Clock::manual(NOON.parse().expect("a time"));
    Instance::start(&settings(&database.url_text()), clock).await
}

async fn metrics(instance: &Instance) -> String {
    let client = Client::builder().no_proxy().build().expect("a client");
    let request = client.get(format!("{}/metrics", instance.address));
    scrape(request.bearer_auth(SECRET)).await
}

fn read_at(pool: &str) -> String {
    format!("rbs_pool_figures_read_timestamp_seconds{{pool=\"{pool}\"}}")
}

async fn figures_that_cannot_be_read_take_neither_other_pools_nor_the_database_away(
    database: &Database,
) {
    let instance = start(database).await;
    // An invalid count in the first pool.
    let statement = "update pools set draws = -1 where name = 'arena'";
    database.execute(statement).await;
    let output = metrics(&instance).await;
    assert_value(&output, "rbs_database_up", 1.0);
    assert_value(&output, "rbs_pool_rounds{pool=\"default\"}", 0.0);
    assert_value(&output, &read_at("default"), NOON_SECONDS);
    assert_eq!(value(&output, "rbs_pool_rounds{pool=\"arena\"}"), None);
    assert_value(&output, &read_at("arena"), 0.0);
    instance.stop().await;

    let statement = "update pools set draws = 0 where name = 'arena'";
    database.execute(statement).await;
    let cut_off = start(database).await;
    cut_off.service.close().await;
    let output = metrics(&cut_off).await;
    assert_value(&output, "rbs_database_up", 0.0);
    assert_value(&output, &read_at("default"), 0.0);
    cut_off.stop().await;
}

async fn counting_activity_goes_on_where_it_failed(database: &Database) {
    let instance = start(database).await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let play = async |round_id: &str, ended_at: &str| {
        let sent = round("s", round_id, "a", &[1], &[2]);
        let request = client.post(format!("{}/v1/update", instance.address));
        let sent = with(sent, json!({"ended_at": ended_at}));
        answered(request.bearer_auth(SECRET).json(&sent)).await;
    };
    let activity = async || {
        let path = format!("{}/v1/admin/activity?hours=3", instance.address);
        send(client.get(path).bearer_auth(ADMIN_SECRET)).await
    };
    play("1", "2026-11-20T10:30:00Z").await;
    play("2", "2026-11-20T11:30:00Z").await;
    // An invalid name in the second of three hours.
    let statement = "update rounds set server = '' where round_id = '2'";
    database.execute(statement).await;
    let (status, problem) = activity().await;
    assert_eq!(status, StatusCode::INTERNAL_SERVER_ERROR, "{problem}");

    let statement = "update rounds set server = 's' where round_id = '2'";
    database.execute(statement).await;
    play("3", "2026-11-20T10:40:00Z").await;
    play("4", "2026-11-20T11:40:00Z").await;
    // The service does not retry for this time.
    tokio::time::sleep(Duration::from_secs(1)).await;
    let (status, answer) = activity().await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    // The first hour is held, and the second counted.
    assert_eq!(answer["total"], json!([1, 2, 0]));
    instance.stop().await;
}

/// SQLite has no table locks, and writers do not block readers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn players_that_take_long_to_count_do_not_take_the_database_away() {
    run_bare(Engine::Postgres, async |database| {
        let instance = start(database).await;
        let mut holder = PgConnection::connect(&database.url_text())
            .await
            .expect("PostgreSQL");
        for statement in ["begin", "lock table players in access exclusive mode"] {
            holder.execute(statement).await.expect("the lock");
        }
        let output = metrics(&instance).await;
        assert_value(&output, "rbs_database_up", 1.0);
        assert_eq!(value(&output, "rbs_pool_rounds{pool=\"default\"}"), None);
        assert_value(&output, &read_at("default"), 0.0);
        holder.close().await.expect("PostgreSQL says goodbye");
        instance.stop().await;
    })
    .await;
}
