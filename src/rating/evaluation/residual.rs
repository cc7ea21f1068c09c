use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{mean, number};

/// 97.5th percentile of the standard normal distribution, for both ends of a 95 % interval.
pub(crate) const NORMAL_95: f64 = 1.959_963_984_540_054;

/// Interval that contains a figure with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end of a figure's 95 % confidence interval, in the unit of the figure.
    pub low: f64,
    /// Upper end of a figure's 95 % confidence interval, in the unit of the figure.
    pub high: f64,
}

/// Returns Wilson's 95 % interval of a mean score, 0 to 1, over `rounds`; `None` without rounds. Draws count as half a
/// win, which makes the interval slightly wider than necessary.
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

/// Comparison of results with predictions over some rounds. All means are null without rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = SideBiasAnswer)]
pub struct Residual {
    /// Number of rounds whose results are compared with predictions.
    pub rounds: u64,
    /// Mean predicted score of the compared side, such as team a, 0 to 1.
    pub predicted: Option<f64>,
    /// Mean observed score of the compared side, such as team a, 0 to 1; a draw counts 0.5.
    pub observed: Option<f64>,
    /// Mean observed score of the compared side, such as team a, minus its mean predicted score, -1 to 1.
    pub bias: Option<f64>,
    /// Standard error of the bias (mean observed minus mean predicted score); null for fewer than two rounds.
    pub standard_error: Option<f64>,
}

impl Residual {
    /// Compares results with predictions over `rounds` from three sums: of predictions, of scores in halves, and of
    /// squared differences between score and prediction.
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_round_has_no_standard_error_and_none_has_no_figure() {
        let one = Residual::of(1, 0.5, 2, 0.25);
        assert_eq!((one.bias, one.standard_error), (Some(0.5), None));
        let none = Residual::of(0, 0.0, 0, 0.0);
        assert_eq!(
            (none.predicted, none.observed, none.bias),
            (None, None, None)
        );
    }
}
