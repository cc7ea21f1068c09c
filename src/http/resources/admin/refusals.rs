use axum::{Extension, Json};

use crate::api::RefusalsAnswer;
use crate::http::extract::NoQuery;
use crate::http::middleware::refusal_log::RefusalLog;
use crate::http::openapi::Refusals;

/// List refusals
///
/// Returns secrets and requests of game servers that this instance refused, with senders and reasons.
#[utoipa::path(
    get,
    path = "/v1/admin/refusals",
    tag = "Admin",
    responses(
        (status = 200, description = "The refusals that this instance remembers.", body = RefusalsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_refusals(
    Extension(log): Extension<RefusalLog>,
    NoQuery: NoQuery,
) -> Json<RefusalsAnswer> {
    Json(log.answer())
}
