//! `/v1/admin/rebuild` and `/v1/admin/imports`: progress of a void, a rebuild or an import, and cancellation.

use std::time::Duration;

use rbs::domain::{Progress, RoundAction};
use rbs::store::{PoolId, RebuiltRounds, Store, Tx};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::service::metrics::{assert_value, scrape, value};
use super::{round, with};
use crate::support::{App, refused_saying, send};

on_both_databases!(
    a_void_in_progress_is_shown_wherever_one_looks_and_is_called_off,
    imports_are_seen_until_they_end_or_are_not_heard_of,
);

const OWNER: &str = "another instance";

/// Does `work` with a pool in a transaction of another instance.
async fn in_pool<T>(app: &App, name: &str, work: impl AsyncFnOnce(&mut Tx, PoolId) -> T) -> T {
    let store = Store::connect(&app.settings.database).await;
    let store = store.expect("a database");
    let mut tx = store.begin().await.expect("a unit of work");
    let pools = tx.pools().await.expect("pools");
    let pool = pools.iter().find(|pool| pool.name.as_str() == name);
    let done = work(&mut tx, pool.expect("the pool").id).await;
    tx.commit().await.expect("a commit");
    store.close().await;
    done
}

/// Makes another instance start computing `total` log entries of the pool.
pub(super) async fn begin(app: &App, name: &str, change: Option<RebuiltRounds>, total: u64) {
    let owner = (OWNER, app.clock.now());
    let begun = in_pool(app, name, async |tx, pool| {
        tx.begin_rebuild(pool, owner, change, total).await
    });
    begun.await.expect("a rebuild");
}

/// Reports the progress of that instance in the pool `default`, and the progress of an instance that is not the owner.
/// Returns for each whether to stop; `None` for a foreign rebuild.
pub(super) async fn advance(app: &App, progress: Progress) -> [Option<bool>; 2] {
    in_pool(app, "default", async |tx, pool| {
        let mut cancelled = [None; 2];
        for (cancelled, owner) in cancelled.iter_mut().zip([OWNER, "nobody"]) {
            let advanced = tx.advance_rebuild(pool, (owner, app.clock.now()), progress);
            *cancelled = advanced.await.expect("an answer");
        }
        cancelled
    })
    .await
}

pub(super) fn wait(app: &App, seconds: u64) {
    let now = app.clock.now().later(Duration::from_secs(seconds));
    app.clock.set(now);
}

async fn a_void_in_progress_is_shown_wherever_one_looks_and_is_called_off(app: &App) {
    app.counted(&round("s", "r", "a", &[1, 2], &[3, 4])).await;
    let begun = app.clock.now();
    let change = RebuiltRounds {
        position: 1,
        action: RoundAction::Void,
        rounds: 1,
    };
    begin(app, "default", Some(change), 400).await;
    let mut progress = json!({
        "done": 0, "total": 400, "started_at": begun, "remaining_seconds": null,
    });
    let mut expected = json!({"pool": "default", "rebuild": {
        "round": {"server": "s", "round_id": "r", "action": "void", "rounds": 1},
        "cancelled": false, "progress": progress,
    }});
    assert_eq!(app.get("/v1/admin/rebuild").await, expected);
    wait(app, 10);
    let done = Progress {
        done: 100,
        total: 401,
    };
    assert_eq!(advance(app, done).await, [Some(false), None]);
    // 10 seconds for 100, so 30.1 for 301.
    progress = with(
        progress,
        json!({"done": 100, "total": 401, "remaining_seconds": 31}),
    );
    expected["rebuild"]["progress"] = progress.clone();
    assert_eq!(app.get("/v1/admin/rebuild?pool=default").await, expected);
    let other = app.get("/v1/admin/rebuild?pool=arena").await;
    assert_eq!(other, json!({"pool": "arena", "rebuild": null}));
    let shown = app.get("/v1/admin/rounds/s/r").await;
    assert_eq!(
        [&shown["in_progress"], &shown["progress"]],
        [&json!("void"), &progress]
    );
    let request = app.admin(Method::POST, "/v1/admin/rounds/s/r/void");
    let note = json!({"reason": "a cheater"});
    let (status, again) = send(request.json(&note)).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{again}");
    assert_eq!(again["progress"], progress);
    let metrics = scrape(app.admin(Method::GET, "/metrics")).await;
    let series = |name: &str, labels: &str| format!("rbs_pool_rebuild_{name}{{{labels}}}");
    for (labels, count) in [
        (r#"pool="default",state="done""#, 100.0),
        (r#"pool="default",state="left""#, 301.0),
        (r#"pool="arena",state="done""#, 0.0),
        (r#"pool="arena",state="left""#, 0.0),
    ] {
        assert_value(&metrics, &series("entries", labels), count);
    }
    let remaining = |pool: &str| series("remaining_seconds", &format!("pool=\"{pool}\""));
    assert_value(&metrics, &remaining("default"), 31.0);
    assert_eq!(value(&metrics, &remaining("arena")), None);

    let cancelled = send(app.admin(Method::DELETE, "/v1/admin/rebuild")).await;
    expected["rebuild"]["cancelled"] = json!(true);
    assert_eq!(cancelled, (StatusCode::ACCEPTED, expected.clone()));
    assert_eq!(app.get("/v1/admin/rebuild").await, expected);
    let shown = app.get("/v1/admin/rounds/s/r").await;
    let nothing = Value::Null;
    assert_eq!([&shown["in_progress"], &shown["progress"]], [&nothing; 2]);
    assert_eq!(advance(app, done).await, [Some(true), None]);

    begin(app, "arena", None, 0).await;
    let path = "/v1/admin/rebuild?pool=arena";
    let expected = json!({"round": null, "cancelled": false, "progress": null});
    assert_eq!(app.get(path).await["rebuild"], expected);
    wait(app, 16);
    let dead = app.get(path).await;
    assert_eq!(dead["rebuild"], Value::Null, "its owner is gone");
    let says = "\"arena\" are not being recomputed";
    refused_saying(app.admin(Method::DELETE, path), 404, says).await;
}

async fn imports_are_seen_until_they_end_or_are_not_heard_of(app: &App) {
    let none = json!({"imports": []});
    assert_eq!(app.get("/v1/admin/imports").await, none);

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
    let count = left["imports"].as_array().map(Vec::len);
    assert_eq!(count, Some(1), "the other is not heard of: {left}");
    assert_eq!(left["imports"][0]["progress"]["remaining_seconds"], 0);
    service.end_import(&files).await.expect("the database");
    assert_eq!(app.get("/v1/admin/imports").await, none);
}
