//! Single requests with their expected splits.

mod anchor;
mod everybody_plays;
mod likeness;
mod newcomers;
mod pairs_apart;
mod party_price;
mod roles;
mod waits;

use rbs::domain::SplitMethod;
use rbs::partition::{Limits, Pool, Split, Wishes, solve};

use super::dice::Dice;
use super::merits::{Case, seats_of};
use super::pools::{player, players, pool_of};
use super::slow_program;

fn split(pool: &Pool, wishes: &Wishes) -> Split {
    let mut splits = solve(pool, wishes, &Limits::default()).splits;
    assert_eq!(splits.len(), 1);
    let split = splits.remove(0);
    assert!(split.optimal);
    split
}

/// Account numbers of waiting players.
fn waiting(split: &Split) -> Vec<u64> {
    let first = player(1).steam_id64();
    let waiting = split.waiting.iter();
    let mut waiting: Vec<u64> = waiting.map(|one| one.id.steam_id64() - first + 1).collect();
    waiting.sort_unstable();
    waiting
}

/// Asserts that all splits are proven optimal and as good as the slow program's.
fn assert_best(pool: &Pool, wishes: &Wishes) -> Vec<Split> {
    let case = Case::new(pool, wishes);
    let splits = solve(pool, wishes, &Limits::default()).splits;
    assert!(!splits.is_empty());
    for split in &splits {
        let answer = case.merits(&seats_of(pool, split));
        let best = slow_program::best(&case, split.size, usize::MAX);
        assert_eq!(Some(answer), best, "size {}", split.size);
        assert!(split.optimal, "size {}", split.size);
    }
    splits
}

#[test]
fn without_proof_the_least_difference_is_answered_only_where_it_is_known() {
    let mut dice = Dice::new(7);
    let ratings: Vec<i32> = (0..60).map(|_| dice.between(0, 100_000)).collect();
    let pool = pool_of(&ratings);
    let wishes = Wishes {
        parties: vec![players([1, 2, 3])],
        sizes: Some(vec![2, 10, 30]),
        ..Wishes::default()
    };
    let limits = Limits { work: 0, memory: 0 };
    for split in solve(&pool, &wishes, &limits).splits {
        assert_eq!(split.method, SplitMethod::Greedy);
        assert!(!split.optimal);
        assert_eq!(split.outcome.best_difference, None);
    }
}
