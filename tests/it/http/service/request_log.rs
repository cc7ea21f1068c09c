//! What an instance remembers of the requests that it answered.

use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::http::id;
use crate::support::{App, Instance, refused, send};

on_both_databases!(
    the_slowest_requests_are_named_by_their_route,
    failures_are_named_and_the_answers_of_another_instance_are_not,
);

async fn the_slowest_requests_are_named_by_their_route(app: &App) {
    let path = format!("/v1/players/{}", id(1));
    let named = app
        .request(Method::GET, &path)
        .header("x-request-id", "my-own");
    assert_eq!(send(named).await.0, StatusCode::OK);
    for _ in 0..25 {
        refused(app.request(Method::GET, "/nowhere"), 404).await;
    }
    refused(app.request(Method::GET, "/v1/admin/requests"), 403).await;
    refused(app.admin(Method::GET, "/v1/admin/requests?limit=1"), 422).await;

    let log = app.get("/v1/admin/requests").await;
    assert_eq!(log["since"], "2026-11-20T12:00:00Z");
    assert_eq!(log["errors"], Value::Array(Vec::new()), "{log}");
    let slowest = log["slowest"].as_array().expect("a list");
    assert_eq!(slowest.len(), 20, "{log}");
    let times: Vec<f64> = slowest
        .iter()
        .map(|request| request["milliseconds"].as_f64().expect("a number"))
        .collect();
    assert!(
        times.is_sorted_by(|slower, faster| slower >= faster),
        "{log}"
    );
    let mut lookups = slowest
        .iter()
        .filter(|request| request["route"] == "/v1/players/{id}");
    let lookup = lookups
        .next()
        .expect("what asks the database is among the slowest");
    assert_eq!(lookup["request_id"], "my-own");
    assert_eq!(lookup["method"], "GET");
    assert_eq!(lookup["status"], 200);
    assert_eq!(lookup["at"], "2026-11-20T12:00:00Z");
    assert!(!log.to_string().contains("nowhere"), "{log}");
}

async fn failures_are_named_and_the_answers_of_another_instance_are_not(app: &App) {
    let other = app.another_instance().await;
    let closed = Instance::start(&app.settings, app.clock.clone()).await;
    closed.service.close().await;
    let lookup = format!("/v1/players/{}", id(1));
    refused(app.request_to(&closed.address, Method::GET, &lookup), 503).await;

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
