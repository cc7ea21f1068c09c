//! `…/correct`, `/v1/admin/rounds/void` and `/v1/admin/players/{id}/undo`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{id, round, with};
use crate::support::{App, refused, send};

on_both_databases!(
    a_winner_is_corrected_and_the_correction_taken_back,
    rounds_of_a_server_are_voided_together_after_a_dry_run,
    what_cannot_be_corrected_or_voided_is_refused,
    what_cannot_be_undone_is_refused,
);

fn at(minute: u32) -> String {
    format!("2026-11-20T11:{minute:02}:00Z")
}

async fn post(app: &App, path: &str, body: &Value) -> Value {
    let (status, answer) = send(app.admin(Method::POST, path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn ratings(app: &App) -> Vec<Value> {
    let mut ratings = Vec::new();
    for player in 1..=6 {
        ratings.push(app.get(&format!("/v1/admin/players/{}", id(player))).await);
    }
    ratings.push(app.get("/v1/admin/quality").await);
    ratings
}

fn three_rounds() -> [Value; 3] {
    [
        with(
            round("s", "1", "a", &[1, 2], &[3, 4]),
            json!({"ended_at": at(0)}),
        ),
        with(
            round("s", "2", "b", &[1, 3], &[2, 4]),
            json!({"ended_at": at(10)}),
        ),
        with(
            round("t", "3", "a", &[1, 4], &[5, 6]),
            json!({"ended_at": at(20)}),
        ),
    ]
}

async fn a_winner_is_corrected_and_the_correction_taken_back(app: &App) {
    for round in three_rounds() {
        app.counted(&round).await;
    }
    let before = ratings(app).await;
    let path = "/v1/admin/rounds/s/1/correct";
    let request = json!({"winner": "b", "reason": "teams were swapped", "change_id": "c1"});
    let corrected = post(app, path, &request).await;
    assert_eq!(corrected["winner"], "b");
    assert_eq!(
        corrected["correction"],
        json!({"reported": "a", "reason": "teams were swapped", "at": "2026-11-20T12:00:00Z"})
    );
    let first = &corrected["players"][0];
    assert!(first["delta"].as_i64() < Some(0), "{first}");
    let after = ratings(app).await;
    assert_ne!(after, before);
    assert_eq!(after[0]["last_rounds"][2]["winner"], "b");
    let listed = app.get("/v1/admin/rounds?server=s").await;
    assert_eq!(listed["rounds"][1]["winner"], "b");
    assert_eq!(listed["rounds"][1]["correction"]["reported"], "a");
    let audited = app.get("/v1/admin/audit").await["entries"][0].clone();
    assert_eq!(audited["action"], "correct");
    assert_eq!(
        (&audited["before"]["winner"], &audited["after"]["winner"]),
        (&json!("a"), &json!("b"))
    );
    assert_eq!(
        audited["after"]["players"].as_array().map(Vec::len),
        Some(4)
    );
    assert_eq!(post(app, path, &request).await, corrected);
    let back = json!({"winner": "a", "reason": "they were not"});
    let back = post(app, path, &back).await;
    assert_eq!(
        (&back["winner"], &back["correction"]),
        (&json!("a"), &Value::Null)
    );
    assert_eq!(ratings(app).await, before);
}

async fn rounds_of_a_server_are_voided_together_after_a_dry_run(app: &App) {
    for round in three_rounds() {
        app.counted(&round).await;
    }
    let before = ratings(app).await;
    let path = "/v1/admin/rounds/void";
    let request = json!({"server": "s", "since": at(0), "reason": "a test", "dry_run": true});
    let would = post(app, path, &request).await;
    assert_eq!(
        (&would["rounds"], &would["dry_run"]),
        (&json!(2), &json!(true))
    );
    assert_eq!(would["pools"][0]["pool"], "default");
    let moved = &would["pools"][0]["moved"]["players"];
    let moved = moved.as_u64().expect("a number");
    assert!((2..=6).contains(&moved), "{would}");
    assert_eq!(ratings(app).await, before, "it was a dry run");
    let later = with(request.clone(), json!({"since": at(10)}));
    assert_eq!(post(app, path, &later).await["rounds"], 1);
    let until = with(request.clone(), json!({"until": at(10)}));
    assert_eq!(post(app, path, &until).await["rounds"], 1);

    let request = with(request, json!({"dry_run": false, "change_id": "all"}));
    let done = post(app, path, &request).await;
    assert_eq!(
        done,
        json!({"rounds": 2, "names": 0, "dry_run": false,
               "pools": [{"pool": "default", "rounds": 2, "moved": null}]})
    );
    for name in ["s/1", "s/2"] {
        let shown = app.get(&format!("/v1/admin/rounds/{name}")).await;
        assert_eq!(shown["void"]["reason"], "a test", "{shown}");
    }
    assert_eq!(app.get("/v1/admin/rounds/t/3").await["void"], Value::Null);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(audit["entries"][0]["action"], "void_rounds");
    assert_eq!(audit["entries"][0]["after"]["rounds"], 2);
    assert_eq!(audit["entries"][0]["after"]["since"], at(0));
    assert_eq!(post(app, path, &request).await["rounds"], 0, "it was done");
    for name in ["s/1", "s/2"] {
        post(app, &format!("/v1/admin/rounds/{name}/unvoid"), &json!({})).await;
    }
    assert_eq!(ratings(app).await, before);
}

async fn what_cannot_be_corrected_or_voided_is_refused(app: &App) {
    let [first, ..] = three_rounds();
    app.counted(&first).await;
    for (path, body, status) in [
        ("s/1/correct", json!({"winner": "c", "reason": "x"}), 422),
        ("s/1/correct", json!({"winner": "a"}), 422),
        ("s/9/correct", json!({"winner": "a", "reason": "x"}), 404),
        ("void", json!({"server": "s", "reason": "x"}), 422),
        ("void", json!({"since": at(0), "reason": "x"}), 422),
        ("void", json!({"server": "s", "since": at(0)}), 422),
        (
            "void",
            json!({"server": "s", "since": at(0), "reason": "x", "pool": "nowhere"}),
            404,
        ),
        (
            "void",
            json!({"server": "s", "since": at(0), "reason": "x", "change_id": "x".repeat(64)}),
            422,
        ),
    ] {
        let path = format!("/v1/admin/rounds/{path}");
        refused(app.admin(Method::POST, &path).json(&body), status).await;
    }
    assert_eq!(app.get("/v1/admin/audit").await["entries"], json!([]));
}

async fn what_cannot_be_undone_is_refused(app: &App) {
    let player = format!("/v1/admin/players/{}", id(1));
    post(app, &format!("{player}/reset"), &json!({"change_id": "r1"})).await;
    for (whom, body, status) in [
        (1, json!({}), 422),
        (1, json!({"undoes": "never"}), 404),
        (2, json!({"undoes": "r1"}), 404),
        (1, json!({"undoes": "r1", "change_id": "r1"}), 409),
    ] {
        let path = format!("/v1/admin/players/{}/undo", id(whom));
        refused(app.admin(Method::POST, &path).json(&body), status).await;
    }
}
