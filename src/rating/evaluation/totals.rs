use serde::{Deserialize, Serialize};

use super::group::{UNITS_PER_ONE, units};
use super::{mean, number};
use crate::domain::{Probability, Score};
use crate::rating::{FavouriteTotals, Scores, Windowed, brier_term, log_loss_term, right_halves};

/// Number of equally wide bins of predicted win probabilities, each with its results, that show if predictions are
/// calibrated.
pub const CALIBRATION_BINS: usize = 10;

/// Sums of prediction errors (Brier score and log loss), correct predictions and results over the predicted rounds of a
/// pool, from the first round to some later round.
///
/// # Design
/// Each round stores the sums up to and including itself, so the figures of the last W rounds are the difference of two
/// rows. Sums are only added to, in the order of the log. A replay makes the same additions in the same order, and ends
/// at the same bits. A difference loses at most W roundings of the later sum, about 10^-10 after ten million rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PredictionTotals {
    /// Number of predicted rounds so far.
    pub rounds: u64,
    /// Number of predicted rounds so far that ended in a draw.
    pub draws: u64,
    /// Σ of the Brier terms (P_A - O_A)² of the predictions: P_A is team a's predicted win probability, O_A team a's
    /// score.
    pub brier: f64,
    /// Σ of the log losses of the predictions, in nats.
    pub log_loss: f64,
    /// Σ of the correctness of predictions over the decided rounds, in halves ([`right_halves`]): 2 if the favourite
    /// won, 1 without a favourite.
    pub right_halves: u64,
    /// Σ of team a's scores, in halves: a win counts 2, a draw 1.
    pub score_halves: u64,
    /// Sums of the favourites' win probabilities and scores, over the rounds with a favourite.
    pub favourites: FavouriteTotals,
}

impl PredictionTotals {
    /// Returns the sums of prediction errors (Brier score, log loss) and results with one more round. `predicted` is
    /// team a's win probability, and `score` is team a's score.
    #[must_use]
    pub fn with(self, predicted: Probability, score: Score) -> Self {
        let right = right_halves(predicted, score);
        Self {
            rounds: self.rounds + 1,
            draws: self.draws + u64::from(right.is_none()),
            brier: self.brier + brier_term(predicted, score),
            log_loss: self.log_loss + log_loss_term(predicted, score),
            right_halves: self.right_halves + u64::from(right.unwrap_or(0)),
            score_halves: self.score_halves + u64::from(score.halves()),
            favourites: self.favourites.with(predicted, score),
        }
    }

    /// Returns the sums of prediction errors (Brier score, log loss) and results over the rounds after `earlier`, an
    /// earlier state of these sums.
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self {
            rounds: self.rounds.saturating_sub(earlier.rounds),
            draws: self.draws.saturating_sub(earlier.draws),
            brier: self.brier - earlier.brier,
            log_loss: self.log_loss - earlier.log_loss,
            right_halves: self.right_halves.saturating_sub(earlier.right_halves),
            score_halves: self.score_halves.saturating_sub(earlier.score_halves),
            favourites: self.favourites.since(earlier.favourites),
        }
    }

    /// Returns the sums of prediction errors (Brier score, log loss) and results over the rounds after `before_window`,
    /// an earlier state of these sums, and over all rounds.
    #[must_use]
    pub fn windowed(self, before_window: Self) -> Windowed<Self> {
        Windowed {
            window: self.since(before_window),
            all: self,
        }
    }

    /// Returns the mean Brier score, the mean log loss and the accuracy of the predictions.
    #[must_use]
    pub fn scores(&self) -> Scores {
        Scores::of(
            (self.rounds, self.draws),
            self.brier,
            self.log_loss,
            self.right_halves,
        )
    }

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

    /// Returns the standard errors of the mean Brier score and the mean log loss of the predictions, each minus a coin
    /// flip's. `None` without rounds.
    ///
    /// The calculation gives all favourites the same odds, and other rounds even odds. The errors are slightly too
    /// small if odds differ.
    #[must_use]
    pub fn beyond_coin_errors(&self) -> Option<(f64, f64)> {
        let favourites = number(self.favourites.rounds);
        // A round costs δ² - 2δ(O - 1/2) more than a coin by the Brier score. Its log loss is linear in O, with the
        // log-odds as slope.
        let given = mean(self.favourites.predicted, self.favourites.rounds).unwrap_or(0.5);
        let spread = favourites.sqrt() * (given * (1.0 - given)).sqrt();
        let odds = libm::log(given / (1.0 - given).max(1e-15));
        let brier = mean(spread * 2.0 * (given - 0.5), self.rounds)?;
        let log_loss = mean(spread * odds, self.rounds)?;
        Some((brier, log_loss))
    }
}

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

/// Returns the skill score, 1 - `score` / `baseline`: 1 is perfect, 0 equals the baseline, and below 0 is worse.
/// Returns `None` if a value is missing or the baseline is 0.
#[must_use]
pub fn skill(score: Option<f64>, baseline: Option<f64>) -> Option<f64> {
    let baseline = baseline.filter(|baseline| *baseline > 0.0)?;
    Some(1.0 - score? / baseline)
}

/// Rounds whose predicted win probability lies in one range (bin), summed up. In JSON a list of `rounds`, `predicted`
/// and `score_halves`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "(u64, u64, u64)")]
pub struct CalibrationBin {
    /// Number of rounds whose predicted win probability lies in the bin.
    pub rounds: u64,
    /// Σ of team a's predicted win probabilities over the rounds in this bin (range of win probabilities), in units of
    /// 2^-32.
    pub predicted: u64,
    /// Σ of team a's scores, in halves: a win counts 2, a draw 1.
    pub score_halves: u64,
}

impl From<CalibrationBin> for (u64, u64, u64) {
    fn from(bin: CalibrationBin) -> Self {
        (bin.rounds, bin.predicted, bin.score_halves)
    }
}

/// Predicted win probabilities and results of team a, summed in ten bins. Bin i holds predictions from i/10 up to, but
/// not including, (i + 1)/10; the last bin includes 1. Integer sums do not depend on the order of rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Calibration([CalibrationBin; CALIBRATION_BINS]);

impl Calibration {
    /// Returns the bins of predicted win probabilities after one more round. `predicted` is team a's win probability,
    /// and `score` is team a's score.
    #[must_use]
    pub fn with(mut self, predicted: Probability, score: Score) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a probability times ten is 0 to 10"
        )]
        let index =
            ((predicted.get() * CALIBRATION_BINS as f64) as usize).min(CALIBRATION_BINS - 1);
        let bin = &mut self.0[index];
        bin.rounds += 1;
        bin.predicted += units(predicted.get());
        bin.score_halves += u64::from(score.halves());
        self
    }

    /// Returns the bins of predicted win probabilities with the rounds of `added` in place of the rounds of `removed`.
    /// These bins must include the rounds of `removed`.
    #[must_use]
    pub fn replaced(mut self, removed: &Self, added: &Self) -> Self {
        for ((bin, removed), added) in self.0.iter_mut().zip(&removed.0).zip(&added.0) {
            bin.rounds = bin.rounds.saturating_sub(removed.rounds) + added.rounds;
            bin.predicted = bin.predicted.saturating_sub(removed.predicted) + added.predicted;
            bin.score_halves =
                bin.score_halves.saturating_sub(removed.score_halves) + added.score_halves;
        }
        self
    }

    /// Returns the bins of predicted win probabilities and results, in ascending order of probabilities.
    #[must_use]
    pub fn bins(&self) -> &[CalibrationBin; CALIBRATION_BINS] {
        &self.0
    }
}

impl CalibrationBin {
    /// Returns Σ of team a's predicted win probabilities over the rounds of this bin (range of win probabilities).
    #[must_use]
    pub fn predicted_sum(&self) -> f64 {
        number(self.predicted) / UNITS_PER_ONE
    }

    /// Returns team a's mean predicted win probability in the bin, 0 to 1; `None` without rounds.
    #[must_use]
    pub fn mean_predicted(&self) -> Option<f64> {
        mean(self.predicted_sum(), self.rounds)
    }

    /// Returns team a's mean score, 0 to 1, in the rounds whose predicted win probability lies in this bin; `None`
    /// without such rounds.
    #[must_use]
    pub fn mean_observed(&self) -> Option<f64> {
        mean(number(self.score_halves) / 2.0, self.rounds)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn probability(value: f64) -> Probability {
        Probability::new(value).unwrap()
    }

    fn score() -> impl Strategy<Value = Score> {
        prop_oneof![Just(Score::LOSS), Just(Score::DRAW), Just(Score::WIN)]
    }

    fn prediction() -> impl Strategy<Value = (Probability, Score)> {
        ((0.0..=1.0).prop_map(probability), score())
    }

    #[test]
    fn both_ends_of_the_scale_have_a_bin() {
        let calibration = Calibration::default()
            .with(probability(0.0), Score::LOSS)
            .with(probability(1.0), Score::WIN)
            .with(probability(0.95), Score::DRAW);
        assert_eq!(calibration.bins()[0].rounds, 1);
        assert_eq!(calibration.bins()[9].rounds, 2);
        let mean = calibration.bins()[9].mean_predicted().unwrap();
        assert!((mean - 0.975).abs() < 1e-9, "{mean}");
        assert_eq!(calibration.bins()[9].mean_observed(), Some(0.75));
        assert_eq!(calibration.bins()[4].mean_observed(), None);
    }

    #[test]
    fn the_errors_beyond_a_coin_are_those_of_the_rounds() {
        assert_eq!(PredictionTotals::default().beyond_coin_errors(), None);
        let even = PredictionTotals::default().with(Probability::HALF, Score::WIN);
        assert_eq!(even.beyond_coin_errors(), Some((0.0, 0.0)));
        // Favourites of 80 % win four rounds of five: Brier terms of 0.04 and 0.64 instead of 0.25.
        let scores = [Score::WIN, Score::WIN, Score::WIN, Score::WIN, Score::LOSS];
        let sums = (0..100).fold(PredictionTotals::default(), |sums, round| {
            sums.with(probability(0.8), scores[round % 5])
        });
        let (brier, log_loss) = sums.beyond_coin_errors().unwrap();
        let of = |won: f64, lost: f64| (won - lost).abs() * (0.8_f64 * 0.2).sqrt() / 10.0;
        assert!((brier - of(0.04, 0.64)).abs() < 1e-12, "{brier}");
        let log_losses = of(-0.8_f64.ln(), -0.2_f64.ln());
        assert!((log_loss - log_losses).abs() < 1e-12, "{log_loss}");
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

        #[test]
        fn a_window_equals_the_mean_over_its_own_rounds(
            history in prop::collection::vec(prediction(), 1..200), split in any::<prop::sample::Index>(),
        ) {
            let split = split.index(history.len());
            let sum = |totals: PredictionTotals, part: &[(Probability, Score)]| {
                part.iter().fold(totals, |totals, (p, score)| totals.with(*p, *score))
            };
            let earlier = sum(PredictionTotals::default(), &history[..split]);
            let window = sum(earlier, &history[split..]).since(earlier);
            let direct = sum(PredictionTotals::default(), &history[split..]);
            prop_assert_eq!(window.rounds, direct.rounds);
            let (window, direct) = (window.scores(), direct.scores());
            prop_assert_eq!(window.accuracy, direct.accuracy);
            let close = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 1e-11;
            prop_assert!(close(window.brier, direct.brier));
            prop_assert!(close(window.log_loss, direct.log_loss));
        }
    }
}
