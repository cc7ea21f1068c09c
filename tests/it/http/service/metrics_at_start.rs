//! Metrics before any event, and their text format.

use std::collections::BTreeSet;
use std::fs;

use rbs::config::Settings;
use reqwest::{Method, StatusCode};

use super::metrics::{assert_value, metrics, value};
use crate::support::{App, Instance};

on_both_databases!(
    counters_are_there_before_they_count,
    open_metrics_is_for_those_who_ask_for_it,
    what_the_process_and_the_database_take_is_served,
    the_latest_backup_of_the_folder_is_served,
);

async fn counters_are_there_before_they_count(app: &App) {
    let metrics = metrics(app).await;
    let of_pools = ["arena", "default"].map(|pool| {
        let policy = if pool == "arena" { "ns2" } else { "synelo" };
        let mut series = vec![
            format!("rbs_rounds_total{{pool=\"{pool}\",outcome=\"counted\"}}"),
            format!("rbs_rounds_total{{pool=\"{pool}\",outcome=\"duplicate\"}}"),
            format!("rbs_players_placed_total{{pool=\"{pool}\",policy=\"{policy}\"}}"),
            format!("rbs_interventions_not_noted_total{{pool=\"{pool}\"}}"),
            format!("rbs_webhook_messages_total{{pool=\"{pool}\",result=\"sent\"}}"),
            format!("rbs_matches_made_total{{pool=\"{pool}\"}}"),
            format!("rbs_match_duration_seconds_count{{pool=\"{pool}\"}}"),
        ];
        let answers = ["balanced", "suppressed", "moved", "filled", "nothing_helps"];
        series.extend(answers.map(|result| {
            format!("rbs_balance_answers_total{{pool=\"{pool}\",policy=\"{policy}\",result=\"{result}\"}}")
        }));
        let rules = ["size_difference", "bots"];
        series.extend(rules.map(|rule| {
            format!("rbs_balance_rules_triggered_total{{pool=\"{pool}\",rule=\"{rule}\"}}")
        }));
        series
    });
    let others = [
        "rbs_split_duration_seconds_count{method=\"exact\"}",
        "rbs_split_duration_seconds_count{method=\"greedy\"}",
        "rbs_splits_abandoned_total",
        "rbs_rounds_rejected_total{reason=\"invalid\"}",
        "rbs_secrets_refused_total{reason=\"unknown\"}",
    ];
    let others = others.map(str::to_owned);
    for series in of_pools.into_iter().flatten().chain(others) {
        assert_value(&metrics, &series, 0.0);
    }
}

async fn open_metrics_is_for_those_who_ask_for_it(app: &App) {
    let accepted = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    let asked = app.request(Method::GET, "/metrics");
    let response = asked.header("accept", accepted).send().await;
    let response = response.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    let headers = response.headers();
    assert_eq!(
        headers["content-type"],
        "application/openmetrics-text; version=1.0.0; charset=utf-8"
    );
    let mut varies = headers.get_all("vary").iter();
    assert!(varies.any(|value| value.as_bytes().eq_ignore_ascii_case(b"accept")));
    let open_metrics = response.text().await.expect("a text");
    assert!(open_metrics.ends_with("# EOF\n"), "{open_metrics}");
    let named = open_metrics.contains("# TYPE rbs_rounds counter\n");
    assert!(named, "{open_metrics}");

    let plain = metrics(app).await;
    assert!(
        plain.contains("time, or sent again.\n# TYPE rbs_rounds_total counter\n"),
        "{plain}"
    );
    assert!(
        plain.contains("# HELP rbs_rounds_total Rounds that "),
        "{plain}"
    );
    let comments: BTreeSet<_> = plain
        .lines()
        .filter_map(|line| line.strip_prefix("# ")?.split(' ').next())
        .collect();
    assert_eq!(comments, BTreeSet::from(["HELP", "TYPE"]));
}

async fn what_the_process_and_the_database_take_is_served(app: &App) {
    let metrics = metrics(app).await;
    let at_least = |name: &str, least: f64| {
        let value = value(&metrics, name).unwrap_or_else(|| panic!("no {name}: {metrics}"));
        assert!(value >= least, "{name} is {value}");
        value
    };
    // At least one page of SQLite.
    at_least("rbs_database_size_bytes", 4096.0);
    if cfg!(target_os = "linux") {
        let resident = at_least("process_resident_memory_bytes", 1e6);
        at_least("process_virtual_memory_bytes", resident);
        at_least("process_cpu_seconds_total", 0.0);
        let open = at_least("process_open_fds", 3.0);
        at_least("process_max_fds", open);
        // The test clock starts at noon of 2026-11-20; the process is less than a day old.
        let started = at_least("process_start_time_seconds", 1_795_176_000.0 - 86_400.0);
        assert!(started <= 1_795_176_000.0, "{started}");
    }
}

async fn the_latest_backup_of_the_folder_is_served(app: &App) {
    const SERIES: &str = "rbs_backup_last_success_timestamp_seconds";
    let without = value(&metrics(app).await, SERIES).expect("a value");
    assert!(without.is_nan(), "no folder is set: {without}");
    for (file, expected) in [
        (None, 0.0),
        (Some("rbs-2026-11-20T043000Z.backup.gz"), 1_795_149_000.0),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        if let Some(file) = file {
            fs::write(folder.path().join(file), "").expect("a file");
        }
        let settings = Settings {
            backup_folder: Some(folder.path().to_owned()),
            ..app.settings.clone()
        };
        let instance = Instance::start(&settings, app.clock.clone()).await;
        let request = app.request_to(&instance.address, Method::GET, "/metrics");
        let text = super::metrics::scrape(request).await;
        assert_value(&text, SERIES, expected);
        instance.stop().await;
    }
}
