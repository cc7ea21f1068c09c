use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};

use crate::api::{
    PoolQuery, PoolUnderWayAnswer, ProblemAnswer, SeasonTrialAnswer, SeasonTrialRequest,
    SeasonsAnswer, StartSeasonRequest, UndoRequest,
};
use crate::domain::SeasonStart;
use crate::http::extract::{InPool, JsonBody, change_note};
use crate::http::middleware::auth::Actor;
use crate::http::openapi::{PROBLEM_JSON, PoolBodyRefusals, PoolRefusals, RecomputationRefusals};
use crate::http::resources::rounds::pool_under_way;
use crate::http::{App, Problem};
use crate::service::RoundOutcome;

/// Maximum number of rounds whose predictions a trial compares.
const TRIED_ROUNDS: usize = 500;

/// The seasons of a pool.
#[utoipa::path(
    get,
    path = "/v1/admin/seasons",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "The seasons, the latest first.", body = SeasonsAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_seasons(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<SeasonsAnswer>, Problem> {
    Ok(Json(app.service.list_seasons(&pool).await?))
}

/// Starts a season: every rating moves towards the initial one, and who everybody was is kept. Answers the seasons
/// that there are then.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons",
    tag = "Admin",
    params(PoolQuery),
    request_body = StartSeasonRequest,
    responses(
        (status = 200, description = "The seasons, the latest first.", body = SeasonsAnswer),
        (status = 409, description = "Another season of the pool has that name, its ratings are being computed again, or the `change_id` was used for another change.", body = ProblemAnswer, content_type = PROBLEM_JSON),
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

/// What the start of a season would do to ratings, and one in the past would have done to the predictions of the up to
/// 500 rounds behind it: one in place of the last start, compared with none there, or else 90 days before the last round.
/// Changes nothing.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons/trial",
    tag = "Admin",
    params(PoolQuery),
    request_body = SeasonTrialRequest,
    responses(
        (status = 200, description = "What it would do.", body = SeasonTrialAnswer),
        (status = 409, description = "The ratings of the pool were computed again meanwhile.", body = ProblemAnswer, content_type = PROBLEM_JSON),
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

/// Undoes the start of a season, so that every rating becomes as if it had never been made. Answers the seasons that
/// there are then.
#[utoipa::path(
    post,
    path = "/v1/admin/seasons/undo",
    tag = "Admin",
    params(PoolQuery),
    request_body = UndoRequest,
    responses(
        (status = 200, description = "The seasons, the latest first.", body = SeasonsAnswer),
        (status = 202, description = "The ratings are being computed again; `Location` shows when that is done.", body = PoolUnderWayAnswer),
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
        RoundOutcome::UnderWay => pool_under_way(&app, &pool.name).await,
    }
}
