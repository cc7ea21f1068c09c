use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};

use super::caller::Caller;
use super::extract::{JsonBody, NoQuery};
use super::{App, Problem};
use crate::wire::{BalanceAnswer, BalanceRequest, PlaceAnswer, PlaceRequest};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/v1/balance", post(balance))
        .route("/v1/place", post(place))
}

/// Says whether a match is unbalanced, and who should change teams.
async fn balance(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<BalanceRequest>,
) -> Result<Json<BalanceAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool(&app, None, Some(&request.server))?;
    Ok(Json(app.service.balance_match(&pool, &request).await?))
}

/// Says which teams those should go to who join.
async fn place(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<PlaceRequest>,
) -> Result<Json<PlaceAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    let pool = caller.pool(&app, None, Some(&request.server))?;
    Ok(Json(app.service.place_joining(&pool, &request).await?))
}
