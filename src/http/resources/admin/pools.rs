//! Configured pools, and their rounds per hour.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::pagination::Count;
use crate::api::{ActivityAnswer, PoolsAnswer};
use crate::domain::PoolName;
use crate::http::extract::{NoQuery, QueryFields};
use crate::http::openapi::{PoolRefusals, Refusals};
use crate::http::{App, Problem};

/// List the configured pools
#[utoipa::path(
    get,
    path = "/v1/admin/pools",
    responses(
        (status = 200, description = "The pools, by name.", body = PoolsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_pools(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<PoolsAnswer>, Problem> {
    Ok(Json(app.service.list_pools().await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ActivityQuery {
    /// Name of the pool. Default: `default`.
    pool: Option<PoolName>,
    /// Number of hours whose rounds are counted, including the current hour. Default: 48.
    #[serde(default)]
    #[param(inline)]
    hours: Count<1, 336, 48>,
}

/// Count a pool's rounds per hour
#[utoipa::path(
    get,
    path = "/v1/admin/activity",
    params(ActivityQuery),
    responses(
        (status = 200, description = "The number of rounds in each hour, oldest first. The answer is cached for ten seconds, or for ten times as long as counting took if that is longer.", body = ActivityAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_activity(
    State(app): State<App>,
    QueryFields(query): QueryFields<ActivityQuery>,
) -> Result<Json<ActivityAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let Count(hours) = query.hours;
    Ok(Json(app.service.get_activity(&pool, hours).await?))
}
