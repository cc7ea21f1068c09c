use std::collections::BTreeSet;

use rbs::domain::PlayerId;
use rbs::rating::GroupKind;
use rbs::store::{Changed, PoolId, Store, Tx};

/// Number of rounds or changes per page.
const PAGE: u32 = 500;

/// Counts of the compared rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    pub rounds: usize,
    pub players: usize,
}

/// Asserts that every round, change, rating and sum of two databases is bit-identical, except arrival times, which an
/// export lacks.
pub async fn assert_same_in_both(one: &Store, other: &Store) -> Compared {
    let mut here = one.begin_read().await.expect("a unit of work");
    let mut there = other.begin_read().await.expect("a unit of work");
    let (pools, copies) = (here.pools().await, there.pools().await);
    let (pools, copies) = (pools.expect("pools"), copies.expect("pools"));
    assert_eq!(pools.len(), copies.len(), "the pools are others");
    let mut compared = Compared::default();
    for (pool, copy) in pools.iter().zip(&copies) {
        assert_eq!(pool.name, copy.name);
        assert_eq!(pool.log_length, copy.log_length, "{}", pool.name);
        assert_eq!(
            pool.sums.predictions, copy.sums.predictions,
            "{}",
            pool.name
        );
        assert_eq!(
            pool.sums.calibration, copy.sums.calibration,
            "{}",
            pool.name
        );
        assert_eq!(pool.sums.experience, copy.sums.experience, "{}", pool.name);
        for kind in GroupKind::ALL {
            let groups = here.groups(pool.id, kind, u32::MAX).await.expect("groups");
            let copies = there.groups(copy.id, kind, u32::MAX).await;
            assert_eq!(groups, copies.expect("groups"), "{kind:?} in {}", pool.name);
        }
        let mut seen = BTreeSet::new();
        compared.rounds +=
            compare_rounds((&mut here, pool.id), (&mut there, copy.id), &mut seen).await;
        compare_changes((&mut here, pool.id), (&mut there, copy.id), &mut seen).await;
        for player in &seen {
            let record = here.player(pool.id, *player).await.expect("a player");
            let again = there.player(copy.id, *player).await.expect("a player");
            assert_eq!(record, again, "{player} in {}", pool.name);
        }
        compared.players += seen.len();
    }
    compared
}

async fn compare_rounds(
    (here, pool): (&mut Tx, PoolId),
    (there, copy): (&mut Tx, PoolId),
    seen: &mut BTreeSet<PlayerId>,
) -> usize {
    let mut position = 0;
    let mut count = 0;
    loop {
        let rounds = here.rounds_after(pool, position, PAGE).await;
        let copies = there.rounds_after(copy, position, PAGE).await;
        let (mut rounds, mut copies) = (rounds.expect("rounds"), copies.expect("rounds"));
        for round in rounds.iter_mut().chain(&mut copies) {
            // A file has neither arrival times nor secrets.
            round.received_at = round.round.ended_at();
            round.secret = None;
        }
        assert_eq!(rounds, copies, "behind position {position}");
        let Some(last) = rounds.last() else {
            return count;
        };
        position = last.position;
        count += rounds.len();
        let entries = rounds.iter().flat_map(|recorded| recorded.round.entries());
        seen.extend(entries.map(|(_, entry)| entry.id));
    }
}

async fn compare_changes(
    (here, pool): (&mut Tx, PoolId),
    (there, copy): (&mut Tx, PoolId),
    seen: &mut BTreeSet<PlayerId>,
) {
    let mut position = 0;
    loop {
        let changes = here.changes_after(pool, position, PAGE).await;
        let copies = there.changes_after(copy, position, PAGE).await;
        let (changes, copies) = (changes.expect("changes"), copies.expect("changes"));
        assert_eq!(changes, copies, "behind position {position}");
        let Some(last) = changes.last() else { return };
        position = last.position;
        seen.extend(changes.iter().filter_map(|change| match change.changed {
            Changed::Player(player, _) => Some(player),
            Changed::Undo { player, .. } => player,
            Changed::Round { .. } | Changed::Season(_) => None,
        }));
    }
}
