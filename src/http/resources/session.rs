use axum::body::HttpBody as _;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use axum::{Json, Router};

use crate::api::{SessionAnswer, SessionRequest};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::{App, Problem};

/// Where the dashboard logs in by a link. It is a part of the page, and of the API it is none.
pub(crate) const PATH: &str = "/session";

/// The largest body that is taken, in bytes: who sends it has no secret yet.
const MAX_BODY: u64 = 1024;

pub(crate) fn router() -> Router<App> {
    Router::new().route(PATH, post(begin).layer(from_fn(limit)))
}

/// Refuses a body that is too large. It is there as a whole by now, so its size is known.
async fn limit(request: Request, next: Next) -> Response {
    if request.body().size_hint().lower() > MAX_BODY {
        let detail = format!("the body is over {MAX_BODY} bytes; send the token of the link alone");
        return Problem::new(StatusCode::PAYLOAD_TOO_LARGE, detail).into_response();
    }
    next.run(request).await
}

/// Logs in to the dashboard by the link that `rbs serve` prints at a terminal, which opens it once, within five
/// minutes. Needs no secret.
async fn begin(
    State(app): State<App>,
    NoQuery: NoQuery,
    JsonBody(request): JsonBody<SessionRequest>,
) -> Result<([(HeaderName, &'static str); 1], Json<SessionAnswer>), Problem> {
    let session = app.authenticator.begin_session(&request.token)?;
    // No cache on the way may keep a secret.
    Ok(([(CACHE_CONTROL, "no-store")], Json(session)))
}
