use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::pagination::{Count, Cursor, PageSize, RankPlace};
use crate::api::{LeaderboardAnswer, ProblemAnswer};
use crate::domain::{PoolName, ServerName};
use crate::http::extract::QueryFields;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{OpenRefusals, PROBLEM_JSON, PoolRefusals};
use crate::http::pages::leaderboard::{found_page, leaderboard_page};
use crate::http::{App, Problem, pages};
use crate::service::PageStart;

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardQuery {
    /// Name of the pool. Default: the pool of `server`, or else `default`.
    pool: Option<PoolName>,
    /// Name of a server. Selects the pool of this server if `pool` is left out.
    server: Option<ServerName>,
    /// Number of the season. A past season has its final standings. Default: the current season.
    #[param(value_type = Option<u32>)]
    season: Option<Count<0, 4_294_967_295, 0>>,
    /// Maximum number of players per page. Default: 50.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// First rank of the page, or the next existing rank. Not allowed with `after`.
    #[param(inline)]
    rank: Option<Count<1, 4_294_967_295, 1>>,
    /// Cursor from `next` of the previous page.
    #[param(value_type = Option<RankPlace>, inline)]
    after: Option<Cursor<RankPlace>>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LeaderboardPageQuery {
    /// Name of the pool. Default: `default` if anybody has a rank there, or else the public pool with the most ranked
    /// players.
    pool: Option<PoolName>,
    /// Place on the leaderboard, from 1. Shows the page that contains this place, or the last page.
    #[serde(default)]
    #[param(inline)]
    from: Count<1, 2_000_000_000, 1>,
    /// Id of a player to search for, or part of a name if the pool shows names. An empty text searches for nobody.
    search: Option<String>,
}

/// List the ranked players of a pool
#[utoipa::path(
    get,
    path = "/v1/leaderboard",
    tag = "Players",
    params(LeaderboardQuery),
    responses(
        (status = 200, description = "The visible players who are not stale, highest rating first.", body = LeaderboardAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_leaderboard(
    State(app): State<App>,
    caller: Caller,
    QueryFields(query): QueryFields<LeaderboardQuery>,
) -> Result<Json<LeaderboardAnswer>, Problem> {
    let pool = caller.pool(&app, query.pool.as_ref(), query.server.as_ref())?;
    let start = match (query.rank, query.after) {
        (None, after) => PageStart::Behind(after.map(|Cursor(place)| place)),
        (Some(Count(rank)), None) => PageStart::Rank(rank),
        (Some(_), Some(_)) => {
            let detail = "cannot be combined with \"after\"; leave one of them out";
            return Err(Problem::invalid_field("/rank", detail));
        }
    };
    let season = query.season.map(|Count(number)| number);
    let Count(limit) = query.limit;
    let leaderboard = app.service.leaderboard(&pool, season, start, limit).await?;
    Ok(Json(leaderboard))
}

/// Show a pool's public leaderboard page
///
/// The page never reveals pools that are not public. Clients that ask for HTML get errors as HTML too.
#[utoipa::path(
    get,
    path = "/leaderboard",
    tag = "Players",
    params(LeaderboardPageQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "No pool of this name has a public leaderboard.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_leaderboard(
    State(app): State<App>,
    headers: HeaderMap,
    query: Result<QueryFields<LeaderboardPageQuery>, Problem>,
) -> Response {
    pages::answer(&headers, async {
        let QueryFields(query) = query?;
        let service = &app.service;
        let pool = match &query.pool {
            Some(name) => service.public_pool(Some(name))?,
            None => service.first_public_pool().await?,
        };
        let mut others = service.public_pools();
        others.retain(|other| other.name != pool.name);
        let search = query.search.as_deref().map(str::trim).unwrap_or_default();
        Ok(if search.is_empty() {
            let Count(from) = query.from;
            let shown = service.public_leaderboard(&pool, from.into()).await?;
            leaderboard_page(&pool, &others, &shown)
        } else {
            let found = service.public_search(&pool, search).await?;
            found_page(&pool, search, &found)
        })
    })
    .await
}
