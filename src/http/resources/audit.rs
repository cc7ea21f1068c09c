use axum::extract::State;

use crate::api::{AuditAnswer, AuditQuery};
use crate::http::extract::QueryFields;
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};
use crate::service::{Reading, Service};

/// What admins did, in the pool named or in all.
#[utoipa::path(
    get,
    path = "/v1/admin/audit",
    tag = "Admin",
    params(AuditQuery),
    responses(
        (status = 200, description = "A page of what was done, the latest first.", body = AuditAnswer, headers(("rbs-standby-lag" = f64))),
        PoolRefusals,
    ),
)]
pub(crate) async fn list_audit(
    State(app): State<App>,
    QueryFields(query): QueryFields<AuditQuery>,
) -> Result<Reading<AuditAnswer>, Problem> {
    let read = async |reader: Service| reader.list_audit(query.clone()).await;
    Ok(app.service.read(read).await?)
}
