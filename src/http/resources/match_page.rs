use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use crate::api::{PoolQuery, ProblemAnswer};
use crate::http::extract::{PathRound, QueryFields};
use crate::http::openapi::{OpenRefusals, PROBLEM_JSON};
use crate::http::pages::match_page::match_page;
use crate::http::{App, Problem, pages};

/// Show a round's public page
///
/// Clients that ask for HTML get errors as HTML too.
#[utoipa::path(
    get,
    path = "/matches/{server}/{round_id}",
    tag = "Rounds",
    params(PathRound, PoolQuery),
    security(()),
    responses(
        (status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"),
        (status = 404, description = "No pool of this name has public pages of its rounds, or the pool has no such round.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        OpenRefusals,
    ),
)]
pub(crate) async fn show_match(
    State(app): State<App>,
    headers: HeaderMap,
    round: Result<PathRound, Problem>,
    query: Result<QueryFields<PoolQuery>, Problem>,
) -> Response {
    pages::answer(&headers, async {
        let (PathRound { server, round_id }, QueryFields(query)) = (round?, query?);
        let pool = app.service.public_pool(query.pool.as_ref())?;
        let shown = app.service.public_match(&pool, server, round_id).await?;
        Ok(match_page(&pool, &shown))
    })
    .await
}
