//! Table of the best splits of a pool by team size (F7).

use super::exact::{best_splits, least_differences, several};
use super::fallback::greedy::{LOOKS, greedy_split};
use super::limits::{Alone, Budget, Host, Limits, Pace};
use super::problem::Problem;
use super::problem::pool::Pool;
use super::problem::seat::Seat;
use super::problem::split::Split;
use super::problem::wishes::{Alternatives, Wishes, open_seats};
use crate::domain::SplitMethod;

/// Maximum number of exchanges of players that the greedy fallback checks over all team sizes; [`LOOKS`] is for one.
const LOOKS_AT_ALL_SIZES: usize = 10 * LOOKS;

/// The best splits of a pool, as [`solve()`] returns them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SplitTable {
    /// Best split of each requested team size, by ascending size.
    pub splits: Vec<Split>,
    /// Best splits of the team size in [`Wishes::alternatives`], best first. The first one is also in `splits`. Ordered
    /// by difference, then by how well they serve the wishes.
    pub alternatives: Vec<Split>,
}

/// Finds the best split of a pool for every requested team size (F7), by ascending size. Without requested sizes, these
/// are 2 to floor(N/2); there is none below four players.
///
/// Team sizes whose tables fit into the [`Limits`] are solved exactly, with the best split there is. The others are
/// solved by [`greedy()`](super::greedy()).
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

/// Finds the best splits like [`solve()`], but shares memory and processors with other computations of the `host`.
/// Tables are computed after the host has reserved their memory, at most [`Limits::memory`] bytes. Returns `None` if
/// the host no longer wants the splits.
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
                // Hard wishes can only raise the minimum. A minimum of 0 is therefore also the minimum without
                // them, as long as the anchor plays.
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
    fill_best_differences(&problem, &mut splits, &mut budget);
    let alternatives = wishes.alternatives.and_then(|wanted| {
        let first = splits.iter().find(|split| split.size == wanted.size)?;
        Some(alternatives(&problem, first, wanted, &mut budget))
    });
    pace.goes_on(0).then(|| SplitTable {
        alternatives: alternatives.unwrap_or_default(),
        splits,
    })
}

/// Fills in the minimum difference of rating sums without any wishes, for splits where it is still unknown.
fn fill_best_differences(problem: &Problem<'_>, splits: &mut [Split], budget: &mut Budget<'_>) {
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
        // A proven alternative could be better than the greedy split, which must stay first.
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
