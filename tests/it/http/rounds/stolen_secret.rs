//! Recovery from a stolen secret: voids its rounds in all servers and pools, and removes its names.

use rbs::config::Secrets;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, set_clock, with};
use crate::support::{ADMIN_SECRET, App, Instance, refused, send, settings_with_secrets};

on_both_databases!(
    what_a_stolen_secret_sent_is_undone_across_servers_and_pools,
    rounds_are_listed_by_the_secret_and_by_when_they_arrived,
    what_is_void_together_needs_something_in_common_and_a_beginning,
);

const HONEST: &str = "an-honest-secret";
const STOLEN: &str = "a-stolen-secret";

/// Time of the theft, ten minutes after the start of the test clock.
const THEFT: &str = "2026-11-20T12:10:00Z";

async fn start(app: &App) -> Instance {
    let database = app.settings.database.clone();
    let both = format!("{HONEST},{STOLEN}");
    let settings = settings_with_secrets(database, &both, Some(ADMIN_SECRET));
    Instance::start(&settings, app.clock.clone()).await
}

async fn post(app: &App, to: &Instance, secret: &str, path: &str, body: &Value) -> Value {
    let request = app.bare_to(&to.address, Method::POST, path);
    let (status, answer) = send(request.bearer_auth(secret).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn void(app: &App, body: &Value) -> Value {
    let request = app.admin(Method::POST, "/v1/admin/rounds/void").json(body);
    let (status, answer) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn figures(app: &App) -> Vec<Value> {
    let mut figures = Vec::new();
    for pool in ["default", "arena"] {
        for player in 1..=6 {
            let path = format!("/v1/admin/players/{}?pool={pool}", id(player));
            let found = app.get(&path).await;
            let kept = ["rating", "rounds", "last_played"].map(|key| found[key].clone());
            figures.push(json!(kept));
        }
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        figures.push(quality["rounds"].clone());
    }
    figures
}

async fn name(app: &App, player: u64) -> Value {
    let path = format!("/v1/admin/players/{}", id(player));
    app.get(&path).await["name"].clone()
}

/// Plays three honest rounds in each pool, then fourteen forged ones, half of them in the past.
async fn play(app: &App, instance: &Instance) -> Vec<Value> {
    for number in 0..3 {
        for (server, pool) in [("s", "default"), ("arena-1", "arena")] {
            let played = round(server, &number.to_string(), "a", &[1, 2], &[3, 4]);
            let played = with(played, json!({"pool": pool}));
            post(app, instance, HONEST, "/v1/update", &played).await;
        }
    }
    let called = json!([{"id": id(1), "name": "One"}, {"id": id(2), "name": "Two"}]);
    let hello = json!({"server": "s", "players": called});
    post(app, instance, HONEST, "/v1/hello", &hello).await;
    let before = figures(app).await;
    set_clock(app, THEFT);
    for number in 0..7 {
        for pool in ["default", "arena"] {
            let server = format!("made-up-{pool}-{}", number / 2);
            let forged = round(&server, &format!("{pool}-{number}"), "b", &[1, 2], &[5, 6]);
            let ended_at = ["2026-11-18T12:00:00Z", THEFT][number % 2];
            let forged = with(forged, json!({"pool": pool, "ended_at": ended_at}));
            post(app, instance, STOLEN, "/v1/update", &forged).await;
        }
    }
    let cheater = |player: u64| json!({"id": id(player), "name": "I AM A CHEATER"});
    let hello = json!({"server": "made-up", "players": [cheater(1), cheater(5)]});
    post(app, instance, STOLEN, "/v1/hello", &hello).await;
    before
}

async fn what_a_stolen_secret_sent_is_undone_across_servers_and_pools(app: &App) {
    let instance = start(app).await;
    let before = play(app, &instance).await;
    let forged = figures(app).await;
    assert_ne!(forged, before);
    assert_eq!(
        [name(app, 1).await, name(app, 2).await],
        [json!("I AM A CHEATER"), json!("Two")]
    );
    let request = json!({"secret": Secrets::fingerprint(STOLEN), "received_since": THEFT,
                         "reason": "a stolen secret", "dry_run": true});
    let would = void(app, &request).await;
    assert_has(&would, &json!({"rounds": 14, "names": 2}));
    let pools = would["pools"].as_array().expect("pools");
    assert_eq!(pools.len(), 2, "{would}");
    for (pool, name) in pools.iter().zip(["arena", "default"]) {
        assert_has(pool, &json!({"pool": name, "rounds": 7}));
        assert_eq!(pool["moved"]["players"], 4, "{would}");
        let largest = pool["moved"]["largest"].as_array().expect("players").iter();
        let moved = |one: &Value| (one["after"].as_i64()? - one["before"].as_i64()?).checked_abs();
        let points: Option<i64> = largest.map(moved).sum();
        assert_eq!(pool["moved"]["points"].as_i64(), points, "{would}");
    }
    assert_eq!(figures(app).await, forged, "it was a dry run");

    let request = with(request, json!({"dry_run": false, "change_id": "theft"}));
    let done = void(app, &request).await;
    assert_has(&done, &json!({"rounds": 14, "names": 2}));
    assert_eq!(figures(app).await, before);
    assert_eq!(
        [name(app, 1).await, name(app, 2).await, name(app, 5).await],
        [Value::Null, json!("Two"), Value::Null]
    );
    let again = void(app, &request).await;
    assert_has(&again, &json!({"rounds": 0, "names": 0}));
    let audit = app.get("/v1/admin/audit").await;
    let entries = audit["entries"].as_array().expect("entries").iter();
    let mut actions: Vec<_> = entries.map(|entry| entry["action"].as_str()).collect();
    actions.sort_unstable();
    let expected = ["take_back_names", "void_rounds", "void_rounds"];
    assert_eq!(actions, expected.map(Some));
    let hello = json!({"server": "s", "players": [{"id": id(1), "name": "One"}]});
    post(app, &instance, HONEST, "/v1/hello", &hello).await;
    assert_eq!(name(app, 1).await, "One");
    instance.stop().await;
}

async fn rounds_are_listed_by_the_secret_and_by_when_they_arrived(app: &App) {
    let instance = start(app).await;
    play(app, &instance).await;
    set_clock(app, "2026-11-20T12:20:00Z");
    let late = round("s", "late", "a", &[1], &[2]);
    post(app, &instance, STOLEN, "/v1/update", &late).await;
    let stolen = Secrets::fingerprint(STOLEN);
    let honest = Secrets::fingerprint(HONEST);
    let in_time = format!("secret={stolen}&received_to=2026-11-20T12:15:00Z");
    for (query, count) in [
        (format!("secret={stolen}"), 8),
        (format!("secret={honest}"), 3),
        (format!("secret={stolen}&server=s"), 1),
        (format!("received_from={THEFT}"), 8),
        (format!("received_to={THEFT}"), 3),
        (in_time, 7),
        (format!("secret={stolen}&to=2026-11-19T00:00:00Z"), 4),
        (format!("secret={stolen}&player={}", id(5)), 7),
        (format!("received_from={THEFT}&player={}", id(2)), 8),
        (format!("secret={honest}&player={}", id(5)), 0),
        ("secret=00000000".to_owned(), 0),
    ] {
        let listed = app.get(&format!("/v1/admin/rounds?{query}")).await;
        let rounds = listed["rounds"].as_array().expect("rounds");
        assert_eq!(rounds.len(), count, "{query}: {listed}");
        for round in rounds.iter().filter(|_| query.contains("secret=")) {
            let secret = round["secret"].as_str().expect("a secret");
            assert!(query.contains(secret), "{query}: {round}");
        }
    }
    post(app, &instance, HONEST, "/v1/update", &late).await;
    let shown = app.get("/v1/admin/rounds/s/late").await;
    assert_eq!(shown["secret"], stolen.to_string());
    refused(app.admin(Method::GET, "/v1/admin/rounds?secret=x"), 422).await;
    instance.stop().await;
}

async fn what_is_void_together_needs_something_in_common_and_a_beginning(app: &App) {
    let instance = start(app).await;
    play(app, &instance).await;
    let secret = Secrets::fingerprint(STOLEN);
    for body in [
        json!({"received_since": THEFT, "reason": "x"}),
        json!({"secret": secret, "reason": "x"}),
        json!({"pool": "arena", "received_until": THEFT, "reason": "x"}),
        json!({"secret": "x", "received_since": THEFT, "reason": "x"}),
    ] {
        let request = app.admin(Method::POST, "/v1/admin/rounds/void").json(&body);
        refused(request, 422).await;
    }
    let all = json!({"secret": secret, "received_since": 0});
    let until = with(all.clone(), json!({"received_until": THEFT}));
    let of_server = json!({"server": "made-up-arena-0", "received_since": THEFT});
    let since = json!({"secret": secret, "since": "2026-11-20T00:00:00Z"});
    for (which, rounds) in [
        (json!({"pool": "arena", "received_since": THEFT}), 7),
        (json!({"pool": "arena", "since": THEFT}), 3),
        (of_server, 2),
        (since, 6),
        (with(all, json!({"pool": "arena"})), 7),
        (until, 0),
    ] {
        let body = with(which, json!({"reason": "x", "dry_run": true}));
        let would = void(app, &body).await;
        assert_eq!(would["rounds"], rounds, "{body}: {would}");
        let takes_names = body["pool"].is_null() && body["server"].is_null() && rounds > 0;
        assert_eq!(would["names"], if takes_names { 2 } else { 0 }, "{body}");
    }
    instance.stop().await;
}
