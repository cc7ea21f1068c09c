use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use serde_json::{Value, json};

use super::{App, Problem};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/healthz", get(async || Json(json!({"status": "ok"}))))
        .route("/readyz", get(ready))
}

/// Whether the service can count rounds: 200 only while the database answers.
async fn ready(State(app): State<App>) -> Result<Json<Value>, Problem> {
    match app.service.check_ready().await {
        Ok(()) => Ok(Json(json!({"status": "ready"}))),
        Err(error) => {
            tracing::warn!(error = ?error, "Not ready");
            Err(Problem::unavailable(
                "the database does not answer, or not as it should; the log says why",
            ))
        }
    }
}
