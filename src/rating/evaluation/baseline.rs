use super::{mean, number};
use crate::rating::PredictionTotals;

/// Scores of a constant prediction: the same win probability of team a in every round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baseline {
    /// Win probability of team a that the baseline predicts for every round, 0 to 1.
    pub probability: f64,
    /// Mean Brier score of the constant prediction, 0 to 1.
    pub brier: f64,
    /// Mean log loss of the constant prediction, in nats a round.
    pub log_loss: f64,
}

impl PredictionTotals {
    /// Returns the scores of the best constant prediction, which is team a's mean score; `None` without rounds.
    #[must_use]
    pub fn best_constant(&self) -> Option<Baseline> {
        let probability = mean(number(self.score_halves) / 2.0, self.rounds)?;
        // The square of a win's score is 1, of a draw's score 1/4.
        let won = number(self.score_halves.saturating_sub(self.draws)) / 2.0;
        let squares = mean(won + number(self.draws) / 4.0, self.rounds)?;
        let entropy = |share: f64| {
            if share > 0.0 {
                -share * libm::log(share)
            } else {
                0.0
            }
        };
        Some(Baseline {
            probability,
            brier: (squares - probability * probability).max(0.0),
            log_loss: entropy(probability) + entropy(1.0 - probability),
        })
    }
}

/// Returns the skill score, 1 - `score` / `baseline`: 1 is perfect, 0 equals the baseline, and below 0 is worse.
/// Returns `None` if a value is missing or the baseline is 0.
#[must_use]
pub fn skill(score: Option<f64>, baseline: Option<f64>) -> Option<f64> {
    let baseline = baseline.filter(|baseline| *baseline > 0.0)?;
    Some(1.0 - score? / baseline)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::domain::{Probability, Score};
    use crate::rating::{brier_term, log_loss_term};

    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![Just(Score::LOSS), Just(Score::DRAW), Just(Score::WIN)]
    }

    #[test]
    fn nothing_and_what_never_varies_leave_no_skill() {
        let none = PredictionTotals::default();
        assert_eq!(none.best_constant(), None);
        assert_eq!(none.scores().coin_flip_brier, None);
        let won = none.with(Probability::HALF, Score::WIN);
        let best = won.best_constant().unwrap();
        assert_eq!(
            (best.probability, best.brier, best.log_loss),
            (1.0, 0.0, 0.0)
        );
        assert_eq!(skill(won.scores().brier, Some(best.brier)), None);
        assert_eq!(skill(Some(0.2), Some(0.25)), Some(1.0 - 0.2 / 0.25));
    }

    proptest! {
        #[test]
        fn the_best_constant_scores_what_it_would_have_and_no_other_scores_better(
            scores in prop::collection::vec(score(), 1..60), other in 0.01..0.99_f64,
        ) {
            let totals = scores.iter().fold(PredictionTotals::default(), |totals, score| {
                totals.with(Probability::HALF, *score)
            });
            let best = totals.best_constant().unwrap();
            let scored = |probability: f64, term: fn(Probability, Score) -> f64| {
                let predicted = Probability::new(probability).unwrap();
                let sum: f64 = scores.iter().map(|score| term(predicted, *score)).sum();
                sum / f64::from(u32::try_from(scores.len()).unwrap())
            };
            prop_assert!((scored(best.probability, brier_term) - best.brier).abs() < 1e-12);
            prop_assert!((scored(best.probability, log_loss_term) - best.log_loss).abs() < 1e-12);
            prop_assert!(scored(other, brier_term) >= best.brier - 1e-12);
            prop_assert!(scored(other, log_loss_term) >= best.log_loss - 1e-12);
            let coin = totals.scores().coin_flip_brier.unwrap();
            prop_assert!((scored(0.5, brier_term) - coin).abs() < 1e-12);
        }
    }
}
