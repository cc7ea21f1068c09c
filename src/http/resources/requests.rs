use axum::{Extension, Json};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::RequestsAnswer;
use crate::http::App;
use crate::http::extract::NoQuery;
use crate::http::middleware::request_log::RequestLog;
use crate::http::openapi::Refusals;

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(read))
}

/// The slowest requests and the latest failures that this instance remembers.
#[utoipa::path(
    get,
    path = "/v1/admin/requests",
    operation_id = "read_requests",
    tag = "Admin",
    responses(
        (status = 200, description = "What this instance remembers.", body = RequestsAnswer),
        Refusals,
    ),
)]
async fn read(Extension(log): Extension<RequestLog>, NoQuery: NoQuery) -> Json<RequestsAnswer> {
    Json(log.answer())
}
