use std::collections::BTreeMap;

use rbs::domain::{Probability, Score};
use rbs::rating::{GroupKind, GroupTotals, RoundGroup};

use super::{begin, pool};
use crate::support::Database;

on_both_engines!(
    what_is_added_in_steps_is_what_is_added_at_once,
    groups_are_listed_by_their_rounds_and_then_by_name,
    sums_as_large_as_they_get_read_back,
);

fn group(kind: GroupKind, name: &str) -> RoundGroup {
    let name = name.to_owned();
    RoundGroup { kind, name }
}

fn won(lead: i64) -> GroupTotals {
    let third = Probability::new(1.0 / 3.0).expect("a probability");
    GroupTotals::of(lead, third, Score::WIN)
}

async fn what_is_added_in_steps_is_what_is_added_at_once(database: &Database) {
    let store = database.store().await;
    let (steps, once) = (pool(&store, "steps").await, pool(&store, "once").await);
    let mut tx = store.begin().await.unwrap();
    let map = group(GroupKind::Map, "arena_well");
    let server = group(GroupKind::Server, "arena_well");
    for lead in [-300, 0, 500] {
        let added = BTreeMap::from([(map.clone(), won(lead)), (server.clone(), won(7))]);
        tx.add_to_groups(steps, &added).await.unwrap();
    }
    let three = |leads: [i64; 3]| leads.map(won).into_iter().reduce(GroupTotals::plus);
    let added = BTreeMap::from([
        (map, three([-300, 0, 500]).expect("three")),
        (server, three([7, 7, 7]).expect("three")),
    ]);
    tx.add_to_groups(once, &added).await.unwrap();
    tx.add_to_groups(once, &BTreeMap::new()).await.unwrap();
    for kind in GroupKind::ALL {
        let listed = tx.groups(steps, kind, 10).await.unwrap();
        assert_eq!(listed, tx.groups(once, kind, 10).await.unwrap());
    }
    let maps = tx.groups(once, GroupKind::Map, 10).await.unwrap();
    let expected = added.values().next().expect("the map's").to_owned();
    assert_eq!(maps, [("arena_well".to_owned(), expected)]);
    assert_eq!((expected.rounds, expected.lead), (3, 200));
}

async fn groups_are_listed_by_their_rounds_and_then_by_name(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    let counted = [("b", 2), ("B", 1), ("a", 1), ("most", 3), ("a-b", 1)];
    let added = counted.map(|(name, rounds)| {
        let sums = GroupTotals {
            rounds,
            ..GroupTotals::default()
        };
        (group(GroupKind::Map, name), sums)
    });
    tx.add_to_groups(pool, &BTreeMap::from(added))
        .await
        .unwrap();
    let listed = async |tx: &mut rbs::store::Tx, limit| -> Vec<String> {
        let groups = tx.groups(pool, GroupKind::Map, limit).await.unwrap();
        groups.into_iter().map(|(name, _)| name).collect()
    };
    assert_eq!(listed(&mut tx, 9).await, ["most", "b", "B", "a", "a-b"]);
    assert_eq!(listed(&mut tx, 2).await, ["most", "b"]);
    let others = tx.groups(pool, GroupKind::Server, 9).await.unwrap();
    assert!(others.is_empty(), "{others:?}");
}

async fn sums_as_large_as_they_get_read_back(database: &Database) {
    let (_store, pool, mut tx) = begin(database).await;
    let most = i64::MAX.unsigned_abs();
    let sums = GroupTotals {
        rounds: most,
        draws: most - 1,
        right_halves: most - 2,
        score_halves: most - 3,
        predicted: (1 << 53) + 1,
        brier: (1 << 53) + 3,
        log_loss: (1 << 53) + 5,
        lead: i64::MIN,
    };
    let name = "\u{fc} \"'\\";
    let added = BTreeMap::from([(group(GroupKind::Map, name), sums)]);
    tx.add_to_groups(pool, &added).await.unwrap();
    let listed = tx.groups(pool, GroupKind::Map, 9).await.unwrap();
    assert_eq!(listed, [(name.to_owned(), sums)]);
}
