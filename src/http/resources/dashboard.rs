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

/// Where the files of the page are; answered without a secret.
pub(crate) const ASSETS: &str = "/assets/";

/// Where browsers look for the mark of any page that names none.
pub(crate) const FAVICON: &str = "/favicon.ico";

/// Where search engines look for what they may read.
pub(crate) const ROBOTS: &str = "/robots.txt";

/// The pages for everybody may be read, for previews of links too; which of them are found by a search, they say
/// themselves.
const MAY_READ: &str = "\
User-agent: *
Allow: /leaderboard
Allow: /players/
Allow: /assets/public.css
Allow: /assets/icon.svg
Disallow: /
";

/// What the page may do: load its own files and ask its own service, nothing else. No script or
/// style stands in a page, no text becomes markup, and no other page may frame it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// What goes with every file. A browser asks each time whether its copy is still right, so that a
/// new version of the service is never mixed with an old page.
const OF_EVERY_FILE: [(HeaderName, &str); 3] = [
    (header::CACHE_CONTROL, "no-cache"),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// What goes with the page itself, which the others obey.
const OF_THE_PAGE: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
];

/// The page.
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
    // What is no text names no file.
    let path = path.map_or_else(|_| String::new(), |Path(path)| path);
    answer(&path, &headers)
}

fn answer(path: &str, asked: &HeaderMap) -> Response {
    let Some(file) = dashboard::file(path) else {
        return Problem::no_such_path(None).into_response();
    };
    // Weak, since it is the same however the file is compressed.
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
    // Digits in quotation marks always are a header's value.
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    response
}

/// Whether the client has the content of this tag already.
fn is_known(asked: &HeaderMap, tag: &str) -> bool {
    items(asked, header::IF_NONE_MATCH).any(|item| [tag, "*"].contains(&item.text()))
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
