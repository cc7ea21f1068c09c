use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use tokio::task::spawn_blocking;

use crate::api::{DiagnosticsAnswer, ProblemAnswer, ReloadAnswer, SettingsAnswer};
use crate::http::extract::NoQuery;
use crate::http::middleware::observe::FailedRequests;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::{App, Problem, diagnostics};

/// Get the settings in force
///
/// Returns this instance's settings with their sources, the use of secrets, and the history of each pool's
/// constants. The answer contains no secret.
#[utoipa::path(
    get,
    path = "/v1/admin/settings",
    tag = "Operation",
    responses(
        (status = 200, description = "The settings in force.", body = SettingsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn get_settings(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<SettingsAnswer>, Problem> {
    let pools = app.service.list_pool_settings().await?;
    let in_force = app.reloader.in_force();
    Ok(Json(SettingsAnswer {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        loaded_at: in_force.loaded_at,
        settings: in_force.settings(),
        restart: in_force.restart,
        secrets: app.authenticator.list_secrets(),
        pools,
    }))
}

/// Reload the configuration
///
/// Makes this instance read its configuration and its files of secrets again, as SIGHUP does. Changes that are possible
/// at runtime take effect, above all secrets. The answer names the settings that need a restart.
#[utoipa::path(
    post,
    path = "/v1/admin/reload",
    tag = "Operation",
    responses(
        (status = 200, description = "The settings that changed.", body = ReloadAnswer),
        (status = 409, description = "A setting is invalid; `detail` names it. All settings stay as they were.", body = ProblemAnswer, content_type = PROBLEM_JSON),
        Refusals,
    ),
)]
pub(crate) async fn reload_settings(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<ReloadAnswer>, Problem> {
    let reloading = spawn_blocking(move || app.reloader.reload()).await;
    let reloaded = reloading
        .map_err(|error| {
            tracing::error!(%error, "Reloading the settings failed");
            Problem::internal()
        })?
        .map_err(|problem| {
            let detail = format!("the settings stay unchanged: {problem}");
            Problem::new(StatusCode::CONFLICT, detail)
        })?;
    Ok(Json(reloaded))
}

/// Get facts for a bug report
///
/// Returns a text with versions, sizes, configured settings, pools and the last failed requests of this instance. The
/// text contains no secrets and no players.
#[utoipa::path(
    get,
    path = "/v1/admin/diagnostics",
    tag = "Operation",
    responses(
        (status = 200, description = "The diagnostics as text.", body = DiagnosticsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn get_diagnostics(
    State(app): State<App>,
    Extension(failed): Extension<FailedRequests>,
    NoQuery: NoQuery,
) -> Result<Json<DiagnosticsAnswer>, Problem> {
    let text = diagnostics::text(&app, &failed.lines()).await?;
    Ok(Json(DiagnosticsAnswer { text }))
}
