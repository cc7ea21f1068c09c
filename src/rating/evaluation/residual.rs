use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{mean, number};

/// The standard normal distribution's 97.5th percentile: both ends of a 95 % interval.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Where a figure lies with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Wilson's 95 % interval of a mean score of 0 to 1 over `rounds`; `None` without rounds. Draws
/// count as half a victory, which makes it a little wider than it need be.
#[must_use]
pub fn wilson(observed: Option<f64>, rounds: u64) -> Option<Interval> {
    let observed = observed.filter(|_| rounds > 0)?;
    let rounds = number(rounds);
    let squared = NORMAL_95 * NORMAL_95;
    let middle = observed + squared / (2.0 * rounds);
    let spread = observed * (1.0 - observed) / rounds + squared / (4.0 * rounds * rounds);
    let reach = NORMAL_95 * spread.sqrt();
    let scale = 1.0 + squared / rounds;
    Some(Interval {
        low: ((middle - reach) / scale).max(0.0),
        high: ((middle + reach) / scale).min(1.0),
    })
}

/// Results against predictions, over some rounds; null without any.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SideBiasAnswer)]
pub struct Residual {
    /// Rounds.
    pub rounds: u64,
    /// The mean prediction.
    pub predicted: Option<f64>,
    /// The mean score.
    pub observed: Option<f64>,
    /// The mean score less the mean prediction.
    pub bias: Option<f64>,
    /// Its standard error.
    pub standard_error: Option<f64>,
}

impl Residual {
    /// The figures of `rounds` from the sums of their predictions, of their scores in halves, and of
    /// the squares of what lay between.
    #[must_use]
    pub fn of(rounds: u64, predicted: f64, score_halves: u64, squares: f64) -> Self {
        let (count, scored) = (number(rounds), number(score_halves) / 2.0);
        let bias = mean(scored - predicted, rounds);
        let standard_error = bias.filter(|_| rounds > 1).map(|bias| {
            let spread = (squares - count * bias * bias).max(0.0) / (count - 1.0);
            (spread / count).sqrt()
        });
        Self {
            rounds,
            predicted: mean(predicted, rounds),
            observed: mean(scored, rounds),
            bias,
            standard_error,
        }
    }

    /// How many standard errors the bias lies from 0; `None` without a standard error.
    #[must_use]
    pub fn standard_errors(&self) -> Option<f64> {
        let error = self.standard_error.filter(|error| *error > 0.0)?;
        Some(self.bias? / error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilsons_interval_is_as_printed_in_tables() {
        assert_eq!(wilson(None, 0), None);
        assert_eq!(wilson(Some(0.5), 0), None);
        // 8 of 10, and the two ends that a normal approximation would put at nothing.
        for (observed, rounds, low, high) in [
            (0.8, 10, 0.490_162, 0.943_318),
            (0.0, 10, 0.0, 0.277_533),
            (1.0, 10, 0.722_467, 1.0),
        ] {
            let interval = wilson(Some(observed), rounds).unwrap();
            assert!((interval.low - low).abs() < 1e-6, "{interval:?}");
            assert!((interval.high - high).abs() < 1e-6, "{interval:?}");
        }
    }

    #[test]
    fn the_standard_error_is_that_of_the_mean_of_the_differences() {
        // Predicted 0.6 each; won, won, lost, drawn: differences 0.4, 0.4, -0.6, -0.1.
        let squares = 0.16 + 0.16 + 0.36 + 0.01;
        let residual = Residual::of(4, 2.4, 5, squares);
        assert_eq!(residual.observed, Some(0.625));
        assert!((residual.bias.unwrap() - 0.025).abs() < 1e-12);
        let variance = (squares - 4.0 * 0.025 * 0.025) / 3.0;
        let error = (variance / 4.0_f64).sqrt();
        assert!((residual.standard_error.unwrap() - error).abs() < 1e-12);
        assert!((residual.standard_errors().unwrap() - 0.025 / error).abs() < 1e-9);
    }

    #[test]
    fn one_round_has_no_standard_error_and_none_has_no_figure() {
        let one = Residual::of(1, 0.5, 2, 0.25);
        assert_eq!((one.bias, one.standard_error), (Some(0.5), None));
        assert_eq!(one.standard_errors(), None);
        let none = Residual::of(0, 0.0, 0, 0.0);
        assert_eq!(
            (none.predicted, none.observed, none.bias),
            (None, None, None)
        );
    }
}
