use axum::extract::State;
use axum::routing::post;
use axum::{Json, Router};
use serde::Deserialize;

use super::extract::{JsonBody, NoQuery, QueryFields};
use super::{App, Problem};
use crate::domain::ServerName;
use crate::wire::{ScrambleRequest, SplitTableAnswer};

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
    _: NoQuery,
    JsonBody(request): JsonBody<ScrambleRequest>,
) -> Result<Json<SplitTableAnswer>, Problem> {
    let request = request.checked().map_err(Problem::invalid)?;
    Ok(Json(app.service.propose_splits(request).await?))
}

/// The last table computed for a server.
async fn last(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<SplitTableAnswer>, Problem> {
    Ok(Json(app.service.last_splits(&which.server).await?))
}
