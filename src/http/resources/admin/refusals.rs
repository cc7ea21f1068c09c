use axum::{Extension, Json};

use crate::api::{RefusalsAnswer, RefusalsQuery};
use crate::http::extract::QueryFields;
use crate::http::middleware::refusal_log::RefusalLog;
use crate::http::openapi::Refusals;

/// List refusals
///
/// Returns secrets and requests of game servers that this instance refused, with senders and reasons.
#[utoipa::path(
    get,
    path = "/v1/admin/refusals",
    tag = "Admin",
    params(RefusalsQuery),
    responses(
        (status = 200, description = "The requests that this instance refused, and those stored before it started.", body = RefusalsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_refusals(
    Extension(log): Extension<RefusalLog>,
    QueryFields(query): QueryFields<RefusalsQuery>,
) -> Json<RefusalsAnswer> {
    let mut answer = log.answer();
    if query.server.is_some() {
        answer
            .refusals
            .retain(|refusal| refusal.server == query.server);
    }
    Json(answer)
}
