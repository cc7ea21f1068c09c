use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use reqwest::{Method, Response, StatusCode};
use serde_json::json;

use crate::http::ids;
use crate::support::App;

same_on_both_databases!(
    large_answers_are_compressed_for_those_who_take_it,
    small_answers_and_files_that_are_compressed_already_are_left_alone,
);

async fn scramble(app: &App, players: u64, takes: Option<&str>) -> Response {
    let body = json!({"server": "s", "players": ids(1..=players)});
    let request = app.request(Method::POST, "/v1/scramble").json(&body);
    let request = match takes {
        Some(takes) => request.header(ACCEPT_ENCODING, takes),
        None => request,
    };
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(response.headers()[CONTENT_TYPE], "application/json");
    response
}

fn unzipped(body: &[u8]) -> Vec<u8> {
    let mut unzipped = Vec::new();
    let read = GzDecoder::new(body).read_to_end(&mut unzipped);
    read.expect("gzip, and only once");
    unzipped
}

async fn large_answers_are_compressed_for_those_who_take_it(app: &App) {
    let plain = scramble(app, 24, None).await;
    assert!(!plain.headers().contains_key(CONTENT_ENCODING));
    let plain = plain.bytes().await.expect("a body");
    let zipped = scramble(app, 24, Some("deflate, gzip;q=0.5")).await;
    assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
    let vary = zipped.headers()[VARY].to_str().expect("a text");
    assert!(vary.eq_ignore_ascii_case("accept-encoding"), "{vary}");
    let zipped = zipped.bytes().await.expect("a body");
    let lengths = (zipped.len(), plain.len());
    assert!(lengths.0 * 4 < lengths.1, "{lengths:?}");
    assert_eq!(unzipped(&zipped), plain);
    for takes in ["identity", "gzip;q=0", "br"] {
        let response = scramble(app, 24, Some(takes)).await;
        let encoding = response.headers().get(CONTENT_ENCODING);
        assert_eq!(encoding, None, "{takes}");
    }
}

async fn small_answers_and_files_that_are_compressed_already_are_left_alone(app: &App) {
    let small = scramble(app, 4, Some("gzip")).await;
    assert!(!small.headers().contains_key(CONTENT_ENCODING));
    let get = async |path: &str, takes: &str| {
        let request = app.bare(Method::GET, path).header(ACCEPT_ENCODING, takes);
        request.send().await.expect("an answer")
    };
    let page = get("/assets/app.css", "gzip").await;
    assert_eq!(page.headers().get_all(CONTENT_ENCODING).iter().count(), 1);
    assert_eq!(page.headers().get_all(VARY).iter().count(), 1);
    let plain = get("/assets/app.css", "identity").await;
    let tags = [&page, &plain].map(|answer| answer.headers()[ETAG].clone());
    assert_eq!(tags[0], tags[1], "weak, so the same for both");
    let zipped = page.bytes().await.expect("a body");
    assert_eq!(unzipped(&zipped), plain.bytes().await.expect("a body"));
}
