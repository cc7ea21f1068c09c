use axum::Json;
use axum::extract::State;

use crate::api::ImportsAnswer;
use crate::http::extract::NoQuery;
use crate::http::openapi::Refusals;
use crate::http::{App, Problem};

/// List the running imports
///
/// Imports are `rbs import` processes that read rounds into the database.
#[utoipa::path(
    get,
    path = "/v1/admin/imports",
    tag = "Admin",
    responses(
        (status = 200, description = "The running imports, oldest first.", body = ImportsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_imports(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<ImportsAnswer>, Problem> {
    Ok(Json(app.service.list_imports().await?))
}
