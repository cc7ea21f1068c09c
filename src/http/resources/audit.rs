use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{AuditAnswer, AuditQuery, ProblemAnswer};
use crate::http::extract::QueryFields;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_audit))
}

/// What admins did, in the pool named or in all.
#[utoipa::path(
    get,
    path = "/v1/admin/audit",
    operation_id = "read_audit",
    tag = "Admin",
    params(AuditQuery),
    responses(
        (status = 200, description = "A page of what was done, the latest first.", body = AuditAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn list_audit(
    State(app): State<App>,
    QueryFields(query): QueryFields<AuditQuery>,
) -> Result<Json<AuditAnswer>, Problem> {
    Ok(Json(app.service.list_audit(query).await?))
}
