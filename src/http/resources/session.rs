use axum::extract::{Request, State};
use axum::http::header::{CACHE_CONTROL, SET_COOKIE};
use axum::http::{HeaderMap, HeaderName, StatusCode};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Extension, Json, Router, body::HttpBody as _};

use crate::api::{SessionAnswer, SessionRequest};
use crate::http::connection::Peer;
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::arrival::MAX_OPEN_BODY;
use crate::http::{App, Problem};

/// Path of the dashboard's sessions, which are part of the dashboard and not of the API.
pub(crate) const PATH: &str = "/session";

/// Headers of an answer about a dashboard session: the cookie to set or clear, and a ban on caching.
type Headers = [(HeaderName, String); 2];

pub(crate) fn router() -> Router<App> {
    let methods = get(look).post(begin).delete(end);
    Router::new().route(PATH, methods.layer(from_fn(limit)))
}

/// Refuses large request bodies at log-in. Senders have no secret yet, so the service reads little from them.
async fn limit(request: Request, next: Next) -> Response {
    if request.body().size_hint().lower() > MAX_OPEN_BODY as u64 {
        let detail = format!(
            "the body is over {MAX_OPEN_BODY} bytes; send only a secret, or the token from a log-in link"
        );
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).into_response();
    }
    next.run(request).await
}

/// Returns the dashboard session of the request's cookie.
async fn look(
    State(app): State<App>,
    NoQuery: NoQuery,
    headers: HeaderMap,
) -> Result<([(HeaderName, &'static str); 1], Json<SessionAnswer>), Problem> {
    let now = app.service.now();
    let answer = match app.authenticator.session_of(&headers, now) {
        Some((id, answer)) if !app.service.has_ended_session(&id).await? => answer,
        _ => SessionAnswer::default(),
    };
    Ok(([(CACHE_CONTROL, "no-store")], Json(answer)))
}

/// Logs in to the dashboard with a secret, or with the token of a log-in link. A token works once, within five minutes,
/// at whichever instance. Returns a cookie for the session.
async fn begin(
    State(app): State<App>,
    NoQuery: NoQuery,
    peer: Option<Extension<Peer>>,
    headers: HeaderMap,
    JsonBody(request): JsonBody<SessionRequest>,
) -> Result<(Headers, Json<SessionAnswer>), Problem> {
    let now = app.service.now();
    let peer = peer.map(|Extension(Peer(address))| address);
    let from = (peer, &headers);
    let (cookie, answer, link) = app.authenticator.begin_session(&request, from, now)?;
    if let Some((id, expires_at)) = link
        && !app.service.end_session(&id, expires_at).await?
    {
        return Err(Problem::used_link());
    }
    Ok((with_cookie(cookie), Json(answer)))
}

/// Logs out of the dashboard: the cookie's session ends at every instance, and stays ended after a restart.
async fn end(
    State(app): State<App>,
    NoQuery: NoQuery,
    headers: HeaderMap,
) -> Result<(Headers, Json<SessionAnswer>), Problem> {
    let now = app.service.now();
    let (ended, cookie) = app.authenticator.session_to_end(&headers, now)?;
    if let Some((id, ends_at)) = ended {
        app.service.end_session(&id, ends_at).await?;
    }
    Ok((with_cookie(cookie), Json(SessionAnswer::default())))
}

fn with_cookie(cookie: String) -> Headers {
    [(SET_COOKIE, cookie), (CACHE_CONTROL, "no-store".to_owned())]
}
