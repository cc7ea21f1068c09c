use rbs::domain::{Rating, RoundAction, SeasonStart, Share, Winner};
use rbs::rating::ChangeKind;
use rbs::store::{Change, Changed};

use super::{assert_duplicate, begin_in_two, moment, name, player, points, pool, reset};
use crate::support::Database;

on_both_engines!(
    changes_read_back_with_every_field_at_its_ends,
    several_changes_are_written_together_or_not_at_all,
    a_change_is_known_by_its_name_in_all_pools,
);

/// Changes of every kind, with every field at its limits.
fn extreme() -> [Change; 9] {
    [
        Change {
            reason: Some("Übermut: \"100 % 竞\" 🏟️ \\ $1 ?".to_owned()),
            changed: Changed::Player(player(1), ChangeKind::Set(Rating::MAX)),
            made_at: moment(253_402_300_799_999_999),
            ..reset(1, "a-set")
        },
        Change {
            changed: Changed::Player(player(u64::from(u32::MAX)), ChangeKind::Set(points(0))),
            reason: Some(String::new()),
            ..reset(2, "another-set,of-a-player-with-the-last-account")
        },
        Change {
            changed: Changed::Round {
                position: 1,
                action: RoundAction::Void,
            },
            ..reset(3, "a-void")
        },
        Change {
            changed: Changed::Round {
                position: i64::MAX.unsigned_abs() - 1,
                action: RoundAction::Unvoid,
            },
            ..reset(4, "a-restoration")
        },
        Change {
            changed: Changed::Round {
                position: 7,
                action: RoundAction::Correct {
                    winner: Winner::Draw,
                },
            },
            ..reset(5, "a-correction")
        },
        Change {
            changed: Changed::Undo {
                position: 2,
                player: Some(player(u64::from(u32::MAX))),
            },
            ..reset(6, "an-undo")
        },
        Change {
            changed: Changed::Season(SeasonStart {
                name: "é".repeat(40).parse().unwrap(),
                keep: Share::from_thousandths(1000).unwrap(),
                calibration: 500.try_into().unwrap(),
            }),
            ..reset(7, "a-season")
        },
        Change {
            changed: Changed::Undo {
                position: 7,
                player: None,
            },
            ..reset(8, "an-undo-of-a-season")
        },
        Change {
            made_at: moment(-62_135_596_800_000_000),
            ..reset(i64::MAX.unsigned_abs(), "a-reset-without-a-reason")
        },
    ]
}

async fn changes_read_back_with_every_field_at_its_ends(database: &Database) {
    let store = database.store().await;
    let pool = pool(&store, "default").await;
    let changes = extreme();
    let mut tx = store.begin().await.unwrap();
    for change in &changes {
        tx.insert_change(pool, change).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut tx = store.begin_read().await.unwrap();
    assert_eq!(tx.changes_after(pool, 0, 10).await.unwrap(), changes);
    let of_first = tx.changes_of_rounds(pool, 0, 1).await.unwrap();
    assert_eq!(of_first, changes[2..3]);
    let of_all = tx.changes_of_rounds(pool, 1, i64::MAX.unsigned_abs()).await;
    let undo_of_season = &changes[7..8];
    assert_eq!(of_all.unwrap(), [&changes[2..6], undo_of_season].concat());
}

async fn several_changes_are_written_together_or_not_at_all(database: &Database) {
    let store = database.store().await;
    let (one, other) = (pool(&store, "default").await, pool(&store, "arena").await);
    let mut tx = store.begin().await.unwrap();
    tx.insert_changes(one, &extreme()).await.unwrap();
    tx.insert_changes(one, &[]).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = store.begin().await.unwrap();
    assert_eq!(tx.changes_after(one, 0, 10).await.unwrap(), extreme());
    let found = tx.changes_named(one, "a-").await.unwrap();
    let mut expected = extreme().to_vec();
    expected.retain(|change| change.change_id.as_str().starts_with("a-"));
    assert_eq!(found, expected);
    // Neither is interpreted as a pattern.
    for beginning in ["a_", "a%", "A-"] {
        let found = tx.changes_named(one, beginning).await.unwrap();
        assert_eq!(found, [], "{beginning}");
    }
    assert_eq!(tx.changes_named(other, "a-").await.unwrap(), []);
    drop(tx);

    let mut tx = store.begin().await.unwrap();
    let again = [reset(7, "a-new-one"), reset(8, "a-set")];
    let refused = tx.insert_changes(other, &again).await;
    assert_duplicate(&refused, "a name that another pool has");
    drop(tx);
    let mut tx = store.begin_read().await.unwrap();
    assert_eq!(tx.changes_after(other, 0, 10).await.unwrap(), []);
}

async fn a_change_is_known_by_its_name_in_all_pools(database: &Database) {
    let (store, [here, there], mut tx) = begin_in_two(database).await;
    assert_eq!(tx.change(&name("c1")).await.unwrap(), None);
    tx.insert_change(here, &reset(1, "c1")).await.unwrap();
    let found = tx.change(&name("c1")).await.unwrap();
    assert_eq!(found, Some((here, reset(1, "c1"))));
    assert_eq!(tx.change(&name("C1")).await.unwrap(), None);
    tx.commit().await.unwrap();
    for (pool, again) in [(there, reset(1, "c1")), (here, reset(1, "c2"))] {
        let mut tx = store.begin().await.unwrap();
        let refused = tx.insert_change(pool, &again).await;
        assert_duplicate(&refused, "a name, or a place in the log");
    }
}
