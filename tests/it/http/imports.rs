//! `GET /v1/admin/imports`: progress of imports into the same database.

use reqwest::Method;
use serde_json::json;

use super::rebuild::wait;
use super::service::metrics::{assert_value, scrape};
use crate::support::{App, refused};

on_both_databases!(imports_are_seen_until_they_end_or_are_not_heard_of);

async fn imports_are_seen_until_they_end_or_are_not_heard_of(app: &App) {
    let none = json!({"imports": []});
    assert_eq!(app.get("/v1/admin/imports").await, none);
    refused(app.request(Method::GET, "/v1/admin/imports"), 403).await;

    let service = &app.first.service;
    let begun = app.clock.now();
    let files = service.begin_import("old.jsonl and 2 more").await;
    let files = files.expect("an import");
    wait(app, 2);
    let pipe = service.begin_import("-").await.expect("an import");
    let advanced = service.advance_import(&files, 250, Some(1_000)).await;
    advanced.expect("the database");
    let advanced = service.advance_import(&pipe, 5_000, None).await;
    advanced.expect("the database");
    let progress = json!({
        "done": 250, "total": 1000, "started_at": begun, "remaining_seconds": 6,
    });
    let expected = json!({"imports": [
        {"source": "old.jsonl and 2 more", "progress": progress},
        {"source": "-", "progress": null},
    ]});
    assert_eq!(app.get("/v1/admin/imports").await, expected);
    let metrics = scrape(app.admin(Method::GET, "/metrics")).await;
    assert_value(&metrics, r#"rbs_import_bytes{state="done"}"#, 250.0);
    assert_value(&metrics, r#"rbs_import_bytes{state="left"}"#, 750.0);

    wait(app, 10);
    let advanced = service.advance_import(&files, 1_000, Some(1_000)).await;
    advanced.expect("the database");
    wait(app, 10);
    let left = app.get("/v1/admin/imports").await;
    let sources: Vec<_> = left["imports"].as_array().expect("a list").iter().collect();
    assert_eq!(sources.len(), 1, "the other is not heard of: {left}");
    assert_eq!(left["imports"][0]["progress"]["remaining_seconds"], 0);
    service.end_import(&files).await.expect("the database");
    assert_eq!(app.get("/v1/admin/imports").await, none);
}
