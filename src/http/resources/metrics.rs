use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};

use crate::http::extract::NoQuery;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::Refusals;
use crate::http::{App, Problem};
use crate::metrics;

/// Where the metrics stand.
pub(crate) const PATH: &str = "/metrics";

/// What this instance counts and measures of itself, for Prometheus.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operation",
    responses(
        (status = 200, description = "The text; with `metrics_public` it needs no secret.", body = String, content_type = "application/openmetrics-text"),
        Refusals,
    ),
)]
pub(crate) async fn metrics(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
) -> Result<Response, Problem> {
    caller.check_all_pools()?;
    let text = app.service.render_metrics().await.map_err(|error| {
        tracing::error!(%error, "The metrics cannot be written");
        Problem::internal()
    })?;
    Ok(([(CONTENT_TYPE, metrics::CONTENT_TYPE)], text).into_response())
}
