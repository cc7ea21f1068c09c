use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::api::{QualityHistoryAnswer, QualityPointAnswer};
use crate::domain::Timestamp;
use crate::rating::PredictionTotals;
use crate::service::players::history::evenly_spaced;
use crate::service::{Pool, Service, ServiceError};

impl Service {
    /// Returns the quality of the pool's predictions at up to `points` of its rounds, oldest first. Begins with the
    /// first unpruned round that completes a window, or with the first round if no window is complete. Skips rounds
    /// that ended before `from`.
    pub async fn quality_history(
        &self,
        pool: &Pool,
        points: u32,
        from: Option<Timestamp>,
    ) -> Result<QualityHistoryAnswer, ServiceError> {
        let window = u64::from(pool.settings.parameters.window);
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let rounds = record.sums.predictions.rounds;
        // The ending times of pruned rounds are unknown.
        let pruned = tx
            .predictions_before(pool.id, record.pruned + 1)
            .await?
            .rounds;
        let first = if rounds > window { window } else { 1 };
        let earlier = match from {
            Some(from) => tx.end_of_rounds_before(pool.id, from).await?,
            None => None,
        };
        let earlier = match earlier {
            Some((position, _)) => tx.predictions_before(pool.id, position + 1).await?.rounds,
            None => 0,
        };
        let first = first.max(pruned + 1).max(earlier + 1);
        let ends = evenly_spaced(first, rounds, points.into());
        let starts = ends.iter().map(|end| end.saturating_sub(window));
        let distinct: BTreeSet<u64> = ends.iter().copied().chain(starts).collect();
        let numbers: Vec<u64> = distinct.into_iter().filter(|number| *number > 0).collect();
        let found = tx.predictions_at_each(pool.id, &numbers).await?;
        let positions: Vec<u64> = found.iter().map(|(position, _)| *position).collect();
        let played = tx.round_names(pool.id, &positions).await?.into_iter();
        let ended: HashMap<u64, Timestamp> = played
            .map(|played| (played.position, played.ended_at))
            .collect();
        let found: BTreeMap<u64, (u64, PredictionTotals)> = found
            .into_iter()
            .map(|(position, sums)| (sums.rounds, (position, sums)))
            .collect();
        let point = |end: &u64| {
            let (position, sums) = found.get(end)?;
            let ended_at = ended.get(position)?;
            // The sums before the first round are zero.
            let earlier = found
                .get(&end.saturating_sub(window))
                .map(|(_, sums)| *sums)
                .unwrap_or_default();
            let sums = sums.since(earlier);
            let (scores, errors) = (sums.scores(), sums.beyond_coin_errors());
            Some(QualityPointAnswer {
                rounds: *end,
                ended_at: *ended_at,
                brier: scores.brier,
                coin_flip_brier: scores.coin_flip_brier,
                brier_standard_error: errors.map(|(brier, _)| brier),
                log_loss: scores.log_loss,
                log_loss_standard_error: errors.map(|(_, log_loss)| log_loss),
            })
        };
        Ok(QualityHistoryAnswer {
            pool: pool.name.clone(),
            window: pool.settings.parameters.window,
            points: ends.iter().filter_map(point).collect(),
        })
    }
}
