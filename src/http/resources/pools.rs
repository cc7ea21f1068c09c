//! The pools that are configured, and how much is played in them.

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

/// The pools that are configured.
#[utoipa::path(
    get,
    path = "/v1/admin/pools",
    tag = "Admin",
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
    /// The pool; `default` where it is left out.
    pool: Option<PoolName>,
    /// How many hours back; 48 where it is left out.
    #[serde(default)]
    #[param(inline)]
    hours: Count<1, 336, 48>,
}

/// How much was played.
#[utoipa::path(
    get,
    path = "/v1/admin/activity",
    tag = "Admin",
    params(ActivityQuery),
    responses(
        (status = 200, description = "The rounds of each hour, the oldest first; held for ten seconds, or for ten times as long as counting took where that is longer.", body = ActivityAnswer),
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
