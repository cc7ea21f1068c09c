//! Progress and cancellation of a pool's rebuild.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::api::{PoolQuery, ProblemAnswer, RebuildAnswer};
use crate::http::extract::InPool;
use crate::http::middleware::auth::Actor;
use crate::http::openapi::{PROBLEM_JSON, PoolRefusals, Refusals};
use crate::http::{App, Problem};

/// Get the running rebuild of a pool
///
/// A rebuild recomputes the ratings of a pool, for example after a round was voided or
/// restored. The answer has its progress.
#[utoipa::path(
    get,
    path = "/v1/admin/rebuild",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "The rebuild that is running in the pool, if any.", body = RebuildAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_rebuild(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<RebuildAnswer>, Problem> {
    Ok(Json(app.service.get_rebuild(&pool.name).await?))
}

/// Cancel the running rebuild of a pool
///
/// Every rating stays as it was before the rebuild.
#[utoipa::path(
    delete,
    path = "/v1/admin/rebuild",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 202, description = "The rebuild is cancelled. `GET` answers `null` for `rebuild` once the rows of the rebuild are deleted.", body = RebuildAnswer),
        (status = 404, description = "There is no such pool, or no rebuild is running in it.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
pub(crate) async fn cancel_rebuild(
    State(app): State<App>,
    InPool(pool): InPool,
    Actor(by): Actor,
) -> Result<(StatusCode, Json<RebuildAnswer>), Problem> {
    let answer = app.service.cancel_rebuild(&pool.name, by).await?;
    Ok((StatusCode::ACCEPTED, Json(answer)))
}
