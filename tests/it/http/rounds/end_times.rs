//! Accepted end times of rounds.

use std::time::Duration;

use rbs::clock::Clock;
use rbs::domain::{Report, RoundParts};
use rbs::service::{ImportedRound, OnRefusal};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, round, set_clock, with, without};
use crate::support::{App, Instance, SECRET, fields, refused, send, settings_from};

on_both_databases!(
    a_time_that_only_a_wrong_clock_gives_is_refused_and_named,
    a_round_that_counts_is_a_duplicate_whatever_the_clock_shows,
    a_round_that_ended_too_long_ago_is_for_an_import,
    a_jump_of_the_clock_refuses_no_round,
);

fn ended(round_id: &str, at: impl Into<Value>) -> Value {
    let at: Value = at.into();
    with(
        round("s", round_id, "a", &[1], &[2]),
        json!({"ended_at": at}),
    )
}

async fn a_time_that_only_a_wrong_clock_gives_is_refused_and_named(app: &App) {
    let just_ahead = json!("2026-11-20T12:10:00.000001Z");
    let ahead = json!("2026-11-21T14:00:30Z");
    let milliseconds = json!(1_795_176_000_000_u64);
    let just_before = json!("1999-12-31T23:59:59.999999Z");
    for (at, says) in [
        (just_ahead, "is 10 minutes ahead of this service's clock"),
        (ahead, "is 1 day 2 hours ahead of this service's clock; set"),
        (json!(253_402_300_799_u64), "is 7978 years "),
        (just_before, "the year 2000; set the game server's clock"),
        (json!("0001-01-01T00:00:00Z"), "is before the year 2000"),
        (milliseconds, "looks like milliseconds; divide it by 1000 "),
    ] {
        let request = app
            .request(Method::POST, "/v1/update")
            .json(&ended("1", at));
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), ["/ended_at"], "{problem}");
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(says), "{says}: {problem}");
    }
    assert_nothing_stored(app).await;
    for (name, at) in [
        ("first", "2000-01-01T00:00:00Z"),
        ("last", "2026-11-20T12:10:00Z"),
    ] {
        app.counted(&ended(name, at)).await;
    }
}

async fn a_round_that_counts_is_a_duplicate_whatever_the_clock_shows(app: &App) {
    let sent = ended("1", "2026-11-20T12:05:00Z");
    let first = app.counted(&sent).await;
    let again = with(first, json!({"duplicate": true}));
    for now in ["2026-10-01T00:00:00Z", "1971-01-01T00:00:00Z"] {
        set_clock(app, now);
        assert_eq!(app.counted(&sent).await, again);
        assert_eq!(app.counted(&without(sent.clone(), "ended_at")).await, again);
    }
    let (status, problem) = app.update(&ended("1", "2031-01-01T00:00:00Z")).await;
    assert_eq!(status.as_u16(), 409, "{problem}");
    set_clock(app, "2026-11-20T12:05:00Z");
}

async fn a_round_that_ended_too_long_ago_is_for_an_import(app: &App) {
    let secrets = [("RBS_SECRET", Some(SECRET))];
    let settings = settings_from(app.settings.database.clone(), "", &secrets);
    assert_eq!(settings.max_round_age, Duration::from_hours(7 * 24));
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let update = |round: &Value| {
        let request = app.request_to(&instance.address, Method::POST, "/v1/update");
        request.json(round)
    };
    let old = ended("old", "2026-11-13T11:59:59Z");
    let (_, problem) = refused(update(&old), 422).await;
    assert_eq!(fields(&problem), ["/ended_at"], "{problem}");
    let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
    assert!(
        detail.starts_with("is 7 days ago, and rounds are taken up to 7 days after they ended")
            && detail.contains("max_round_age_days")
            && detail.ends_with("rbs import takes rounds of any age"),
        "{problem}"
    );
    assert_nothing_stored(app).await;
    let (status, body) = send(update(&ended("new", "2026-11-13T12:00:00Z"))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    set_clock(app, "2026-12-24T12:00:00Z");
    let (status, body) = send(update(&ended("new", "2026-11-13T12:00:00Z"))).await;
    assert_eq!((status, &body["duplicate"]), (StatusCode::OK, &json!(true)));
    let report = serde_json::from_value(with(old, json!({"pool": "default"})));
    let report: RoundParts = report.expect("a round");
    let report = Report::try_from(report).expect("a round");
    let pool = instance.service.pool(None, None).expect("a pool");
    let rounds = [ImportedRound::from(report)];
    let mut import = instance.service.import();
    let counted = import.record(&pool, &rounds, OnRefusal::GoOn).await;
    let counted = counted.expect("an import").pop();
    assert!(counted.expect("an outcome").is_ok());
    instance.stop().await;
}

async fn a_jump_of_the_clock_refuses_no_round(app: &App) {
    let secrets = [("RBS_SECRET", Some(SECRET))];
    let settings = settings_from(app.settings.database.clone(), "", &secrets);
    let before = "2026-11-20T12:00:00Z";
    for (name, now) in [
        ("back", "2026-11-19T12:00:00Z"),
        ("ahead", "2027-11-20T12:00:00Z"),
    ] {
        let clock = Clock::manual(before.parse().expect("a time"));
        let instance = Instance::start(&settings, clock.clone()).await;
        clock.jump(now.parse().expect("a time"));
        let update = |round: &Value| {
            let request = app.request_to(&instance.address, Method::POST, "/v1/update");
            request.json(round)
        };
        for at in [before, now] {
            let (status, body) = send(update(&ended(&format!("{name}-{at}"), at))).await;
            assert_eq!(status, StatusCode::OK, "{name}, {at}: {body}");
        }
        let neither = update(&ended("neither", "2028-11-20T12:00:00Z"));
        let (_, problem) = refused(neither, 422).await;
        assert_eq!(fields(&problem), ["/ended_at"], "{problem}");
        instance.stop().await;
    }
}
