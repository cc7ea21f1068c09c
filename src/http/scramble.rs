use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;

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
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<ScrambleRequest>,
) -> Result<Json<AgedSplitTableAnswer>, Problem> {
    let mut request = request.checked().map_err(Problem::invalid)?;
    let server = request.server.take();
    let server = server.ok_or_else(|| Problem::invalid_field("/server", "is missing; send it"))?;
    let pool = app.service.pool(None, Some(&server))?;
    let table = app.service.propose_splits(&pool, &server, &request).await?;
    Ok(Json(table))
}

/// The last table computed for a server.
async fn last(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<AgedSplitTableAnswer>, Problem> {
    Ok(Json(app.service.last_splits(&which.server).await?))
}
