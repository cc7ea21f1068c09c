//! What an instance remembers of the requests that it answered.

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::http::id;
use crate::support::{App, Instance, refused, send};

same_on_both_databases!(
    what_is_fast_and_what_pages_ask_for_by_themselves_is_not_listed,
    failures_are_named_and_the_answers_of_another_instance_are_not,
);

async fn what_is_fast_and_what_pages_ask_for_by_themselves_is_not_listed(app: &App) {
    for _ in 0..25 {
        refused(app.request(Method::GET, "/nowhere"), 404).await;
    }
    refused(app.request(Method::GET, "/v1/admin/requests"), 403).await;
    refused(app.admin(Method::GET, "/v1/admin/requests?limit=1"), 422).await;

    let log = app.get("/v1/admin/requests").await;
    assert_eq!(log["since"], "2026-11-20T12:00:00Z");
    assert_eq!(log["errors"], Value::Array(Vec::new()), "{log}");
    let slowest = log["slowest"].as_array().expect("a list");
    // How fast this machine is just now is not known.
    let is_news = |request: &Value| request["milliseconds"].as_f64() >= Some(100.0);
    assert!(slowest.len() <= 20 && slowest.iter().all(is_news), "{log}");
    assert!(!log.to_string().contains("nowhere"), "{log}");
    assert!(!log.to_string().contains("/v1/admin/"), "{log}");
}

async fn failures_are_named_and_the_answers_of_another_instance_are_not(app: &App) {
    let other = app.another_instance().await;
    let closed = Instance::start(&app.settings, app.clock.clone()).await;
    closed.service.close().await;
    let lookup = format!("/v1/players/{}", id(1));
    let failing = app.request_to(&closed.address, Method::GET, &lookup);
    refused(failing.header("x-request-id", "my-own"), 503).await;

    let (status, log) = send(
        app.bare_to(&closed.address, Method::GET, "/v1/admin/requests")
            .bearer_auth(crate::support::ADMIN_SECRET),
    )
    .await;
    assert_eq!(status, StatusCode::OK);
    let errors = log["errors"].as_array().expect("a list");
    assert_eq!(errors.len(), 1, "{log}");
    assert_eq!(errors[0]["status"], 503);
    assert_eq!(errors[0]["route"], "/v1/players/{id}");
    assert_eq!(errors[0]["request_id"], "my-own");
    assert_eq!(errors[0]["method"], "GET");
    assert_eq!(errors[0]["at"], "2026-11-20T12:00:00Z");
    let metrics = app.request_to(&closed.address, Method::GET, "/metrics");
    let metrics = metrics.send().await.expect("an answer");
    let metrics = metrics.text().await.expect("a text");
    assert!(metrics.contains("\nrbs_database_up 0\n"), "{metrics}");

    let (_, log) = send(
        app.bare_to(&other, Method::GET, "/v1/admin/requests")
            .bearer_auth(crate::support::ADMIN_SECRET),
    )
    .await;
    assert_eq!(log["errors"], Value::Array(Vec::new()), "{log}");
    closed.stop().await;
}
