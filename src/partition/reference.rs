use super::brief::Brief;
use super::gosper::subsets;
use super::pool::Pool;
use super::split::{Method, Seat, Split};
use super::wishes::Wishes;

/// The most players that [`reference()`] takes: everybody but the anchor has a bit of a mask.
const MAX_PLAYERS: usize = 64;

/// One entry for each count of active players from 0 to 63, and one more for the sum that is
/// prepared, and never looked at, after the last subset.
type PrefixSums = [i64; MAX_PLAYERS + 1];

/// What the enumeration of the splits of one size came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    /// The split with the smallest difference of those examined, of equals the first; `None` where
    /// none was.
    ///
    /// Its method is [`Method::Exact`] where the search was `complete`, else [`Method::Greedy`].
    pub best: Option<Split>,
    /// Whether no split can be better: all were examined, or one met a lower bound. Where not, the
    /// budget was spent, or the size or the pool is out of range.
    pub complete: bool,
    /// How many splits were examined, never more than the budget.
    pub steps: u64,
}

/// F9, corrected: examines every pair of teams of `size` players with the anchor in team A, and
/// keeps the one whose sums are closest.
///
/// The outer layer chooses the 2k - 1 players who play beside the anchor, the inner layer k of
/// them for team B; the other k - 1 join the anchor. The search of a size ends early at a
/// difference that cannot be beaten: 0, or 1 where the whole pool plays and its sum is odd.
///
/// At most `budget` splits are examined; a count, unlike a time limit, gives the same answer on
/// every machine. Up to [`split_count`] of them are needed, which is what makes this the reference
/// for faster methods and not a method for every pool (F10). Takes sizes from 1 to half the pool
/// and pools of up to 64 players; what is out of range is not `complete`, after no steps.
#[must_use]
pub fn reference(pool: &Pool, size: usize, budget: u64) -> Enumeration {
    let mut enumeration = Enumeration {
        best: None,
        complete: false,
        steps: 0,
    };
    let (Ok(players), Ok(team)) = (u32::try_from(pool.len()), u32::try_from(size)) else {
        return enumeration;
    };
    if !pool.has_teams_of(size) || pool.len() > MAX_PLAYERS {
        return enumeration;
    }
    let wishes = Wishes::default();
    let brief = Brief::new(pool, &wishes);
    let points = &brief.points;
    let bound = parity_bound(points, size);
    let mut best: Option<(u64, u64, u64)> = None;

    'search: {
        for outer in subsets(players - 1, 2 * team - 1) {
            let (prefix, playing) = prefix_sums(points, outer);
            // The first inner mask sends the first k active players to B.
            let mut sum_b = prefix[size];
            for inner in subsets(2 * team - 1, team) {
                if enumeration.steps == budget {
                    break 'search;
                }
                enumeration.steps += 1;
                let difference = (playing - 2 * sum_b).unsigned_abs();
                if best.is_none_or(|(smallest, _, _)| difference < smallest) {
                    best = Some((difference, outer, inner));
                    if difference <= bound {
                        enumeration.complete = true;
                        break 'search;
                    }
                }
                sum_b = sum_of_successor(sum_b, inner, &prefix);
            }
        }
        enumeration.complete = true;
    }

    let method = if enumeration.complete {
        Method::Exact
    } else {
        Method::Greedy
    };
    enumeration.best =
        best.map(|(_, outer, inner)| Split::seated(&brief, &seats(pool, outer, inner), method));
    enumeration
}

/// How many splits of `size` a pool of `players` has with the anchor in team A, which is how many
/// steps [`reference()`] takes at most: C(N - 1, 2k - 1) · C(2k - 1, k), or 0 where the teams
/// cannot be formed. Above 64 players the count may saturate.
#[must_use]
pub fn split_count(players: usize, size: usize) -> u128 {
    if size == 0 || size > players / 2 {
        return 0;
    }
    let active = 2 * size - 1;
    choose(players - 1, active).saturating_mul(choose(active, size))
}

/// C(n, k), for k up to n.
fn choose(n: usize, k: usize) -> u128 {
    // Every product is a binomial coefficient times its divisor, so the division leaves nothing.
    (1..=k).fold(1, |product: u128, taken| {
        product.saturating_mul((n - k + taken) as u128) / taken as u128
    })
}

/// A difference that no split can be below: where the whole pool plays, Σ_A - Σ_B is odd exactly
/// when the pool's sum is.
fn parity_bound(points: &[i64], size: usize) -> u64 {
    let sum = points.iter().sum::<i64>();
    u64::from(2 * size == points.len() && sum % 2 != 0)
}

/// The sums of the first 0, 1, 2, … active players' ratings, and the sum of all who play.
fn prefix_sums(points: &[i64], outer: u64) -> (PrefixSums, i64) {
    let mut prefix = [0; MAX_PLAYERS + 1];
    let mut sum = 0;
    for (count, index) in active(outer).enumerate() {
        sum += points[index];
        prefix[count + 1] = sum;
    }
    (prefix, points[0] + sum)
}

/// The places in the pool of the players whom `outer` makes active. Bit 0 is the player after the
/// anchor.
fn active(outer: u64) -> impl Iterator<Item = usize> {
    (0..MAX_PLAYERS - 1)
        .filter(move |bit| (outer >> bit) & 1 == 1)
        .map(|bit| bit + 1)
}

/// The sum of team B under the inner mask that comes after `inner`, from its `sum` under `inner`.
///
/// Gosper's hack moves the top of the lowest run of ones up by one place and the rest of the run
/// to the bottom, so that four prefix sums tell the difference, whatever the team size.
fn sum_of_successor(sum: i64, inner: u64, prefix: &PrefixSums) -> i64 {
    let start = inner.trailing_zeros();
    let length = (inner >> start).trailing_ones();
    let end = (start + length) as usize;
    let run = prefix[end] - prefix[start as usize];
    let above = prefix[end + 1] - prefix[end];
    let bottom = prefix[length as usize - 1];
    sum - run + above + bottom
}

/// Who goes where under a pair of masks.
fn seats(pool: &Pool, outer: u64, inner: u64) -> Vec<Seat> {
    let mut seats = vec![Seat::Waiting; pool.len()];
    seats[0] = Seat::A;
    for (place, index) in active(outer).enumerate() {
        let to_b = (inner >> place) & 1 == 1;
        seats[index] = if to_b { Seat::B } else { Seat::A };
    }
    seats
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{pool_of, ratings};
    use super::super::split::assert_is_split_of;
    use super::*;

    const NO_LIMIT: u64 = u64::MAX;

    /// The smallest difference of teams of `size`, by seating one player after the other in every
    /// possible way. The first player, the highest, must play.
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

    #[test]
    fn the_anchor_plays_even_where_that_costs() {
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let found = reference(&pool, 2, NO_LIMIT);
        assert!(found.complete);
        assert_eq!(found.best.map(|split| split.difference), Some(3000));
    }

    #[test]
    fn without_an_early_exit_every_split_is_examined_once() {
        // Powers of two: no two different teams have equal sums, and the parity bound is out of
        // reach.
        for players in 2..=11 {
            let powers: Vec<i32> = (0..players).map(|power| 2 << power).collect();
            let pool = pool_of(&powers);
            for size in 1..=pool.len() / 2 {
                let found = reference(&pool, size, NO_LIMIT);
                assert_eq!(
                    u128::from(found.steps),
                    split_count(pool.len(), size),
                    "{players}, {size}"
                );
                assert!(found.complete);
            }
        }
    }

    #[test]
    fn a_zero_ends_the_search_of_its_size_alone() {
        let pool = pool_of(&[1000; 24]);
        for size in pool.sizes() {
            let found = reference(&pool, size, NO_LIMIT);
            assert_eq!((found.complete, found.steps), (true, 1), "{size}");
        }
    }

    #[test]
    fn an_odd_sum_ends_at_one_only_where_everybody_plays() {
        let found = reference(&pool_of(&[1001, 1000, 1000, 1000]), 2, NO_LIMIT);
        assert_eq!((found.complete, found.steps), (true, 1));
        let found = reference(&pool_of(&[1001, 1000, 1000, 1000, 1000]), 2, NO_LIMIT);
        assert_eq!(u128::from(found.steps), split_count(5, 2));
    }

    #[test]
    fn a_spent_budget_says_so() {
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let needed = reference(&pool, 2, NO_LIMIT).steps;
        for budget in 0..needed {
            let found = reference(&pool, 2, budget);
            assert_eq!((found.complete, found.steps), (false, budget));
            assert_eq!(found.best.is_some(), budget > 0);
            if let Some(split) = found.best {
                assert_is_split_of(&pool, &split);
                assert!(!split.optimal);
            }
        }
        assert!(reference(&pool, 2, needed).complete);
    }

    #[test]
    fn what_is_out_of_range_is_refused() {
        let nothing = Enumeration {
            best: None,
            complete: false,
            steps: 0,
        };
        assert_eq!(reference(&pool_of(&[]), 2, NO_LIMIT), nothing);
        assert_eq!(reference(&pool_of(&[1000; 5]), 0, NO_LIMIT), nothing);
        assert_eq!(reference(&pool_of(&[1000; 5]), 3, NO_LIMIT), nothing);
        assert_eq!(
            reference(&pool_of(&[1000; 5]), usize::MAX, NO_LIMIT),
            nothing
        );
        assert_eq!(reference(&pool_of(&[1000; 65]), 2, NO_LIMIT), nothing);
    }

    #[test]
    fn the_widest_pools_reach_the_last_player() {
        // Only the lowest player makes up for the anchor's extra points: the last mask is needed.
        for players in [31, 32, 33, 63, 64] {
            let mut ratings = vec![1000; players];
            ratings[0] = 1500;
            ratings[players - 1] = 500;
            let pool = pool_of(&ratings);
            let found = reference(&pool, 2, NO_LIMIT);
            assert!(found.complete);
            let split = found.best.unwrap();
            assert_eq!(split.difference, 0, "{players}");
            assert_is_split_of(&pool, &split);
        }
    }

    #[test]
    fn the_largest_teams_of_the_widest_pools_are_formed() {
        for players in [31, 32, 33, 63, 64] {
            let pool = pool_of(&vec![1000; players]);
            let found = reference(&pool, players / 2, NO_LIMIT);
            let split = found.best.unwrap();
            assert_eq!((split.difference, split.size), (0, players / 2));
            assert_is_split_of(&pool, &split);
        }
    }

    #[test]
    fn splits_are_counted_without_overflow() {
        assert_eq!(split_count(4, 2), 3);
        assert_eq!(split_count(5, 2), 12);
        assert_eq!(split_count(5, 3), 0);
        assert_eq!(split_count(5, 0), 0);
        assert_eq!(split_count(64, 32), 916_312_070_471_295_267);
        assert!(split_count(128, 40) > split_count(64, 20));
    }

    proptest! {
        #[test]
        fn it_agrees_with_brute_force(ratings in ratings(0..=11)) {
            let pool = pool_of(&ratings);
            for size in 1..=pool.len() / 2 {
                let found = reference(&pool, size, NO_LIMIT);
                prop_assert!(found.complete);
                prop_assert!(u128::from(found.steps) <= split_count(pool.len(), size));
                let split = found.best.unwrap();
                assert_is_split_of(&pool, &split);
                prop_assert_eq!(split.size, size);
                prop_assert_eq!(split.method, Method::Exact);
                prop_assert_eq!(Some(split.difference), brute_force(&pool.points(), size));
            }
        }

        #[test]
        fn more_points_for_everybody_change_nothing(
            ratings in ratings(4..=10), more in 0..100_000,
        ) {
            let raised: Vec<i32> = ratings.iter().map(|points| points + more).collect();
            let (pool, raised) = (pool_of(&ratings), pool_of(&raised));
            for size in pool.sizes() {
                let difference = |pool| reference(pool, size, NO_LIMIT).best.unwrap().difference;
                prop_assert_eq!(difference(&pool), difference(&raised));
            }
        }
    }
}
