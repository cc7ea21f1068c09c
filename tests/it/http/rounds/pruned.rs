//! Answers about pruned rounds.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, with};
use crate::support::{App, refused, send};

on_both_databases!(a_pruned_round_is_gone_and_counts_on);

/// A round won by player 1, one month after the round before.
fn monthly(number: u32) -> Value {
    with(
        round("s", &number.to_string(), "a", &[1], &[2]),
        json!({"ended_at": format!("2026-{number:02}-01T12:00:00Z")}),
    )
}

async fn prune(app: &App, before: &str) {
    let service = &app.first.service;
    for pool in service.stored_pools().await.expect("pools") {
        let before = before.parse().expect("a time");
        let mut prune = service.begin_prune(&pool, before).await.expect("a prune");
        while prune.read_lines().await.expect("lines").is_some() {}
        prune.take_effect("old.jsonl.gz").await.expect("an effect");
        prune.delete_rows().await.expect("rows are deleted");
        prune.finish().await.expect("an end");
    }
}

async fn a_pruned_round_is_gone_and_counts_on(app: &App) {
    for number in 1..=6 {
        app.counted(&monthly(number)).await;
    }
    let player = format!("/v1/admin/players/{}", id(1));
    let quality = app.get("/v1/admin/quality").await;
    let (before, history) = (app.get(&player).await, format!("{player}/history"));
    Box::pin(prune(app, "2026-04-15T00:00:00Z")).await;

    let mut after = app.get(&player).await;
    let rounds = after["last_rounds"].as_array().expect("rounds");
    assert_eq!(rounds.len(), 2, "{after}");
    after["last_rounds"] = before["last_rounds"].clone();
    assert_eq!(after, before);
    assert_eq!(app.get("/v1/admin/quality").await, quality);
    for filter in [String::new(), format!("&player={}", id(1))] {
        let page = app.get(&format!("/v1/admin/rounds?limit=1{filter}")).await;
        let next = page["next"].as_str().expect("one more");
        let path = format!("/v1/admin/rounds?limit=1{filter}&after={next}");
        let page = app.get(&path).await;
        assert_eq!(page["rounds"][0]["round_id"], "5", "{page}");
        assert_eq!(page["next"], Value::Null);
    }
    let points = app.get(&history).await;
    let points = points["points"].as_array().expect("points");
    assert_eq!(points.len(), 6);
    assert_has(&points[3], &json!({"round_id": null, "server": null}));
    assert_eq!(points[4]["round_id"], "5");
    let points = app.get("/v1/admin/quality/history").await;
    let count = points["points"].as_array().map(Vec::len);
    assert_eq!(count, Some(2), "{points}");

    let again = app.request(Method::POST, "/v1/update").json(&monthly(2));
    let (_, problem) = refused(again, 410).await;
    let detail = problem["detail"].as_str().expect("a detail");
    assert!(
        detail.contains("pruned on 2026-11-20") && detail.contains("old.jsonl.gz"),
        "{detail}"
    );
    refused(app.admin(Method::GET, "/v1/admin/rounds/s/2"), 410).await;
    for action in ["void", "unvoid"] {
        let request = app.admin(Method::POST, &format!("/v1/admin/rounds/s/2/{action}"));
        refused(request.json(&json!({"reason": "a test"})), 410).await;
    }
    let queue = json!({"rounds": [monthly(1), monthly(5), monthly(7)]});
    let (_, answers) = send(app.request(Method::POST, "/v1/updates").json(&queue)).await;
    let answers = answers["answers"].as_array().expect("answers");
    let statuses: Vec<_> = answers.iter().map(|answer| &answer["status"]).collect();
    assert_eq!(statuses, [410, 200, 200]);
    assert_eq!(answers[1]["body"]["duplicate"], true);
    let audit = app.get("/v1/admin/audit").await;
    let after = json!({"pruned": 4, "file": "old.jsonl.gz"});
    assert_has(
        &audit["entries"][0],
        &json!({"action": "prune", "after": after}),
    );
}
