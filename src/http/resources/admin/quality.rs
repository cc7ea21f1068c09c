use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::pagination::{Count, Moment};
use crate::api::{ModelsAnswer, PoolQuery, QualityAnswer, QualityHistoryAnswer};
use crate::domain::PoolName;
use crate::http::extract::{InPool, QueryFields};
use crate::http::openapi::PoolRefusals;
use crate::http::{App, Problem};

/// Get the quality of a pool's predictions
#[utoipa::path(
    get,
    path = "/v1/admin/quality",
    params(PoolQuery),
    responses(
        (status = 200, description = "The quality figures; a figure without data is `null`.", body = QualityAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_quality(
    State(app): State<App>,
    InPool(pool): InPool,
) -> Result<Json<QualityAnswer>, Problem> {
    Ok(Json(app.service.quality_report(&pool).await?))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QualityHistoryQuery {
    /// Name of the pool. Default: `default`.
    pool: Option<PoolName>,
    /// Maximum number of points in the answer, each with the quality of the predictions after a round. Default: 200.
    #[serde(default)]
    #[param(inline)]
    points: Count<2, 1000, 200>,
    /// Start of the returned quality history: rounds that ended before this time are left out. Default: no limit.
    from: Option<Moment>,
}

/// Get the history of the prediction quality
#[utoipa::path(
    get,
    path = "/v1/admin/quality/history",
    params(QualityHistoryQuery),
    responses(
        (status = 200, description = "The figures, oldest first.", body = QualityHistoryAnswer),
        PoolRefusals,
    ),
)]
pub(crate) async fn get_quality_history(
    State(app): State<App>,
    QueryFields(query): QueryFields<QualityHistoryQuery>,
) -> Result<Json<QualityHistoryAnswer>, Problem> {
    let pool = app.service.pool(query.pool.as_ref(), None)?;
    let Count(points) = query.points;
    let from = query.from.map(|Moment(from)| from);
    let history = app.service.quality_history(&pool, points, from).await?;
    Ok(Json(history))
}

/// Compare rating models
///
/// Compares the predictions of the pool's model with those of its challengers, on the same rounds.
#[utoipa::path(
    get,
    path = "/v1/admin/models",
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
