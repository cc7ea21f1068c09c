use rbs::domain::Timestamp;
use rbs::store::{ChallengerFigures, SettingsId, Store};

use super::{active, moment, pool, unknown_pool};
use crate::support::Database;

on_both_engines!(
    one_owner_follows_a_log_until_it_is_not_heard_of,
    figures_are_kept_and_written_by_the_owner_alone,
);

/// `true` if `owner` follows the log at that moment; owners last heard of before `cutoff` count as dead.
async fn follows(store: &Store, owner: &str, at: i64, cutoff: i64) -> bool {
    let id = pool(store, "arena").await;
    let mut tx = store.begin().await.unwrap();
    let follows = tx.follow_log(id, (owner, moment(at)), moment(cutoff)).await;
    tx.commit().await.unwrap();
    follows.unwrap()
}

async fn one_owner_follows_a_log_until_it_is_not_heard_of(database: &Database) {
    let store = database.store().await;
    let id = pool(&store, "arena").await;
    let mut tx = store.begin().await.unwrap();
    assert_eq!(tx.challengers(id).await.unwrap(), None);
    tx.leave_log(id, "one").await.unwrap();
    assert_eq!(tx.challengers(id).await.unwrap(), None);
    let nowhere = (unknown_pool().await, ("one", moment(1)));
    assert!(
        tx.follow_log(nowhere.0, nowhere.1, moment(0))
            .await
            .is_err()
    );
    drop(tx);

    assert!(follows(&store, "one", 100, 0).await);
    assert!(follows(&store, "one", 110, 0).await);
    assert!(!follows(&store, "other", 120, 110).await);
    assert!(follows(&store, "other", 121, 111).await);
    assert!(!follows(&store, "one", 122, 112).await);

    let mut tx = store.begin().await.unwrap();
    let record = tx.challengers(id).await.unwrap().unwrap();
    assert_eq!((&*record.owner, record.renewed_at), ("other", moment(121)));
    assert_eq!(record.figures, None);
    tx.leave_log(id, "one").await.unwrap();
    tx.leave_log(id, "other").await.unwrap();
    let record = tx.challengers(id).await.unwrap().unwrap();
    assert_eq!(record.renewed_at, Timestamp::UNIX_EPOCH);
    tx.commit().await.unwrap();
    assert!(follows(&store, "one", 123, 113).await);
}

async fn figures_are_kept_and_written_by_the_owner_alone(database: &Database) {
    let store = database.store().await;
    assert!(follows(&store, "one", 100, 0).await);
    let id = pool(&store, "arena").await;
    let mut tx = store.begin().await.unwrap();
    let figures = ChallengerFigures {
        generation: active(&mut tx, id).await.unwrap().next(),
        pruned: 3,
        settings: SettingsId::FIRST,
        position: u64::MAX >> 1,
        rounds: 7,
        content: "{\"map\": \"竞技场 🏟️\"}".to_owned(),
    };
    let one = ("one", moment(105));
    assert!(tx.save_challengers(id, one, &figures).await.unwrap());
    let later = ChallengerFigures {
        rounds: 8,
        ..figures.clone()
    };
    let other = ("other", moment(106));
    assert!(!tx.save_challengers(id, other, &later).await.unwrap());
    let record = tx.challengers(id).await.unwrap().unwrap();
    assert_eq!((&*record.owner, record.renewed_at), one);
    assert_eq!(record.figures.as_ref(), Some(&figures));
    tx.commit().await.unwrap();
    assert!(follows(&store, "other", 200, 150).await);
    let mut tx = store.begin().await.unwrap();
    let record = tx.challengers(id).await.unwrap().unwrap();
    assert_eq!(record.figures, Some(figures));
    assert!(tx.save_challengers(id, other, &later).await.unwrap());
}
