use super::{Pool, Service, ServiceError};
use crate::rating::{CALIBRATION_BINS, Calibration, Distribution, PredictionTotals, distribution};
use crate::store::PlayerCounts;
use crate::wire::{
    CalibrationAnswer, PlayerCountsAnswer, QualityAnswer, RatingsAnswer, WindowedAnswer,
};

/// Whether a pool's predictions are honest, and who is in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Quality {
    /// The sums over all rounds.
    pub all: PredictionTotals,
    /// The sums over the last W rounds.
    pub window: PredictionTotals,
    /// Predictions against results, over all rounds.
    pub calibration: Calibration,
    /// How many players.
    pub players: PlayerCounts,
    /// How their ratings are spread; `None` without players.
    pub ratings: Option<Distribution>,
}

impl Service {
    /// Judges the predictions of `pool`.
    ///
    /// # Errors
    /// The database's.
    pub async fn judge_quality(&self, pool: &Pool) -> Result<Quality, ServiceError> {
        let parameters = &pool.settings.parameters;
        let stale_before = self.clock.now().days_earlier(parameters.stale_days);
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let all = record.predictions;
        let before_window = all.rounds.saturating_sub(u64::from(parameters.window));
        let earlier = tx.predictions_at(pool.id, before_window).await?;
        let players = tx
            .count_players(pool.id, parameters.shadow_rounds, stale_before)
            .await?;
        Ok(Quality {
            all,
            // Number 0, before the first round, has no row and no sums.
            window: all.since(earlier.unwrap_or_default()),
            calibration: record.calibration,
            players,
            ratings: distribution(&tx.rating_counts(pool.id).await?),
        })
    }
}

impl Quality {
    /// The figures as the contract gives them; over HTTP and at the end of an import.
    #[must_use]
    pub fn answer(&self, pool: &Pool) -> QualityAnswer {
        let parameters = &pool.settings.parameters;
        let both = |figure: fn(&PredictionTotals) -> Option<f64>| WindowedAnswer {
            window: figure(&self.window),
            all: figure(&self.all),
        };
        QualityAnswer {
            pool: pool.name.clone(),
            theta: parameters.theta,
            rounds: self.all.rounds,
            window: parameters.window,
            brier: both(PredictionTotals::brier_score),
            log_loss: both(PredictionTotals::mean_log_loss),
            accuracy: both(PredictionTotals::accuracy),
            draws: self.all.draws,
            calibration: self.calibration_answer(),
            players: PlayerCountsAnswer {
                total: self.players.total,
                hidden: self.players.hidden,
                visible: self.players.total - self.players.hidden,
                stale: self.players.stale,
            },
            ratings: self
                .ratings
                .map_or_else(RatingsAnswer::default, |spread| RatingsAnswer {
                    min: Some(spread.min),
                    p10: Some(spread.p10),
                    median: Some(spread.median),
                    p90: Some(spread.p90),
                    max: Some(spread.max),
                    mean: Some(spread.mean),
                    sd: Some(spread.deviation),
                }),
        }
    }

    fn calibration_answer(&self) -> Vec<CalibrationAnswer> {
        #[expect(clippy::cast_precision_loss, reason = "there are ten bins")]
        let edge = |index: usize| index as f64 / CALIBRATION_BINS as f64;
        let bins = self.calibration.bins().iter().enumerate();
        bins.map(|(index, bin)| CalibrationAnswer {
            from: edge(index),
            to: edge(index + 1),
            rounds: bin.rounds,
            predicted: bin.mean_predicted(),
            observed: bin.mean_observed(),
        })
        .collect()
    }
}
