use axum::Json;
use axum::extract::State;

use crate::api::{MatchRequest, MatchesAnswer};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::PoolBodyRefusals;
use crate::http::{App, Problem};

/// Make matches from a queue
///
/// Returns the matches to start, with teams and servers, and the tickets that keep waiting, with reasons.
#[utoipa::path(
    post,
    path = "/v1/match",
    tag = "Matches",
    request_body = MatchRequest,
    responses(
        (status = 200, description = "The matches to start, and the tickets (queue entries) that keep waiting.", body = MatchesAnswer),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn make_matches(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<MatchRequest>,
) -> Result<Json<MatchesAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool(&app, request.pool.as_ref(), None)?;
    let answer = app
        .service
        .make_matches(&pool, &request, caller.client)
        .await?;
    caller.keep_names(&app, request.names()).await;
    Ok(Json(answer))
}
