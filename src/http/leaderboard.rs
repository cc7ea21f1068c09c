use axum::extract::State;
use axum::http::header;
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::caller::Caller;
use super::extract::QueryFields;
use super::leaderboard_page::page;
use super::page::{Count, Cursor, PageSize};
use super::{App, Problem};
use crate::domain::{PoolName, ServerName};
use crate::service::{RankPlace, RankedPlayer, ServiceError};
use crate::wire::{LeaderboardAnswer, RankedPlayerAnswer};

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

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/leaderboard", get(list))
        .route(PUBLIC_PATH, get(show))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    pool: Option<PoolName>,
    server: Option<ServerName>,
    #[serde(default)]
    limit: PageSize,
    after: Option<Cursor<RankPlace>>,
}

/// The players by rating, with all numbers.
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichPool {
    pool: Option<PoolName>,
}

/// The best players as a page for everybody. Which pools there are beside those that are shown, it does
/// not tell.
async fn show(
    State(app): State<App>,
    QueryFields(which): QueryFields<WhichPool>,
) -> Result<Response, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None);
    let pool = pool.map_err(|_| ServiceError::NoPublicLeaderboard)?;
    let leaderboard = app.service.public_leaderboard(&pool).await?;
    Ok((PAGE_HEADERS, Html(page(&pool, &leaderboard))).into_response())
}
