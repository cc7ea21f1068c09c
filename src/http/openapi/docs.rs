//! The API description, for programs and for people.

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};

use super::openapi_json;

pub(crate) const DESCRIPTION: &str = "/openapi.json";
pub(crate) const PAGE: &str = "/docs";

/// Content security policy that lets the page of the API description load its own files and call its own service.
/// Swagger UI draws its icons from `data:` addresses.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
     connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The OpenAPI description of this API.
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", content_type = "application/json", body = Object)),
)]
pub(crate) async fn describe() -> Response {
    ([(CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// A page that shows the API description and sends trial requests.
#[utoipa::path(
    get,
    path = "/docs",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The page.", content_type = "text/html", body = String)),
)]
pub(crate) async fn show_docs() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, POLICY),
    ];
    let page = include_str!("../../dashboard/docs/index.html");
    (headers, page).into_response()
}
