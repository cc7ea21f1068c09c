use rbs::rating::Totals;
use rbs::store::{NewEntry, StoreError};

use super::{EXTREME, entry, insert_entries, player, pool, unknown_pool};
use crate::support::Database;

on_both_engines!(
    totals_read_back_at_the_ends_of_64_bits,
    only_the_entries_asked_for_are_found,
    an_empty_list_of_entries_is_nothing_to_do,
    an_entry_of_a_number_that_is_taken_is_a_duplicate,
);

async fn totals_read_back_at_the_ends_of_64_bits(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let last = i64::MAX.unsigned_abs();
    let entries: Vec<NewEntry> = EXTREME
        .iter()
        .zip([1, 1 << 53, last])
        .map(|(totals, number)| NewEntry {
            totals: *totals,
            ..entry(1, number, last)
        })
        .collect();
    let mut tx = store.begin().await.unwrap();
    insert_entries(&mut tx, pool, &entries).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    for written in entries {
        let wanted = [(player(1), written.number)];
        let found = tx.totals(pool, &wanted).await.unwrap();
        assert_eq!(found, [(player(1), written.number, written.totals)]);
    }
    drop(tx);
    store.close().await;
}

async fn only_the_entries_asked_for_are_found(database: &Database) {
    let store = database.store().await;
    let (here, there) = (pool(&store, "here").await, pool(&store, "there").await);
    let with = |of: u64, number: u64, rating: i64| NewEntry {
        totals: Totals {
            rating,
            ..Totals::default()
        },
        ..entry(of, number, number)
    };
    let mut tx = store.begin().await.unwrap();
    insert_entries(
        &mut tx,
        here,
        &[with(1, 1, 11), with(1, 2, 12), with(2, 2, 22)],
    )
    .await
    .unwrap();
    insert_entries(&mut tx, there, &[with(1, 1, 99), with(3, 1, 98)])
        .await
        .unwrap();
    let wanted = [
        (player(1), 2),
        (player(2), 1),
        (player(2), 2),
        (player(3), 1),
    ];
    let mut found: Vec<_> = tx
        .totals(here, &wanted)
        .await
        .unwrap()
        .into_iter()
        .map(|(player, number, totals)| (player, number, totals.rating))
        .collect();
    found.sort_unstable();
    assert_eq!(found, [(player(1), 2, 12), (player(2), 2, 22)]);
    let nowhere = unknown_pool().await;
    assert!(tx.totals(nowhere, &wanted).await.unwrap().is_empty());
    drop(tx);
    store.close().await;
}

async fn an_empty_list_of_entries_is_nothing_to_do(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let mut tx = store.begin().await.unwrap();
    insert_entries(&mut tx, pool, &[]).await.unwrap();
    assert!(tx.totals(pool, &[]).await.unwrap().is_empty());
    drop(tx);
    store.close().await;
}

async fn an_entry_of_a_number_that_is_taken_is_a_duplicate(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let mut tx = store.begin().await.unwrap();
    insert_entries(&mut tx, pool, &[entry(1, 1, 1)])
        .await
        .unwrap();
    let again = insert_entries(&mut tx, pool, &[entry(1, 1, 2)]).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
    drop(tx);
    store.close().await;
}
