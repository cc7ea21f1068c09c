use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::departures::WatchedRound;
use super::favourites::of_favourite;
use super::number;
use super::residual::NORMAL_95;
use super::theta_fit::{Bin, MIN_FITTED_ROUNDS, derivatives, losses, most_likely};
use crate::rating::GroupTotals;

/// Minimum gain of log loss by other odds, in nats over all rounds, for predictions to count as too bold or too timid.
/// The gain corresponds to 3.6 standard errors. With a check after every round, chance alone ever gets there in about
/// one pool of a hundred.
pub const VERDICT_NATS: f64 = 6.5;
/// Minimum gain of log loss by other odds, in nats a round, that is worth a change of the settings.
const WORTH_IT: f64 = 0.0005;
/// Minimum factor between the predicted and the best log-odds for predictions to count as too bold or too timid.
const OFF_BY: f64 = 1.25;
/// Minimum of Σ (P - 0.5)² over the predictions for a verdict. Below this sum, honest odds differ from a coin by less
/// than two standard errors.
const TESTABLE: f64 = 1.0;

/// Verdict in one word on the honesty of a pool's predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// Verdict that no evidence speaks against the predictions.
    Honest,
    /// Verdict that favourites win less often than predicted.
    TooBold,
    /// Verdict that favourites win more often than predicted.
    TooTimid,
    /// Verdict that there are too few favourites for a test of the predictions.
    TooEven,
    /// Verdict that there are too few rounds for a test of the predictions.
    TooFewRounds,
}

impl VerdictWord {
    /// All verdicts on predictions, in the order of declaration.
    pub const ALL: [Self; 5] = [
        Self::Honest,
        Self::TooBold,
        Self::TooTimid,
        Self::TooEven,
        Self::TooFewRounds,
    ];

    /// Returns `true` if odds bolder or more timid than the predicted ones would have fitted the results clearly
    /// better.
    #[must_use]
    pub fn is_off(self) -> bool {
        matches!(self, Self::TooBold | Self::TooTimid)
    }

    /// Returns the name of the verdict on predictions in JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Honest => "honest",
            Self::TooBold => "too_bold",
            Self::TooTimid => "too_timid",
            Self::TooEven => "too_even",
            Self::TooFewRounds => "too_few_rounds",
        }
    }
}

/// Mean Brier score and log loss of predictions over some rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Losses {
    /// Mean Brier score of the predictions, 0 to 1.
    pub brier: f64,
    /// Mean log loss of the predictions, in nats.
    pub log_loss: f64,
}

/// Verdict on the honesty of predictions, with the figures behind the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judgement {
    /// Verdict on the predictions in one word.
    pub word: VerdictWord,
    /// Number of predicted rounds by which the honesty of the predictions is judged.
    pub rounds: u64,
    /// Root mean square of the distance of the predicted win probabilities from 0.5.
    pub spread: f64,
    /// Factor by which the predicted log-odds would fit the results best: below 1 if they are too bold. 0 if favourites
    /// win no more often than underdogs. `None` without rounds, and if favourites always win.
    pub slope: Option<f64>,
    /// 95 % confidence interval of `slope`, the factor with which log-odds fit best. `None` without a `slope` above 0.
    pub interval: Option<(f64, f64)>,
    /// Mean losses (Brier and log loss) of the win probabilities as they were predicted.
    pub now: Losses,
    /// Mean losses (Brier and log loss) with all log-odds times `slope`; `None` if no factor fits best.
    pub fitted: Option<Losses>,
}

/// Returns the verdict on the win probabilities that follow from `theta`, for example honest or too bold. The rounds
/// are grouped into bins by their lead in points, and seen from their favourites.
#[must_use]
pub fn judge_theta(leads: &[GroupTotals], theta: f64) -> Judgement {
    let bins: Vec<Bin> = leads.iter().filter_map(Bin::of).collect();
    judge(&bins, 1.0 / theta)
}

/// Returns the verdict on the win probabilities that were predicted for `rounds`, for example honest or too bold.
#[must_use]
pub fn judge_odds(rounds: &[WatchedRound]) -> Judgement {
    let bins: Vec<Bin> = rounds.iter().map(of_odds).collect();
    judge(&bins, 1.0)
}

/// Converts one round into a [`Bin`] from which predictions are judged. The favourite's predicted log-odds take the
/// place of a lead in points.
fn of_odds(round: &WatchedRound) -> Bin {
    let (predicted, score) = of_favourite(round.predicted, round.score);
    let won = score.value();
    let odds = libm::log(predicted.get() / predicted.complement().get().max(1e-15));
    Bin {
        rounds: 1.0,
        lead: odds,
        score: won,
        squares: won * won,
    }
}

/// Compares the favourites' results in `bins` with predicted log-odds of `beta` times their lead, and returns the
/// verdict.
fn judge(bins: &[Bin], beta: f64) -> Judgement {
    let count: f64 = bins.iter().map(|bin| bin.rounds).sum();
    let means = |(brier, log_loss): (f64, f64)| Losses {
        brier: brier / count.max(1.0),
        log_loss: log_loss / count.max(1.0),
    };
    let distance = |bin: &Bin| 1.0 / (1.0 + libm::exp(-beta * bin.lead)) - 0.5;
    let squares = |bin: &Bin| bin.rounds * distance(bin) * distance(bin);
    let distances: f64 = bins.iter().map(squares).sum();
    let is_reversed = derivatives(bins, 0.0).0 <= 0.0;
    let best = if is_reversed {
        (count > 0.0).then_some(0.0)
    } else {
        most_likely(bins)
    };
    let now = means(losses(bins, beta));
    let fitted = best.map(|best| means(losses(bins, best)));
    let enough = count >= number(MIN_FITTED_ROUNDS);
    let manner = match (best, fitted) {
        (Some(best), Some(fitted)) => {
            let gain = now.log_loss - fitted.log_loss;
            let is_off = best > OFF_BY * beta || OFF_BY * best < beta;
            let is_named = is_off && gain >= WORTH_IT && gain * count >= VERDICT_NATS;
            is_named.then_some(if best > beta {
                VerdictWord::TooTimid
            } else {
                VerdictWord::TooBold
            })
        }
        // Odds on favourites that always win cannot be too high.
        _ => (now.log_loss * count >= VERDICT_NATS).then_some(VerdictWord::TooTimid),
    };
    let word = match manner {
        _ if !enough => VerdictWord::TooFewRounds,
        Some(manner) => manner,
        None if distances < TESTABLE => VerdictWord::TooEven,
        None => VerdictWord::Honest,
    };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count of rounds"
    )]
    let rounds = count as u64;
    Judgement {
        word,
        rounds,
        spread: (distances / count.max(1.0)).sqrt(),
        slope: best.map(|best| best / beta),
        interval: best.filter(|best| *best > 0.0).map(|best| {
            let reach = NORMAL_95 / derivatives(bins, best).1.sqrt();
            ((best - reach) / beta, (best + reach) / beta)
        }),
        now,
        fitted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Probability, Score};
    use crate::rating::samples::watched;
    use crate::rating::{lead_bin, win_probability};
    use std::collections::BTreeMap;

    /// Returns rounds grouped by lead for a test. Each item has a lead in points, a number of rounds, and the share of
    /// these rounds, 0 to 1, that the favourite wins.
    fn leads(rounds: &[(i64, u32, f64)]) -> Vec<GroupTotals> {
        let mut bins: BTreeMap<i64, GroupTotals> = BTreeMap::new();
        for (lead, number, share) in rounds {
            for round in 0..*number {
                let is_won = f64::from(round) < share * f64::from(*number);
                let score = if is_won { Score::WIN } else { Score::LOSS };
                let one = GroupTotals::of_favourite(*lead, Probability::HALF, score);
                let sums = bins.entry(lead_bin(*lead)).or_default();
                *sums = sums.plus(one);
            }
        }
        bins.into_values().collect()
    }

    /// Returns the win probability that the formula gives for a lead of 600 points and Θ = 1000.
    fn honest() -> f64 {
        win_probability(600, 0, 1000.0).get()
    }

    #[test]
    fn the_word_says_what_is_the_matter() {
        use VerdictWord::{Honest, TooBold, TooEven, TooFewRounds, TooTimid};
        for (rounds, word) in [
            (vec![], TooFewRounds),
            (vec![(600, 499, 0.1)], TooFewRounds),
            (vec![(600, 600, honest())], Honest),
            // Deviation that chance explains.
            (vec![(600, 600, honest() - 0.05)], Honest),
            (vec![(600, 600, 0.53)], TooBold),
            (vec![(600, 600, 0.45)], TooBold),
            (vec![(300, 800, 0.75)], TooTimid),
            (vec![(600, 600, 1.0)], TooTimid),
            // Splits with even odds, and arbitrary winners.
            (vec![(0, 5000, 0.5)], TooEven),
            (vec![(0, 5000, 0.9)], TooEven),
            (vec![(8, 5000, 0.49)], TooEven),
            // Small favourites that win far too often.
            (vec![(8, 5000, 0.6)], TooTimid),
        ] {
            let judged = judge_theta(&leads(&rounds), 1000.0);
            assert_eq!(judged.word, word, "{rounds:?}: {judged:?}");
        }
    }

    #[test]
    fn the_slope_and_the_gain_are_those_of_the_fitted_theta() {
        let leads = leads(&[(600, 600, 0.75), (200, 400, 0.6)]);
        let judged = judge_theta(&leads, 1000.0);
        let fit = crate::rating::fit_theta(&leads).unwrap();
        assert!((judged.slope.unwrap() - 1000.0 / fit.theta).abs() < 1e-9);
        let fitted = judged.fitted.unwrap();
        assert!((fitted.brier - fit.brier).abs() < 1e-12);
        assert!(fitted.log_loss < judged.now.log_loss);
    }

    #[test]
    fn odds_are_judged_as_leads_are_from_either_side() {
        let odds = honest();
        let rounds: Vec<WatchedRound> = (0..1000)
            .map(|round| {
                let won = if f64::from(round % 100) < 55.0 {
                    Score::WIN
                } else {
                    Score::LOSS
                };
                let odds = Probability::new(odds).unwrap();
                let (predicted, score) = if round % 3 == 0 {
                    (odds.complement(), won.complement())
                } else {
                    (odds, won)
                };
                watched(predicted, score)
            })
            .collect();
        let judged = judge_odds(&rounds);
        let same = judge_theta(&leads(&[(600, 1000, 0.55)]), 1000.0);
        assert_eq!((judged.word, judged.rounds), (VerdictWord::TooBold, 1000));
        assert!((judged.slope.unwrap() - same.slope.unwrap()).abs() < 1e-9);
        assert!((judged.now.brier - same.now.brier).abs() < 1e-9);
        assert!((judged.spread - (odds - 0.5)).abs() < 1e-9);
    }
}
