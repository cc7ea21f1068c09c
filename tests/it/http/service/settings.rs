//! `GET /v1/admin/settings`: current and former constants of each pool.

use std::time::Duration;

use rbs::config::Settings;
use rbs::domain::{PoolName, Rating};
use rbs::store::{DatabaseUrl, newest_migration};
use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{round, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, answered};

on_both_databases!(
    what_a_pool_was_rated_by_is_listed_with_what_changed,
    diagnostics_have_what_a_bug_report_needs_and_no_secret,
);

/// Counts round `n` of the pool `default` through an instance with these constants, one hour after the round before.
async fn count(app: &App, n: u32, cap: i32, stale_days: u32) {
    let mut settings: Settings = app.settings.clone();
    let pool = settings.pools.get_mut(&PoolName::default());
    let pool = pool.expect("the pool");
    pool.parameters.graduation_cap = Rating::new(cap).expect("a rating");
    pool.parameters.stale_days = stale_days;
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let ended_at = format!("2026-11-20T0{n}:00:00Z");
    let round = round("s", &n.to_string(), "a", &[1], &[2]);
    let round = with(round, json!({"ended_at": ended_at}));
    let request = app.request_to(&instance.address, Method::POST, "/v1/update");
    answered(request.json(&round)).await;
    instance.stop().await;
}

async fn of_pool(app: &App, pool: &str) -> Value {
    let shown = app.get("/v1/admin/settings").await;
    let pools = shown["pools"].as_array().expect("pools");
    let found = pools.iter().find(|one| one["pool"] == pool);
    found.expect("the pool").clone()
}

async fn what_a_pool_was_rated_by_is_listed_with_what_changed(app: &App) {
    let unplayed = of_pool(app, "arena").await;
    assert_eq!(unplayed["history"], json!([]));
    assert_eq!(unplayed["parameters"]["window"], 8);
    app.counted(&round("arena-1", "1", "a", &[3], &[4])).await;
    for (n, cap, stale_days) in [
        (1, 2200, 30),
        (2, 2200, 30),
        (3, 2100, 30),
        (4, 2100, 30),
        (5, 2200, 60),
        (6, 2100, 30),
    ] {
        count(app, n, cap, stale_days).await;
    }
    let shown = of_pool(app, "default").await;
    assert_eq!(shown["model"], "synelo");
    assert_eq!(shown["parameters"]["graduation_cap"], 2200);
    let change = |parameter: &str, before: i32, after: i32| json!({"parameter": parameter, "before": before, "after": after});
    let cap = |before, after| change("graduation_cap", before, after);
    let stale = |before, after| change("stale_days", before, after);
    assert_eq!(
        shown["history"],
        json!([
            {"began_at": "2026-11-20T06:00:00Z", "position": 6, "changes": [cap(2200, 2100), stale(60, 30)]},
            {"began_at": "2026-11-20T05:00:00Z", "position": 5, "changes": [cap(2100, 2200), stale(30, 60)]},
            {"began_at": "2026-11-20T03:00:00Z", "position": 3, "changes": [cap(2200, 2100)]},
            {"began_at": "2026-11-20T01:00:00Z", "position": 1, "changes": []},
        ])
    );
    assert_eq!(shown["has_earlier"], false);
    let arena = of_pool(app, "arena").await;
    assert_eq!(arena["history"].as_array().expect("a list").len(), 1);
}

async fn diagnostics_have_what_a_bug_report_needs_and_no_secret(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1, 2], &[3, 4]))
        .await;
    app.clock
        .set(app.clock.now().later(Duration::from_mins(123)));
    let found = app.get("/v1/admin/diagnostics").await;
    let text = found["text"].as_str().expect("a text");
    let engine = match &app.settings.database {
        DatabaseUrl::Sqlite { .. } => "Database: SQLite 3.",
        DatabaseUrl::Postgres(_) => "Database: PostgreSQL ",
    };
    let newest = newest_migration();
    let migration = format!("migration {newest} of {newest}");
    for part in [
        concat!("RBS ", env!("CARGO_PKG_VERSION"), ", commit "),
        "Up for 2 h 3 min",
        "Clock: 2026-11-2",
        engine,
        &migration,
        "Secrets: 1 admin, 1 game server, 0 bound to servers or pools, 0 read-only",
        "arena: synelo; rounds 1; log entries 1, pruned 0; players 4, hidden 4",
        "default: synelo; rounds 0;",
        "Most recent failed requests:\n  none",
    ] {
        assert!(text.contains(part), "{part} is missing:\n{text}");
    }
    for secret in [SECRET, ADMIN_SECRET, "76561197960265729"] {
        assert!(!text.contains(secret), "{secret}:\n{text}");
    }
}
