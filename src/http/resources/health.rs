use axum::Json;
use axum::extract::State;

use crate::api::{ProblemAnswer, StatusAnswer};
use crate::http::openapi::PROBLEM_JSON;
use crate::http::{App, Problem};

/// Check that the service runs
#[utoipa::path(
    get,
    path = "/healthz",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The service runs.", body = StatusAnswer)),
)]
pub(crate) async fn health() -> Json<StatusAnswer> {
    Json(StatusAnswer { status: "ok" })
}

/// Check that the service can count rounds
///
/// Returns 200 only if the database answers and its disk has room.
#[utoipa::path(
    get,
    path = "/readyz",
    tag = "Operation",
    security(()),
    responses(
        (status = 200, description = "The database answers and has room for rounds.", body = StatusAnswer),
        (status = 503, description = "The database does not answer, or its disk is full; `detail` says which. Ask again after `Retry-After`.", body = ProblemAnswer, content_type = PROBLEM_JSON),
    ),
)]
pub(crate) async fn readiness(State(app): State<App>) -> Result<Json<StatusAnswer>, Problem> {
    match app.service.check_ready().await {
        Ok(()) => Ok(Json(StatusAnswer { status: "ready" })),
        Err(error) => {
            tracing::warn!(error = ?error, "Not ready");
            let detail = if error.is_disk_full() {
                "the disk of the database is full or not writable; rounds wait until it has room"
            } else {
                "the database does not answer, or answers with an error; the log says why"
            };
            Err(Problem::unavailable(detail))
        }
    }
}
