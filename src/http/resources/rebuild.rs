//! The rebuild of a pool that is under way.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;

use crate::api::{PoolQuery, ProblemAnswer, RebuildAnswer};
use crate::http::extract::InPool;
use crate::http::middleware::auth::Actor;
use crate::http::openapi::{PROBLEM_JSON, PoolRefusals, Refusals};
use crate::http::{App, Problem};

/// Whether the ratings of the pool are being computed again, by a void, an unvoid or a rebuild, and how far
/// that is.
#[utoipa::path(
    get,
    path = "/v1/admin/rebuild",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "What is under way in the pool, if anything is.", body = RebuildAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_rebuild(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<RebuildAnswer>, Problem> {
    Ok(Json(app.service.get_rebuild(&pool.name).await?))
}

/// Calls off what is under way in the pool; every rating stays as it was.
#[utoipa::path(
    delete,
    path = "/v1/admin/rebuild",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 202, description = "It is called off; `rebuild` is `null` in the answer of GET once what it wrote is deleted.", body = RebuildAnswer),
        (status = 404, description = "There is no such pool, or nothing is under way in it.", body = ProblemAnswer, content_type = PROBLEM_JSON),
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
