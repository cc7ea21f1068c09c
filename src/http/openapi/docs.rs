//! The description of the API, for programs and for people. The page is made here, whole: it needs
//! no script and nothing from any other host.

use std::sync::LazyLock;

use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::{description, openapi_json};
use crate::http::App;

/// Where the description stands.
pub(crate) const DESCRIPTION: &str = "/openapi.json";
/// Where the page stands.
pub(crate) const PAGE: &str = "/docs";

/// The page, made once, since the description never changes in a process.
static TEXT: LazyLock<String> = LazyLock::new(|| super::docs_page::page(&description()));

pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(describe))
        .routes(routes!(show))
}

/// This description.
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "describe",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", content_type = "application/json", body = Object)),
)]
async fn describe() -> Response {
    ([(CONTENT_TYPE, "application/json")], openapi_json()).into_response()
}

/// The same as a page to read.
#[utoipa::path(
    get,
    path = "/docs",
    operation_id = "show_docs",
    tag = "Operation",
    security(()),
    responses((status = 200, description = "The page.", content_type = "text/html", body = String)),
)]
async fn show() -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        // Should anything ever slip into the page, it can do nothing.
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'",
        ),
    ];
    (headers, TEXT.as_str()).into_response()
}
