//! Figures of pools that cannot be read, and a database that is said to be up all the same.

use rbs::clock::Clock;
use reqwest::Client;
use sqlx::{Connection as _, Executor as _, PgConnection};

use super::metrics::{assert_value, scrape, value};
use crate::support::{Database, Engine, Instance, SECRET, run_bare, settings};

on_both_engines!(figures_that_cannot_be_read_take_neither_other_pools_nor_the_database_away);

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
    // A count that cannot be, in the pool that comes first.
    let statement = "update pools set draws = -1 where name = 'arena'";
    database.execute(statement).await;
    let told = metrics(&instance).await;
    assert_value(&told, "rbs_database_up", 1.0);
    assert_value(&told, "rbs_pool_rounds{pool=\"default\"}", 0.0);
    assert_value(&told, &read_at("default"), NOON_SECONDS);
    assert_eq!(value(&told, "rbs_pool_rounds{pool=\"arena\"}"), None);
    assert_value(&told, &read_at("arena"), 0.0);
    instance.stop().await;

    let statement = "update pools set draws = 0 where name = 'arena'";
    database.execute(statement).await;
    let cut_off = start(database).await;
    cut_off.service.close().await;
    let told = metrics(&cut_off).await;
    assert_value(&told, "rbs_database_up", 0.0);
    assert_value(&told, &read_at("default"), 0.0);
    cut_off.stop().await;
}

/// SQLite has no locks on a table, and nobody who writes holds a reader up.
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
        let told = metrics(&instance).await;
        assert_value(&told, "rbs_database_up", 1.0);
        assert_eq!(value(&told, "rbs_pool_rounds{pool=\"default\"}"), None);
        assert_value(&told, &read_at("default"), 0.0);
        holder.close().await.expect("PostgreSQL says goodbye");
        instance.stop().await;
    })
    .await;
}
