use super::residual::Residual;
use crate::domain::{Probability, Score};
use crate::rating::brier_term;

/// Minimum distance of a predicted win probability from 0.5 for its round to have a favourite.
pub const FAVOURITE_THRESHOLD: f64 = 0.05;

/// Sums of predictions and scores over the rounds with a favourite, seen from the favourite.
///
/// Only these rounds show if predictions are too bold or too timid. Predictions near 0.5 are right whatever the ratings
/// are worth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FavouriteTotals {
    /// Number of rounds with a favourite.
    pub rounds: u64,
    /// Σ of the favourites' predicted win probabilities, one a round.
    pub predicted: f64,
    /// Σ of the favourites' scores, in halves: a win counts 2, a draw 1.
    pub score_halves: u64,
    /// Σ of the Brier terms (P - O)² over the rounds with a favourite.
    pub brier: f64,
}

impl FavouriteTotals {
    /// Adds one round to the sums of favourites' win probabilities and scores, if the round has a favourite.
    /// `predicted` and `score` are team a's.
    #[must_use]
    pub(crate) fn with(self, predicted: Probability, score: Score) -> Self {
        if (predicted.get() - 0.5).abs() < FAVOURITE_THRESHOLD {
            return self;
        }
        let (favourite, won) = of_favourite(predicted, score);
        Self {
            rounds: self.rounds + 1,
            predicted: self.predicted + favourite.get(),
            score_halves: self.score_halves + u64::from(won.halves()),
            brier: self.brier + brier_term(favourite, won),
        }
    }

    #[must_use]
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            rounds: self.rounds.saturating_sub(earlier.rounds),
            predicted: self.predicted - earlier.predicted,
            score_halves: self.score_halves.saturating_sub(earlier.score_halves),
            brier: self.brier - earlier.brier,
        }
    }

    /// Compares the favourites' scores with their predicted win probabilities.
    #[must_use]
    pub fn residual(&self) -> Residual {
        Residual::of(self.rounds, self.predicted, self.score_halves, self.brier)
    }
}

/// Returns the favourite's win probability and score, given team a's. With even odds, team a counts as the favourite.
pub(crate) fn of_favourite(predicted: Probability, score: Score) -> (Probability, Score) {
    if predicted < Probability::HALF {
        (predicted.complement(), score.complement())
    } else {
        (predicted, score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_is_seen_from_its_favourite_and_even_odds_have_none() {
        let probability = |value| Probability::new(value).unwrap();
        let totals = FavouriteTotals::default()
            .with(probability(0.54), Score::WIN)
            .with(probability(0.75), Score::WIN)
            .with(probability(0.25), Score::WIN)
            .with(probability(0.25), Score::DRAW);
        assert_eq!(
            totals,
            FavouriteTotals {
                rounds: 3,
                predicted: 2.25,
                score_halves: 3,
                brier: 0.0625 + 0.5625 + 0.0625,
            }
        );
        assert_eq!(totals.since(totals), FavouriteTotals::default());
    }
}
