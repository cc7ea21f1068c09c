use serde::{Deserialize, Serialize};

use super::favourites::of_favourite;
use super::number;
use super::residual::Residual;
use crate::domain::{Probability, Score};
use crate::rating::{Scores, brier_term, log_loss_term, right_halves};

/// One, as fractions are counted here, is this many units.
pub(super) const UNITS_PER_ONE: f64 = 4_294_967_296.0; // 2^32

/// A fraction of 0 to 34.5 in units.
pub(super) fn units(fraction: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 34.5 times 2^32"
    )]
    let units = (fraction * UNITS_PER_ONE).round_ties_even() as u64;
    units
}

/// How many points of lead one bin of [`lead_bin`] is wide.
const LEAD_BIN_WIDTH: i64 = 16;
/// The bin of every lead that is so large that its size no longer matters.
const LAST_LEAD_BIN: i64 = 2048;

/// Sums over the rounds that have something in common: a map, a server, the sizes of the teams.
///
/// # Design
/// All fields are whole numbers, fractions in units of 2^-32, so that sums of any rounds, taken in
/// any order and added up in any way, are the same to the last bit: a database adds to them without
/// being asked what they were, and a replay ends at what years of updates made. A mean is off by
/// 1.2e-10 at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Rounds.
    pub rounds: u64,
    /// Of them drawn.
    pub draws: u64,
    /// Σ of how right the predictions of decided rounds were, in halves.
    pub right_halves: u64,
    /// Σ of the scores of the side that the rounds are seen from, in halves.
    pub score_halves: u64,
    /// Σ of that side's win probability, in units.
    pub predicted: u64,
    /// Σ (P - O)², in units.
    pub brier: u64,
    /// Σ of the log losses, in units.
    pub log_loss: u64,
    /// Σ of what that side's roster was ahead by, in points.
    pub lead: i64,
}

impl GroupTotals {
    /// The sums over one round, whose side was ahead by `lead` points, was given the probability
    /// `predicted` and got `score`.
    #[must_use]
    pub fn of(lead: i64, predicted: Probability, score: Score) -> Self {
        let right = right_halves(predicted, score);
        Self {
            rounds: 1,
            draws: u64::from(right.is_none()),
            right_halves: u64::from(right.unwrap_or(0)),
            score_halves: u64::from(score.halves()),
            predicted: units(predicted.get()),
            brier: units(brier_term(predicted, score)),
            log_loss: units(log_loss_term(predicted, score)),
            lead,
        }
    }

    /// The same for a round seen from its favourite; `lead` and the rest are team a's.
    #[must_use]
    pub fn of_favourite(lead: i64, predicted: Probability, score: Score) -> Self {
        let (predicted, score) = of_favourite(predicted, score);
        Self::of(lead.abs(), predicted, score)
    }

    /// The sums over the rounds of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            rounds: self.rounds + other.rounds,
            draws: self.draws + other.draws,
            right_halves: self.right_halves + other.right_halves,
            score_halves: self.score_halves + other.score_halves,
            predicted: self.predicted + other.predicted,
            brier: self.brier + other.brier,
            log_loss: self.log_loss + other.log_loss,
            lead: self.lead + other.lead,
        }
    }

    /// What to add to the sums over the rounds of `other` to get these. Where that is less than nothing, it
    /// wraps around, and so does the addition in 64 bits.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        Self {
            rounds: self.rounds.wrapping_sub(other.rounds),
            draws: self.draws.wrapping_sub(other.draws),
            right_halves: self.right_halves.wrapping_sub(other.right_halves),
            score_halves: self.score_halves.wrapping_sub(other.score_halves),
            predicted: self.predicted.wrapping_sub(other.predicted),
            brier: self.brier.wrapping_sub(other.brier),
            log_loss: self.log_loss.wrapping_sub(other.log_loss),
            lead: self.lead.wrapping_sub(other.lead),
        }
    }

    /// The mean scores of these rounds.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores::of(
            (self.rounds, self.draws),
            fraction(self.brier),
            fraction(self.log_loss),
            self.right_halves,
        )
    }

    /// What the side scored against what was predicted of it.
    #[must_use]
    pub fn residual(&self) -> Residual {
        let (predicted, squares) = (fraction(self.predicted), fraction(self.brier));
        Residual::of(self.rounds, predicted, self.score_halves, squares)
    }
}

/// The bin of fine bins that a round belongs to whose teams' sums lie `lead` apart.
#[must_use]
pub fn lead_bin(lead: i64) -> i64 {
    (lead.abs() / LEAD_BIN_WIDTH).min(LAST_LEAD_BIN)
}

fn fraction(units: u64) -> f64 {
    number(units) / UNITS_PER_ONE
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rating::PredictionTotals;

    fn round() -> impl Strategy<Value = (Probability, Score)> {
        let scores = prop_oneof![Just(Score::LOSS), Just(Score::DRAW), Just(Score::WIN)];
        let predicted = (0.0..=1.0).prop_map(|value| Probability::new(value).unwrap());
        (predicted, scores)
    }

    #[test]
    fn a_favourite_of_team_b_is_seen_from_there() {
        let quarter = Probability::new(0.25).unwrap();
        let seen = GroupTotals::of_favourite(-300, quarter, Score::LOSS);
        let three_quarters = quarter.complement();
        assert_eq!(seen, GroupTotals::of(300, three_quarters, Score::WIN));
        assert_eq!(lead_bin(-300), lead_bin(300));
        assert_eq!((lead_bin(0), lead_bin(15), lead_bin(-16)), (0, 0, 1));
        assert_eq!(lead_bin(i64::from(i32::MIN)), LAST_LEAD_BIN);
    }

    proptest! {
        #[test]
        fn they_agree_with_the_pools_own_sums_whatever_the_order(
            rounds in prop::collection::vec(round(), 1..100),
        ) {
            let sum = |rounds: &[(Probability, Score)]| {
                rounds.iter().fold(GroupTotals::default(), |sum, (predicted, score)| {
                    sum.plus(GroupTotals::of(7, *predicted, *score))
                })
            };
            let mut turned = rounds.clone();
            turned.reverse();
            let halves = rounds.split_at(rounds.len() / 2);
            let all = sum(&rounds);
            prop_assert_eq!(all, sum(&turned));
            prop_assert_eq!(all, sum(halves.0).plus(sum(halves.1)));
            let pool = rounds.iter().fold(PredictionTotals::default(), |sum, (predicted, score)| {
                sum.with(*predicted, *score)
            });
            let close = |one: Option<f64>, other: Option<f64>| match (one, other) {
                (Some(one), Some(other)) => (one - other).abs() < 2e-10,
                (one, other) => one == other,
            };
            let (all, pool) = (all.scores(), pool.scores());
            prop_assert!(close(all.brier, pool.brier));
            prop_assert!(close(all.log_loss, pool.log_loss));
            prop_assert!(close(all.accuracy, pool.accuracy));
            prop_assert!(close(all.coin_flip_brier, pool.coin_flip_brier));
        }
    }
}
