use axum::Json;
use axum::extract::State;

use crate::api::{ProblemAnswer, StatusAnswer};
use crate::http::openapi::PROBLEM_JSON;
use crate::http::{App, Problem};

/// Whether the service runs.
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "It runs.", body = StatusAnswer)),
)]
pub(crate) async fn health() -> Json<StatusAnswer> {
    Json(StatusAnswer { status: "ok" })
}

/// Says if the service can count rounds: 200 only while the database answers and its disk has room.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "The database answers and has room for rounds.", body = StatusAnswer),
        (status = 503, description = "The database does not answer or its disk is full, as `detail` says; `Retry-After` states when to ask again.", body = ProblemAnswer, content_type = PROBLEM_JSON),
    ),
)]
pub(crate) async fn readiness(State(app): State<App>) -> Result<Json<StatusAnswer>, Problem> {
    match app.service.check_ready().await {
        Ok(()) => Ok(Json(StatusAnswer { status: "ready" })),
        Err(error) => {
            tracing::warn!(error = ?error, "Not ready");
            let detail = if error.is_disk_full() {
                "the disk of the database is full, or refuses to be written to; rounds wait until it has room"
            } else {
                "the database does not answer, or not as it should; the log says why"
            };
            Err(Problem::unavailable(detail))
        }
    }
}
