//! The pools that are configured, and how much is played in them.

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::Count;
use crate::api::{ActivityAnswer, PoolAnswer, PoolsAnswer, ProblemAnswer, ServerActivityAnswer};
use crate::domain::PoolName;
use crate::http::extract::{NoQuery, QueryFields};
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};
use crate::service::PoolView;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(pools))
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
async fn pools(State(app): State<App>, NoQuery: NoQuery) -> Result<Json<PoolsAnswer>, Problem> {
    let pools = app.service.list_pools().await?;
    Ok(Json(PoolsAnswer {
        pools: pools.into_iter().map(pool).collect(),
        version: env!("CARGO_PKG_VERSION"),
    }))
}

fn pool(view: PoolView) -> PoolAnswer {
    let parameters = &view.pool.settings.parameters;
    PoolAnswer {
        pool: view.pool.name.clone(),
        theta: parameters.theta,
        rounds: view.rounds,
        window: parameters.window,
        initial_rating: parameters.initial_rating,
        min_rating: parameters.min_rating,
        shadow_rounds: parameters.shadow_rounds,
        stale_days: parameters.stale_days,
        servers: view.servers,
        leaderboard_public: view.pool.settings.leaderboard.is_public(),
    }
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
    QueryFields(which): QueryFields<ActivityQuery>,
) -> Result<Json<ActivityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let Count(hours) = which.hours;
    let activity = app.service.count_activity(&pool, hours).await?;
    let servers = activity.servers.into_iter();
    Ok(Json(ActivityAnswer {
        pool: pool.name.clone(),
        from: activity.from,
        hours,
        servers: servers
            .map(|(server, rounds)| ServerActivityAnswer { server, rounds })
            .collect(),
        others: activity.others,
        total: activity.total,
    }))
}
