use serde::{Deserialize, Serialize};

use super::{mean, number};
use crate::domain::{Probability, Score};

/// F6: returns the Brier score of one predicted round, (P_A - O_A)², 0 to 1.
#[must_use]
pub fn brier_term(predicted: Probability, score: Score) -> f64 {
    let miss = predicted.get() - score.value();
    miss * miss
}

/// Returns the log loss of one round, -(O·ln P + (1 - O)·ln(1 - P)), in nats, 0 to 34.5.
///
/// Probabilities below 10^-15 count as 10^-15, so that one impossible result does not make every mean infinite.
#[must_use]
pub fn log_loss_term(predicted: Probability, score: Score) -> f64 {
    let ln = |probability: Probability| libm::log(probability.get().max(1e-15));
    let won = score.value();
    // The difference from 0 makes a certain and correct prediction cost 0 instead of -0.
    0.0 - (won * ln(predicted) + (1.0 - won) * ln(predicted.complement()))
}

/// Returns the correctness of a prediction in halves: 2 if the favourite won, 0 if the favourite lost, 1 without a
/// favourite. Returns `None` for a draw, which accuracy excludes.
#[must_use]
pub fn right_halves(predicted: Probability, score: Score) -> Option<u8> {
    if score == Score::DRAW {
        return None;
    }
    let won = score == Score::WIN;
    Some(if predicted == Probability::HALF {
        1
    } else if (predicted > Probability::HALF) == won {
        2
    } else {
        0
    })
}

/// Mean Brier score, mean log loss and accuracy of the win predictions for a set of rounds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scores {
    /// Mean Brier score (F6) of the predictions, 0 to 1; `None` without rounds.
    pub brier: Option<f64>,
    /// Mean Brier score of coin-flip predictions: 0.25 for a decided round, 0 for a draw. `None` without rounds.
    pub coin_flip_brier: Option<f64>,
    /// Mean log loss of the predictions in nats; `None` without rounds.
    pub log_loss: Option<f64>,
    /// Share of decided rounds that the favourite won; `None` without decided rounds. A round without a favourite
    /// counts half.
    pub accuracy: Option<f64>,
}

impl Scores {
    pub(super) fn of(
        (rounds, draws): (u64, u64),
        brier: f64,
        log_loss: f64,
        right_halves: u64,
    ) -> Self {
        let decided = rounds.saturating_sub(draws);
        Self {
            brier: mean(brier, rounds),
            coin_flip_brier: mean(0.25 * number(decided), rounds),
            log_loss: mean(log_loss, rounds),
            accuracy: mean(number(right_halves) / 2.0, decided),
        }
    }
}

/// Figure, such as a mean log loss, over the pool's window of latest rounds and over all its rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Windowed<T> {
    /// Value of a figure, such as a mean log loss, over the pool's window of latest rounds.
    pub window: T,
    /// Value of a figure, such as a mean log loss, over all rounds of the pool.
    pub all: T,
}

/// Quality figure of a pool's predictions, such as the mean log loss, over the pool's window and over all its rounds;
/// `None` without rounds.
pub type Figure = Windowed<Option<f64>>;
/// Number of rounds with some property in the pool's window, and in all its rounds.
pub type WindowedCount = Windowed<u64>;

impl<T> Windowed<T> {
    /// Applies the function `of` to both values: over the pool's window of latest rounds, and over all its rounds.
    #[must_use]
    pub fn map<U>(self, of: impl Fn(T) -> U) -> Windowed<U> {
        Windowed {
            window: of(self.window),
            all: of(self.all),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_certain_prediction_that_fails_costs_much_but_not_everything() {
        let certain = Probability::new(1.0).unwrap();
        assert_eq!(brier_term(certain, Score::LOSS), 1.0);
        let loss = log_loss_term(certain, Score::LOSS);
        assert!((34.0..35.0).contains(&loss), "{loss}");
        assert_eq!(log_loss_term(certain, Score::WIN), 0.0);
        assert_eq!(right_halves(certain, Score::WIN), Some(2));
        assert_eq!(right_halves(certain.complement(), Score::WIN), Some(0));
    }
}
