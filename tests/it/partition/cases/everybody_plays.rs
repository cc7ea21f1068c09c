use rbs::partition::Wishes;

use super::super::pools::{player, players, pool_of};
use super::{assert_best, split};

#[test]
fn an_odd_number_plays_with_one_more_on_the_weaker_team() {
    let pool = pool_of(&[3000, 1000, 1000, 1000, 1000]);
    let wishes = Wishes {
        bench: false,
        ..Wishes::default()
    };
    let split = split(&pool, &wishes);
    assert_eq!((split.size, split.a.len(), split.b.len()), (2, 2, 3));
    assert_eq!((split.sum_a, split.sum_b), (4000, 3000));
    assert!(split.waiting.is_empty());
    assert_eq!(split.outcome.best_difference, Some(1000));
}

#[test]
fn wishes_hold_in_teams_of_different_sizes() {
    let pool = pool_of(&[1100, 1060, 1010, 1000, 990, 980, 930]);
    let wishes = Wishes {
        bench: false,
        parties: vec![players([1, 2, 3])],
        apart: vec![[player(4), player(5)]],
        party_price: 2000,
        tolerance: 600,
        ..Wishes::default()
    };
    let splits = assert_best(&pool, &wishes);
    assert_eq!(splits.len(), 1);
    assert!(splits[0].outcome.split_parties.is_empty());
    assert!(splits[0].outcome.together.is_empty());
}
