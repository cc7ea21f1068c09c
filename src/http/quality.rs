use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::extract::QueryFields;
use super::{App, Problem};
use crate::domain::PoolName;
use crate::service::{CalibrationFigure, Figure, Pool, Quality};
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
    let players = &quality.players;
    QualityAnswer {
        pool: pool.name.clone(),
        theta: parameters.theta,
        rounds: quality.rounds,
        window: parameters.window,
        brier: windowed(quality.brier),
        log_loss: windowed(quality.log_loss),
        accuracy: windowed(quality.accuracy),
        draws: quality.draws,
        calibration: quality.calibration.iter().map(bin).collect(),
        players: PlayerCountsAnswer {
            total: players.total,
            hidden: players.hidden,
            visible: players.total - players.hidden,
            stale: players.stale,
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

fn windowed(figure: Figure) -> WindowedAnswer {
    WindowedAnswer {
        window: figure.window,
        all: figure.all,
    }
}

fn bin(figure: &CalibrationFigure) -> CalibrationAnswer {
    CalibrationAnswer {
        from: figure.from,
        to: figure.to,
        rounds: figure.rounds,
        predicted: figure.predicted,
        observed: figure.observed,
    }
}
