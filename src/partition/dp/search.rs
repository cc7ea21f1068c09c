//! Search among all splits into teams of one size, by difference of rating sums and cost of unserved wishes.

use std::ops::ControlFlow;

use crate::partition::problem::seat::Seat;

/// All splits into teams of one size. Differences are absolute differences of the rating sums.
pub(crate) trait Teams {
    /// Returns the minimum cost of splits with a difference of rating sums from `floor` to `limit`.
    fn least_cost(&self, floor: i64, limit: i64) -> Option<u64>;

    /// Returns `true` if a split with a difference of rating sums from `floor` to `limit` costs at most `budget`.
    fn affords(&self, floor: i64, limit: i64, budget: u64) -> bool {
        let cost = self.least_cost(floor, limit);
        cost.is_some_and(|cost| cost <= budget)
    }

    /// Returns the minimum difference of rating sums, from `floor` to `limit`, of splits that cost at most `budget`.
    fn least_difference(&self, mut floor: i64, limit: i64, budget: u64) -> Option<i64> {
        // The answer is usually near the floor, so steps start small and double.
        let mut step = 1;
        while floor <= limit {
            let mut until = limit.min(floor + step - 1);
            if self.affords(floor, until, budget) {
                while floor < until {
                    let middle = floor + (until - floor) / 2;
                    if self.affords(floor, middle, budget) {
                        until = middle;
                    } else {
                        floor = middle + 1;
                    }
                }
                return Some(floor);
            }
            (floor, step) = (until + 1, 2 * step);
        }
        None
    }

    /// Returns a lower bound, capped at `limit`, of the number of splits whose teams' rating sums differ by
    /// `difference` and that cost at most `budget`.
    fn count_at_least(&self, difference: i64, budget: u64, limit: usize) -> usize;

    /// Visits, as seats by player, all splits whose teams' rating sums differ by `difference` and that cost at most
    /// `budget`, in a deterministic order, until a visit breaks. Returns the smallest increase of the budget that finds
    /// more splits, if there are more and no visit broke.
    fn each(&self, difference: i64, budget: u64, visit: &mut Visit<'_>) -> Option<u64>;
}

pub(crate) type Visit<'visit> = dyn FnMut(&[Seat]) -> ControlFlow<()> + 'visit;
