//! Error pages of the public addresses, for people. Programs get the error as JSON.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use maud::{Markup, html};

use super::{HEADERS, page};
use crate::http::Problem;

/// Answers with a public page, or with its error as the client reads it.
pub(crate) async fn answer(
    headers: &HeaderMap,
    page: impl Future<Output = Result<Markup, Problem>>,
) -> Response {
    match page.await {
        Ok(page) => (HEADERS, page).into_response(),
        Err(problem) => for_reader(headers, problem),
    }
}

/// Returns an error page to a client that reads HTML, and the problem as JSON to others.
fn for_reader(asked: &HeaderMap, problem: Problem) -> Response {
    let status = problem.status;
    let mut response = problem.into_response();
    if reads_html(asked) {
        let (title, text) = words(status);
        let content = html! {
            main {
                h1 { (title) }
                p { (text) }
            }
        };
        let mut read = (HEADERS, page(title, text, false, &content)).into_response();
        *read.status_mut() = status;
        if let Some(seconds) = response.headers_mut().remove(header::RETRY_AFTER) {
            read.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response = read;
    }
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    response
}

fn reads_html(asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT).into_iter();
    let mut texts = accepted.filter_map(|value| value.to_str().ok());
    texts.any(|text| text.to_ascii_lowercase().contains("text/html"))
}

/// Returns title and advice of an error page for an HTTP status.
fn words(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::NOT_FOUND => (
            "Nothing to see here",
            "There is no public page at this address. It may be mistyped, the community may not show it, or the \
             player has not played here yet.",
        ),
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => (
            "This address is not valid",
            "The address of a player's page ends in a Steam id, written as 76561197960265729, STEAM_0:1:0 or [U:1:1]. \
             Ranks are whole numbers from 1.",
        ),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => (
            "Not available at the moment",
            "The figures cannot be read at the moment. Try again in a few seconds.",
        ),
        _ => (
            "Something went wrong",
            "The page cannot be shown. The operator finds the reason in the server's log.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_a_page_and_programs_the_problem() {
        let answer = |accept: &'static str| {
            let asked = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            let answer = for_reader(&asked, Problem::unavailable("gone"));
            assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(answer.headers()[header::RETRY_AFTER], "5");
            answer.headers()[header::CONTENT_TYPE].clone()
        };
        assert_eq!(
            answer("text/html,application/xhtml+xml"),
            "text/html; charset=utf-8"
        );
        assert_eq!(answer("*/*"), "application/problem+json");
        assert_eq!(answer("application/json"), "application/problem+json");
    }
}
