use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::pagination::Count;
use crate::api::{PoolQuery, ProblemAnswer, QualityAnswer, QualityHistoryAnswer};
use crate::domain::PoolName;
use crate::http::extract::QueryFields;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(quality))
        .routes(routes!(quality_history))
}

/// Whether the pool's predictions are honest.
#[utoipa::path(
    get,
    path = "/v1/admin/quality",
    operation_id = "judge_quality",
    tag = "Admin",
    params(PoolQuery),
    responses(
        (status = 200, description = "The figures; one without data is `null`.", body = QualityAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn quality(
    State(app): State<App>,
    QueryFields(query): QueryFields<PoolQuery>,
) -> Result<Json<QualityAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    Ok(Json(app.service.quality_report(&pool).await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct QualityHistoryQuery {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
    /// At how many rounds; 200 where nothing is said.
    #[serde(default)]
    #[param(inline)]
    points: Count<2, 1000, 200>,
}

/// How the quality of the predictions went.
#[utoipa::path(
    get,
    path = "/v1/admin/quality/history",
    operation_id = "read_quality_history",
    tag = "Admin",
    params(QualityHistoryQuery),
    responses(
        (status = 200, description = "The figures, the oldest first.", body = QualityHistoryAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn quality_history(
    State(app): State<App>,
    QueryFields(query): QueryFields<QualityHistoryQuery>,
) -> Result<Json<QualityHistoryAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let Count(points) = query.points;
    Ok(Json(app.service.quality_history(&pool, points).await?))
}
