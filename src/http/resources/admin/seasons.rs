use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::api::{
    PoolInProgressAnswer, PoolQuery, ProblemAnswer, SeasonTrialAnswer, SeasonTrialRequest,
    SeasonsAnswer, StartSeasonRequest, UndoRequest,
};
use crate::domain::SeasonStart;
use crate::http::extract::{InPool, JsonBody, change_note};
use crate::http::middleware::auth::Actor;
use crate::http::openapi::{PROBLEM_JSON, PoolBodyRefusals, PoolRefusals, RecomputationRefusals};
use crate::http::resources::rounds::pools_in_progress;
use crate::http::{App, Problem};
use crate::service::RoundOutcome;

/// Maximum number of past rounds for which a trial of a season start compares the predictions with and without the
/// start.
const TRIED_ROUNDS: usize = 500;

/// List the seasons of a pool
#[utoipa::path(
    get,
    path = "/v1/admin/seasons",
    params(PoolQuery),
    responses(
        (status = 200, description = "The seasons, latest first.", body = SeasonsAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_seasons(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<SeasonsAnswer>, Problem> {
    Ok(Json(app.service.list_seasons(&pool).await?))
}

/// Start a season
///
/// Every rating moves towards the initial rating, and the final standings of the last season are
/// stored. Returns the seasons after the start.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons",
    params(PoolQuery),
    request_body = StartSeasonRequest,
    responses(
        (status = 200, description = "The seasons, latest first.", body = SeasonsAnswer),
        (status = 409, description = "Another season of the pool has this name, the pool's ratings are being recomputed, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn start_season(
    State(app): State<App>,
    InPool(pool): InPool,
    Actor(by): Actor,
    JsonBody(request): JsonBody<StartSeasonRequest>,
) -> Result<Json<SeasonsAnswer>, Problem> {
    let note = change_note(request.reason, request.change_id);
    let start = SeasonStart {
        name: request.name,
        keep: request.keep,
        calibration: request.calibration.unwrap_or_default(),
    };
    app.service.start_season(&pool, start, note, by).await?;
    Ok(Json(app.service.list_seasons(&pool).await?))
}

/// Preview the start of a season
///
/// Computes the change of each rating if a season started now. Also assumes a start in the past, and compares the
/// predictions of up to 500 rounds after that start with and without it. The assumed start replaces the last season
/// start, or is 90 days before the last round. Changes nothing.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons/trial",
    params(PoolQuery),
    request_body = SeasonTrialRequest,
    responses(
        (status = 200, description = "The effects that starting the season would have.", body = SeasonTrialAnswer),
        (status = 409, description = "The pool's ratings were recomputed during the request; send it again.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn try_season(
    State(app): State<App>,
    InPool(pool): InPool,
    JsonBody(request): JsonBody<SeasonTrialRequest>,
) -> Result<Json<SeasonTrialAnswer>, Problem> {
    let which = (None, TRIED_ROUNDS);
    let timeout = app.time_to_answer();
    let watch = &mut |_| ();
    let trial = app
        .service
        .try_season(&pool, request.keep, which, timeout, watch);
    Ok(Json(trial.await?))
}

/// Undo the start of a season
///
/// Every rating becomes as if the season had never started. Returns the seasons after the undo.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons/undo",
    params(PoolQuery),
    request_body = UndoRequest,
    responses(
        (status = 200, description = "The seasons, latest first.", body = SeasonsAnswer),
        (status = 202, description = "The ratings are being recomputed; poll `Location` until that is done.", body = PoolInProgressAnswer),
        RecomputationRefusals,
    ),
)]
pub(crate) async fn undo_season(
    State(app): State<App>,
    InPool(pool): InPool,
    Actor(by): Actor,
    JsonBody(request): JsonBody<UndoRequest>,
) -> Result<Response, Problem> {
    let note = change_note(request.reason, request.change_id);
    let timeout = app.time_to_answer();
    let undoing = app
        .service
        .undo_season(&pool, request.undoes, note, by, timeout);
    match undoing.await? {
        RoundOutcome::Done => Ok(Json(app.service.list_seasons(&pool).await?).into_response()),
        RoundOutcome::InProgress => pools_in_progress(&app, &pool.name, &[]).await,
    }
}
