use axum::extract::State;
use axum::http::StatusCode;
use axum::{Extension, Json};
use tokio::task::spawn_blocking;

use crate::api::{DiagnosticsAnswer, ProblemAnswer, ReloadAnswer, SettingsAnswer};
use crate::http::extract::NoQuery;
use crate::http::middleware::failed_requests::FailedRequests;
use crate::http::openapi::{PROBLEM_JSON, Refusals};
use crate::http::reload::SettingsInForce;
use crate::http::{App, Problem, diagnostics};

/// The settings that this instance runs with and where each comes from, which secrets are used, and since when each pool
/// has been rated by which constants. No secret is among them.
#[utoipa::path(
    get,
    path = "/v1/admin/settings",
    tag = "Operation",
    responses(
        (status = 200, description = "What is in force.", body = SettingsAnswer),
        Refusals,
    ),
)]
pub(crate) async fn get_settings(
    State(app): State<App>,
    NoQuery: NoQuery,
) -> Result<Json<SettingsAnswer>, Problem> {
    let pools = app.service.list_pool_settings().await?;
    let SettingsInForce {
        settings,
        restart,
        loaded_at,
    } = app.reloader.settings();
    Ok(Json(SettingsAnswer {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        loaded_at,
        settings,
        restart,
        secrets: app.authenticator.list_secrets(),
        pools,
    }))
}

/// Has this instance read its configuration and the files of its secrets again, as SIGHUP does. What can change while it
/// runs holds from then on, secrets above all; the answer names what a restart has to apply.
#[utoipa::path(
    post,
    path = "/v1/admin/reload",
    tag = "Operation",
    responses(
        (status = 200, description = "What has changed.", body = ReloadAnswer),
        (status = 409, description = "The settings make no sense; `detail` names the one that does not, and everything stays as it was.", body = ProblemAnswer, content_type = PROBLEM_JSON),
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
            tracing::error!(%error, "Reading the settings again broke off");
            Problem::internal()
        })?
        .map_err(|problem| {
            let detail = format!("the settings stay as they were: {problem}");
            Problem::new(StatusCode::CONFLICT, detail)
        })?;
    Ok(Json(reloaded))
}

/// What a bug report should have of this instance, as a text to paste: versions, sizes, settings that are set, pools, and
/// the last requests that failed. No secret is in it, and no player.
#[utoipa::path(
    get,
    path = "/v1/admin/diagnostics",
    tag = "Operation",
    responses(
        (status = 200, description = "The text.", body = DiagnosticsAnswer),
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
