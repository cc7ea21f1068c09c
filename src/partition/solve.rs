use super::greedy::greedy;
use super::pool::Pool;
use super::reference::{reference, split_count};
use super::split::Split;
use super::wishes::{Current, Wishes};

/// How much work [`solve()`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// N_max: pools with more players go to the greedy fallback at once.
    pub max_exact_pool: usize,
    /// How many splits the enumeration may examine for one pool, over all sizes together.
    pub steps: u64,
}

impl Default for Limits {
    /// Pools of up to 32 players, and as many steps as take about a tenth of a second. They settle
    /// every size of up to 18 players, and of more players the sizes that are cheap or meet a zero
    /// early.
    fn default() -> Self {
        Self {
            max_exact_pool: 32,
            steps: 20_000_000,
        }
    }
}

/// The splits of a pool.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitTable {
    /// One for every size asked for, ascending.
    pub splits: Vec<Split>,
    /// The best splits of the size that alternatives were asked for, the best first.
    pub alternatives: Vec<Split>,
}

/// F7: a split of every size from 2 to floor(N/2), ascending; none below four players.
///
/// Up to N_max players the [`reference()`] enumeration looks for the optimum. Where its steps are
/// spent before a size is done, and above N_max, the size is answered by the better of [`greedy()`]
/// and what the enumeration has found so far; of equals by greedy, which stays closer to the
/// `current` teams.
///
/// ```
/// use rbs::domain::{PlayerId, Rating};
/// use rbs::partition::{Candidate, Limits, Pool, Wishes, solve};
/// let candidate = |account: u64, points| Candidate {
///     id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
///     rating: Rating::new(points).unwrap(),
/// };
/// let others = (2..=5).map(|account| candidate(account, 1000));
/// let pool = Pool::new(others.chain([candidate(1, 4000)])).unwrap();
/// let splits = solve(&pool, &Wishes::default(), &Limits::default()).splits;
/// // If the best player could wait, the others would split evenly.
/// assert_eq!((splits.len(), splits[0].difference), (1, 3000));
/// assert!(splits[0].optimal);
/// ```
///
/// # Design
/// The sizes take their turns from the one with the fewest splits to the one with the most. Each
/// may use an equal share of the steps that are left, and what it does not use is shared by those
/// after it. So a size that needs no more than an equal share always gets it, whatever the others
/// would cost, and the dear ones divide the rest.
#[must_use]
pub fn solve(pool: &Pool, wishes: &Wishes, limits: &Limits) -> SplitTable {
    SplitTable {
        splits: splits(pool, wishes.current.as_ref(), limits),
        alternatives: Vec::new(),
    }
}

fn splits(pool: &Pool, current: Option<&Current>, limits: &Limits) -> Vec<Split> {
    let mut sizes: Vec<usize> = pool.sizes().collect();
    if pool.len() > limits.max_exact_pool {
        return sizes
            .into_iter()
            .filter_map(|size| greedy(pool, size, current))
            .collect();
    }
    sizes.sort_by_key(|&size| split_count(pool.len(), size));
    let mut splits = Vec::with_capacity(sizes.len());
    let mut steps_left = limits.steps;
    for (sizes_left, size) in (1..=sizes.len() as u64).rev().zip(sizes) {
        let enumeration = reference(pool, size, steps_left / sizes_left);
        steps_left -= enumeration.steps;
        splits.extend(if enumeration.complete {
            enumeration.best
        } else {
            // The first of equals is taken.
            let found = [greedy(pool, size, current), enumeration.best];
            found
                .into_iter()
                .flatten()
                .min_by_key(|split| split.difference)
        });
    }
    splits.sort_by_key(|split| split.size);
    splits
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{player, pool_of, ratings};
    use super::super::split::assert_is_split_of;
    use super::super::{Candidate, Method};
    use super::*;
    use crate::domain::PlayerId;

    /// Few steps, because the tests are not optimised.
    const LIMITS: Limits = Limits {
        max_exact_pool: 32,
        steps: 20_000,
    };

    fn differences(splits: &[Split]) -> Vec<u64> {
        splits.iter().map(|split| split.difference).collect()
    }

    #[test]
    fn below_four_players_there_is_no_split() {
        for players in 0..4 {
            assert_eq!(splits(&pool_of(&vec![1000; players]), None, &LIMITS), []);
        }
    }

    #[test]
    fn the_contracts_example_is_answered() {
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let splits = splits(&pool, None, &LIMITS);
        assert_eq!(differences(&splits), [3000]);
        assert!(splits[0].optimal && splits[0].method == Method::Exact);
    }

    #[test]
    fn a_zero_in_one_size_does_not_end_the_others() {
        let splits = splits(&pool_of(&[1000; 20]), None, &LIMITS);
        let sizes: Vec<usize> = splits.iter().map(|split| split.size).collect();
        assert_eq!(sizes, (2..=10).collect::<Vec<_>>());
        assert_eq!(differences(&splits), [0; 9]);
    }

    #[test]
    fn above_the_limit_the_answer_is_greedy() {
        let limits = Limits {
            max_exact_pool: 4,
            ..LIMITS
        };
        let pool = pool_of(&[4000, 1000, 1000, 1000, 1000]);
        let splits = splits(&pool, None, &limits);
        assert_eq!(splits, Vec::from_iter(greedy(&pool, 2, None)));
        assert!(!splits[0].optimal);
    }

    #[test]
    fn a_zero_proves_itself_whatever_the_method() {
        let limits = Limits { steps: 0, ..LIMITS };
        for split in splits(&pool_of(&[1000; 8]), None, &limits) {
            assert_eq!((split.method, split.optimal), (Method::Greedy, true));
        }
    }

    #[test]
    fn cheap_sizes_are_not_starved_by_dear_ones() {
        // No zero exists, because all others together do not reach the anchor.
        let mut ratings = vec![0; 28];
        ratings[0] = 1_000_000;
        let pool = pool_of(&ratings);
        for split in splits(&pool, None, &LIMITS) {
            let affordable = split_count(28, split.size) <= u128::from(LIMITS.steps) / 13;
            assert_eq!(split.difference, 1_000_000);
            assert_eq!(split.optimal, affordable, "{}", split.size);
        }
    }

    #[test]
    fn unused_steps_go_to_the_dearer_sizes() {
        let ratings: Vec<i32> = (0..12).map(|power| 2 << power).collect();
        let pool = pool_of(&ratings);
        let needed: u128 = pool.sizes().map(|size| split_count(12, size)).sum();
        let proven = |steps: u128| {
            let limits = Limits {
                steps: u64::try_from(steps).unwrap(),
                ..LIMITS
            };
            let splits = splits(&pool, None, &limits);
            splits.iter().filter(|split| split.optimal).count()
        };
        assert_eq!(proven(needed), 5);
        assert_eq!(proven(needed - 1), 4, "the dearest misses one step");
    }

    #[test]
    fn the_default_steps_settle_every_pool_of_eighteen() {
        let needed = |players: usize| -> u128 {
            let sizes = 2..=players / 2;
            sizes.map(|size| split_count(players, size)).sum()
        };
        let steps = u128::from(Limits::default().steps);
        assert!(needed(18) <= steps && steps < needed(19));
    }

    #[test]
    fn more_than_a_mask_holds_goes_to_the_swaps() {
        let limits = Limits {
            max_exact_pool: 128,
            ..LIMITS
        };
        let ratings: Vec<i32> = (0..128)
            .map(|number| 1000 + number * number % 769)
            .collect();
        let pool = pool_of(&ratings);
        let splits = splits(&pool, None, &limits);
        assert_eq!(splits.len(), 63);
        for split in splits {
            assert_is_split_of(&pool, &split);
            assert_eq!(split.method, Method::Greedy);
        }
    }

    /// A pool and the same with its players given in another order and under other ids.
    fn relabelled() -> impl Strategy<Value = (Pool, Pool)> {
        ratings(4..=14).prop_flat_map(|ratings| {
            (Just(pool_of(&ratings)), Just(ratings).prop_shuffle())
                .prop_map(|(pool, shuffled)| (pool, pool_of(&shuffled)))
        })
    }

    proptest! {
        #[test]
        fn every_answer_is_a_split_of_the_pool(
            ratings in ratings(0..=24), limit in 0..32_usize, steps in 0..20_000_u64,
        ) {
            let limits = Limits { max_exact_pool: limit, steps };
            let pool = pool_of(&ratings);
            let splits = splits(&pool, None, &limits);
            prop_assert!(splits.iter().map(|split| split.size).eq(pool.sizes()));
            for split in &splits {
                assert_is_split_of(&pool, split);
                let swaps = greedy(&pool, split.size, None).unwrap();
                prop_assert!(split.difference <= swaps.difference);
            }
        }

        #[test]
        fn other_names_change_no_ratings((pool, other) in relabelled()) {
            let ratings = |split: &Split| {
                let of = |team: &[Candidate]| -> Vec<i32> {
                    team.iter().map(|player| player.rating.points()).collect()
                };
                (of(&split.a), of(&split.b), of(&split.waiting), split.method)
            };
            let (splits, others) = (splits(&pool, None, &LIMITS), splits(&other, None, &LIMITS));
            prop_assert!(splits.iter().map(ratings).eq(others.iter().map(ratings)));
        }

        #[test]
        fn the_order_of_giving_changes_nothing(
            players in ratings(4..=14)
                .prop_map(|ratings| pool_of(&ratings).players().to_vec())
                .prop_shuffle(),
            steps in 0..2000_u64,
        ) {
            let ids = |skip: usize| -> Vec<PlayerId> {
                let numbers = (1..=players.len() as u64).skip(skip).step_by(2);
                numbers.map(player).collect()
            };
            let current = Current { a: ids(0), b: ids(1) };
            let limits = Limits { steps, ..LIMITS };
            let mut sorted = players.clone();
            sorted.sort_by_key(|player| player.id);
            let solved = |players| splits(&Pool::new(players).unwrap(), Some(&current), &limits);
            prop_assert_eq!(solved(players), solved(sorted));
        }
    }
}
