//! Middleware around every handler: request ids, the access log, timeouts and panics.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use tokio::time::Instant;
use tower_http::request_id::RequestId;
use tracing::{Span, field};

use super::refusal_log::{Origin, RefusalLog};
use crate::http::{App, Problem, refused};

/// Maximum length of a request id that a client sends, in bytes.
const MAX_REQUEST_ID: usize = 64;

/// Lines about the last requests that this instance answered with a status of 500 or higher, latest first. Cheap to
/// clone; clones share the lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct FailedRequests(Arc<Mutex<VecDeque<String>>>);

impl FailedRequests {
    const MAX: usize = 10;

    fn add(&self, line: String) {
        let mut lines = self.0.lock();
        lines.truncate(Self::MAX - 1);
        lines.push_front(line);
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.0.lock().iter().cloned().collect()
    }
}

/// Drops a client's request id that is empty, too long, or contains anything but ASCII letters, digits, `-`, `_` and
/// `.`. A generated id takes its place.
pub(crate) async fn drop_odd_request_id(mut request: Request, next: Next) -> Response {
    const NAME: &str = "x-request-id";
    let odd = request.headers().get(NAME).is_some_and(|value| {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        value.is_empty() || value.len() > MAX_REQUEST_ID || !value.as_bytes().iter().all(plain)
    });
    if odd {
        request.headers_mut().remove(NAME);
    }
    next.run(request).await
}

/// Gives up a request that exceeds the request timeout. Its open transaction is rolled back; a committed one stays.
pub(crate) async fn enforce_timeout(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    match tokio::time::timeout(app.request_timeout, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::unavailable(
            "the request took too long; send the same request again later; a round with the \
             same round_id is never counted twice",
        )
        .into_response(),
    }
}

pub(crate) fn span<B>(request: &axum::http::Request<B>) -> Span {
    tracing::info_span!(
        "request",
        id = request_id(request),
        method = shown(request.method().as_str()),
        path = shown(request.uri().path()),
        status = field::Empty,
    )
}

fn request_id<B>(request: &axum::http::Request<B>) -> &str {
    request
        .extensions()
        .get::<RequestId>()
        .and_then(|id| id.header_value().to_str().ok())
        .unwrap_or_default()
}

/// Returns a path or method for the log: at most 200 characters, longer than any real path, in printable ASCII. Other
/// characters are escaped, because a terminal might take them for a command.
fn shown(text: &str) -> String {
    const MAX_LENGTH: usize = 200;
    let mut shown = String::new();
    for character in text.chars().take(MAX_LENGTH) {
        if character.is_ascii_graphic() {
            shown.push(character);
        } else {
            shown.extend(character.escape_unicode());
        }
    }
    shown
}

pub(crate) fn log_answer<B>(response: &axum::http::Response<B>, took: Duration, span: &Span) {
    let status = response.status();
    span.record("status", status.as_u16());
    let milliseconds = (took.as_secs_f64() * 1e6).round() / 1e3;
    if status.is_client_error() && !refused::of(response).is_empty() {
        // The refusal log already has a line with the reason.
        tracing::debug!(milliseconds, "Answered");
    } else if status.is_server_error() {
        tracing::warn!(
            status = status.as_u16(),
            milliseconds,
            "Answered with an error"
        );
    } else {
        tracing::info!(status = status.as_u16(), milliseconds, "Answered");
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the layer's signature")]
pub(crate) fn after_panic(panic: Box<dyn Any + Send>) -> Response {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(panic = message, "A handler panicked");
    Problem::internal().into_response()
}

/// Route label in the metrics for all unknown paths, because clients can invent any number of them.
const UNMATCHED: &str = "unmatched";

pub(crate) async fn measure(
    State((app, failed, refusal_log)): State<(App, FailedRequests, RefusalLog)>,
    mut request: Request,
    next: Next,
) -> Response {
    let metrics = app.service.metrics();
    let _in_flight = metrics.request_begins();
    let began = Instant::now();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or(UNMATCHED, MatchedPath::as_str)
        .to_owned();
    let method = method_name(request.method());
    let request_id = request_id(&request).to_owned();
    let origin = Origin::of(&request, method, route.clone(), request_id.clone());
    request.extensions_mut().insert(failed.clone());
    request.extensions_mut().insert(refusal_log.clone());

    let response = next.run(request).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    metrics.request_answered(&route, method, status, took);
    for refusal in refused::of(&response) {
        if origin.has_rounds() {
            metrics.round_rejected(refusal.reason);
            // A round is lost if no retry can succeed. A retry succeeds after 429, and 410 means that the round counted
            // before.
            let is_lost = refusal.status.is_client_error()
                && ![StatusCode::GONE, StatusCode::TOO_MANY_REQUESTS].contains(&refusal.status);
            if let Some(server) = refusal.server.as_ref().filter(|_| is_lost) {
                app.service.note_refused_round(server);
            }
        }
        if let Some(reason) = refusal.secret {
            metrics.secret_refused(reason);
        }
        refusal_log.add(&origin, refusal, app.service.now());
    }
    if status >= 500 {
        let at = app.service.now();
        failed.add(format!("{at} {method} {route}: {status} ({request_id})"));
    }
    response
}

/// Returns the name of an HTTP method, or `other` for a method that a client invented.
pub(crate) fn method_name(method: &Method) -> &'static str {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
    let name = known.into_iter().find(|name| method == name);
    name.unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_failed_requests_are_kept() {
        let failed = FailedRequests::default();
        for number in 1..=12 {
            failed.add(number.to_string());
        }
        let expected: Vec<String> = (3..=12).rev().map(|number| number.to_string()).collect();
        assert_eq!(failed.lines(), expected);
    }

    #[test]
    fn what_a_client_says_is_plain_and_short_in_the_log() {
        assert_eq!(shown("/v1/players/%5BU:1:5%5D"), "/v1/players/%5BU:1:5%5D");
        assert_eq!(
            shown("/\u{9b}31m\u{2028}\n\u{1b}"),
            r"/\u{9b}31m\u{2028}\u{a}\u{1b}"
        );
        assert_eq!(shown(&"/ä".repeat(500)).len(), 700);
    }
}
