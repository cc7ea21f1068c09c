use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::extract::QueryFields;
use super::{App, Problem};
use crate::domain::PoolName;
use crate::rating::{CALIBRATION_BINS, Calibration, PredictionTotals};
use crate::service::{Pool, Quality};
use crate::wire::{
    CalibrationAnswer, PlayerCountsAnswer, QualityAnswer, RatingsAnswer, WindowedAnswer,
};

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/admin/quality", get(judge))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    pool: Option<PoolName>,
}

/// Whether the pool's predictions are honest.
async fn judge(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<QualityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let quality = app.service.judge_quality(&pool).await?;
    Ok(Json(answer(&pool, &quality)))
}

fn answer(pool: &Pool, quality: &Quality) -> QualityAnswer {
    let parameters = &pool.settings.parameters;
    let both = |figure: fn(&PredictionTotals) -> Option<f64>| WindowedAnswer {
        window: figure(&quality.window),
        all: figure(&quality.all),
    };
    QualityAnswer {
        pool: pool.name.clone(),
        theta: parameters.theta,
        rounds: quality.all.rounds,
        window: parameters.window,
        brier: both(PredictionTotals::brier_score),
        log_loss: both(PredictionTotals::mean_log_loss),
        accuracy: both(PredictionTotals::accuracy),
        draws: quality.all.draws,
        calibration: calibration_answer(&quality.calibration),
        players: PlayerCountsAnswer {
            total: quality.players.total,
            hidden: quality.players.hidden,
            visible: quality.players.total - quality.players.hidden,
            stale: quality.players.stale,
        },
        ratings: quality
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

fn calibration_answer(calibration: &Calibration) -> Vec<CalibrationAnswer> {
    #[expect(clippy::cast_precision_loss, reason = "there are ten bins")]
    let edge = |index: usize| index as f64 / CALIBRATION_BINS as f64;
    let bins = calibration.bins().iter().enumerate();
    bins.map(|(index, bin)| CalibrationAnswer {
        from: edge(index),
        to: edge(index + 1),
        rounds: bin.rounds,
        predicted: bin.mean_predicted(),
        observed: bin.mean_observed(),
    })
    .collect()
}
