use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;

use super::caller::Caller;
use super::extract::{JsonBody, NoQuery, QueryFields};
use super::{App, Problem};
use crate::domain::ServerName;
use crate::wire::{AgedSplitTableAnswer, ScrambleRequest};

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/scramble", post(propose).get(last))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    server: ServerName,
}

/// Splits the eligible players into two teams of every size.
async fn propose(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<ScrambleRequest>,
) -> Result<Json<AgedSplitTableAnswer>, Problem> {
    let mut request = request.checked().map_err(Problem::invalid)?;
    let server = request.server.take();
    let server = server.ok_or_else(|| Problem::invalid_field("/server", "is missing; send it"))?;
    let pool = caller.pool(&app, None, Some(&server))?;
    let table = app.service.propose_splits(&pool, &server, &request).await?;
    Ok(Json(table))
}

/// The last table computed for a server.
async fn last(
    State(app): State<App>,
    caller: Caller,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<AgedSplitTableAnswer>, Problem> {
    caller.check_server(&which.server)?;
    let last = app.service.last_splits(&which.server).await?;
    caller.check_pool(&last.table.pool)?;
    Ok(Json(last))
}
