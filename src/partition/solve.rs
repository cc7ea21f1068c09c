use super::brief::Brief;
use super::exact::{exact, several};
use super::greedy::greedy;
use super::pool::Pool;
use super::reference::{reference, split_count};
use super::split::{Method, Seat, Split};
use super::wishes::{Alternatives, Wishes};
use super::without_wishes::{compare_with_none, without_wishes};
use super::work::Work;

/// How much work [`solve()`] may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most bytes of tables, or as much work, that one request may take. What tables need is known
    /// before they are computed; those that need more than is left are not begun. Up to 64 players whose
    /// ratings lie no further apart than 10,000 may take twice as much for the tables of one run, and
    /// sixteen times as much in all.
    pub work: u64,
    /// N_max: the largest pool that is enumerated where its ratings lie too far apart for tables.
    pub max_exact_pool: usize,
    /// How many splits such an enumeration may examine, over all sizes together.
    pub steps: u64,
}

/// What every pool of a server is to be answered exactly in: players, and rating points from the lowest to the
/// highest.
const PROMISED_PLAYERS: usize = 64;
const PROMISED_SPAN: i64 = 10_000;

/// How many times the work of other pools those may take, in all and for tables that are there at once.
const TIMES_FOR_PROMISED: u64 = 16;
const TIMES_AT_ONCE: u64 = 2;

impl Limits {
    /// How much work this pool may take.
    fn work_for(&self, pool: &Pool) -> Work {
        let points = pool.points();
        let span = points.iter().max().zip(points.iter().min());
        let span = span.map_or(0, |(highest, lowest)| highest - lowest);
        if pool.len() <= PROMISED_PLAYERS && span <= PROMISED_SPAN {
            let times = |times| self.work.saturating_mul(times);
            Work::new(times(TIMES_FOR_PROMISED), times(TIMES_AT_ONCE))
        } else {
            Work::new(self.work, self.work)
        }
    }
}

impl Default for Limits {
    /// Enough for every pool of up to 64 players with ratings up to 10,000 and wishes of all kinds, but
    /// for a web of pairs apart, and for a hundred whose ratings are spread as on a real server. That takes
    /// a third of a second at most; what is contrived takes a second or so, and a web that fits just so
    /// some seconds and two gigabytes. The enumeration takes about a tenth of a second at most, and
    /// finishes every size of up to 18 players.
    fn default() -> Self {
        Self {
            work: 4_000_000_000,
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
    /// The best splits of the size that alternatives were asked for, the best first, which is the
    /// one of `splits`; then by difference, and of equals those that serve the wishes better.
    pub alternatives: Vec<Split>,
}

/// F7: a split of every size asked for (all from 2 to floor(N/2) unless the wishes say
/// otherwise), ascending; none below four players.
///
/// The exact method answers every size that the [`Limits`] allow, then the split is the best there
/// is. Where they do not, because a pool is very large or its ratings lie very far apart, the
/// [`reference()`] enumeration looks for the smallest difference if the pool is small and nothing
/// is wished but few moves; all else, and the sizes that it does not finish, are answered by
/// [`greedy()`], or by what the enumeration found if that is closer.
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
/// let free = Wishes { anchor: false, ..Wishes::default() };
/// assert_eq!(solve(&pool, &free, &Limits::default()).splits[0].difference, 0);
/// ```
#[must_use]
pub fn solve(pool: &Pool, wishes: &Wishes, limits: &Limits) -> SplitTable {
    let (brief, work) = (Brief::new(pool, wishes), limits.work_for(pool));
    let is_asked_for = |size: &usize| {
        wishes
            .sizes
            .as_ref()
            .is_none_or(|sizes| sizes.contains(size))
    };
    let mut sizes: Vec<usize> = pool.sizes().filter(is_asked_for).collect();
    let mut splits = exactly(&brief, &sizes, work);
    sizes.retain(|size| !splits.iter().any(|split| split.size == *size));
    splits.extend(otherwise(&brief, &sizes, limits));
    splits.sort_by_key(|split| split.size);
    if wishes.has_hard_ones() {
        compare_with_none(&brief, &mut splits, work);
    }
    let alternatives = wishes
        .alternatives
        .and_then(|wanted| {
            let first = splits.iter().find(|split| split.size == wanted.size)?;
            Some(alternatives(&brief, first, wanted, work))
        })
        .unwrap_or_default();
    SplitTable {
        splits,
        alternatives,
    }
}

/// By the exact method, as far as that is not too much work.
fn exactly(brief: &Brief<'_>, sizes: &[usize], work: Work) -> Vec<Split> {
    let best = exact(brief, sizes, work).into_values();
    let splits = best.map(|best| {
        let mut split = Split::seated(brief, &best.seats, Method::Exact);
        split.optimal = best.proven;
        split.outcome.best_difference = best.least;
        split
    });
    splits.collect()
}

/// By whatever else there is.
///
/// The sizes take their turns from the one with the fewest splits to the one with the most. Each
/// may use an equal share of the steps that are left, and what it does not use is shared by those
/// after it. So a size that needs no more than an equal share always gets it, whatever the others
/// would cost, and the dear ones divide the rest.
fn otherwise(brief: &Brief<'_>, sizes: &[usize], limits: &Limits) -> Vec<Split> {
    let (pool, wishes) = (brief.pool, brief.wishes);
    let enumerates = pool.len() <= limits.max_exact_pool && wishes.are_few_moves_at_most();
    let mut steps_left = if enumerates { limits.steps } else { 0 };
    let mut sizes = sizes.to_vec();
    sizes.sort_by_key(|&size| split_count(pool.len(), size));
    let mut splits: Vec<Split> = Vec::with_capacity(sizes.len());
    for (sizes_left, size) in (1..=sizes.len() as u64).rev().zip(sizes) {
        let enumeration = reference(pool, size, steps_left / sizes_left);
        steps_left -= enumeration.steps;
        let swaps = greedy(pool, size, wishes);
        // Of equals greedy, which stays closer to the current teams.
        splits.extend(match (swaps, enumeration.best) {
            (Some(swaps), Some(found))
                if found.difference < swaps.difference || enumeration.complete =>
            {
                Some(found.under(brief))
            }
            (swaps, found) => swaps.or(found),
        });
    }
    // Where there are hard wishes, all is compared at the end.
    if !wishes.are_none() && !wishes.has_hard_ones() {
        let none = without_wishes(brief);
        for split in &mut splits {
            let without = greedy(pool, split.size, &none);
            let best = &mut split.outcome.best_difference;
            *best = without.map_or(*best, |without| without.difference.min(*best));
        }
    }
    splits
}

fn alternatives(brief: &Brief<'_>, first: &Split, wanted: Alternatives, work: Work) -> Vec<Split> {
    let mut found = vec![first.clone()];
    if first.method == Method::Greedy {
        // Others that are found could be better, and then it would not be the first.
        return found;
    }
    let others: Option<Vec<Vec<Seat>>> = several(brief, wanted.size, wanted.count, work);
    for seats in others.unwrap_or_default() {
        let mut split = Split::seated(brief, &seats, Method::Exact);
        split.optimal = first.optimal && split.difference == first.difference;
        split.outcome.best_difference = first.outcome.best_difference;
        let is_new = (&split.a, &split.b) != (&first.a, &first.b);
        if is_new && found.len() < wanted.count {
            found.push(split);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::pool::generators::{player, pool_of, ratings};
    use super::super::split::assert_is_split_of;
    use super::super::{Candidate, Current};
    use super::*;
    use crate::domain::PlayerId;

    /// Few steps, because the tests are not optimised.
    const LIMITS: Limits = Limits {
        max_exact_pool: 32,
        steps: 20_000,
        work: 0,
    };

    fn splits(pool: &Pool, current: Option<&Current>, limits: &Limits) -> Vec<Split> {
        let wishes = Wishes {
            current: current.cloned(),
            ..Wishes::default()
        };
        solve(pool, &wishes, limits).splits
    }

    /// What is answered where tables would be too much work.
    fn without_tables(pool: &Pool, limits: &Limits) -> Vec<Split> {
        let (wishes, sizes) = (Wishes::default(), pool.sizes().collect::<Vec<_>>());
        let mut splits = otherwise(&Brief::new(pool, &wishes), &sizes, limits);
        splits.sort_by_key(|split| split.size);
        splits
    }

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
        let splits = without_tables(&pool, &limits);
        assert_eq!(splits, Vec::from_iter(greedy(&pool, 2, &Wishes::default())));
        assert!(!splits[0].optimal);
    }

    #[test]
    fn a_zero_proves_itself_whatever_the_method() {
        let limits = Limits { steps: 0, ..LIMITS };
        for split in without_tables(&pool_of(&[1000; 8]), &limits) {
            assert_eq!((split.method, split.optimal), (Method::Greedy, true));
        }
    }

    #[test]
    fn cheap_sizes_are_not_starved_by_dear_ones() {
        // No zero exists, because all others together do not reach the anchor.
        let mut ratings = vec![0; 28];
        ratings[0] = 1_000_000;
        let pool = pool_of(&ratings);
        for split in without_tables(&pool, &LIMITS) {
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
            let splits = without_tables(&pool, &limits);
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
        let splits = without_tables(&pool, &limits);
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
            let limits = Limits { max_exact_pool: limit, steps, ..LIMITS };
            let pool = pool_of(&ratings);
            let splits = splits(&pool, None, &limits);
            prop_assert!(splits.iter().map(|split| split.size).eq(pool.sizes()));
            for split in &splits {
                assert_is_split_of(&pool, split);
                let swaps = greedy(&pool, split.size, &Wishes::default()).unwrap();
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
