//! General HTTP behavior: request ids, HEAD, HTTP/2, and clients that say nothing.

use std::time::Duration;

use reqwest::{Client, Method, StatusCode, Version};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::http::{id, ids, round, with};
use crate::support::{App, SECRET, answered, send, send_for_headers};

same_on_both_databases!(
    a_sane_request_id_is_given_back_and_an_odd_one_replaced,
    head_answers_as_get_without_a_body,
    http_2_is_spoken_where_the_client_begins_with_it,
    a_client_that_does_not_say_what_it_wants_is_let_go,
);

const NAME: &str = "x-request-id";

async fn a_sane_request_id_is_given_back_and_an_odd_one_replaced(app: &App) {
    let (longest, too_long) = ("r".repeat(64), "r".repeat(65));
    for (given, is_sane) in [
        ("17", true),
        ("Server-1_round.17", true),
        (longest.as_str(), true),
        ("", false),
        ("a b", false),
        ("a/b", false),
        ("a\tb", false),
        ("\"", false),
        ("[31m", false),
        ("ä", false),
        (&too_long, false),
    ] {
        for request in [
            app.bare(Method::GET, "/healthz"),
            app.bare(Method::GET, "/v1/update"),
            app.request(Method::POST, "/v1/update"),
        ] {
            let request = request.header(NAME, given.as_bytes());
            let (_, headers, _) = send_for_headers(request).await;
            let ids: Vec<_> = headers.get_all(NAME).iter().collect();
            assert_eq!(ids.len(), 1, "{headers:?}");
            assert_eq!(ids[0].as_bytes() == given.as_bytes(), is_sane, "{ids:?}");
            assert!(is_sane || ids[0].len() == 36, "not a UUID: {headers:?}");
        }
    }
}

async fn head_answers_as_get_without_a_body(app: &App) {
    let scramble = json!({"server": "s", "players": ids(1..=4)});
    send(app.request(Method::POST, "/v1/scramble").json(&scramble)).await;
    let player = format!("/v1/players/{}", id(1));
    for path in [
        "/healthz",
        "/v1/scramble?server=s",
        "/v1/scramble?server=other",
        "/v1/scramble",
        &player,
        "/v1/admin/quality",
        "/nothing",
    ] {
        let ask = async |method| {
            let answer = app.admin(method, path).send().await;
            answer.expect("an answer")
        };
        let (get, head) = (ask(Method::GET).await, ask(Method::HEAD).await);
        assert_eq!(head.status(), get.status(), "{path}");
        for name in ["content-type", "content-length"] {
            assert_eq!(head.headers().get(name), get.headers().get(name), "{path}");
        }
        let body = head.bytes().await.expect("no body");
        assert!(body.is_empty(), "{path}: {body:?}");
    }
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
    let first: Value = serde_json::from_str(&text).expect("JSON");
    let again = app.counted(&round("s", "1", "a", &[1], &[2])).await;
    assert_eq!(again, with(first, json!({"duplicate": true})));
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
    answered(app.bare(Method::GET, "/healthz")).await;
}
