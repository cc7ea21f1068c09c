//! Clients that take all they can get: others have their turns.

use std::time::Duration;

use rbs::config::Settings;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::limits::LONG;
use crate::http::{id, ids};
use crate::support::{ADMIN_SECRET, App, Instance, send, settings_with_secrets};

on_both_databases!(
    a_flood_of_large_splits_from_one_secret_refuses_no_other,
    a_closed_connection_ends_its_computation,
);

const GREEDY: &str = "the-secret-of-a-greedy-one";
const MODEST: &str = "the-secret-of-a-modest-one";

fn settings(app: &App) -> Settings {
    let secrets = format!("{GREEDY},{MODEST}");
    settings_with_secrets(app.settings.database.clone(), &secrets, Some(ADMIN_SECRET))
}

fn scramble(app: &App, to: &Instance, secret: &str, question: &Value) -> RequestBuilder {
    let request = app.bare_to(&to.address, Method::POST, "/v1/scramble");
    request.bearer_auth(secret).json(question)
}

/// A service that computes one table at a time, and questions to it that take minutes without optimisation.
async fn solving(app: &App) -> (Instance, impl Fn(usize) -> Value) {
    for number in 1..=100 {
        let path = format!("/v1/admin/players/{}", id(number));
        let rating = json!({"rating": 100 + number * 7919 % 9901});
        let (status, answer) = send(app.admin(Method::PUT, &path).json(&rating)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let service = app.first.service.clone().with_solvers(1);
    let instance = Instance::over(service, &settings(app)).await;
    let question =
        |tolerance| json!({"server": "s", "players": ids(1..=100), "tolerance": tolerance});
    (instance, question)
}

async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, waiting)
        .await
        .expect("it comes about");
}

async fn a_flood_of_large_splits_from_one_secret_refuses_no_other(app: &App) {
    let (instance, question) = solving(app).await;
    let mut flood = JoinSet::new();
    for number in 0..80 {
        flood.spawn(send(scramble(app, &instance, GREEDY, &question(number))));
    }
    // More than wait at once have come, and the first is being computed.
    let (status, answer) = flood.join_next().await.expect("one").expect("an answer");
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
    until(|| instance.service.tables_computed() > 0).await;
    for number in 0..5 {
        let modest = json!({"server": "m", "players": ids(200..=206 + number)});
        let (status, answer) = send(scramble(app, &instance, MODEST, &modest)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    flood.shutdown().await;
    instance.stop_serving().await;
}

async fn a_closed_connection_ends_its_computation(app: &App) {
    let (instance, question) = solving(app).await;
    let metrics = || instance.service.metrics().text().expect("the metrics");
    let abandoned = |count| metrics().contains(&format!("rbs_splits_abandoned_total {count}\n"));
    assert!(abandoned(0));
    let asking = tokio::spawn(send(scramble(app, &instance, GREEDY, &question(0))));
    until(|| instance.service.tables_computed() == 1).await;
    asking.abort();
    until(|| abandoned(1)).await;
    assert!(!metrics().contains("rbs_split_duration_seconds_count{"));
    let small = json!({"server": "s", "players": ids(1..=4)});
    let (status, answer) = send(scramble(app, &instance, GREEDY, &small)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    instance.stop_serving().await;
}
