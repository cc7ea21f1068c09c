use axum::Router;
use axum::body::Body;
use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::dashboard;
use crate::http::accept::items;
use crate::http::{App, Problem};

/// Path prefix of the dashboard's files, which need no secret.
pub(crate) const ASSETS: &str = "/assets/";

/// Path of the icon that browsers request for pages without one.
pub(crate) const FAVICON: &str = "/favicon.ico";

/// Path of the rules for web crawlers.
pub(crate) const ROBOTS: &str = "/robots.txt";

/// Rules for web crawlers. Crawlers may fetch the public pages, also for link previews. Each page states
/// itself whether search engines may index it.
const MAY_READ: &str = "\
User-agent: *
Allow: /leaderboard
Allow: /players/
Allow: /matches/
Allow: /assets/public.css
Allow: /assets/icon.svg
Disallow: /
";

/// Content security policy of the dashboard. The page loads only its own files and requests only its own service.
/// Inline scripts and styles are forbidden, strings never become markup, and no other page may frame the dashboard.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// Headers of every dashboard file. Browsers revalidate their copies with each request, so files of different versions
/// are never mixed.
const OF_EVERY_FILE: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Additional headers of the dashboard's HTML page. The page's policies apply to its other files as well.
const OF_THE_PAGE: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

const PAGE: &str = "index.html";

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/", get(async |headers: HeaderMap| answer(PAGE, &headers)))
        .route(
            FAVICON,
            get(async |headers: HeaderMap| answer("icon.svg", &headers)),
        )
        .route("/assets/{*path}", get(asset))
        .route(ROBOTS, get(async || MAY_READ))
}

async fn asset(path: Result<Path<String>, PathRejection>, headers: HeaderMap) -> Response {
    // A path that is not UTF-8 names no file.
    let path = path.map_or_else(|_| String::new(), |Path(path)| path);
    answer(&path, &headers)
}

fn answer(path: &str, asked: &HeaderMap) -> Response {
    let Some(file) = dashboard::file(path) else {
        return Problem::no_such_path(None).into_response();
    };
    // Weak, because the tag does not depend on the compression.
    let tag = format!("W/\"{:032x}\"", file.digest);
    let mut response = if is_known(asked, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        (
            [(header::CONTENT_TYPE, file.content_type)],
            Body::from(file.content),
        )
            .into_response()
    };
    let headers = response.headers_mut();
    let of_the_page = OF_THE_PAGE.into_iter().filter(|_| path == PAGE);
    for (name, value) in OF_EVERY_FILE.into_iter().chain(of_the_page) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A quoted string of digits is always a valid header value.
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Returns `true` if the client already has the file with this entity tag.
fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    items(asked, header::IF_NONE_MATCH).any(|item| [tag, "*"].contains(&item.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asking(name: HeaderName, value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_static(value))])
    }

    #[test]
    fn a_copy_is_known_by_its_tag() {
        let knows = |value| is_known(&asking(header::IF_NONE_MATCH, value), "W/\"a\"");
        for value in ["W/\"a\"", "W/\"b\", W/\"a\"", "*"] {
            assert!(knows(value), "{value}");
        }
        for value in ["W/\"b\"", "a"] {
            assert!(!knows(value), "{value}");
        }
    }
}
