//! Every request is counted and timed, whatever becomes of it, and the odd ones are remembered.

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;
use tokio::time::Instant;
use tower_http::request_id::RequestId;

use super::App;
use super::request_log::{RequestLog, milliseconds};
use crate::wire::RequestAnswer;

/// The route of a path that leads nowhere; one for all of them, since anybody may make them up.
const UNMATCHED: &str = "unmatched";

pub(super) async fn measure(
    State((app, log)): State<(App, RequestLog)>,
    mut request: Request,
    next: Next,
) -> Response {
    let metrics = app.service.metrics();
    let _under_way = metrics.request_begins();
    let began = Instant::now();
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or(UNMATCHED, MatchedPath::as_str).to_owned();
    let method = method_name(request.method());
    let request_id = request.extensions().get::<RequestId>();
    let request_id = request_id.and_then(|id| id.header_value().to_str().ok());
    let request_id = request_id.unwrap_or_default().to_owned();
    request.extensions_mut().insert(log.clone());

    let response = next.run(request).await;
    let took = began.elapsed();
    let status = response.status().as_u16();
    metrics.request_answered(&route, method, status, took);
    log.take(RequestAnswer {
        at: app.service.now(),
        method,
        route,
        status,
        milliseconds: milliseconds(took),
        request_id,
    });
    response
}

/// The method, or `other`: clients may make up more.
pub(super) fn method_name(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::PATCH => "PATCH",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        _ => "other",
    }
}
