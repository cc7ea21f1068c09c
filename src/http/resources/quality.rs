use std::f64::consts::LN_2;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::Count;
use crate::api::{
    BestConstantAnswer, CalibrationAnswer, CoinFlipAnswer, ExperienceAnswer, FavouritesAnswer,
    FittedThetaAnswer, GroupAnswer, HistogramAnswer, PlayerCountsAnswer, ProblemAnswer,
    QualityAnswer, QualityHistoryAnswer, QualityPointAnswer, RatingsAnswer, SideBiasAnswer,
    SkillAnswer, WindowedAnswer, WindowedCountAnswer,
};
use crate::domain::PoolName;
use crate::http::extract::QueryFields;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};
use crate::service::{
    CalibrationFigure, ExperienceBucket, FAVOURITE_THRESHOLD, Figure, GroupTotals, HistogramBin,
    Pool, Quality, QualityPoint, Residual, ThetaFit, Windowed,
};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(judge))
        .routes(routes!(quality_history))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct QualityQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// Whether the pool's predictions are honest.
#[utoipa::path(
    get,
    path = "/v1/admin/quality",
    operation_id = "judge_quality",
    tag = "Admin",
    params(QualityQuery),
    responses(
        (status = 200, description = "The figures; one without data is `null`.", body = QualityAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn judge(
    State(app): State<App>,
    QueryFields(which): QueryFields<QualityQuery>,
) -> Result<Json<QualityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let quality = app.service.quality_report(&pool).await?;
    Ok(Json(answer(&pool, &quality)))
}

/// The figures as they are answered.
pub(crate) fn answer(pool: &Pool, quality: &Quality) -> QualityAnswer {
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
        coin_flip: CoinFlipAnswer {
            brier: windowed(quality.coin_flip_brier),
            log_loss: LN_2,
        },
        best_constant: best_constant(quality),
        skill: SkillAnswer {
            brier: windowed(quality.brier_skill),
            log_loss: windowed(quality.log_loss_skill),
        },
        favourites: favourites(quality.favourites),
        side_bias: side_bias(&quality.side_bias),
        theta_fitted: quality.theta_fitted.map(fitted),
        by_map: quality.by_map.iter().map(group).collect(),
        by_server: quality.by_server.iter().map(group).collect(),
        by_team_size: quality.by_team_size.iter().map(group).collect(),
        by_rounds_played: quality.by_rounds_played.iter().map(experience).collect(),
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
        histogram: quality.histogram.iter().map(histogram_bin).collect(),
        warnings: quality.warnings.clone(),
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
        low: figure.interval.map(|interval| interval.low),
        high: figure.interval.map(|interval| interval.high),
    }
}

fn best_constant(quality: &Quality) -> BestConstantAnswer {
    let constant = quality.best_constant;
    BestConstantAnswer {
        probability: windowed(constant.map(|constant| Some(constant?.probability))),
        brier: windowed(constant.map(|constant| Some(constant?.brier))),
        log_loss: windowed(constant.map(|constant| Some(constant?.log_loss))),
    }
}

fn favourites(residual: Windowed<Residual>) -> FavouritesAnswer {
    FavouritesAnswer {
        threshold: FAVOURITE_THRESHOLD,
        rounds: WindowedCountAnswer {
            window: residual.window.rounds,
            all: residual.all.rounds,
        },
        predicted: windowed(residual.map(|residual| residual.predicted)),
        observed: windowed(residual.map(|residual| residual.observed)),
        residual: windowed(residual.map(|residual| residual.residual)),
        standard_error: windowed(residual.map(|residual| residual.standard_error)),
    }
}

fn side_bias(residual: &Residual) -> SideBiasAnswer {
    SideBiasAnswer {
        rounds: residual.rounds,
        predicted: residual.predicted,
        observed: residual.observed,
        bias: residual.residual,
        standard_error: residual.standard_error,
    }
}

fn fitted(fit: ThetaFit) -> FittedThetaAnswer {
    FittedThetaAnswer {
        theta: fit.theta,
        low: fit.low,
        high: fit.high,
        rounds: fit.rounds,
        brier: fit.brier,
        log_loss: fit.log_loss,
    }
}

fn group((name, totals): &(String, GroupTotals)) -> GroupAnswer {
    GroupAnswer {
        name: name.clone(),
        rounds: totals.rounds,
        draws: totals.draws,
        brier: totals.brier_score(),
        coin_flip_brier: totals.coin_flip_brier(),
        log_loss: totals.mean_log_loss(),
        accuracy: totals.accuracy(),
        bias: totals.bias(),
    }
}

fn experience(bucket: &ExperienceBucket) -> ExperienceAnswer {
    ExperienceAnswer {
        from: bucket.from,
        to: bucket.to,
        entries: bucket.entries,
        k: bucket.k,
        convergence: bucket.convergence,
    }
}

fn histogram_bin(bin: &HistogramBin) -> HistogramAnswer {
    HistogramAnswer {
        from: bin.from,
        to: bin.to,
        hidden: bin.hidden,
        visible: bin.visible,
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct QualityHistoryQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// At how many rounds; 200 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    points: Count<2, 1000, 200>,
}

/// How the quality of the predictions went.
#[utoipa::path(
    get,
    path = "/v1/admin/quality/history",
    operation_id = "read_quality_history",
    tag = "Admin",
    params(QualityHistoryQuery),
    responses(
        (status = 200, description = "The figures, the oldest first.", body = QualityHistoryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn quality_history(
    State(app): State<App>,
    QueryFields(which): QueryFields<QualityHistoryQuery>,
) -> Result<Json<QualityHistoryAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(points) = which.points;
    let history = app.service.quality_history(&pool, points).await?;
    let point = |point: QualityPoint| QualityPointAnswer {
        rounds: point.rounds,
        ended_at: point.ended_at,
        brier: point.brier,
        coin_flip_brier: point.coin_flip_brier,
        log_loss: point.log_loss,
    };
    Ok(Json(QualityHistoryAnswer {
        pool: pool.name.clone(),
        window: pool.settings.parameters.window,
        points: history.into_iter().map(point).collect(),
    }))
}
