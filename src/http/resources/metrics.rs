use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CONTENT_TYPE, VARY};
use axum::response::{IntoResponse as _, Response};

use crate::api::{ProblemAnswer, StatusAnswer};
use crate::http::accept::items;
use crate::http::extract::NoQuery;
use crate::http::middleware::caller::Caller;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};
use crate::metrics::Format;

pub(crate) const PATH: &str = "/metrics";

/// Check that the service runs
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The service runs.", body = StatusAnswer)),
)]
pub(crate) async fn health() -> Json<StatusAnswer> {
    Json(StatusAnswer { status: "ok" })
}

/// Check that the service can count rounds
///
/// Returns 200 only if the database answers and its disk has room.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "The database answers and has room for rounds.", body = StatusAnswer),
        (status = 503, description = "The database does not answer, or its disk is full; `detail` says which. Ask again after `Retry-After`.", body = ProblemAnswer, content_type = PROBLEM_JSON),
    ),
)]
pub(crate) async fn readiness(State(app): State<App>) -> Result<Json<StatusAnswer>, Problem> {
    match app.service.check_ready().await {
        Ok(()) => Ok(Json(StatusAnswer { status: "ready" })),
        Err(error) => {
            tracing::warn!(error = ?error, "Not ready");
            let detail = if error.is_disk_full() {
                "the disk of the database is full or not writable; rounds wait until it has room"
            } else {
                "the database does not answer, or answers with an error; the log says why"
            };
            Err(Problem::unavailable(detail))
        }
    }
}

/// Get metrics for Prometheus
///
/// Returns counters and measurements of this instance.
#[utoipa::path(
    get,
    path = "/metrics",
    tag = "Operation",
    responses(
        (
            status = 200,
            description = "The metrics as Prometheus text, or as OpenMetrics 1.0 if `Accept` prefers it. With `metrics_public` no secret is needed.",
            content((String = "text/plain"), (String = "application/openmetrics-text")),
        ),
        Refusals,
    ),
)]
pub(crate) async fn metrics(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    caller.check_all_pools()?;
    // Callers without a secret must not learn which secrets exist.
    let secrets = if caller.is_anonymous() {
        Vec::new()
    } else {
        app.authenticator.list_secrets()
    };
    let used = secrets
        .iter()
        .map(|secret| (secret.fingerprint, secret.last_used));
    app.service.metrics().set_secrets(used);
    let format = preferred(&headers);
    let text = app.service.render_metrics(format).await.map_err(|error| {
        tracing::error!(%error, "Cannot format the metrics");
        Problem::internal()
    })?;
    let headers = [(CONTENT_TYPE, format.content_type()), (VARY, "Accept")];
    Ok((headers, text).into_response())
}

/// Returns the format of the metrics: OpenMetrics if the `Accept` header names it and prefers no plain text over it.
fn preferred(asked: &HeaderMap) -> Format {
    let (mut open_metrics, mut plain) = (0.0_f64, 0.0_f64);
    for item in items(asked, ACCEPT) {
        if item.is("application/openmetrics-text")
            && item
                .parameter("version")
                .is_none_or(|version| version == "1.0.0")
        {
            open_metrics = open_metrics.max(item.weight());
        } else if item.is("text/plain") {
            plain = plain.max(item.weight());
        }
    }
    if open_metrics > 0.0 && open_metrics >= plain {
        Format::OpenMetrics
    } else {
        Format::Plain
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn open_metrics_is_sent_to_those_who_would_rather_have_it() {
        let prefers = |accept: &'static str| {
            preferred(&HeaderMap::from_iter([(
                ACCEPT,
                HeaderValue::from_static(accept),
            )]))
        };
        for accept in [
            // Header sent by Prometheus.
            "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,\
             application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;q=0.4,\
             text/plain;version=0.0.4;q=0.3,*/*;q=0.2",
            "application/openmetrics-text",
            "Application/OpenMetrics-Text; version=\"1.0.0\"",
        ] {
            assert_eq!(prefers(accept), Format::OpenMetrics, "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "text/plain;version=0.0.4",
            "text/html,application/xhtml+xml,*/*;q=0.8",
            "application/openmetrics-text;version=0.0.1",
            "application/openmetrics-text;q=0, text/plain;q=0.1",
            "application/openmetrics-text;q=0.4,text/plain;q=0.5",
        ] {
            assert_eq!(prefers(accept), Format::Plain, "{accept}");
        }
    }
}
