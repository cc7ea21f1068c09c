use serde::Serialize;

use super::scores::Windowed;
use super::{maximum, mean, number};
use crate::domain::{Probability, Score};
use crate::rating::{PredictionTotals, log_loss_term};

/// Scores of a rating model's win predictions, and their difference from a baseline model.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ModelScores {
    /// Mean log loss of the model's win predictions over the compared rounds, in nats; `None` without rounds.
    pub log_loss: Option<f64>,
    /// Mean Brier score (F6) of the model's win predictions over the compared rounds, 0 to 1; `None` without rounds.
    pub brier: Option<f64>,
    /// Share of decided rounds, 0 to 1, that the model's favourite won; `None` without decided rounds. A round without
    /// a favourite counts half.
    pub accuracy: Option<f64>,
    /// Factor by which the log-odds of the model's predictions would fit the results best: below 1 if predictions are
    /// too bold, above 1 if too timid. `None` if no factor fits best: without rounds, with even odds alone, or if the
    /// favourites always won.
    pub calibration_slope: Option<f64>,
    /// Mean log loss of this model minus the baseline model's, in nats a round, with its standard error; `None` without
    /// a baseline or without rounds.
    pub difference: Option<PairedDifference>,
}

/// Difference between the log losses of two rating models in the same rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PairedDifference {
    /// Mean log loss of a model minus the other model's, in nats a round; below 0 if the first is better.
    pub mean: f64,
    /// Standard error of the mean difference in log loss, in nats a round; `None` for fewer than two rounds.
    pub standard_error: Option<f64>,
}

impl ModelScores {
    /// Computes the scores of a model's win predictions, each paired with team a's score. The optional `baseline` holds
    /// another model's predictions of the same rounds, in the same order.
    #[must_use]
    pub fn of(
        predicted: &[(Probability, Score)],
        baseline: Option<&[(Probability, Score)]>,
    ) -> Self {
        let points: Vec<(f64, Score)> = predicted
            .iter()
            .map(|(for_a, score)| (log_odds(*for_a), *score))
            .collect();
        let scores = predicted
            .iter()
            .fold(PredictionTotals::default(), |totals, (for_a, score)| {
                totals.with(*for_a, *score)
            })
            .scores();
        Self {
            log_loss: scores.log_loss,
            brier: scores.brier,
            accuracy: scores.accuracy,
            calibration_slope: logistic_slope(&points),
            difference: baseline
                .and_then(|baseline| PairedDifference::between(predicted, baseline)),
        }
    }

    /// Computes the scores of a model's win predictions, like [`Self::of`], over the last `window` rounds and over all
    /// rounds.
    #[must_use]
    pub fn windowed(
        predicted: &[(Probability, Score)],
        baseline: Option<&[(Probability, Score)]>,
        window: u32,
    ) -> Windowed<Self> {
        let window = usize::try_from(window).unwrap_or(usize::MAX);
        let last = |all: &[(Probability, Score)]| all.len().saturating_sub(window);
        Windowed {
            window: Self::of(
                &predicted[last(predicted)..],
                baseline.map(|baseline| &baseline[last(baseline)..]),
            ),
            all: Self::of(predicted, baseline),
        }
    }
}

impl PairedDifference {
    /// Compares the log losses of two models in the same rounds, in the same order. Returns `None` without rounds.
    #[must_use]
    pub fn between(model: &[(Probability, Score)], other: &[(Probability, Score)]) -> Option<Self> {
        let loss = |(for_a, score): &(Probability, Score)| log_loss_term(*for_a, *score);
        let differences = model
            .iter()
            .zip(other)
            .map(|(one, other)| loss(one) - loss(other));
        let count = model.len().min(other.len()) as u64;
        let mean = mean(differences.clone().sum(), count)?;
        let squares = differences.map(|difference| (difference - mean) * (difference - mean));
        let standard_error =
            (count > 1).then(|| (squares.sum::<f64>() / number(count - 1) / number(count)).sqrt());
        Some(Self {
            mean,
            standard_error,
        })
    }
}

/// Returns the most likely slope b of the logistic curve P_A = σ(b·x), given x and team a's score for each round.
/// Returns `None` if the maximum is not inside -16 to 16.
///
/// The log likelihood is concave in b.
#[must_use]
pub fn logistic_slope(points: &[(f64, Score)]) -> Option<f64> {
    let derivatives = |slope: f64| {
        points
            .iter()
            .fold((0.0, 0.0), |(first, second), (x, score)| {
                let probability = 1.0 / (1.0 + libm::exp(-slope * x));
                (
                    first + x * (score.value() - probability),
                    second + x * x * probability * (1.0 - probability),
                )
            })
    };
    let (low, high) = (-16.0, 16.0);
    let is_inside = derivatives(low).0 > 0.0 && derivatives(high).0 < 0.0;
    is_inside.then(|| maximum(1.0, (low, high), |_| 1e-12, derivatives))
}

/// Returns the log-odds of a probability. Probabilities below 10^-15 count as 10^-15.
fn log_odds(probability: Probability) -> f64 {
    let odds = |probability: Probability| libm::log(probability.get().max(1e-15));
    odds(probability) - odds(probability.complement())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a hundred rounds for each of several predicted odds. The favourites win as often as these odds to the
    /// power of `slope` predict.
    fn predicted(slope: f64) -> Vec<(Probability, Score)> {
        let mut predicted = Vec::new();
        for percent in [55, 60, 70, 80] {
            let said = f64::from(percent) / 100.0;
            let odds = (said / (1.0 - said)).powf(slope);
            let wins = (100.0 * odds / (1.0 + odds)).round();
            for number in 0..100 {
                let won = f64::from(number) < wins;
                let score = if won { Score::WIN } else { Score::LOSS };
                predicted.push((Probability::new(said).unwrap(), score));
            }
        }
        predicted
    }

    #[test]
    fn a_slope_says_whether_predictions_are_bold_or_timid() {
        for (slope, name) in [(1.0, "honest"), (0.5, "bold"), (2.0, "timid")] {
            let found = ModelScores::of(&predicted(slope), None)
                .calibration_slope
                .unwrap();
            assert!((found - slope).abs() < 0.05, "{name}: {found}");
        }
    }

    #[test]
    fn where_no_slope_fits_best_there_is_none() {
        let even = vec![(Probability::HALF, Score::WIN); 9];
        let sure = vec![(Probability::new(0.9).unwrap(), Score::WIN); 9];
        for predicted in [vec![], even, sure] {
            assert_eq!(ModelScores::of(&predicted, None).calibration_slope, None);
        }
    }

    #[test]
    fn models_are_compared_round_by_round() {
        let (honest, coin) = (predicted(1.0), vec![Probability::HALF; 400]);
        let coin: Vec<_> = coin
            .into_iter()
            .zip(honest.iter().map(|(_, score)| *score))
            .collect();
        let better = PairedDifference::between(&honest, &coin).unwrap();
        let worse = PairedDifference::between(&coin, &honest).unwrap();
        assert!(
            better.mean < -2.0 * better.standard_error.unwrap(),
            "{better:?}"
        );
        assert_eq!(better.mean, -worse.mean);
        let same = PairedDifference::between(&honest, &honest).unwrap();
        assert_eq!((same.mean, same.standard_error), (0.0, Some(0.0)));
        assert_eq!(PairedDifference::between(&[], &[]), None);
        let one = PairedDifference::between(&honest[..1], &coin[..1]).unwrap();
        assert_eq!(one.standard_error, None);
    }
}
