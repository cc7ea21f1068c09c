use axum::Json;
use axum::extract::State;

use crate::api::{ModelsAnswer, PoolQuery};
use crate::http::extract::InPool;
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};

/// Compare rating models
///
/// Compares the predictions of the pool's model with those of its challengers, on the same rounds.
#[utoipa::path(
    get,
    path = "/v1/admin/models",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "The pool's own model and its challengers; a figure without data is `null`.", body = ModelsAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn compare_models(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<ModelsAnswer>, Problem> {
    Ok(Json(app.service.compare_models(&pool).await?))
}
