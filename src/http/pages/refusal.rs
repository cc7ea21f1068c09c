//! What people read where a page for everybody cannot be shown. Programs get the same problem as everywhere.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use maud::html;

use super::{HEADERS, Head, page};
use crate::http::Problem;

/// The problem as an answer: a page for those who read HTML, else as it is.
pub(crate) fn for_reader(asked: &HeaderMap, problem: Problem) -> Response {
    let status = problem.status();
    let mut response = problem.into_response();
    if reads_html(asked) {
        let (title, text) = words(status);
        let head = Head {
            title,
            description: text,
            kind: "website",
            is_indexed: false,
        };
        let content = html! {
            main {
                h1 { (title) }
                p { (text) }
            }
        };
        let mut read = (HEADERS, page(&head, &content)).into_response();
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

/// Whether who asks is a person with a browser.
fn reads_html(asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT).into_iter();
    let mut texts = accepted.filter_map(|value| value.to_str().ok());
    texts.any(|text| text.to_ascii_lowercase().contains("text/html"))
}

/// A title, and what to do.
fn words(status: StatusCode) -> (&'static str, &'static str) {
    match status {
        StatusCode::NOT_FOUND => (
            "Nothing to see here",
            "No leaderboard or player is shown to everybody at this address. Perhaps it is mistyped, the community \
             does not show it, or the player has not played here yet.",
        ),
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::BAD_REQUEST => (
            "This address is not understood",
            "A player's address ends in a Steam id: 76561197960265729, STEAM_0:1:0 and [U:1:1] are the ways to write \
             one. Ranks are whole numbers from 1.",
        ),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => (
            "Not available at the moment",
            "The figures cannot be read just now. Try again in some seconds.",
        ),
        _ => (
            "Something went wrong",
            "The page cannot be shown. The server's log says why; whoever runs it can look there.",
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
