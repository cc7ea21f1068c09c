//! The log of what admins did, and the log of what was refused.

use axum::extract::State;
use axum::{Extension, Json};

use crate::api::{AuditAnswer, AuditQuery, RefusalsAnswer, RefusalsQuery};
use crate::http::extract::QueryFields;
use crate::http::middleware::refusal_log::RefusalLog;
use crate::http::openapi::{PoolRefusals, Refusals};
use crate::http::{App, Problem};

/// List audit entries
///
/// Returns the actions of admins in one pool or in all pools.
#[utoipa::path(
    get,
    path = "/v1/admin/audit",
    params(AuditQuery),
    responses(
        (status = 200, description = "A page of the audit log, latest entry first.", body = AuditAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_audit(
    State(app): State<App>,
    QueryFields(query): QueryFields<AuditQuery>,
) -> Result<Json<AuditAnswer>, Problem> {
    Ok(Json(app.service.list_audit(query).await?))
}

/// List refusals
///
/// Returns secrets and requests of game servers that this instance refused, with senders and reasons.
#[utoipa::path(
    get,
    path = "/v1/admin/refusals",
    params(RefusalsQuery),
    responses(
        (status = 200, description = "The requests that this instance has refused, and refusals stored by others or before it started.", body = RefusalsAnswer),
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
