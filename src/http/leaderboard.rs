use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::caller::Caller;
use super::description::{OpenRefusals, PROBLEM_JSON, Refusals};
use super::extract::QueryFields;
use super::leaderboard_page::page;
use super::page::{Count, Cursor, PageSize, RankCursor};
use super::{App, Problem};
use crate::domain::{PoolName, ServerName};
use crate::service::{RankPlace, RankedPlayer, ServiceError};
use crate::wire::{LeaderboardAnswer, ProblemAnswer, RankedPlayerAnswer};

/// Where everybody may look, if the pool's settings say so.
pub(super) const PUBLIC_PATH: &str = "/leaderboard";

/// How the page may be shown: as long as this instance holds it too, and with nothing in it but its
/// own style.
const PAGE_HEADERS: [(header::HeaderName, &str); 4] = [
    (header::CACHE_CONTROL, "public, max-age=15"),
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'",
    ),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
];

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(show))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The pool; the server's, or `default`, where nothing is said.
    pool: Option<PoolName>,
    /// The server whose pool is meant.
    server: Option<ServerName>,
    /// How many at most; 50 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<RankCursor>, inline)]
    after: Option<Cursor<RankPlace>>,
}

/// The players by rating, with all numbers.
#[utoipa::path(
    get,
    path = "/v1/leaderboard",
    operation_id = "list_leaderboard",
    tag = "Players",
    params(Which),
    responses(
        (status = 200, description = "The players who are visible and not stale, the highest rating first.", body = LeaderboardAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list(
    State(app): State<App>,
    caller: Caller,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<LeaderboardAnswer>, Problem> {
    let pool = caller.pool(&app, which.pool.as_ref(), which.server.as_ref())?;
    let after = which.after.map(|Cursor(place)| place);
    let Count(limit) = which.limit;
    let leaderboard = app.service.leaderboard(&pool, after, limit).await?;
    Ok(Json(LeaderboardAnswer {
        pool: pool.name.clone(),
        computed_at: leaderboard.computed_at,
        ranked: leaderboard.ranked,
        players: leaderboard.players.into_iter().map(player).collect(),
        next: leaderboard.next.map(|place| Cursor(place).to_string()),
    }))
}

fn player(player: RankedPlayer) -> RankedPlayerAnswer {
    RankedPlayerAnswer {
        rank: player.rank,
        id: player.view.id,
        rating: player.view.rating,
        division: player.division,
        rounds: player.view.rounds,
        change_30_days: player.change,
        last_played: player.view.last_played,
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WhichPool {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// The best players as a page for everybody. Which pools there are beside those that are shown, it does
/// not tell.
#[utoipa::path(
    get,
    path = "/leaderboard",
    operation_id = "show_leaderboard",
    tag = "Players",
    params(WhichPool),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "There is no pool of that name that everybody may see.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
async fn show(
    State(app): State<App>,
    QueryFields(which): QueryFields<WhichPool>,
) -> Result<Response, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None);
    let pool = pool.map_err(|_| ServiceError::NoPublicLeaderboard)?;
    let leaderboard = app.service.public_leaderboard(&pool).await?;
    Ok((PAGE_HEADERS, Html(page(&pool, &leaderboard))).into_response())
}
