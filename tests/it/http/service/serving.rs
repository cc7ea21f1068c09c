//! General HTTP behavior: request ids, HEAD, HTTP/2 and shutdown.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode, Version};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::http::{id, ids, round, with};
use crate::support::{App, Instance, SECRET, send, send_for_headers};

same_on_both_databases!(
    a_sane_request_id_is_given_back,
    an_odd_request_id_is_replaced,
    every_answer_has_a_request_id_of_its_own,
    head_answers_as_get_without_a_body,
    http_2_is_spoken_where_the_client_begins_with_it,
    requests_in_flight_are_finished_when_the_service_stops,
    a_client_that_does_not_say_what_it_wants_is_let_go,
);

const NAME: &str = "x-request-id";

async fn a_sane_request_id_is_given_back(app: &App) {
    let longest = "r".repeat(64);
    for given in ["a", "17", "Server-1_round.17", &longest] {
        for request in [
            app.bare(Method::GET, "/healthz"),
            app.bare(Method::GET, "/v1/update"),
            app.request(Method::GET, "/nothing"),
            app.request(Method::POST, "/v1/update"),
        ] {
            let (_, headers, _) = send_for_headers(request.header(NAME, given)).await;
            let ids: Vec<_> = headers.get_all(NAME).iter().collect();
            assert_eq!(ids, [given]);
        }
    }
}

async fn an_odd_request_id_is_replaced(app: &App) {
    let too_long = "r".repeat(65);
    for given in [
        "",
        "a b",
        "a/b",
        "a\tb",
        "{}",
        "\"",
        "\u{1b}[31m".trim_start_matches('\u{1b}'),
        "ä",
        &too_long,
    ] {
        let request = app.bare(Method::GET, "/healthz");
        let (status, headers, _) = send_for_headers(request.header(NAME, given.as_bytes())).await;
        assert_eq!(status, StatusCode::OK);
        let answered = headers[NAME].as_bytes();
        assert_ne!(answered, given.as_bytes());
        assert_eq!(answered.len(), 36, "not a UUID: {headers:?}");
    }
}

async fn every_answer_has_a_request_id_of_its_own(app: &App) {
    let mut seen = std::collections::HashSet::new();
    for path in ["/healthz", "/readyz", "/nothing", "/v1/admin/quality"] {
        for request in [app.bare(Method::GET, path), app.admin(Method::GET, path)] {
            let (_, headers, _) = send_for_headers(request).await;
            assert!(seen.insert(headers[NAME].clone()), "{path}");
        }
    }
}

async fn head_answers_as_get_without_a_body(app: &App) {
    let scramble = json!({"server": "s", "players": ids(1..=4)});
    send(app.request(Method::POST, "/v1/scramble").json(&scramble)).await;
    for path in [
        "/healthz".to_owned(),
        "/readyz".to_owned(),
        "/v1/scramble?server=s".to_owned(),
        "/v1/scramble?server=other".to_owned(),
        "/v1/scramble".to_owned(),
        format!("/v1/players/{}", id(1)),
        format!("/v1/admin/players/{}", id(1)),
        "/v1/admin/quality".to_owned(),
        "/nothing".to_owned(),
    ] {
        let get = app
            .admin(Method::GET, &path)
            .send()
            .await
            .expect("an answer");
        let head = app
            .admin(Method::HEAD, &path)
            .send()
            .await
            .expect("an answer");
        assert_eq!(head.status(), get.status(), "{path}");
        for name in ["content-type", "content-length"] {
            assert_eq!(head.headers().get(name), get.headers().get(name), "{path}");
        }
        let body = head.bytes().await.expect("no body");
        assert!(body.is_empty(), "{path}: {body:?}");
    }
    let head = app.bare(Method::HEAD, "/v1/admin/quality").send().await;
    assert_eq!(head.expect("an answer").status(), StatusCode::UNAUTHORIZED);
    let head = app.request(Method::HEAD, "/v1/admin/quality").send().await;
    assert_eq!(head.expect("an answer").status(), StatusCode::FORBIDDEN);
    let head = app.request(Method::HEAD, "/v1/update").send().await;
    let head = head.expect("an answer");
    assert_eq!(head.status(), StatusCode::METHOD_NOT_ALLOWED);
    assert_eq!(head.headers()["allow"], "POST");
}

async fn http_2_is_spoken_where_the_client_begins_with_it(app: &App) {
    let client = Client::builder()
        .no_proxy()
        .http2_prior_knowledge()
        .build()
        .expect("a client");
    let response = client
        .post(format!("{}/v1/update", app.first.address))
        .bearer_auth(SECRET)
        .json(&round("s", "1", "a", &[1], &[2]))
        .send()
        .await
        .expect("an answer");
    assert_eq!(response.version(), Version::HTTP_2);
    assert_eq!(response.status(), StatusCode::OK);
    let text = response.text().await.expect("a body");
    let first: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let again = app.counted(&round("s", "1", "a", &[1], &[2])).await;
    assert_eq!(again, with(first, json!({"duplicate": true})));
}

async fn requests_in_flight_are_finished_when_the_service_stops(app: &App) {
    let leaving = Instance::start(&app.settings, app.clock.clone()).await;
    let mut requests = tokio::task::JoinSet::new();
    for number in 0..8 {
        let sent = round("s", &number.to_string(), "a", &[1], &[2]);
        let request = app.request_to(&leaving.address, Method::POST, "/v1/update");
        requests.spawn(request.json(&sent).send());
    }
    // The first answer proves that the service works; others may still be in flight.
    let first = requests.join_next().await.expect("a request");
    let first = first.expect("no panic").expect("an answer");
    assert_eq!(first.status(), StatusCode::OK);
    leaving.stop().await;
    let mut answered = 1;
    while let Some(outcome) = requests.join_next().await {
        // The operating system refuses connections that were not accepted in time.
        if let Ok(response) = outcome.expect("no panic") {
            assert_eq!(response.status(), StatusCode::OK);
            answered += 1;
        }
    }
    let counted = app.get("/v1/admin/quality").await["rounds"].clone();
    assert_eq!(counted, answered, "a round was counted and not answered");
}

async fn a_client_that_does_not_say_what_it_wants_is_let_go(app: &App) {
    let address = app.first.address.trim_start_matches("http://");
    // No bytes, prefixes that fit HTTP/1 and HTTP/2, and an incomplete head of each.
    for said in ["", "P", "PRI * HTTP/2.0\r\n", "POST /v1/update HT"] {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(said.as_bytes()).await.expect("it is sent");
        let mut answer = Vec::new();
        let ended = stream.read_to_end(&mut answer);
        let _how = tokio::time::timeout(Duration::from_secs(20), ended)
            .await
            .unwrap_or_else(|_| panic!("a client that said {said:?} is held for ever"));
        assert!(!answer.starts_with(b"HTTP/1.1 2"), "{answer:?}");
    }
    let (status, _) = send(app.bare(Method::GET, "/healthz")).await;
    assert_eq!(status, StatusCode::OK);
}
