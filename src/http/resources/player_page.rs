use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::api::{PoolQuery, ProblemAnswer};
use crate::http::extract::{PathPlayer, QueryFields};
use crate::http::openapi::{OpenRefusals, PROBLEM_JSON};
use crate::http::pages::player::player_page;
use crate::http::{App, Problem, pages};

/// Show a player's public page
///
/// Clients that ask for HTML get errors as HTML too.
#[utoipa::path(
    get,
    path = "/players/{id}",
    tag = "Players",
    params(PathPlayer, PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "No pool of this name has public player pages, or the player has no rounds in it.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_player(
    State(app): State<App>,
    headers: HeaderMap,
    player: Result<PathPlayer, Problem>,
    query: Result<QueryFields<PoolQuery>, Problem>,
) -> Response {
    pages::answer(&headers, async {
        let (PathPlayer { id }, QueryFields(query)) = (player?, query?);
        let pool = app.service.public_pool(query.pool.as_ref())?;
        let player = app.service.public_player(&pool, id).await?;
        Ok(player_page(&pool, &player))
    })
    .await
}
