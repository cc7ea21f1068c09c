//! Errors of the documented table that concern no particular field. `splits::solving` and `outage` test 429 and 503.

use reqwest::Method;
use serde_json::Value;

use crate::http::{assert_nothing_stored, id, raw, round};
use crate::support::{App, SECRET, answered, refused, refused_saying};

same_on_both_databases!(
    a_body_of_256_kib_is_read_and_one_byte_more_is_a_413,
    a_body_over_the_limit_is_a_413_when_it_comes_in_chunks,
    a_body_that_is_not_said_to_be_plain_json_is_a_415,
);

pub(super) fn good() -> Value {
    round("s", "1", "a", &[1], &[2])
}

pub(super) fn post(
    app: &App,
    path: &str,
    body: impl Into<reqwest::Body>,
) -> reqwest::RequestBuilder {
    app.request(Method::POST, path)
        .header("content-type", "application/json")
        .body(body)
}

const LIMIT: usize = 256 * 1024;

/// A valid round of exactly `length` bytes.
fn padded(length: usize) -> String {
    let round = good().to_string();
    let blanks = " ".repeat(length - round.len());
    round + &blanks
}

async fn a_body_of_256_kib_is_read_and_one_byte_more_is_a_413(app: &App) {
    refused(post(app, "/v1/update", padded(LIMIT + 1)), 413).await;
    refused(post(app, "/v1/scramble", vec![b'x'; LIMIT + 1]), 413).await;
    let reset = format!("/v1/admin/players/{}/reset", id(1));
    refused(app.admin(Method::POST, &reset).body(padded(LIMIT + 1)), 413).await;
    assert_nothing_stored(app).await;

    let body = answered(post(app, "/v1/update", padded(LIMIT))).await;
    assert_eq!(body["players"][0]["rounds"], 1);
}

async fn a_body_over_the_limit_is_a_413_when_it_comes_in_chunks(app: &App) {
    // The body never ends, so the answer must not wait for the end.
    let over = answer_to_chunks(app, LIMIT + 1, false).await;
    assert!(over.starts_with("HTTP/1.1 413 "), "{over}");
    assert!(over.contains("application/problem+json"), "{over}");
    assert!(over.contains("\"status\":413"), "{over}");
    assert_nothing_stored(app).await;

    let exact = answer_to_chunks(app, LIMIT, true).await;
    assert!(exact.starts_with("HTTP/1.1 200 "), "{exact}");
}

async fn answer_to_chunks(app: &App, length: usize, to_the_end: bool) -> String {
    let mut request = format!(
        "POST /v1/update HTTP/1.1\r\nhost: rbs\r\nauthorization: Bearer {SECRET}\r\n\
         content-type: application/json\r\ntransfer-encoding: chunked\r\n\
         connection: close\r\n\r\n"
    );
    for chunk in padded(length).as_bytes().chunks(64 * 1024) {
        let chunk = std::str::from_utf8(chunk).expect("nothing but ASCII");
        request.extend([&format!("{:x}\r\n", chunk.len()), chunk, "\r\n"]);
    }
    if to_the_end {
        request += "0\r\n\r\n";
    }
    raw(app, request).await
}

async fn a_body_that_is_not_said_to_be_plain_json_is_a_415(app: &App) {
    let player = format!("/v1/admin/players/{}", id(1));
    let reset = format!("{player}/reset");
    let body = good().to_string();
    for (method, path) in [
        (Method::POST, "/v1/update"),
        (Method::POST, "/v1/scramble"),
        (Method::PUT, &player),
        (Method::POST, &reset),
    ] {
        let request = || app.admin(method.clone(), path).body(body.clone());
        let types = ["text/plain", "application/jsonp", "", "\u{e4}"].map(str::as_bytes);
        let odd = types.map(|kind| request().header("content-type", kind));
        let encoded = ["gzip", "br", "\u{e4}"].map(|encoding| {
            let json = request().header("content-type", "application/json");
            let request = json.header("content-encoding", encoding.as_bytes());
            (request, "send plain JSON without that header")
        });
        let untyped = odd
            .into_iter()
            .chain([request()])
            .map(|request| (request, "Content-Type: application/json"));
        for (request, says) in untyped.chain(encoded) {
            refused_saying(request, 415, says).await;
        }
    }
    assert_nothing_stored(app).await;
    for (number, content_type) in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/vnd.api+json",
    ]
    .iter()
    .enumerate()
    {
        let round = round("s", &number.to_string(), "a", &[1], &[2]);
        let request = app.request(Method::POST, "/v1/update");
        let request = request.header("content-type", *content_type);
        let request = request.header("content-encoding", "identity");
        answered(request.body(round.to_string())).await;
    }
}
