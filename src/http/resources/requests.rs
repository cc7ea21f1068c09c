use axum::{Extension, Json};

use crate::api::RequestsAnswer;
use crate::http::extract::NoQuery;
use crate::http::middleware::request_log::RequestLog;
use crate::http::openapi::Refusals;

/// The slowest requests and the latest failures that this instance remembers.
#[utoipa::path(
    get,
    path = "/v1/admin/requests",
    tag = "Admin",
    responses(
        (status = 200, description = "What this instance remembers.", body = RequestsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_requests(
    Extension(log): Extension<RequestLog>,
    NoQuery: NoQuery,
) -> Json<RequestsAnswer> {
    Json(log.answer())
}
