use super::state::extremes;
use crate::balance::policy::{Reason, Trigger};
use crate::balance::state::{Power, Tally, TeamTally};
use crate::balance::sums::gcd;

/// Penalty of an assignment of players to teams. Lower is better; fields are compared in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Penalty {
    /// `true` if the policy finds the teams unbalanced.
    pub(super) fires: bool,
    /// Number of players above a team's maximum, if players are placed; else 0.
    pub(super) over: usize,
    /// Sum of the squared team sizes, if moves must correct sizes or if placement prefers even sizes to close weights;
    /// else 0. The sum falls with every player who goes to a team that is smaller by at least two.
    pub(super) size_fault: usize,
    /// Strength of the strongest team less that of the weakest, in billionths of a point.
    pub(super) gap: i64,
    /// Sum of the squared team weights, for moves. Distinguishes assignments with the same strongest and weakest team.
    pub(super) rough: i128,
    /// Size of the largest team less the size of the smallest.
    pub(super) uneven: usize,
}

/// Sizes and strengths of the teams during a search for moves or placements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) sizes: Vec<usize>,
    pub(super) values: Vec<i64>,
}

#[derive(Debug)]
pub(super) struct Judge<'all> {
    pub(super) trigger: &'all Trigger,
    pub(super) theta: f64,
    /// Maximum number of players on one team, in a placement.
    pub(super) most: usize,
    /// `true` if placement prefers even team sizes to close weights.
    pub(super) sizes_first: bool,
}

impl Sums {
    pub(super) fn teams(&self) -> usize {
        self.sizes.len()
    }

    pub(super) fn add(&mut self, team: usize, players: usize, value: i64) {
        self.sizes[team] += players;
        self.values[team] += value;
    }

    pub(super) fn remove(&mut self, team: usize, players: usize, value: i64) {
        self.sizes[team] -= players;
        self.values[team] -= value;
    }

    pub(super) fn shift(&mut self, (from, to): (usize, usize), players: usize, value: i64) {
        self.remove(from, players, value);
        self.add(to, players, value);
    }

    pub(super) fn squares(&self) -> i128 {
        let values = self.values.iter().map(|value| i128::from(*value));
        values.map(|value| value * value).sum()
    }

    /// Returns the smallest possible difference of the strongest and the weakest of `teams` that weigh `total`
    /// together, if every team's weight is a multiple of `step`.
    pub(super) fn least_gap(teams: usize, total: i64, step: i64) -> i64 {
        let teams = i64::try_from(teams).unwrap_or(i64::MAX);
        let parts = total.checked_div(step).unwrap_or(0);
        if parts % teams == 0 { 0 } else { step }
    }

    pub(super) fn size_squares(&self) -> usize {
        self.sizes.iter().map(|size| size * size).sum()
    }

    /// Returns the smallest sum of squared team sizes after `players` more players have joined, each the smallest team.
    pub(super) fn least_size_squares(&self, players: usize) -> usize {
        let mut sizes = self.sizes.clone();
        sizes.sort_unstable();
        let mut filled = players;
        for (count, size) in (1..).zip(&sizes) {
            // The `count` smallest teams get one size, except for the remainder.
            filled += size;
            let (even, more) = (filled / count, filled % count);
            if sizes.get(count).is_none_or(|next| even < *next) {
                let larger = sizes.iter().skip(count).map(|size| size * size);
                let fewer = (count - more) * even * even;
                return more * (even + 1) * (even + 1) + fewer + larger.sum::<usize>();
            }
        }
        0
    }

    /// Returns the smallest possible size difference if `players` are divided among `teams`: 0 or 1.
    pub(super) fn least_uneven(teams: usize, players: usize) -> usize {
        usize::from(!players.is_multiple_of(teams))
    }
}

impl Judge<'_> {
    /// Rates the sizes and strengths that teams have after joining players are placed; a lower penalty is better.
    pub(super) fn placing(&self, sums: &Sums) -> Penalty {
        let ((smaller, larger), (least, most)) = ends(sums);
        Penalty {
            fires: !self.reasons(sums).is_empty(),
            over: larger.saturating_sub(self.most),
            size_fault: if self.sizes_first {
                sums.size_squares()
            } else {
                0
            },
            gap: most - least,
            rough: 0,
            uneven: larger - smaller,
        }
    }

    /// Rates the sizes and strengths that teams have after moves; a lower penalty is better.
    pub(super) fn moving(&self, sums: &Sums) -> Penalty {
        let penalty = self.placing(sums);
        Penalty {
            size_fault: if penalty.fires && self.sizes_fire(sums) {
                sums.size_squares()
            } else {
                0
            },
            rough: sums.squares(),
            ..penalty
        }
    }

    /// Returns the reasons why the teams are unbalanced. Each limit applies to the two teams that are farthest apart.
    pub(super) fn reasons(&self, sums: &Sums) -> Vec<Reason> {
        let ((smaller, larger), (least, most)) = ends(sums);
        let team = |size, power| TeamTally {
            size,
            power: Power::of_steps(power),
            ..TeamTally::default()
        };
        let tally = Tally {
            a: team(larger, most),
            b: team(smaller, least),
            ..Tally::default()
        };
        self.trigger.reasons(&tally, None, self.theta)
    }

    /// Returns `true` if the `second` team outweighs the `first` by more than the policy allows.
    pub(super) fn is_above(&self, sums: &Sums, first: usize, second: usize) -> bool {
        let (first, second) = (sums.values[first], sums.values[second]);
        let (lead, total) = (second - first, second + first);
        lead > 0
            && self.trigger.is_lead_too_large(
                Power::of_steps(lead),
                Power::of_steps(total),
                self.theta,
            )
    }

    pub(super) fn sizes_fire(&self, sums: &Sums) -> bool {
        let ((smaller, larger), _) = ends(sums);
        !self.trigger.size_reasons(larger, smaller).is_empty()
    }

    /// Returns the number of players who must change teams until the sizes break no limit.
    pub(super) fn transfers_needed(&self, sums: &Sums) -> usize {
        let mut sums = sums.clone();
        let mut transfers = 0;
        while self.sizes_fire(&sums) {
            let largest = (0..sums.teams()).max_by_key(|team| sums.sizes[*team]);
            let smallest = (0..sums.teams()).min_by_key(|team| sums.sizes[*team]);
            let (Some(largest), Some(smallest)) = (largest, smallest) else {
                break;
            };
            if sums.sizes[largest] <= sums.sizes[smallest] + 1 {
                break;
            }
            sums.shift((largest, smallest), 1, 0);
            transfers += 1;
        }
        transfers
    }
}

/// Returns the smallest and the largest team size, and the smallest and the largest team weight.
fn ends(sums: &Sums) -> ((usize, usize), (i64, i64)) {
    (
        extremes(sums.sizes.iter().copied()),
        extremes(sums.values.iter().copied()),
    )
}

/// Returns the greatest common divisor of all values; 0 if all are 0.
pub(super) fn common_step(values: impl IntoIterator<Item = i64>) -> i64 {
    values.into_iter().map(i64::abs).fold(0, gcd)
}
