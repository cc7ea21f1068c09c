use axum::Router;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::extract::NoQuery;
use super::{App, Problem};
use crate::metrics;

/// Where the metrics stand.
pub(super) const PATH: &str = "/metrics";

pub(super) fn router() -> Router<App> {
    Router::new().route(PATH, get(tell))
}

/// What this instance counts and measures of itself, for Prometheus.
async fn tell(State(app): State<App>, NoQuery: NoQuery) -> Result<Response, Problem> {
    let text = app.service.tell_metrics().await.map_err(|error| {
        tracing::error!(%error, "The metrics cannot be written");
        Problem::internal()
    })?;
    Ok(([(CONTENT_TYPE, metrics::CONTENT_TYPE)], text).into_response())
}
