//! `…/correct`, `/v1/admin/rounds/void` and `/v1/admin/players/{id}/undo`.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, with, without};
use crate::support::{App, refused, send};

on_both_databases!(
    a_winner_is_corrected_and_the_correction_taken_back,
    rounds_of_a_server_are_voided_together_after_a_dry_run,
    what_cannot_be_corrected_voided_or_undone_is_refused,
);

fn at(minute: u32) -> String {
    format!("2026-11-20T11:{minute:02}:00Z")
}

async fn post(app: &App, path: &str, body: &Value) -> Value {
    let (status, answer) = send(app.admin(Method::POST, path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn ratings(app: &App) -> [Value; 2] {
    let player = app.get(&format!("/v1/admin/players/{}", id(1))).await;
    [player, app.get("/v1/admin/quality").await]
}

fn three_rounds() -> [Value; 3] {
    let ended = |round: Value, minute| with(round, json!({"ended_at": at(minute)}));
    [
        ended(round("s", "1", "a", &[1, 2], &[3, 4]), 0),
        ended(round("s", "2", "b", &[1, 3], &[2, 4]), 10),
        ended(round("t", "3", "a", &[1, 4], &[5, 6]), 20),
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
    let correction =
        json!({"reported": "a", "reason": "teams were swapped", "at": "2026-11-20T12:00:00Z"});
    assert_has(
        &corrected,
        &json!({"winner": "b", "correction": correction}),
    );
    let first = &corrected["players"][0];
    assert!(first["delta"].as_i64() < Some(0), "{first}");
    let after = ratings(app).await;
    assert_ne!(after, before);
    assert_eq!(after[0]["last_rounds"][2]["winner"], "b");
    let listed = app.get("/v1/admin/rounds?server=s").await;
    assert_has(
        &listed["rounds"][1],
        &json!({"winner": "b", "correction": correction}),
    );
    let audited = app.get("/v1/admin/audit").await["entries"][0].clone();
    assert_eq!(audited["action"], "correct");
    let winners = [&audited["before"]["winner"], &audited["after"]["winner"]];
    assert_eq!(winners, ["a", "b"], "{audited}");
    let players = audited["after"]["players"].as_array();
    assert_eq!(players.map(Vec::len), Some(4));
    assert_eq!(post(app, path, &request).await, corrected);
    let back = json!({"winner": "a", "reason": "they were not"});
    let back = post(app, path, &back).await;
    assert_has(&back, &json!({"winner": "a", "correction": null}));
    assert_eq!(ratings(app).await, before);
}

async fn rounds_of_a_server_are_voided_together_after_a_dry_run(app: &App) {
    for round in three_rounds() {
        app.counted(&round).await;
    }
    let before = ratings(app).await;
    let path = "/v1/admin/rounds/void";
    let request = json!({"server": "s", "since": at(0), "reason": "a test", "dry_run": true});
    for (more, rounds) in [
        (json!({}), 2),
        (json!({"since": at(10)}), 1),
        (json!({"until": at(10)}), 1),
    ] {
        let would = post(app, path, &with(request.clone(), more)).await;
        assert_has(&would, &json!({"rounds": rounds, "dry_run": true}));
        let moved = would["pools"][0]["moved"]["players"].as_u64();
        assert!((2..=6).contains(&moved.expect("a number")), "{would}");
    }
    assert_eq!(ratings(app).await, before, "it was a dry run");

    let request = with(request, json!({"dry_run": false, "change_id": "all"}));
    let done = post(app, path, &request).await;
    let pools = json!([{"pool": "default", "rounds": 2, "moved": null}]);
    assert_eq!(
        done,
        json!({"rounds": 2, "names": 0, "dry_run": false, "pools": pools})
    );
    assert_eq!(app.get("/v1/admin/rounds/t/3").await["void"], Value::Null);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["entries"].as_array().map(Vec::len), Some(1));
    assert_eq!(audit["entries"][0]["action"], "void_rounds");
    let after = json!({"rounds": 2, "since": at(0)});
    assert_has(&audit["entries"][0]["after"], &after);
    assert_eq!(post(app, path, &request).await["rounds"], 0, "it was done");
    for name in ["s/1", "s/2"] {
        let shown = app.get(&format!("/v1/admin/rounds/{name}")).await;
        assert_eq!(shown["void"]["reason"], "a test", "{shown}");
        post(app, &format!("/v1/admin/rounds/{name}/unvoid"), &json!({})).await;
    }
    assert_eq!(ratings(app).await, before);
}

async fn what_cannot_be_corrected_voided_or_undone_is_refused(app: &App) {
    let [first, ..] = three_rounds();
    app.counted(&first).await;
    let reset = format!("/v1/admin/players/{}/reset", id(1));
    post(app, &reset, &json!({"change_id": "r1"})).await;
    let all = json!({"server": "s", "since": at(0), "reason": "x"});
    let elsewhere = with(all.clone(), json!({"pool": "nowhere"}));
    let long_name = with(all.clone(), json!({"change_id": "x".repeat(64)}));
    let [correct, unknown] = ["s/1", "s/9"].map(|round| format!("rounds/{round}/correct"));
    let [one, other] = [1, 2].map(|player| format!("players/{}/undo", id(player)));
    let again = json!({"undoes": "r1", "change_id": "r1"});
    let void = "rounds/void";
    for (path, body, status) in [
        (&*correct, json!({"winner": "c", "reason": "x"}), 422),
        (&correct, json!({"winner": "a"}), 422),
        (&unknown, json!({"winner": "a", "reason": "x"}), 404),
        (void, without(all.clone(), "since"), 422),
        (void, without(all.clone(), "server"), 422),
        (void, without(all, "reason"), 422),
        (void, elsewhere, 404),
        (void, long_name, 422),
        (&one, json!({}), 422),
        (&one, json!({"undoes": "never"}), 404),
        (&other, json!({"undoes": "r1"}), 404),
        (&one, again, 409),
    ] {
        let path = format!("/v1/admin/{path}");
        refused(app.admin(Method::POST, &path).json(&body), status).await;
    }
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["entries"].as_array().map(Vec::len), Some(1));
}
