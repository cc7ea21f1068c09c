use axum::Json;
use axum::extract::State;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{ProblemAnswer, StatusAnswer};
use crate::http::openapi::PROBLEM_JSON;
use crate::http::{App, Problem};

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(alive))
        .routes(routes!(ready))
}

/// Whether the service runs.
#[utoipa::path(
    get,
    path = "/healthz",
    operation_id = "health",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "It runs.", body = StatusAnswer)),
)]
async fn alive() -> Json<StatusAnswer> {
    Json(StatusAnswer { status: "ok" })
}

/// Whether the service can count rounds: 200 only while the database answers.
#[utoipa::path(
    get,
    path = "/readyz",
    operation_id = "readiness",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "The database answers.", body = StatusAnswer),
        (status = 503, description = "It does not; `Retry-After` says when to ask again.", body = ProblemAnswer, content_type = PROBLEM_JSON),
    ),
)]
async fn ready(State(app): State<App>) -> Result<Json<StatusAnswer>, Problem> {
    match app.service.check_ready().await {
        Ok(()) => Ok(Json(StatusAnswer { status: "ready" })),
        Err(error) => {
            tracing::warn!(error = ?error, "Not ready");
            Err(Problem::unavailable(
                "the database does not answer, or not as it should; the log says why",
            ))
        }
    }
}
