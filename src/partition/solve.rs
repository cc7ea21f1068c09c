//! F7: the table of splits.

use super::exact::{best_splits, least_differences, several};
use super::fallback::greedy::{LOOKS, greedy_split};
use super::limits::{Alone, Budget, Host, Limits, Pace};
use super::problem::Problem;
use super::problem::pool::Pool;
use super::problem::seat::Seat;
use super::problem::split::Split;
use super::problem::wishes::{Alternatives, Wishes, open_seats};
use crate::domain::SplitMethod;

/// How many exchanges are looked at for all sizes together, as in [`LOOKS`] for one.
const LOOKS_AT_ALL_SIZES: usize = 10 * LOOKS;

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
/// The exact method answers every size for which the [`Limits`] are enough, then the split is the
/// best there is; all else is answered by [`greedy()`](super::greedy()).
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
    solve_sharing(pool, wishes, limits, &Alone).unwrap_or_default()
}

/// The same next to other computations, with whom the `host` shares memory and time: it is asked for the
/// bytes of tables that are there at once, at most [`Limits::memory`], before these are computed. `None`
/// where the splits are no longer wanted.
#[must_use]
pub fn solve_sharing(
    pool: &Pool,
    wishes: &Wishes,
    limits: &Limits,
    host: &dyn Host,
) -> Option<SplitTable> {
    let problem = Problem::new(pool, wishes);
    let pace = Pace::new(host, limits.work_for(pool));
    let mut budget = Budget::new(limits, pool, &pace);
    let sizes = problem.sizes();
    let mut looks = LOOKS_AT_ALL_SIZES;
    let mut best = best_splits(&problem, &sizes, &mut budget);
    let mut splits: Vec<Split> = sizes
        .iter()
        .filter_map(|size| match best.remove(size) {
            Some(best) => {
                let mut split = Split::exact(&problem, &best.seats, best.is_proven);
                // What hard wishes leave may be greater, but not from nothing where the best player plays.
                let anchor_plays = !open_seats(&problem, *size)[0].contains(&Seat::Waiting);
                let is_free = best.least == 0 && (anchor_plays || !wishes.anchor);
                let is_known = is_free || !wishes.has_hard_ones();
                split.outcome.best_difference = is_known.then_some(best.least);
                if let Some(newcomers) = &mut split.outcome.newcomers {
                    newcomers.cost = best.newcomers_cost;
                }
                Some(split)
            }
            None => greedy_split(&problem, *size, &mut looks, &pace),
        })
        .collect();
    compare_with_none(&problem, &mut splits, &mut budget);
    let alternatives = wishes.alternatives.and_then(|wanted| {
        let first = splits.iter().find(|split| split.size == wanted.size)?;
        Some(alternatives(&problem, first, wanted, &mut budget))
    });
    pace.goes_on(0).then(|| SplitTable {
        alternatives: alternatives.unwrap_or_default(),
        splits,
    })
}

/// Looks up what the differences would be without any wishes, where that is not known already.
fn compare_with_none(problem: &Problem<'_>, splits: &mut [Split], budget: &mut Budget<'_>) {
    let is_unknown = |split: &Split| split.outcome.best_difference.is_none();
    let sizes: Vec<usize> = splits
        .iter()
        .filter(|split| is_unknown(split))
        .map(|split| split.size)
        .collect();
    if sizes.is_empty() {
        return;
    }
    let none = problem.wishes.without_wishes();
    let least = least_differences(&Problem::new(problem.pool, &none), &sizes, budget);
    for split in splits
        .iter_mut()
        .filter(|split| sizes.contains(&split.size))
    {
        split.outcome.best_difference = least.get(&split.size).copied();
    }
}

fn alternatives(
    problem: &Problem<'_>,
    first: &Split,
    wanted: Alternatives,
    budget: &mut Budget<'_>,
) -> Vec<Split> {
    let mut found = vec![first.clone()];
    if first.method == SplitMethod::Greedy {
        // Others that are found could be better, and then it would not be the first.
        return found;
    }
    for seats in several(problem, wanted.size, wanted.count, budget) {
        let mut split = Split::exact(problem, &seats, first.optimal);
        split.optimal &= split.difference == first.difference;
        split.outcome.best_difference = first.outcome.best_difference;
        let is_new = (&split.a, &split.b) != (&first.a, &first.b);
        if is_new && found.len() < wanted.count {
            found.push(split);
        }
    }
    found
}
