use axum::extract::State;

use crate::api::{ModelsAnswer, PoolQuery};
use crate::http::extract::QueryFields;
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};
use crate::service::{Reading, Service};

/// How well other models predict the pool's rounds.
#[utoipa::path(
    get,
    path = "/v1/admin/models",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "The pool's own model and its challengers; a figure without data is `null`.", body = ModelsAnswer, headers(("rbs-standby-lag" = f64))),
        PoolRefusals,
    ),
)]
pub(crate) async fn compare_models(
    State(app): State<App>,
    QueryFields(query): QueryFields<PoolQuery>,
) -> Result<Reading<ModelsAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let read = async |reader: Service| reader.compare_models(&pool).await;
    Ok(app.service.read(read).await?)
}
