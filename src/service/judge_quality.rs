use super::{Pool, Service, ServiceError};
use crate::rating::{Calibration, Distribution, PredictionTotals, distribution};
use crate::store::PlayerCounts;

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
