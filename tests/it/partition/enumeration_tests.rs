//! The enumeration against brute force, because other tests rely on the enumeration.

use proptest::prelude::*;
use rbs::partition::Pool;

use super::enumeration::{Enumeration, Teams, enumerate};
use super::gosper::subsets;
use super::pools::{hard_ratings, points, pool_of};

const NO_LIMIT: u64 = u64::MAX;

/// Returns the binomial coefficient C(n, k).
fn choose(n: usize, k: usize) -> u128 {
    if k > n {
        return 0;
    }
    // Every product is a binomial coefficient times its divisor, so the division is exact.
    (1..=k).fold(1, |product: u128, taken| {
        product * (n - k + taken) as u128 / taken as u128
    })
}

/// Number of splits of `size` in a pool of `players` with the anchor on team A.
fn split_count(players: usize, size: usize) -> u128 {
    choose(players - 1, 2 * size - 1) * choose(2 * size - 1, size)
}

/// Smallest difference of teams of `size`, by exhaustive search. The first player, the highest-rated, must play.
fn brute_force(points: &[i64], size: usize) -> Option<u64> {
    fn rest(points: &[i64], a: usize, b: usize, difference: i64) -> Option<u64> {
        let Some((&first, others)) = points.split_first() else {
            return (a == 0 && b == 0).then_some(difference.unsigned_abs());
        };
        let to_a = a.checked_sub(1);
        let to_b = b.checked_sub(1);
        [
            to_a.and_then(|a| rest(others, a, b, difference + first)),
            to_b.and_then(|b| rest(others, a, b, difference - first)),
            rest(others, a, b, difference),
        ]
        .into_iter()
        .flatten()
        .min()
    }
    let (&anchor, others) = points.split_first()?;
    rest(others, size.checked_sub(1)?, size, anchor)
}

fn assert_are_teams_of(pool: &Pool, teams: &Teams, size: usize) {
    assert_eq!((teams.a.len(), teams.b.len()), (size, size));
    assert_eq!(teams.a.first(), Some(&0));
    let mut playing = [&teams.a[..], &teams.b].concat();
    playing.sort_unstable();
    assert!(playing.is_sorted_by(|one, other| one < other));
    assert!(playing.last().is_some_and(|last| *last < pool.len()));
    let points = points(pool);
    let sum = |team: &[usize]| team.iter().map(|place| points[*place]).sum::<i64>();
    assert_eq!(teams.difference, sum(&teams.a).abs_diff(sum(&teams.b)));
}

#[test]
fn every_subset_comes_once_in_ascending_order() {
    for universe in 0..=14 {
        for size in 0..=universe + 1 {
            let masks: Vec<u64> = subsets(universe, size).collect();
            let expected = choose(universe as usize, size as usize);
            assert_eq!(masks.len() as u128, expected, "{universe}, {size}");
            assert!(masks.is_sorted_by(|left, right| left < right));
            assert!(masks.iter().all(|mask| mask.count_ones() == size));
            assert!(masks.iter().all(|mask| mask >> universe == 0));
        }
    }
}

#[test]
fn the_widest_masks_do_not_overflow() {
    for universe in [31, 32, 33, 62, 63, 64] {
        assert_eq!(subsets(universe, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(subsets(universe, universe).count(), 1, "{universe}");
        for size in [1, 2, 3, universe - 2, universe - 1] {
            let masks: Vec<u64> = subsets(universe, size).collect();
            let expected = choose(universe as usize, size as usize);
            assert_eq!(masks.len() as u128, expected, "{universe}, {size}");
            assert!(masks.is_sorted_by(|left, right| left < right));
            assert!(masks.iter().all(|mask| mask.count_ones() == size));
            assert_eq!(
                masks.last().map(|mask| mask.leading_zeros()),
                Some(64 - universe)
            );
        }
    }
}

#[test]
fn without_an_early_exit_every_split_is_examined_once() {
    // Powers of two: different teams have different sums, and the parity bound is unreachable.
    for players in 2..=11 {
        let powers: Vec<i32> = (0..players).map(|power| 2 << power).collect();
        let pool = pool_of(&powers);
        for size in 1..=pool.len() / 2 {
            let found = enumerate(&pool, size, NO_LIMIT);
            let expected = split_count(pool.len(), size);
            assert_eq!(u128::from(found.steps), expected, "{players}, {size}");
            assert!(found.complete);
        }
    }
}

#[test]
fn a_zero_ends_the_search() {
    let pool = pool_of(&[1000; 24]);
    for size in pool.sizes() {
        let found = enumerate(&pool, size, NO_LIMIT);
        assert_eq!((found.complete, found.steps), (true, 1), "{size}");
    }
}

#[test]
fn an_odd_sum_ends_at_one_only_where_everybody_plays() {
    let found = enumerate(&pool_of(&[1001, 1000, 1000, 1000]), 2, NO_LIMIT);
    assert_eq!((found.complete, found.steps), (true, 1));
    let found = enumerate(&pool_of(&[1001, 1000, 1000, 1000, 1000]), 2, NO_LIMIT);
    assert_eq!(u128::from(found.steps), split_count(5, 2));
}

#[test]
fn a_spent_budget_leaves_the_answer_incomplete() {
    let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
    let needed = enumerate(&pool, 2, NO_LIMIT).steps;
    for budget in 0..needed {
        let found = enumerate(&pool, 2, budget);
        assert_eq!((found.complete, found.steps), (false, budget));
        assert_eq!(found.best.is_some(), budget > 0);
    }
    assert!(enumerate(&pool, 2, needed).complete);
}

#[test]
fn what_is_out_of_range_is_refused() {
    let nothing = Enumeration {
        best: None,
        complete: false,
        steps: 0,
    };
    for (players, size) in [(0, 2), (5, 0), (5, 3), (5, usize::MAX), (65, 2)] {
        let found = enumerate(&pool_of(&vec![1000; players]), size, NO_LIMIT);
        assert_eq!(found, nothing, "{players}, {size}");
    }
}

#[test]
fn the_widest_pools_reach_the_last_player() {
    // Only the lowest player balances the anchor's surplus, so the last mask is needed.
    for players in [31, 32, 33, 63, 64] {
        let mut ratings = vec![1000; players];
        ratings[0] = 1500;
        ratings[players - 1] = 500;
        let pool = pool_of(&ratings);
        let found = enumerate(&pool, 2, NO_LIMIT);
        assert!(found.complete);
        let teams = found.best.unwrap();
        assert_eq!(teams.difference, 0, "{players}");
        assert_are_teams_of(&pool, &teams, 2);
    }
}

#[test]
fn the_largest_teams_of_the_widest_pools_are_formed() {
    for players in [31, 32, 33, 63, 64] {
        let pool = pool_of(&vec![1000; players]);
        let teams = enumerate(&pool, players / 2, NO_LIMIT).best.unwrap();
        assert_eq!(teams.difference, 0);
        assert_are_teams_of(&pool, &teams, players / 2);
    }
}

proptest! {
    #![proptest_config(super::some_cases())]

    #[test]
    fn it_agrees_with_brute_force(ratings in hard_ratings(2..=11)) {
        let pool = pool_of(&ratings);
        for size in 1..=pool.len() / 2 {
            let found = enumerate(&pool, size, NO_LIMIT);
            prop_assert!(found.complete);
            prop_assert!(u128::from(found.steps) <= split_count(pool.len(), size));
            let teams = found.best.unwrap();
            assert_are_teams_of(&pool, &teams, size);
            prop_assert_eq!(Some(teams.difference), brute_force(&points(&pool), size));
        }
    }
}
