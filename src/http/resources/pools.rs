//! The pools that are configured, and how much is played in them.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::Count;
use crate::api::{ActivityAnswer, PoolsAnswer, ProblemAnswer};
use crate::domain::PoolName;
use crate::http::extract::{NoQuery, QueryFields};
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_pools))
        .routes(routes!(activity))
}

/// The pools that are configured.
#[utoipa::path(
    get,
    path = "/v1/admin/pools",
    operation_id = "list_pools",
    tag = "Admin",
    responses(
        (status = 200, description = "The pools, by name.", body = PoolsAnswer),
        Refusals,
    ),
)]
async fn list_pools(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<PoolsAnswer>, Problem> {
    Ok(Json(app.service.list_pools().await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ActivityQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// How many hours back; 48 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    hours: Count<1, 336, 48>,
}

/// How much was played.
#[utoipa::path(
    get,
    path = "/v1/admin/activity",
    operation_id = "count_activity",
    tag = "Admin",
    params(ActivityQuery),
    responses(
        (status = 200, description = "The rounds of each hour, the oldest first; held for ten seconds, or for ten times as long as counting took where that is longer.", body = ActivityAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn activity(
    State(app): State<App>,
    QueryFields(query): QueryFields<ActivityQuery>,
) -> Result<Json<ActivityAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let Count(hours) = query.hours;
    Ok(Json(app.service.count_activity(&pool, hours).await?))
}
