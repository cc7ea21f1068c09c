use rbs::store::{Store, StoreError};

use super::{begin, insert, pool, round};
use crate::support::{Database, Engine};

on_both_engines!(
    migrating_again_changes_nothing,
    instances_that_start_at_once_all_start,
    a_database_newer_than_the_program_is_refused,
    a_database_that_answers_is_ready,
);

#[tokio::test]
async fn statistics_are_made_where_there_are_rounds() {
    crate::support::run_bare(Engine::Postgres, async |database| {
        let store = database.store().await;
        // PostgreSQL has no row count of a table that was never analyzed.
        let known =
            "select count(*) from pg_class where oid = 'rounds'::regclass and reltuples >= 0";
        store.refresh_statistics().await.unwrap();
        assert_eq!(database.count(known).await, 0, "of an empty table");
        let pool = pool(&store, "default").await;
        let mut tx = store.begin().await.unwrap();
        insert(&mut tx, pool, &[round(1)]).await;
        tx.commit().await.unwrap();
        store.refresh_statistics().await.unwrap();
        assert_eq!(database.count(known).await, 1, "of one with a row");
        store.close().await;
    })
    .await;
}

/// On SQLite, tests of the program cover a read-only file.
#[tokio::test]
async fn a_server_that_takes_no_writes_is_not_ready() {
    crate::support::run_bare(Engine::Postgres, async |database| {
        database.store().await.close().await;
        let read_only = "%20-cdefault_transaction_read_only%3Don";
        let url = format!("{}{read_only}", database.url_text());
        let store = Store::connect(&url.parse().unwrap()).await.unwrap();
        let refused = store.ping().await;
        let is_told = matches!(refused, Err(StoreError::ReadOnly(_)));
        assert!(is_told, "{refused:?}");
        store.close().await;
    })
    .await;
}

async fn migrating_again_changes_nothing(database: &Database) {
    let (store, pool, mut tx) = begin(database).await;
    insert(&mut tx, pool, &[round(1)]).await;
    tx.commit().await.unwrap();
    store.migrate().await.unwrap();
    let again = database.store().await;
    let mut tx = again.begin_read().await.unwrap();
    let rounds = tx.rounds_after(pool, 0, 10).await.unwrap();
    assert_eq!(rounds, [round(1).logged]);
}

async fn instances_that_start_at_once_all_start(database: &Database) {
    let starting: Vec<_> = (0..6)
        .map(|_| {
            let url = database.url();
            tokio::spawn(async move {
                let store = Store::connect(&url).await?;
                store.migrate().await?;
                let ids = [pool(&store, "default").await, pool(&store, "arena").await];
                store.close().await;
                Ok::<_, StoreError>(ids)
            })
        })
        .collect();
    let mut ids = Vec::new();
    for start in starting {
        let started = start.await.expect("no panic");
        ids.push(started.unwrap_or_else(|error| {
            panic!("an instance that starts along with others fails: {error}: {error:?}")
        }));
    }
    assert!(ids.windows(2).all(|pair| pair[0] == pair[1]), "{ids:?}");
}

async fn a_database_newer_than_the_program_is_refused(database: &Database) {
    let store = database.store().await;
    database
        .execute(
            "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
             select 9999, 'from the future', success, checksum, 0 from _sqlx_migrations
             order by version desc limit 1",
        )
        .await;
    let refused = store.migrate().await;
    assert!(
        matches!(refused, Err(StoreError::Newer { found: 9999, .. })),
        "{refused:?}"
    );
}

async fn a_database_that_answers_is_ready(database: &Database) {
    let store = database.store().await;
    store.ping().await.unwrap();
    store.close().await;
    for closed in [store.ping().await, store.begin().await.map(drop)] {
        let is_told = matches!(closed, Err(StoreError::Unavailable(_)));
        assert!(is_told, "{closed:?}");
    }
}

#[tokio::test]
async fn a_database_that_is_not_there_does_not_answer() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display();
    for address in [
        format!("postgres://rbs@localhost/rbs?host={path}"),
        format!("sqlite://{path}/no/rbs.db"),
    ] {
        let connected = Store::connect(&address.parse().unwrap()).await.map(drop);
        let error = connected.expect_err(&address);
        assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}");
        assert_eq!(error.to_string(), "the database does not answer");
    }
}
