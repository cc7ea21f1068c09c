use rbs::domain::{Probability, Score};
use rbs::rating::{
    Calibration, Experience, FavouriteTotals, ModelName, ModelState, PoolSums, PredictionTotals,
};
use rbs::store::{PoolRecord, StoreError};

use super::{AWKWARD, name, pool, unknown_pool};
use crate::support::{Database, Engine};

on_both_engines!(
    a_pool_is_made_once_and_begins_with_nothing,
    a_pools_figures_read_back_to_the_last_bit,
    pools_are_listed_by_name_in_the_same_order_everywhere,
    a_pool_that_is_not_there_is_named,
);

async fn a_pool_is_made_once_and_begins_with_nothing(database: &Database) {
    let store = database.store().await;
    let first = pool(&store, "default").await;
    assert_eq!(pool(&store, "default").await, first);
    assert_ne!(pool(&store, "arena").await, first);
    let made = store.begin_read().await.unwrap().pool(first).await.unwrap();
    let expected = PoolRecord {
        id: first,
        name: name("default"),
        generation: made.cleared,
        cleared: made.cleared,
        log_length: 0,
        pruned: 0,
        sums: PoolSums::default(),
        model: ModelName::default(),
        model_state: ModelState::default(),
    };
    assert_eq!(made, expected);
}

async fn a_pools_figures_read_back_to_the_last_bit(database: &Database) {
    let store = database.store().await;
    let (id, other) = (pool(&store, "default").await, pool(&store, "arena").await);
    let calibration = AWKWARD
        .iter()
        .fold(Calibration::default(), |calibration, value| {
            let predicted = Probability::new(*value).expect("a probability");
            calibration
                .with(predicted, Score::DRAW)
                .with(predicted.complement(), Score::WIN)
        });
    let experience = Experience::default()
        .with(0, 72.0, 1.0)
        .with(u32::MAX, 1.0 / 3.0, 1e-6);
    let most = i64::MAX.unsigned_abs();
    let adaptive: ModelName = "adaptive".parse().unwrap();
    let before = store.begin_read().await.unwrap().pool(id).await.unwrap();
    for (brier, log_loss) in [
        (AWKWARD[0], AWKWARD[1]),
        (AWKWARD[5], f64::MAX),
        // A whole number, one past the exact range of double precision, and one with every digit.
        (3.0, 9_007_199_254_740_993.0),
        (AWKWARD[3], 123_456_789.123_456_78),
    ] {
        let saved = PoolRecord {
            id,
            name: name("default"),
            generation: before.generation.next(),
            cleared: before.cleared,
            log_length: most,
            pruned: 0,
            sums: PoolSums {
                predictions: PredictionTotals {
                    rounds: most,
                    draws: most - 1,
                    brier,
                    log_loss,
                    right_halves: (1 << 53) + 1,
                    score_halves: most - 2,
                    favourites: FavouriteTotals {
                        rounds: most - 3,
                        predicted: log_loss,
                        score_halves: (1 << 53) + 3,
                        brier,
                    },
                },
                calibration,
                experience,
            },
            model: adaptive,
            model_state: ModelState::from_bytes(vec![0, 255, 1]),
        };
        let mut tx = store.begin().await.unwrap();
        tx.save_pool(&saved).await.unwrap();
        assert_eq!(tx.lock_pool(id).await.unwrap(), saved);
        tx.commit().await.unwrap();
        let mut tx = store.begin_read().await.unwrap();
        let read = tx.pool(id).await.unwrap();
        assert_eq!(read, saved);
        assert_eq!(read.sums.predictions.brier.to_bits(), brier.to_bits());
        assert_eq!(read.sums.predictions.log_loss.to_bits(), log_loss.to_bits());
        let favourites = read.sums.predictions.favourites;
        assert_eq!(favourites.brier.to_bits(), brier.to_bits());
        assert_eq!(favourites.predicted.to_bits(), log_loss.to_bits());
        let other = tx.pool(other).await.unwrap();
        assert_eq!(other.log_length, 0, "another pool was written to");
    }
}

async fn pools_are_listed_by_name_in_the_same_order_everywhere(database: &Database) {
    let store = database.store().await;
    if database.engine() == Engine::Postgres {
        // The usual collation of servers; PostgreSQL may have been built without it.
        database
            .execute(
                "do $$ begin
                   if exists (select from pg_collation where collname = 'und-x-icu') then
                     alter table pools alter column name type text collate \"und-x-icu\";
                   end if;
                 end $$",
            )
            .await;
    }
    let none = store.begin_read().await.unwrap().pools().await.unwrap();
    assert_eq!(none, []);
    for made in ["b", "a-b", "B", "a.b", "a1", "_", "a", "A", "1"] {
        pool(&store, made).await;
    }
    let listed = store.begin_read().await.unwrap().pools().await.unwrap();
    let names: Vec<&str> = listed.iter().map(|pool| pool.name.as_str()).collect();
    assert_eq!(names, ["1", "A", "B", "_", "a", "a-b", "a.b", "a1", "b"]);
}

async fn a_pool_that_is_not_there_is_named(database: &Database) {
    let store = database.store().await;
    pool(&store, "default").await;
    let unknown = unknown_pool().await;
    let mut tx = store.begin().await.unwrap();
    for missing in [tx.pool(unknown).await, tx.lock_pool(unknown).await] {
        let missing = missing.expect_err("there is no such pool");
        let (table, column) = ("pools", "id");
        assert!(
            matches!(missing, StoreError::Corrupt { table: t, column: c } if (t, c) == (table, column)),
            "{missing}"
        );
    }
}
