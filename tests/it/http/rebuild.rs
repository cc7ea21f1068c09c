//! `/v1/admin/rebuild`: progress and cancellation of a void or a rebuild.

use std::time::Duration;

use rbs::domain::{Progress, RoundAction};
use rbs::store::{PoolId, RebuiltRounds, Store, Tx};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::service::metrics::{assert_value, scrape, value};
use super::{round, with};
use crate::support::{App, refused, send};

on_both_databases!(
    a_void_in_progress_is_shown_wherever_one_looks_and_is_called_off,
    a_rebuild_says_when_it_cannot_say_how_far_it_is,
    where_nothing_is_in_progress_nothing_is_called_off,
);

const OWNER: &str = "another instance";

async fn store(app: &App) -> Store {
    let store = Store::connect(&app.settings.database).await;
    store.expect("a database")
}

async fn pool(tx: &mut Tx, name: &str) -> PoolId {
    let pools = tx.pools().await.expect("pools");
    let found = pools.iter().find(|pool| pool.name.as_str() == name);
    found.expect("the pool").id
}

/// Makes another instance start computing `total` log entries of the pool.
pub(super) async fn begin(app: &App, name: &str, change: Option<RebuiltRounds>, total: u64) {
    let store = store(app).await;
    let mut tx = store.begin().await.expect("a unit of work");
    let pool = pool(&mut tx, name).await;
    let begin = tx.begin_rebuild(pool, (OWNER, app.clock.now()), change, total);
    begin.await.expect("a rebuild");
    tx.commit().await.expect("a commit");
    store.close().await;
}

/// Reports the progress of that instance in the pool `default`, and the progress of an instance that is not the owner.
/// Returns for each whether to stop; `None` for a foreign rebuild.
pub(super) async fn advance(app: &App, progress: Progress) -> [Option<bool>; 2] {
    let store = store(app).await;
    let mut tx = store.begin().await.expect("a unit of work");
    let pool = pool(&mut tx, "default").await;
    let mut cancelled = [None; 2];
    for (cancelled, owner) in cancelled.iter_mut().zip([OWNER, "nobody"]) {
        let advanced = tx.advance_rebuild(pool, (owner, app.clock.now()), progress);
        *cancelled = advanced.await.expect("an answer");
    }
    tx.commit().await.expect("a commit");
    store.close().await;
    cancelled
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
    let again = send(request.json(&json!({"reason": "a cheater"}))).await;
    assert_eq!(
        (again.0, &again.1["progress"]),
        (StatusCode::ACCEPTED, &progress)
    );
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
}

async fn a_rebuild_says_when_it_cannot_say_how_far_it_is(app: &App) {
    begin(app, "arena", None, 0).await;
    let expected = json!({"pool": "arena", "rebuild": {
        "round": null, "cancelled": false, "progress": null,
    }});
    assert_eq!(app.get("/v1/admin/rebuild?pool=arena").await, expected);
    wait(app, 16);
    let dead = app.get("/v1/admin/rebuild?pool=arena").await;
    assert_eq!(dead["rebuild"], Value::Null, "its owner is gone");
}

async fn where_nothing_is_in_progress_nothing_is_called_off(app: &App) {
    for (query, says) in [
        ("", "\"default\" are not being recomputed"),
        ("?pool=arena", "\"arena\" are not being recomputed"),
        ("?pool=nowhere", "no pool \"nowhere\""),
    ] {
        let path = format!("/v1/admin/rebuild{query}");
        let (_, problem) = refused(app.admin(Method::DELETE, &path), 404).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(says), "{problem}");
    }
    refused(
        app.admin(Method::GET, "/v1/admin/rebuild?pool=nowhere"),
        404,
    )
    .await;
    refused(app.request(Method::GET, "/v1/admin/rebuild"), 403).await;
    refused(app.request(Method::DELETE, "/v1/admin/rebuild"), 403).await;
    refused(app.admin(Method::DELETE, "/v1/admin/rebuild?round=1"), 422).await;
}
