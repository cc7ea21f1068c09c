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
