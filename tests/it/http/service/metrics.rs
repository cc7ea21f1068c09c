//! Metrics: their values, access and names.

use std::collections::BTreeSet;

use rbs::config::Settings;
use rbs::domain::Progress;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::http::{id, ids, rebuild, round, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, answered, refused};

on_both_databases!(
    every_request_is_counted_by_the_template_of_its_route,
    rounds_are_counted_by_what_became_of_them,
    answers_in_mid_round_are_counted_by_what_they_said,
    the_figures_of_the_pools_are_told_and_read_seldom,
    metrics_need_no_secret_where_they_are_public,
    every_metric_that_is_named_somewhere_is_served,
);

pub(in crate::http) async fn scrape(request: RequestBuilder) -> String {
    let response = request.send().await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    assert_eq!(
        response.headers()["content-type"],
        "text/plain; version=0.0.4; charset=utf-8"
    );
    response.text().await.expect("a text")
}

pub(in crate::http) async fn metrics(app: &App) -> String {
    scrape(app.request(Method::GET, "/metrics")).await
}

pub(in crate::http) fn value(metrics: &str, series: &str) -> Option<f64> {
    let lines = metrics.lines().filter_map(|line| line.rsplit_once(' '));
    let mut found = lines.filter(|(name, _)| *name == series);
    let value = found.next()?.1.parse().expect("a number");
    assert!(found.next().is_none(), "{series} stands twice");
    Some(value)
}

pub(in crate::http) fn assert_value(metrics: &str, series: &str, expected: f64) {
    assert_eq!(
        value(metrics, series),
        Some(expected),
        "{series}: {metrics}"
    );
}

/// Asserts the value of each series of `name`, by its labels.
fn assert_values(metrics: &str, name: &str, values: &[(&str, f64)]) {
    for (labels, expected) in values {
        assert_value(metrics, &format!("{name}{{{labels}}}"), *expected);
    }
}

async fn every_request_is_counted_by_the_template_of_its_route(app: &App) {
    for n in 1..=3 {
        app.get(&format!("/v1/players/{}", id(n))).await;
    }
    refused(app.request(Method::GET, "/v1/players/robot"), 422).await;
    refused(app.request(Method::GET, "/somewhere/else"), 404).await;
    refused(app.bare(Method::GET, "/nowhere"), 401).await;
    refused(app.request(Method::DELETE, "/v1/update"), 405).await;
    let odd = Method::from_bytes(b"BREW").expect("a method");
    refused(app.request(odd, "/v1/update"), 405).await;

    let metrics = metrics(app).await;
    assert_values(
        &metrics,
        "rbs_http_requests_total",
        &[
            (r#"route="/v1/players/{id}",method="GET",status="200""#, 3.0),
            (r#"route="/v1/players/{id}",method="GET",status="422""#, 1.0),
            (r#"route="unmatched",method="GET",status="404""#, 1.0),
            (r#"route="unmatched",method="GET",status="401""#, 1.0),
            (r#"route="/v1/update",method="DELETE",status="405""#, 1.0),
            (r#"route="/v1/update",method="other",status="405""#, 1.0),
        ],
    );
    let seconds = "rbs_http_request_duration_seconds";
    let of_players = r#"route="/v1/players/{id}",method="GET""#;
    for series in [
        format!("{seconds}_count{{{of_players}}}"),
        format!("{seconds}_bucket{{le=\"+Inf\",{of_players}}}"),
    ] {
        assert_value(&metrics, &series, 4.0);
    }
    assert_value(&metrics, "rbs_http_requests_in_flight", 1.0);
    let version = concat!("version=\"", env!("CARGO_PKG_VERSION"), "\"");
    assert_values(&metrics, "rbs_build_info", &[(version, 1.0)]);
    let private = ["7656119796", "somewhere", "robot", "BREW"];
    for text in private.iter().chain(&[SECRET, ADMIN_SECRET]) {
        assert!(!metrics.contains(text), "{text} is shown: {metrics}");
    }
}

async fn answers_in_mid_round_are_counted_by_what_they_said(app: &App) {
    let state = |server: &str, a: u64, b: u64| json!({"server": server, "team_a": ids(1..=a), "team_b": ids(11..11 + b)});
    let immune = json!([{"id": id(1), "immune": true}, {"id": id(2), "immune": true}]);
    for body in [
        state("s", 2, 2),
        state("s", 1, 1),
        with(state("s", 4, 2), json!({"modes": ["ffa"]})),
        state("s", 4, 2),
        state("s", 4, 2),
        with(state("s", 2, 0), json!({"team_a": immune})),
        with(state("s", 1, 0), json!({"policy": "ut2004"})),
        state("arena-1", 4, 2),
    ] {
        answered(app.request(Method::POST, "/v1/balance").json(&body)).await;
    }
    let joining = with(state("s", 1, 1), json!({"joining": ids(21..=23)}));
    answered(app.request(Method::POST, "/v1/place").json(&joining)).await;
    let weightless = with(state("s", 4, 2), json!({"policy": "sectors-edge-weights"}));
    let request = app.request(Method::POST, "/v1/balance").json(&weightless);
    refused(request, 422).await;

    let metrics = metrics(app).await;
    assert_values(
        &metrics,
        "rbs_balance_answers_total",
        &[
            (r#"pool="default",policy="synelo",result="balanced""#, 2.0),
            (r#"pool="default",policy="synelo",result="suppressed""#, 1.0),
            (r#"pool="default",policy="synelo",result="moved""#, 2.0),
            (
                r#"pool="default",policy="synelo",result="nothing_helps""#,
                1.0,
            ),
            (r#"pool="default",policy="ut2004",result="filled""#, 1.0),
            (r#"pool="arena",policy="ns2",result="nothing_helps""#, 1.0),
        ],
    );
    assert_values(
        &metrics,
        "rbs_balance_rules_triggered_total",
        &[
            (r#"pool="default",rule="size_difference""#, 3.0),
            (r#"pool="default",rule="bots""#, 1.0),
            (r#"pool="arena",rule="win_probability""#, 1.0),
        ],
    );
    let placed = r#"rbs_players_placed_total{pool="default",policy="synelo"}"#;
    assert_value(&metrics, placed, 3.0);
}

async fn rounds_are_counted_by_what_became_of_them(app: &App) {
    let first = round("arena-1", "1", "a", &[1, 2], &[3, 4]);
    app.counted(&first).await;
    app.counted(&first).await;
    app.counted(&round("elsewhere", "1", "b", &[1], &[3])).await;
    let other = with(first.clone(), json!({"winner": "b"}));
    let update = || app.request(Method::POST, "/v1/update");
    let typed = || update().header("content-type", "application/json");
    let another = |members: Value| update().json(&with(other.clone(), members));
    for (request, status) in [
        (another(json!({})), 409),
        (another(json!({"pool": "nowhere", "round_id": "2"})), 404),
        (another(json!({"team_b": [], "round_id": "3"})), 422),
        (another(json!({"odd": 1, "round_id": "4"})), 422),
        (update().body("x"), 415),
        (typed().body("{"), 400),
    ] {
        refused(request, status).await;
    }
    let rounds = json!({"rounds": [first, other, round("arena-1", "5", "a", &[1], &[2]), {}]});
    answered(app.request(Method::POST, "/v1/updates").json(&rounds)).await;

    let metrics = metrics(app).await;
    assert_values(
        &metrics,
        "rbs_rounds_total",
        &[
            (r#"pool="arena",outcome="counted""#, 2.0),
            (r#"pool="arena",outcome="duplicate""#, 2.0),
            (r#"pool="default",outcome="counted""#, 1.0),
        ],
    );
    for (reason, count) in [
        ("round_id_taken", 2.0),
        ("no_such_pool", 1.0),
        ("invalid", 3.0),
        ("not_json", 1.0),
        ("malformed", 1.0),
        ("too_large", 0.0),
        ("not_allowed", 0.0),
        ("no_secret", 0.0),
        ("pruned", 0.0),
        ("busy", 0.0),
        ("unavailable", 0.0),
        ("internal", 0.0),
    ] {
        let series = format!("rbs_rounds_rejected_total{{reason=\"{reason}\"}}");
        assert_value(&metrics, &series, count);
    }
    assert_value(&metrics, "rbs_rounds_waiting{pool=\"arena\"}", 0.0);
}

async fn the_figures_of_the_pools_are_told_and_read_seldom(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1, 2], &[3, 4]))
        .await;
    for number in 2..=4 {
        app.counted(&round("arena-1", &number.to_string(), "a", &[1], &[3]))
            .await;
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let scramble = json!({"server": "arena-1", "players": ids(1..=6)});
    answered(app.request(Method::POST, "/v1/scramble").json(&scramble)).await;

    let metrics = metrics(app).await;
    assert_value(&metrics, "rbs_database_up", 1.0);
    let rounds = [(r#"pool="arena""#, 4.0), (r#"pool="default""#, 0.0)];
    assert_values(&metrics, "rbs_pool_rounds", &rounds);
    let players = [
        (r#"pool="arena",state="hidden""#, 2.0),
        (r#"pool="arena",state="visible""#, 2.0),
    ];
    assert_values(&metrics, "rbs_pool_players", &players);
    assert_value(&metrics, "rbs_pool_stale_players{pool=\"arena\"}", 0.0);
    for word in "honest too_bold too_timid too_even too_few_rounds".split(' ') {
        let series = format!("rbs_pool_verdict{{pool=\"arena\",word=\"{word}\"}}");
        let is_it = quality["verdict"]["word"] == word;
        assert_value(&metrics, &series, f64::from(u8::from(is_it)));
    }
    for (name, figure) in [("brier_score", "brier"), ("log_loss", "log_loss")] {
        for over in ["window", "all"] {
            let expected = quality[figure][over].as_f64().expect("a figure");
            let series = format!("rbs_pool_{name}{{pool=\"arena\",over=\"{over}\"}}");
            assert_value(&metrics, &series, expected);
        }
        let of_nothing = format!("rbs_pool_{name}{{pool=\"default\"");
        assert!(!metrics.contains(&of_nothing), "a figure without rounds");
    }
    let noon = 1_795_176_000.0;
    let read_at = "rbs_pool_figures_read_timestamp_seconds{pool=\"arena\"}";
    assert_value(&metrics, read_at, noon);
    let splits = "rbs_split_duration_seconds_count{method=\"exact\"}";
    assert_value(&metrics, splits, 1.0);

    app.counted(&round("arena-1", "5", "a", &[1], &[3])).await;
    let again = self::metrics(app).await;
    assert_value(&again, "rbs_pool_rounds{pool=\"arena\"}", 4.0);
    let counted = "rbs_rounds_total{pool=\"arena\",outcome=\"counted\"}";
    assert_value(&again, counted, 5.0);
}

async fn metrics_need_no_secret_where_they_are_public(app: &App) {
    refused(app.request(Method::GET, "/metrics?pool=arena"), 422).await;
    let settings = Settings {
        metrics_public: true,
        ..app.settings.clone()
    };
    let public = Instance::over(app.first.service.clone(), &settings).await;
    scrape(app.bare_to(&public.address, Method::GET, "/metrics")).await;
    let other = app.bare_to(&public.address, Method::GET, "/v1/admin/quality");
    refused(other, 401).await;
    public.stop_serving().await;
}

fn named(text: &str) -> BTreeSet<&str> {
    let is_part = |character: char| character.is_ascii_alphanumeric() || character == '_';
    text.split(|character| !is_part(character))
        .filter(|word| word.starts_with("rbs_") || word.starts_with("process_"))
        .collect()
}

async fn every_metric_that_is_named_somewhere_is_served(app: &App) {
    let first = round("arena-1", "1", "a", &[1, 2], &[3, 4]);
    let scramble = json!({"scramble": {"players": ids(1..=4)}});
    app.counted(&with(first, scramble)).await;
    let empty = app.request(Method::POST, "/v1/update").json(&json!({}));
    refused(empty, 422).await;
    let unbalanced = json!({"server": "arena-1", "team_a": ids(1..=4), "team_b": []});
    let joining = with(unbalanced.clone(), json!({"joining": [id(9)]}));
    for (path, body) in [("/v1/balance", unbalanced), ("/v1/place", joining)] {
        answered(app.request(Method::POST, path).json(&body)).await;
    }
    let season = json!({"name": "Winter", "keep": 0.5});
    answered(app.admin(Method::POST, "/v1/admin/seasons").json(&season)).await;
    rebuild::begin(app, "default", None, 2).await;
    rebuild::wait(app, 1);
    rebuild::advance(app, Progress { done: 1, total: 2 }).await;
    let metrics = metrics(app).await;
    let served: BTreeSet<&str> = metrics
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(['{', ' ']).next())
        .collect();
    let is_served = |name: &&&str| {
        let histogram = format!("{name}_bucket");
        served.contains(**name) || served.contains(histogram.as_str())
    };
    let explained = named(include_str!("../../../../docs/monitoring.md"));
    let dashboard = include_str!("../../../../config/grafana/rbs.json");
    for (place, named) in [
        (
            "config/alerts.yml",
            &named(include_str!("../../../../config/alerts.yml")),
        ),
        ("config/grafana/rbs.json", &named(dashboard)),
        ("docs/monitoring.md", &explained),
    ] {
        let missing: Vec<_> = named.iter().filter(|name| !is_served(name)).collect();
        assert!(!named.is_empty(), "{place} names no metric");
        assert!(
            missing.is_empty(),
            "{place} names {missing:?}; not in {served:?}"
        );
    }
    for name in served {
        let suffixes = ["_bucket", "_sum", "_count"];
        let base = suffixes.iter().find_map(|suffix| name.strip_suffix(suffix));
        let is_explained = explained.contains(base.unwrap_or(name));
        assert!(is_explained, "docs/monitoring.md leaves {name} out");
    }
    let dashboard: Value = serde_json::from_str(dashboard).expect("JSON");
    let panels = dashboard["panels"].as_array().expect("panels");
    let numbers: BTreeSet<_> = panels
        .iter()
        .filter_map(|panel| panel["id"].as_i64())
        .collect();
    let (numbers, panels) = (numbers.len(), panels.len());
    assert_eq!(numbers, panels, "every panel has a number of its own");
}
