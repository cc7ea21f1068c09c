use axum::{Extension, Json};

use crate::api::RefusalsAnswer;
use crate::http::extract::NoQuery;
use crate::http::middleware::refusal_log::RefusalLog;
use crate::http::openapi::Refusals;

/// What this instance refused: secrets, and whatever else game servers sent, with who sent it and why it was refused.
#[utoipa::path(
    get,
    path = "/v1/admin/refusals",
    tag = "Admin",
    responses(
        (status = 200, description = "What this instance remembers.", body = RefusalsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_refusals(
    Extension(log): Extension<RefusalLog>,
    NoQuery: NoQuery,
) -> Json<RefusalsAnswer> {
    Json(log.answer())
}
