use axum::Json;
use axum::extract::State;
use qrcode::{Color, EcLevel, QrCode};

use crate::api::{LoginLinkAnswer, LoginLinkRequest};
use crate::http::extract::{JsonBody, NoQuery};
use crate::http::middleware::caller::Caller;
use crate::http::openapi::BodyRefusals;
use crate::http::{App, Problem};

/// Make a login link
///
/// Returns a link that opens the dashboard once, within five minutes, at every instance. The session has the rights of
/// the secret that made the link, and ends when that secret is removed. A link that a session of the dashboard made
/// does not outlast that session's twelve hours.
#[utoipa::path(
    post,
    path = "/v1/admin/login-links",
    tag = "Operation",
    request_body = LoginLinkRequest,
    responses(
        (status = 200, description = "The link, and its QR code.", body = LoginLinkAnswer),
        BodyRefusals,
    ),
)]
pub(crate) async fn make_login_link(
    State(app): State<App>,
    caller: Caller,
    NoQuery: NoQuery,
    JsonBody(LoginLinkRequest { address }): JsonBody<LoginLinkRequest>,
) -> Result<Json<LoginLinkAnswer>, Problem> {
    let made = app
        .authenticator
        .make_log_in_link(Some(&caller), app.service.now());
    let (token, expires_at) = made.map_err(|error| {
        tracing::error!(%error, "Cannot make a log-in link");
        Problem::internal()
    })?;
    let url = format!("{}/#/enter/{token}", address.trim_end_matches('/'));
    let is_web = address.starts_with("https://") || address.starts_with("http://");
    // The lowest level of error correction needs the fewest modules, and screens stay clean.
    let code = QrCode::with_error_correction_level(&url, EcLevel::L)
        .ok()
        .filter(|_| is_web && address.len() <= 2000)
        .ok_or_else(|| {
            let detail =
                "is not a web address; send the address of RBS, such as https://rbs.example.org";
            Problem::invalid_field("/address", detail)
        })?;
    let row = |row: &[Color]| row.iter().map(|module| module.select('1', '0')).collect();
    let qr = code.to_colors().chunks(code.width()).map(row).collect();
    Ok(Json(LoginLinkAnswer {
        url,
        expires_at,
        qr,
    }))
}
