//! Search for even teams under a handicap (advantage besides ratings): differences are distances from even.

use super::dp::search::{Teams, Visit};
use crate::domain::Handicap;

impl Handicap {
    /// Returns the distance from even: the stronger team's advantage, in rating points, if the teams' rating sums
    /// differ by `difference`. Assumes that the teams take the sides of the map with the smaller advantage.
    ///
    /// # Design
    /// A split with Σ_A - Σ_B = x is |x + lean| from even, or |-x + lean| with exchanged sides. The better of the two
    /// is ||x| - |lean||. The choice of teams therefore depends on |x| alone, and a search needs to find each split
    /// only once, in either orientation.
    pub(crate) fn distance(self, difference: i64) -> i64 {
        (difference.abs() - self.lean.abs()).abs()
    }

    /// Returns the absolute differences of the teams' rating sums for which [`distance`](Self::distance), which
    /// includes the handicap, is `distance` rating points.
    pub(crate) fn differences(self, distance: i64) -> impl Iterator<Item = i64> {
        let (lean, far) = (self.lean.abs(), distance != 0 && self.lean != 0);
        let nearer = (far && distance <= lean).then_some(lean - distance);
        std::iter::once(lean + distance).chain(nearer)
    }
}

/// Possible splits of the players, searched by the distance of the teams' rating sums from even under a handicap,
/// instead of by the difference of the sums.
pub(crate) struct Handicapped<'teams> {
    pub(crate) teams: &'teams dyn Teams,
    pub(crate) handicap: Handicap,
}

impl Handicapped<'_> {
    /// Returns the absolute differences of the teams' rating sums that are `floor` to `limit` points from even. Under a
    /// handicap, even teams differ by |`lean`| points: one range is above that difference, and one below, if any.
    fn ranges(&self, floor: i64, limit: i64) -> impl Iterator<Item = (i64, i64)> {
        let even = self.handicap.lean.abs();
        let short = (floor <= even).then_some(((even - limit).max(0), even - floor));
        std::iter::once((even + floor, even + limit)).chain(short)
    }
}

impl Teams for Handicapped<'_> {
    fn least_cost(&self, floor: i64, limit: i64) -> Option<u64> {
        let ranges = self.ranges(floor, limit);
        let costs = ranges.filter_map(|(floor, limit)| self.teams.least_cost(floor, limit));
        costs.min()
    }

    fn count_at_least(&self, difference: i64, budget: u64, limit: usize) -> usize {
        let differences = self.handicap.differences(difference);
        let counts = differences.map(|one| self.teams.count_at_least(one, budget, limit));
        counts.sum::<usize>().min(limit)
    }

    fn each(&self, difference: i64, budget: u64, visit: &mut Visit<'_>) -> Option<u64> {
        let mut missed = None;
        for difference in self.handicap.differences(difference) {
            let mut broke = false;
            let more = self.teams.each(difference, budget, &mut |seats| {
                let flow = visit(seats);
                broke = flow.is_break();
                flow
            });
            if broke {
                return None;
            }
            missed = missed.into_iter().chain(more).min();
        }
        missed
    }
}
