use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, HeaderName};
use axum::routing::post;
use axum::{Json, Router};

use crate::api::{SessionAnswer, SessionRequest};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::{App, Problem};

/// Where the dashboard logs in by a link. It is a part of the page, and of the API it is none.
pub(crate) const PATH: &str = "/session";

pub(crate) fn router() -> Router<App> {
    Router::new().route(PATH, post(begin))
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
