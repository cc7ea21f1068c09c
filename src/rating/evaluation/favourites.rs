use super::residual::Residual;
use crate::domain::{Probability, Score};
use crate::rating::brier_term;

/// How far from 0.5 a prediction must lie for its round to count as one with a favourite.
pub const FAVOURITE_THRESHOLD: f64 = 0.05;

/// Sums over the rounds that had a favourite, seen from the favourite.
///
/// Predictions near 0.5 are right whatever the ratings are worth, so whether predictions are too
/// bold or too timid shows in these alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FavouriteTotals {
    /// Rounds.
    pub rounds: u64,
    /// Σ of the favourite's win probability.
    pub predicted: f64,
    /// Σ of the favourite's scores, in halves.
    pub score_halves: u64,
    /// Σ (P - O)², the same from either side.
    pub brier: f64,
}

impl FavouriteTotals {
    /// These sums with one more round, predicted for team a and scored by it, if it had a favourite.
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

    /// The sums over the rounds after `earlier`, an earlier state of these sums.
    #[must_use]
    pub(crate) fn since(self, earlier: Self) -> Self {
        Self {
            rounds: self.rounds.saturating_sub(earlier.rounds),
            predicted: self.predicted - earlier.predicted,
            score_halves: self.score_halves.saturating_sub(earlier.score_halves),
            brier: self.brier - earlier.brier,
        }
    }

    /// What became of the favourites against what was predicted of them.
    #[must_use]
    pub fn residual(&self) -> Residual {
        Residual::of(self.rounds, self.predicted, self.score_halves, self.brier)
    }
}

/// A prediction and a score of team a as the favourite has them; team a where there is none.
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
