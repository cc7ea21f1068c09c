use axum::Json;
use axum::extract::State;

use crate::api::{BalanceBody, BalanceRequest, PlaceBody, PlaceRequest};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::PoolBodyRefusals;
use crate::http::{App, Problem};

/// Find unbalanced teams and recommend moves
///
/// Evaluates a match in progress by a balance policy.
#[utoipa::path(
    post,
    path = "/v1/balance",
    tag = "Balance",
    request_body = BalanceRequest,
    responses(
        (status = 200, description = "The balance of the teams, and the recommended moves. The format depends on how the request sends the teams: as `team_a` and `team_b`, or as `teams`.", body = BalanceBody),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn balance(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<BalanceRequest>,
) -> Result<Json<BalanceBody>, Problem> {
    let mut request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool_of_server(&app, request.pool.as_ref(), &request.server)?;
    // An admin who tries a request scrambles nothing, and the match may have other teams.
    request.hypothetical |= !caller.is_game_server;
    request.scramble_above = request.scramble_above.filter(|_| caller.is_game_server);
    let answer = app
        .service
        .balance_match(&pool, &request, caller.client)
        .await?;
    caller.keep_names(&app, request.names()).await;
    Ok(Json(answer))
}

/// Choose teams for joining players
#[utoipa::path(
    post,
    path = "/v1/place",
    tag = "Balance",
    request_body = PlaceRequest,
    responses(
        (status = 200, description = "The team of each joining player. The format depends on how the request sends the teams: as `team_a` and `team_b`, or as `teams`.", body = PlaceBody),
        PoolBodyRefusals,
    ),
)]
pub(crate) async fn place(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<PlaceRequest>,
) -> Result<Json<PlaceBody>, Problem> {
    let mut request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool_of_server(&app, request.pool.as_ref(), &request.server)?;
    request.hypothetical |= !caller.is_game_server;
    let answer = app
        .service
        .place_joining(&pool, &request, caller.client)
        .await?;
    caller.keep_names(&app, request.names()).await;
    Ok(Json(answer))
}
