//! The dashboard: its files are public, cached and restricted by a content security policy.

use reqwest::{Method, Response, StatusCode};

use crate::http::raw;
use crate::support::{App, refused};

same_on_both_databases!(
    the_page_and_its_files_need_no_secret,
    the_page_may_do_nothing_but_ask_its_own_service,
    a_copy_that_is_still_right_is_not_sent_again,
    there_is_nothing_beside_the_files,
);

async fn get(app: &App, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = app.bare(Method::GET, path);
    let request = headers.iter().fold(request, |request, (name, value)| {
        request.header(*name, *value)
    });
    request.send().await.expect("an answer")
}

async fn page(app: &App) -> (String, Vec<String>) {
    let page = get(app, "/", &[]).await.text().await.expect("text");
    let named = page.split('"').filter(|text| text.starts_with("/assets/"));
    let named: Vec<String> = named.map(str::to_owned).collect();
    assert_eq!(named.len(), 4, "{named:?}");
    (page, named)
}

async fn the_page_and_its_files_need_no_secret(app: &App) {
    let (text, named) = page(app).await;
    assert!(text.starts_with("<!doctype html>"), "{text}");
    for path in named.iter().map(String::as_str).chain(["/"]) {
        for headers in [&[][..], &[("authorization", "Bearer wrong")]] {
            let response = get(app, path, headers).await;
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            let wanted = match path.rsplit('.').next() {
                Some("js") => "text/javascript; charset=utf-8",
                Some("css") => "text/css; charset=utf-8",
                Some("svg") => "image/svg+xml",
                _ => "text/html; charset=utf-8",
            };
            let headers = response.headers();
            assert_eq!(headers["content-type"], wanted, "{path}");
            assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
            let body = response.bytes().await.expect("a body");
            assert!(!body.is_empty(), "{path} is empty");
        }
    }
}

async fn the_page_may_do_nothing_but_ask_its_own_service(app: &App) {
    let response = get(app, "/", &[]).await;
    let headers = response.headers();
    let policy = headers["content-security-policy"].to_str().expect("text");
    for directive in [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
    ] {
        let said = policy.split(';').any(|said| said.trim() == directive);
        assert!(said, "{directive} is not in {policy}");
    }
    for loophole in ["unsafe", "http:", "https:", "data:", "*"] {
        assert!(!policy.contains(loophole), "{loophole} is in {policy}");
    }
    assert_eq!(headers["referrer-policy"], "no-referrer");
    assert_eq!(headers["x-frame-options"], "DENY");
    let (text, _) = page(app).await;
    for script in text.split("<script").skip(1) {
        assert!(script.contains("></script>"), "a script stands in the page");
    }
    for inline in ["<style", " style=", " onclick=", " onload=", "javascript:"] {
        assert!(!text.contains(inline), "{inline} stands in the page");
    }
}

async fn a_copy_that_is_still_right_is_not_sent_again(app: &App) {
    for path in ["/", "/assets/app.js"] {
        let first = get(app, path, &[]).await;
        assert_eq!(first.headers()["cache-control"], "no-cache", "{path}");
        let tag = first.headers()["etag"].to_str().expect("text").to_owned();
        let again = get(app, path, &[("if-none-match", &tag)]).await;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{path}");
        assert_eq!(again.headers()["etag"], tag.as_str(), "{path}");
        assert!(again.bytes().await.expect("no body").is_empty(), "{path}");
        let other = get(app, path, &[("if-none-match", "W/\"another\"")]).await;
        assert_eq!(other.status(), StatusCode::OK, "{path}");
    }
}

async fn there_is_nothing_beside_the_files(app: &App) {
    for path in ["/assets/nothing.js", "/assets/", "/assets/mod.rs"] {
        refused(app.bare(Method::GET, path), 404).await;
    }
    for path in ["/", "/assets/app.js"] {
        refused(app.admin(Method::POST, path), 405).await;
    }
    // Raw requests, because ordinary clients normalize paths.
    for path in [
        "/assets/../v1/admin/quality",
        "/assets/%2e%2e/v1/admin/quality",
        "/assets/..%2fv1%2fadmin%2fquality",
        "/assets/page/../mod.rs",
        "/assets//etc/passwd",
        "/assets/%ff",
    ] {
        let head = format!("GET {path} HTTP/1.1\r\nhost: rbs\r\nconnection: close\r\n\r\n");
        let answer = raw(app, head).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
    }
}
