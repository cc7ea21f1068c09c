use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use super::extract::QueryFields;
use super::quality_answer::answer;
use super::{App, Problem};
use crate::domain::PoolName;
use crate::wire::QualityAnswer;

pub(super) fn router() -> Router<App> {
    Router::new().route("/v1/admin/quality", get(judge))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    pool: Option<PoolName>,
}

/// Whether the pool's predictions are honest.
async fn judge(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<QualityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let quality = app.service.judge_quality(&pool).await?;
    Ok(Json(answer(&pool, &quality)))
}
