//! The service is killed with SIGKILL: the only instance, or one of two.

use super::longest;
use super::site::{Site, plainly};
use crate::support::{Database, Engine, run_bare_within};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_service_on_sqlite_loses_nothing() {
    run_bare_within(longest(), Engine::Sqlite, async |database| {
        kill_the_only_instance(database, "service killed, SQLite").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_service_on_postgresql_loses_nothing() {
    run_bare_within(longest(), Engine::Postgres, async |database| {
        kill_the_only_instance(database, "service killed, PostgreSQL").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_instances_on_sqlite_one_dies_and_nothing_is_lost() {
    run_bare_within(longest(), Engine::Sqlite, async |database| {
        kill_one_of_two(database, "one of two instances killed, SQLite").await;
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_instances_on_postgresql_one_dies_and_nothing_is_lost() {
    run_bare_within(longest(), Engine::Postgres, async |database| {
        kill_one_of_two(database, "one of two instances killed, PostgreSQL").await;
    })
    .await;
}

async fn kill_the_only_instance(database: &Database, name: &str) {
    let site = Site::open(&database.url_text(), 1, plainly);
    let kill = async |site: &mut Site, _: &mut _| site.kill_and_start(0);
    site.withstand(name, 1, kill).await;
}

async fn kill_one_of_two(database: &Database, name: &str) {
    let site = Site::open(&database.url_text(), 2, plainly);
    let kill = async |site: &mut Site, dice: &mut crate::support::Dice| {
        site.kill_and_start(dice.below(2));
    };
    site.withstand(name, 2, kill).await;
}
