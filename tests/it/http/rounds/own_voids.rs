//! `POST /v1/rounds/{server}/{round_id}/void`: a game server voids its own round.

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, set_clock, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, fields, refused, send, settings_from};

on_both_databases!(
    without_the_setting_no_game_server_voids_a_round,
    a_game_server_voids_its_own_last_round_and_the_audit_names_its_secret,
    what_is_not_its_own_or_too_long_ago_or_asked_wrongly_is_refused,
);

const HOME: &str = "the-homes-own-secret";

async fn start(app: &App, minutes: u32) -> Instance {
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some(HOME)),
    ];
    let configuration = format!(
        "void_own_minutes = {minutes}\n[[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]"
    );
    let settings = settings_from(app.settings.database.clone(), &configuration, &secrets);
    Instance::start(&settings, app.clock.clone()).await
}

fn void(app: &App, to: &Instance, secret: &str, path: &str) -> RequestBuilder {
    let path = format!("/v1/rounds/{path}/void");
    let request = app
        .bare_to(&to.address, Method::POST, &path)
        .bearer_auth(secret);
    request.json(&json!({"reason": "the wrong team was reported"}))
}

async fn rating(app: &App) -> Value {
    app.get(&format!("/v1/players/{}", id(1))).await["rating"].clone()
}

async fn without_the_setting_no_game_server_voids_a_round(app: &App) {
    let instance = start(app, 0).await;
    app.counted(&round("home-1", "1", "a", &[1], &[2])).await;
    for secret in [SECRET, ADMIN_SECRET, HOME] {
        let (_, problem) = refused(void(app, &instance, secret, "home-1/1"), 403).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains("set void_own_minutes"), "{detail}");
    }
    assert_eq!(rating(app).await, 1036);
    instance.stop().await;
}

async fn a_game_server_voids_its_own_last_round_and_the_audit_names_its_secret(app: &App) {
    let instance = start(app, 5).await;
    app.counted(&round("home-1", "1", "a", &[1], &[2])).await;
    set_clock(app, "2026-11-20T12:05:00Z");
    let (status, shown) = send(void(app, &instance, HOME, "home-1/1")).await;
    assert_eq!(status, StatusCode::OK, "{shown}");
    let reason = "the wrong team was reported";
    assert_eq!(shown["void"]["reason"], reason, "{shown}");
    assert_eq!(rating(app).await, 1000);
    let (status, again) = send(void(app, &instance, HOME, "home-1/1")).await;
    assert_eq!((status, &again), (StatusCode::OK, &shown));
    let audit = app.get("/v1/admin/audit").await;
    let entries = audit["entries"].as_array().map(Vec::len);
    assert_eq!(entries, Some(1), "{audit}");
    let secret = rbs::config::Secrets::fingerprint(HOME);
    let expected = json!({"action": "void", "secret": secret});
    assert_has(&audit["entries"][0], &expected);
    let path = "/v1/admin/rounds/home-1/1/unvoid";
    let request = app.bare_to(&instance.address, Method::POST, path);
    refused(request.bearer_auth(HOME), 403).await;
    instance.stop().await;
}

async fn what_is_not_its_own_or_too_long_ago_or_asked_wrongly_is_refused(app: &App) {
    let instance = start(app, 5).await;
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    let sent = round("home-1", "away", "a", &[1], &[2]);
    app.counted(&with(sent, json!({"pool": "arena"}))).await;
    for path in ["arena-1/1", "arena-1/2", "nowhere/1", "home-1/away"] {
        refused(void(app, &instance, HOME, path), 403).await;
    }
    let (status, shown) = send(void(app, &instance, SECRET, "arena-1/1")).await;
    assert_eq!(status, StatusCode::OK, "{shown}");

    refused(void(app, &instance, HOME, "home-1/unheard-of"), 404).await;
    let sent = round("home-1", "1", "a", &[1], &[2]);
    let late = json!({"ended_at": "2026-11-20T12:09:00Z"});
    app.counted(&with(sent, late)).await;
    for (body, field) in [
        (json!({}), "/reason"),
        (json!({"reason": "x", "rounds": 1}), "/rounds"),
    ] {
        let request = void(app, &instance, HOME, "home-1/1").json(&body);
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field], "{problem}");
    }
    let path = "/v1/rounds/home-1/1/void";
    refused(app.bare_to(&instance.address, Method::POST, path), 401).await;
    set_clock(app, "2026-11-20T12:05:00.000001Z");
    for secret in [HOME, SECRET] {
        let (_, problem) = refused(void(app, &instance, secret, "home-1/1"), 403).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains("more than 5 minutes ago"), "{detail}");
    }
    assert_eq!(rating(app).await, 1036);
    instance.stop().await;
}
