use axum::Json;
use axum::extract::State;

use crate::api::ImportsAnswer;
use crate::http::extract::NoQuery;
use crate::http::openapi::Refusals;
use crate::http::{App, Problem};

/// The imports that are reading rounds into the database, and how far they are.
#[utoipa::path(
    get,
    path = "/v1/admin/imports",
    tag = "Admin",
    responses(
        (status = 200, description = "The imports under way, the first that began first.", body = ImportsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn list_imports(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<ImportsAnswer>, Problem> {
    Ok(Json(app.service.list_imports().await?))
}
