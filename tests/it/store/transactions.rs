use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use rbs::domain::Timestamp;
use rbs::rating::Totals;
use rbs::store::{PoolId, PoolRecord, Store};

use super::{
    active, begin, chunk, insert, name, named, new_player, player, pool, reset, round, save,
};
use crate::support::Database;

on_both_engines!(
    what_is_not_committed_leaves_nothing,
    empty_lists_are_nothing_to_do,
    a_unit_of_work_that_reads_sees_one_moment,
    a_unit_of_work_that_reads_writes_nothing,
    a_pool_that_is_locked_is_waited_for,
    writers_that_count_up_one_pool_lose_no_step,
    whoever_writes_a_lot_lets_others_write,
    a_beginning_that_is_given_up_leaves_nothing_begun,
    a_unit_of_work_that_is_given_up_within_a_query_lets_the_next_one_in,
);

/// Time given to a blocked task to prove that it is not blocked.
const MOMENT: Duration = Duration::from_millis(100);

async fn what_is_not_committed_leaves_nothing(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let before = store.begin_read().await.unwrap().pool(pool).await.unwrap();
    let mut tx = store.begin().await.unwrap();
    tx.ensure_pool(&name("arena")).await.unwrap();
    tx.save_pool(&PoolRecord {
        log_length: 7,
        ..before.clone()
    })
    .await
    .unwrap();
    save(&mut tx, pool, &[new_player(1)]).await;
    let generation = active(&mut tx, pool).await.unwrap();
    let row = chunk((1, 0), Totals::default(), &[1], generation);
    tx.save_chunks(pool, &[row]).await.unwrap();
    insert(&mut tx, pool, &[round(1)]).await;
    tx.insert_change(pool, &reset(2, "c")).await.unwrap();
    tx.save_split_table(&name("arena-1"), Timestamp::UNIX_EPOCH, "{}")
        .await
        .unwrap();
    drop(tx);

    let mut tx = store.begin().await.unwrap();
    assert_eq!(tx.pools().await.unwrap(), [before]);
    assert_eq!(tx.player(pool, player(1)).await.unwrap(), None);
    assert_eq!(tx.entries(pool, &[(player(1), 1)]).await.unwrap(), []);
    assert!(tx.rounds(&[named(&round(1))]).await.unwrap().is_empty());
    assert_eq!(tx.change(&name("c")).await.unwrap(), None);
    assert_eq!(tx.split_table(&name("arena-1")).await.unwrap(), None);
}

async fn empty_lists_are_nothing_to_do(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    insert(&mut tx, pool, &[]).await;
    assert!(tx.rounds(&[]).await.unwrap().is_empty());
    assert_eq!(tx.rounds_after(pool, 0, 10).await.unwrap(), []);
    save(&mut tx, pool, &[]).await;
    assert_eq!(tx.players(pool, &[]).await.unwrap(), []);
    tx.save_chunks(pool, &[]).await.unwrap();
    assert_eq!(tx.entries(pool, &[]).await.unwrap(), []);
    assert_eq!(tx.entries(pool, &[(player(1), 0)]).await.unwrap(), []);
}

async fn a_unit_of_work_that_reads_sees_one_moment(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let mut reading = store.begin_read().await.unwrap();
    let before = reading.pool(pool).await.unwrap();
    count_up(&store, pool).await;
    let mut tx = store.begin().await.unwrap();
    save(&mut tx, pool, &[new_player(1)]).await;
    tx.commit().await.unwrap();
    assert_eq!(reading.pool(pool).await.unwrap(), before);
    assert_eq!(reading.player(pool, player(1)).await.unwrap(), None);
    drop(reading);
    let mut reading = store.begin_read().await.unwrap();
    assert_eq!(reading.pool(pool).await.unwrap().log_length, 1);
    assert!(reading.player(pool, player(1)).await.unwrap().is_some());
}

async fn a_unit_of_work_that_reads_writes_nothing(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let mut reading = store.begin_read().await.unwrap();
    let refused = reading.save_players(pool, None, &[new_player(1)]).await;
    assert!(refused.is_err(), "{refused:?}");
    drop(reading);
    let mut reading = store.begin_read().await.unwrap();
    assert_eq!(reading.player(pool, player(1)).await.unwrap(), None);
}

async fn a_pool_that_is_locked_is_waited_for(database: &Database) {
    let (here, there) = (database.store().await, database.store().await);
    let pool = pool(&here, "default").await;
    let mut first = here.begin().await.unwrap();
    let locked = first.lock_pool(pool).await.unwrap();
    let mut waiting = tokio::spawn(async move {
        let mut second = there.begin().await.unwrap();
        let seen = second.lock_pool(pool).await.unwrap().log_length;
        drop(second);
        there.close().await;
        seen
    });
    let early = tokio::time::timeout(MOMENT, &mut waiting).await;
    assert!(early.is_err(), "two writers hold one pool: {early:?}");
    let written = PoolRecord {
        log_length: 41,
        ..locked
    };
    first.save_pool(&written).await.unwrap();
    first.commit().await.unwrap();
    let seen = waiting.await.unwrap();
    assert_eq!(seen, 41, "who waited must see what was waited for");
}

async fn writers_that_count_up_one_pool_lose_no_step(database: &Database) {
    const STEPS: u64 = 25;
    let (here, there) = (database.store().await, database.store().await);
    let pool = pool(&here, "default").await;
    let write = async |store: &Store| {
        for _ in 0..STEPS {
            count_up(store, pool).await;
        }
    };
    tokio::join!(write(&here), write(&there), write(&here));
    let counted = here.begin_read().await.unwrap().pool(pool).await.unwrap();
    assert_eq!(counted.log_length, 3 * STEPS);
}

async fn whoever_writes_a_lot_lets_others_write(database: &Database) {
    const WRITING: Duration = Duration::from_millis(250);
    let (here, there) = (database.store().await, database.store().await);
    let pool = pool(&here, "default").await;
    let mut first = here.begin().await.unwrap();
    first.lock_pool(pool).await.unwrap();
    let other = tokio::spawn(async move {
        for _ in 0..3 {
            count_up(&there, pool).await;
        }
        there.close().await;
    });
    tokio::time::sleep(WRITING).await;
    first.commit().await.unwrap();
    let mut turns = 0;
    while !other.is_finished() {
        here.let_others_write(WRITING).await;
        let mut tx = here.begin().await.unwrap();
        tx.lock_pool(pool).await.unwrap();
        tokio::time::sleep(WRITING).await;
        tx.commit().await.unwrap();
        turns += 1;
    }
    other.await.expect("who waits is let in, sooner or later");
    assert!(turns < 12, "let in three times in {turns} turns");
}

/// Reads and writes a pool's length, as every writer of a pool does.
async fn count_up(store: &Store, pool: PoolId) {
    let mut tx = store.begin().await.unwrap();
    let mut locked = tx.lock_pool(pool).await.unwrap();
    tokio::task::yield_now().await;
    locked.log_length += 1;
    tx.save_pool(&locked).await.unwrap();
    tx.commit().await.unwrap();
}

/// Polls `work` that number of times, then drops it.
async fn give_up_after<T>(times: u32, mut work: impl Future<Output = T> + Unpin) {
    let mut left = times;
    std::future::poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(());
        }
        left -= 1;
        Pin::new(&mut work).poll(context).map(drop)
    })
    .await;
}

async fn a_beginning_that_is_given_up_leaves_nothing_begun(database: &Database) {
    let store = database.store().await;
    for times in 0..8 {
        for _ in 0..12 {
            give_up_after(times, Box::pin(store.begin_read())).await;
            give_up_after(times, Box::pin(store.begin())).await;
            // Reused connections start clean.
            for _ in 0..2 {
                let mut tx = store.begin().await.unwrap();
                let written = tx.try_to_write().await;
                assert!(
                    written.is_ok(),
                    "after {times} steps a connection stayed in what was given up: {written:?}"
                );
                tx.commit().await.unwrap();
            }
        }
    }
}

async fn a_unit_of_work_that_is_given_up_within_a_query_lets_the_next_one_in(database: &Database) {
    const TIMES: u32 = 6;
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    for times in 0..TIMES {
        let mut tx = store.begin().await.unwrap();
        let mut locked = tx.lock_pool(pool).await.unwrap();
        locked.log_length = 1_000;
        give_up_after(times, Box::pin(tx.save_pool(&locked))).await;
        drop(tx);
        count_up(&store, pool).await;
    }
    let counted = store.begin_read().await.unwrap().pool(pool).await.unwrap();
    assert_eq!(counted.log_length, u64::from(TIMES));
}
