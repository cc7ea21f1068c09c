//! Challengers: models that predict every round of a pool beside the pool's own model, for comparison only.

mod follow;

use serde::{Deserialize, Serialize};

use crate::api::{ModelFiguresAnswer, ModelsAnswer};
use crate::config::PoolSettings;
use crate::domain::Progress;
use crate::rating::{Challengers, ComparedRounds, ModelName};
use crate::service::phrases::models::advice;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{ChallengerFigures, PoolRecord, StoreError, Tx};

/// Scores of a pool's own model and its challengers, as stored in JSON.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Content {
    compared: ComparedRounds,
    models: Vec<ModelFiguresAnswer>,
}

impl Content {
    /// Computes the scores of the pool's `own` model and its challengers, over all rounds and the last `window` rounds.
    pub(super) fn of(challengers: &Challengers, own: ModelName, window: u32) -> Self {
        Self {
            compared: challengers.rounds(),
            models: challengers
                .scores(own, window)
                .into_iter()
                .map(|(model, scores)| ModelFiguresAnswer {
                    model: model.name().to_owned(),
                    log_loss: scores.map(|of| of.log_loss),
                    brier: scores.map(|of| of.brier),
                    accuracy: scores.map(|of| of.accuracy),
                    calibration_slope: scores.map(|of| of.calibration_slope),
                    difference: scores.map(|of| Some(of.difference?.mean)),
                    standard_error: scores.map(|of| of.difference?.standard_error),
                })
                .collect(),
        }
    }

    /// Returns `true` if the scores cover exactly the models configured for a pool that is rated by model `own`.
    fn is_of(&self, own: ModelName, settings: &PoolSettings) -> bool {
        let set = std::iter::once(own).chain(settings.challengers_of(own));
        let models = self.models.iter().map(|figures| figures.model.as_str());
        models.eq(set.map(ModelName::name))
    }
}

impl Service {
    /// Compares the predictions of the challengers of `pool` with the predictions of its own model.
    pub async fn compare_models(&self, pool: &Pool) -> Result<ModelsAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(pool.id).await?;
        let found = current(&mut tx, pool, &record).await?;
        let (caught_up_to, compared, models) = found
            .map(|(figures, content)| (figures.rounds, content.compared, content.models))
            .unwrap_or_default();
        let progress = Progress {
            done: caught_up_to,
            total: record.sums.predictions.rounds,
        };
        Ok(ModelsAnswer {
            pool: pool.name.clone(),
            model: record.model.name().to_owned(),
            window: pool.settings.parameters.window,
            rounds: progress.total,
            caught_up_to,
            advice: advice(
                &pool.name,
                record.model,
                &pool.settings.challengers_of(record.model),
                progress,
                compared.rounds,
                &models,
            ),
            compared,
            models,
        })
    }
}

/// Returns the number of the pool's rounds that its challengers have yet to rate; `None` without challengers.
pub(crate) async fn rounds_behind(
    tx: &mut Tx,
    pool: &Pool,
    record: &PoolRecord,
) -> Result<Option<u64>, StoreError> {
    if pool.settings.challengers.is_empty() {
        return Ok(None);
    }
    let done = current(tx, pool, record)
        .await?
        .map_or(0, |(figures, _)| figures.rounds);
    Ok(Some(record.sums.predictions.rounds.saturating_sub(done)))
}

/// Returns the stored scores of the pool's challengers if they belong to its current log, settings and models.
pub(super) async fn current(
    tx: &mut Tx,
    pool: &Pool,
    record: &PoolRecord,
) -> Result<Option<(ChallengerFigures, Content)>, StoreError> {
    if pool.settings.challengers.is_empty() {
        return Ok(None);
    }
    let stored = tx.challengers(pool.id).await?;
    let figures = stored.and_then(|stored| stored.figures);
    let current = figures.filter(|figures| {
        figures.generation == record.generation
            && figures.pruned == record.pruned
            && figures.settings == pool.settings_id
    });
    Ok(current.and_then(|figures| {
        // The next write replaces scores in the format of another version.
        let content: Content = serde_json::from_str(&figures.content).ok()?;
        let is_current = content.is_of(record.model, &pool.settings);
        is_current.then_some((figures, content))
    }))
}
