use serde::{Deserialize, Serialize};

use super::favourites::of_favourite;
use super::number;
use super::residual::Residual;
use crate::domain::{Probability, Score};
use crate::rating::{Scores, brier_term, log_loss_term, right_halves};

/// Number of integer units that represent 1 of a probability or loss in exact sums.
pub(super) const UNITS_PER_ONE: f64 = 4_294_967_296.0; // 2^32

pub(super) fn units(fraction: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "0 to 34.5 times 2^32"
    )]
    let units = (fraction * UNITS_PER_ONE).round_ties_even() as u64;
    units
}

/// Width of a bin of rounds with similar leads, in rating points.
const LEAD_BIN_WIDTH: i64 = 16;
/// Index of the last lead bin, for all leads so large that their size no longer matters.
const LAST_LEAD_BIN: i64 = 2048;

/// Sums of predictions, scores and leads over rounds that share a property: map, server, team sizes or lead.
///
/// # Design
/// All fields are integers; fractions are in units of 2^-32. Sums over the same rounds therefore agree to the last bit,
/// in whatever order they are added. A database can add without reading, and a replay ends at the sums of the live
/// updates. A mean is off by at most 1.2e-10.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupTotals {
    /// Number of rounds in the group.
    pub rounds: u64,
    /// Number of summed rounds that ended in a draw.
    pub draws: u64,
    /// Σ of the correctness of predictions in halves ([`right_halves`]) over the decided rounds.
    pub right_halves: u64,
    /// Σ of the scores of team a, or of the favourites, over the summed rounds, in halves: a win counts 2, a draw 1.
    pub score_halves: u64,
    /// Σ of the win probabilities of the side that the rounds are seen from, in units of 2^-32.
    pub predicted: u64,
    /// Σ of the Brier terms (P - O)², in units of 2^-32.
    pub brier: u64,
    /// Σ of the log losses of the predictions in nats, in units of 2^-32.
    pub log_loss: u64,
    /// Σ of the leads of team a, or of the favourites, over the summed rounds, in points. A lead is the team's sum of
    /// ratings minus the other team's sum.
    pub lead: i64,
}

impl GroupTotals {
    /// Returns the sums of predictions, scores and leads for one round, seen from one side. `lead` is the lead of this
    /// side in rating points, `predicted` its win probability, and `score` its score.
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

    /// Returns the sums of predictions, scores and leads for one round, seen from the favourite. The arguments are team
    /// a's lead in rating points, win probability and score.
    #[must_use]
    pub fn of_favourite(lead: i64, predicted: Probability, score: Score) -> Self {
        let (predicted, score) = of_favourite(predicted, score);
        Self::of(lead.abs(), predicted, score)
    }

    /// Adds the sums of predictions, scores and leads of two groups of rounds.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.joined(other, |one, other| one + other, self.lead + other.lead)
    }

    /// Subtracts the sums of predictions, scores and leads in `other` from these sums. Negative differences wrap
    /// around, and an addition in 64 bits undoes the wrap.
    #[must_use]
    pub fn minus(self, other: Self) -> Self {
        self.joined(other, u64::wrapping_sub, self.lead.wrapping_sub(other.lead))
    }

    fn joined(self, other: Self, join: fn(u64, u64) -> u64, lead: i64) -> Self {
        Self {
            rounds: join(self.rounds, other.rounds),
            draws: join(self.draws, other.draws),
            right_halves: join(self.right_halves, other.right_halves),
            score_halves: join(self.score_halves, other.score_halves),
            predicted: join(self.predicted, other.predicted),
            brier: join(self.brier, other.brier),
            log_loss: join(self.log_loss, other.log_loss),
            lead,
        }
    }

    /// Returns the mean scores of the predictions for the rounds of the group.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores::of(
            (self.rounds, self.draws),
            fraction(self.brier),
            fraction(self.log_loss),
            self.right_halves,
        )
    }

    /// Compares the scores of the side that the rounds are seen from with its predicted win probabilities.
    #[must_use]
    pub fn residual(&self) -> Residual {
        let (predicted, squares) = (fraction(self.predicted), fraction(self.brier));
        Residual::of(self.rounds, predicted, self.score_halves, squares)
    }
}

/// Returns the index of the lead bin for rounds in which the teams' sums of ratings differ by `lead` points.
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
