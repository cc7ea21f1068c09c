use axum::routing::get;
use axum::{Extension, Json, Router};

use super::App;
use super::extract::NoQuery;
use super::request_log::RequestLog;
use crate::wire::RequestsAnswer;

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/admin/requests", get(read))
}

/// The slowest requests and the latest failures that this instance remembers.
async fn read(Extension(log): Extension<RequestLog>, NoQuery: NoQuery) -> Json<RequestsAnswer> {
    Json(log.answer())
}
