//! Errors of the documented table that concern no particular field. `splits::solving` and `outage` test 429 and 503.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, raw, round, with};
use crate::support::{App, SECRET, refused, send};

same_on_both_databases!(
    a_body_of_256_kib_is_read_and_one_byte_more_is_a_413,
    a_body_over_the_limit_is_a_413_when_it_comes_in_chunks,
    a_body_that_is_not_said_to_be_json_is_a_415,
    a_body_that_is_encoded_is_a_415,
    a_path_that_is_nearly_there_is_answered_with_that_one,
    a_pool_that_is_not_configured_is_a_404,
    a_method_that_a_path_does_not_take_is_a_405_with_those_that_it_takes,
    a_round_id_of_another_round_is_a_409,
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

    let (status, body) = send(post(app, "/v1/update", padded(LIMIT))).await;
    assert_eq!(status.as_u16(), 200, "{body}");
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

async fn a_body_that_is_not_said_to_be_json_is_a_415(app: &App) {
    let scramble = json!({"server": "s", "players": []}).to_string();
    let player = format!("/v1/admin/players/{}", id(1));
    let reset = format!("{player}/reset");
    for (method, path, body) in [
        (Method::POST, "/v1/update", good().to_string()),
        (Method::POST, "/v1/scramble", scramble),
        (Method::PUT, player.as_str(), "{\"rating\":1500}".to_owned()),
        (Method::POST, reset.as_str(), "{}".to_owned()),
    ] {
        let types = [
            None,
            Some("text/plain"),
            Some("application/x-www-form-urlencoded"),
            Some("application/jsonp"),
            Some(""),
            Some("\u{e4}"),
        ];
        for content_type in types {
            let request = app.admin(method.clone(), path).body(body.clone());
            let request = match content_type {
                Some(content_type) => request.header("content-type", content_type.as_bytes()),
                None => request,
            };
            let (_, problem) = refused(request, 415).await;
            let detail = problem["detail"].as_str().unwrap_or_default();
            assert!(detail.contains("Content-Type: application/json"), "{path}");
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
        let (status, body) = send(request.body(round.to_string())).await;
        assert_eq!(status.as_u16(), 200, "{content_type}: {body}");
    }
}

async fn a_body_that_is_encoded_is_a_415(app: &App) {
    for encoding in ["gzip", "br", "\u{e4}"] {
        let request = post(app, "/v1/update", good().to_string());
        let request = request.header("content-encoding", encoding.as_bytes());
        let (_, problem) = refused(request, 415).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains("send plain JSON without that header"),
            "{problem}"
        );
    }
    assert_nothing_stored(app).await;
    let request = post(app, "/v1/update", good().to_string());
    let (status, _) = send(request.header("content-encoding", "identity")).await;
    assert_eq!(status.as_u16(), 200);
}

async fn a_path_that_is_nearly_there_is_answered_with_that_one(app: &App) {
    for (path, says) in [
        ("/v1/update/", "; did you mean /v1/update? /docs lists"),
        ("/update", "; did you mean /v1/update? /docs lists"),
        ("/v1/scrambles", "; did you mean /v1/scramble? /docs lists"),
        ("/v1/player", "; did you mean /v1/players? /docs lists"),
        (
            "/v1/nothing/of/this",
            "this path does not exist; /docs lists",
        ),
    ] {
        let (_, problem) = refused(app.admin(Method::POST, path), 404).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(says), "{path}: {problem}");
    }
}

async fn a_pool_that_is_not_configured_is_a_404(app: &App) {
    let player = id(1);
    for path in [
        format!("/v1/players/{player}?pool=duel"),
        format!("/v1/players/{player}?pool=duel&server=arena-1"),
        format!("/v1/admin/players/{player}?pool=duel"),
        "/v1/admin/quality?pool=duel".to_owned(),
    ] {
        let (_, problem) = refused(app.admin(Method::GET, &path), 404).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("\"duel\""), "{path}: {problem}");
    }
    let path = format!("/v1/admin/players/{player}?pool=duel");
    let set = app.admin(Method::PUT, &path);
    refused(set.json(&json!({"rating": 1500})), 404).await;
    let path = format!("/v1/admin/players/{player}/reset?pool=duel");
    refused(app.admin(Method::POST, &path), 404).await;
    let elsewhere = with(good(), json!({"pool": "duel"})).to_string();
    refused(post(app, "/v1/update", elsewhere), 404).await;
    assert_nothing_stored(app).await;
}

async fn a_method_that_a_path_does_not_take_is_a_405_with_those_that_it_takes(app: &App) {
    let player = format!("/v1/players/{}", id(1));
    let admin_player = format!("/v1/admin/players/{}", id(1));
    let reset = format!("{admin_player}/reset");
    let paths: [(&str, &[&str]); 9] = [
        ("/v1/update", &["POST"]),
        ("/v1/scramble", &["GET", "HEAD", "POST"]),
        (&player, &["GET", "HEAD"]),
        (&admin_player, &["GET", "HEAD", "PUT"]),
        (&reset, &["POST"]),
        ("/v1/admin/quality", &["GET", "HEAD"]),
        ("/", &["GET", "HEAD"]),
        ("/healthz", &["GET", "HEAD"]),
        ("/readyz", &["GET", "HEAD"]),
    ];
    for (path, taken) in paths {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"] {
            if taken.contains(&method) {
                continue;
            }
            let method = Method::from_bytes(method.as_bytes()).expect("a method");
            let (headers, problem) = refused(app.admin(method.clone(), path), 405).await;
            let named: Vec<_> = taken
                .iter()
                .copied()
                .filter(|name| *name != "HEAD")
                .collect();
            let says = format!("; use {}", named.join(" or "));
            assert!(
                problem["detail"]
                    .as_str()
                    .is_some_and(|detail| detail.ends_with(&says)),
                "{problem}"
            );
            let allow = headers["allow"].to_str().expect("text").split(',');
            let mut allow: Vec<_> = allow.map(str::trim).collect();
            allow.sort_unstable();
            assert_eq!(allow, taken, "{method} {path}");
        }
    }
    assert_nothing_stored(app).await;
}

async fn a_round_id_of_another_round_is_a_409(app: &App) {
    let first = app.counted(&good()).await;
    for (other, says) in [
        (json!({"winner": "b"}), "(winner differs from it)"),
        (
            json!({"winner": "draw", "team_a": [id(3)]}),
            "(winner and team_a differ from it)",
        ),
        (
            json!({"map": "m", "ended_at": 5, "team_b": [id(3)]}),
            "(map, ended_at and team_b differ from it)",
        ),
    ] {
        let sent = with(good(), other);
        let request = app.request(Method::POST, "/v1/update").json(&sent);
        let (_, problem) = refused(request, 409).await;
        let detail = problem["detail"].as_str().unwrap_or_default();
        for part in ["\"1\"", "\"s\"", says] {
            assert!(detail.contains(part), "{part}: {problem}");
        }
    }
    assert_eq!(
        app.counted(&good()).await,
        with(first, json!({"duplicate": true}))
    );
}
