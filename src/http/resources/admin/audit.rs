use axum::Json;
use axum::extract::State;

use crate::api::{AuditAnswer, AuditQuery};
use crate::http::extract::QueryFields;
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};

/// List audit entries
///
/// Returns the actions of admins in one pool or in all pools.
#[utoipa::path(
    get,
    path = "/v1/admin/audit",
    tag = "Admin",
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
