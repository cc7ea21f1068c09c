use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::description::{PROBLEM_JSON, Refusals};
use super::extract::QueryFields;
use super::quality_answer::answer;
use super::{App, Problem};
use crate::domain::PoolName;
use crate::wire::{ProblemAnswer, QualityAnswer};

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(judge))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct Which {
    /// The pool; `default` where nothing is said.
    pool: Option<PoolName>,
}

/// Whether the pool's predictions are honest.
#[utoipa::path(
    get,
    path = "/v1/admin/quality",
    operation_id = "judge_quality",
    tag = "Admin",
    params(Which),
    responses(
        (status = 200, description = "The figures; one without data is `null`.", body = QualityAnswer),
        (status = 404, description = "There is no such pool.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
async fn judge(
    State(app): State<App>,
    QueryFields(which): QueryFields<Which>,
) -> Result<Json<QualityAnswer>, Problem> {
    let pool = app.service.pool(which.pool.as_ref(), None)?;
    let quality = app.service.judge_quality(&pool).await?;
    Ok(Json(answer(&pool, &quality)))
}
