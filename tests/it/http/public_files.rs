//! Files that browsers and search engines request without a secret.

use reqwest::header::CONTENT_TYPE;
use reqwest::{Method, StatusCode};

use crate::support::App;

same_on_both_databases!(browsers_get_what_they_ask_for_by_themselves);

async fn browsers_get_what_they_ask_for_by_themselves(app: &App) {
    for (path, kind) in [
        ("/favicon.ico", "image/svg+xml"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/assets/public.css", "text/css; charset=utf-8"),
    ] {
        let answer = app.bare(Method::GET, path).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        assert_eq!(answer.headers()[CONTENT_TYPE], kind, "{path}");
    }
}
