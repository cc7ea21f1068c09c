//! Progress of rebuilds and imports, and cancellation of a pool's rebuild.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::api::{ImportsAnswer, PoolQuery, ProblemAnswer, RebuildAnswer};
use crate::http::extract::{InPool, NoQuery};
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

/// List the running imports
///
/// Imports are `rbs import` processes that read rounds into the database.
#[utoipa::path(
    get,
    path = "/v1/admin/imports",
    responses(
        (status = 200, description = "The running imports, oldest first.", body = ImportsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_imports(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<ImportsAnswer>, Problem> {
    Ok(Json(app.service.list_imports().await?))
}
