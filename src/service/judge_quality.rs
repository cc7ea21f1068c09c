use std::time::Duration;

use super::{Pool, Service, ServiceError};
use crate::rating::{CALIBRATION_BINS, Calibration, Distribution, PredictionTotals, distribution};
use crate::store::PlayerCounts;

/// How long the database may take over the figures once it has answered.
const FIGURES_PATIENCE: Duration = Duration::from_secs(8);

/// Whether a pool's predictions are honest, and who is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// Rated rounds.
    pub rounds: u64,
    /// Of them drawn.
    pub draws: u64,
    /// F6: the mean Brier score, 0 to 1.
    pub brier: Figure,
    /// The mean log loss, in nats.
    pub log_loss: Figure,
    /// The share of decided rounds that the favourite won, 0 to 1.
    pub accuracy: Figure,
    /// Predictions against results, over all rounds; the bins ascend.
    pub calibration: Vec<CalibrationFigure>,
    /// How many players.
    pub players: PlayerCounts,
    /// How their ratings are spread; `None` without players.
    pub ratings: Option<Distribution>,
}

/// A figure, where there are rounds to take it from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Over the last W rounds.
    pub window: Option<f64>,
    /// Over all rounds.
    pub all: Option<f64>,
}

/// The predictions for team a that fell into one bin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CalibrationFigure {
    /// The lowest prediction in it.
    pub from: f64,
    /// The next bin's lowest.
    pub to: f64,
    /// Rounds.
    pub rounds: u64,
    /// The mean prediction.
    pub predicted: Option<f64>,
    /// The mean result.
    pub observed: Option<f64>,
}

impl Service {
    /// Judges the predictions of `pool`.
    ///
    /// # Errors
    /// The database's.
    pub async fn judge_quality(&self, pool: &Pool) -> Result<Quality, ServiceError> {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        // These figures look at every player, however many there are.
        let patient = self
            .store
            .patience()
            .map(|patience| patience.max(FIGURES_PATIENCE));
        let store = patient.map(|patience| self.store.with_patience(patience));
        let mut tx = store.as_ref().unwrap_or(&self.store).begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let all = record.predictions;
        let before_window = all.rounds.saturating_sub(u64::from(parameters.window));
        let earlier = tx.predictions_at(pool.id, before_window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        let ratings = tx.rating_counts(pool.id).await?;
        // Number 0, before the first round, has no row and no sums.
        let window = all.since(earlier.unwrap_or_default());
        let figure = |of: fn(&PredictionTotals) -> Option<f64>| Figure {
            window: of(&window),
            all: of(&all),
        };
        Ok(Quality {
            rounds: all.rounds,
            draws: all.draws,
            brier: figure(PredictionTotals::brier_score),
            log_loss: figure(PredictionTotals::mean_log_loss),
            accuracy: figure(PredictionTotals::accuracy),
            calibration: calibration_figures(&record.calibration),
            players,
            ratings: distribution(&ratings),
        })
    }
}

fn calibration_figures(calibration: &Calibration) -> Vec<CalibrationFigure> {
    #[expect(clippy::cast_precision_loss, reason = "there are ten bins")]
    let edge = |index: usize| index as f64 / CALIBRATION_BINS as f64;
    let bins = calibration.bins().iter().enumerate();
    bins.map(|(index, bin)| CalibrationFigure {
        from: edge(index),
        to: edge(index + 1),
        rounds: bin.rounds,
        predicted: bin.mean_predicted(),
        observed: bin.mean_observed(),
    })
    .collect()
}
