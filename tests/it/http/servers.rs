//! `GET /v1/admin/servers`, and the time of servers' last rounds in the metrics.

use rbs::config::Secrets;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::service::metrics::{assert_value, metrics, scrape, value};
use super::{HOME_SECRET, configured, id, posted, round, set_clock, with};
use crate::support::{ADMIN_SECRET, App, SECRET, refused, send};

on_both_databases!(
    a_server_is_listed_by_every_instance_with_what_it_plays_and_what_it_runs,
    what_needs_attention_comes_first,
    a_secret_is_shown_by_its_name_and_a_server_that_is_refused_for_its_own,
    whoever_has_no_secret_says_nothing_of_a_server,
    a_server_of_two_pools_stands_in_both,
    when_servers_last_played_is_measured_from_the_start,
    of_servers_that_nobody_declared_the_most_active_are_measured,
    servers_that_nobody_declared_are_forgotten_after_a_month,
);

const HELLO: &str = "/v1/hello";
const NOON: &str = "2026-11-20T12:00:00Z";

async fn listed(app: &App, address: &str) -> Vec<Value> {
    let request = app.bare_to(address, Method::GET, "/v1/admin/servers");
    let (status, answer) = send(request.bearer_auth(ADMIN_SECRET)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["not_listed"], 0);
    answer["servers"].as_array().expect("a list").clone()
}

fn names(servers: &[Value]) -> Vec<(&str, Option<&str>)> {
    let named = servers.iter();
    named
        .map(|one| {
            let server = one["server"].as_str().expect("a name");
            (server, one["attention"].as_str())
        })
        .collect()
}

fn ended(server: &str, round_id: &str, ended_at: &str) -> Value {
    with(
        round(server, round_id, "a", &[1, 2], &[3, 4]),
        json!({"ended_at": ended_at}),
    )
}

async fn a_server_is_listed_by_every_instance_with_what_it_plays_and_what_it_runs(app: &App) {
    for (round_id, ended_at) in [
        ("1", "2026-11-19T12:30:00Z"),
        ("2", "2026-11-19T13:30:00Z"),
        ("3", "2026-11-20T00:00:00Z"),
        ("4", "2026-11-20T11:00:00Z"),
    ] {
        app.counted(&ended("arena-1", round_id, ended_at)).await;
    }
    let hello = json!({"server": "arena-1", "plugin": "1.2.3+tf2"});
    posted(app, HELLO, &hello).await;
    let answer = app.get("/v1/admin/servers?pool=arena").await;
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let by_server = &quality["by_server"][0];
    assert!(by_server["standard_error"].is_number(), "{by_server}");
    let fingerprint = Secrets::fingerprint(SECRET).to_string();
    assert_eq!(
        answer,
        json!({
            "since": NOON, "not_listed": 0,
            "plugin": {"least": "0.1.0", "latest": env!("CARGO_PKG_VERSION")},
            "servers": [{
                "server": "arena-1", "pool": "arena", "declared": true, "attention": null, "advice": null,
                "last_seen_at": NOON, "last_round_at": "2026-11-20T11:00:00Z",
                "rounds_today": 2, "rounds_24_hours": 3, "refused_24_hours": 0, "rounds": 4,
                "bias": by_server["bias"], "standard_error": by_server["standard_error"], "policy": "ns2",
                "secret": {"fingerprint": fingerprint, "name": null, "used_at": NOON},
                "plugin": "1.2.3", "hello_at": NOON,
            }],
        })
    );
    let elsewhere = &listed(app, &app.another_instance().await).await[0];
    assert_eq!(*elsewhere, answer["servers"][0]);
    set_clock(app, "2026-11-20T12:30:00Z");
    app.get("/v1/leaderboard?server=arena-1").await;
    let still = &listed(app, &app.first.address).await[0];
    assert_eq!(still["last_seen_at"], NOON);
    let lobby = json!({"server": "arena-1", "players": []});
    posted(app, "/v1/scramble", &lobby).await;
    let later = &listed(app, &app.first.address).await[0];
    assert_eq!(later["last_seen_at"], "2026-11-20T12:30:00Z");
    assert_eq!(later["secret"]["used_at"], "2026-11-20T12:30:00Z");
}

async fn what_needs_attention_comes_first(app: &App) {
    posted(app, HELLO, &json!({"server": "old", "plugin": "0.0.9"})).await;
    posted(app, HELLO, &json!({"server": "good", "plugin": "0.1.0"})).await;
    posted(app, HELLO, &json!({"server": "also-good"})).await;
    let odd = with(ended("bad", "1", NOON), json!({"winner": "red"}));
    refused(app.request(Method::POST, "/v1/update").json(&odd), 422).await;
    refused(app.request(Method::POST, "/v1/update").json(&odd), 422).await;
    let lobby = json!({"server": "good", "players": [], "odd": 1});
    refused(app.request(Method::POST, "/v1/scramble").json(&lobby), 422).await;
    let servers = listed(app, &app.first.address).await;
    assert_eq!(
        names(&servers),
        [
            ("bad", Some("refused")),
            ("arena-1", Some("silent")),
            ("old", Some("plugin")),
            ("also-good", None),
            ("good", None),
        ]
    );
    assert_eq!(servers[0]["refused_24_hours"], 2);
    let advice = servers[1]["advice"].as_str().expect("a sentence");
    assert!(advice.contains("never sent a request"), "{advice}");
    assert_eq!(servers[1]["last_seen_at"], Value::Null);
}

async fn a_secret_is_shown_by_its_name_and_a_server_that_is_refused_for_its_own(app: &App) {
    let table = "unknown_servers = \"refuse\"\n\
                 [[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]";
    let instance = configured(app, table).await;
    // What an admin asks in the name of the server is not the server.
    for (secret, path) in [
        (HOME_SECRET, HELLO),
        (ADMIN_SECRET, "/v1/players"),
        (ADMIN_SECRET, HELLO),
    ] {
        let request = app.bare_to(&instance.address, Method::POST, path);
        let body = json!({"server": "home-1", "players": []});
        let (status, _) = send(request.bearer_auth(secret).json(&body)).await;
        assert_eq!(status, StatusCode::OK);
    }
    let request = app.request_to(&instance.address, Method::POST, "/v1/update");
    refused(request.json(&round("arean-1", "1", "a", &[1], &[2])), 422).await;
    let servers = listed(app, &instance.address).await;
    assert_eq!(names(&servers)[0], ("arean-1", Some("refused")));
    assert_eq!(servers[0]["declared"], false);
    assert_eq!(servers[0]["last_seen_at"], json!(NOON));
    instance.stop().await;
    let undeclared = listed(app, &app.first.address).await;
    for (servers, name) in [(servers, json!("home")), (undeclared, Value::Null)] {
        let home = servers
            .iter()
            .find(|one| one["server"] == "home-1")
            .expect("the server");
        assert_eq!(
            (&home["declared"], &home["secret"]["name"]),
            (&json!(name.is_string()), &name)
        );
    }
}

async fn whoever_has_no_secret_says_nothing_of_a_server(app: &App) {
    posted(app, HELLO, &json!({"server": "eu-1"})).await;
    let before = listed(app, &app.first.address).await;
    set_clock(app, "2026-11-20T12:30:00Z");
    for secret in ["", "a-secret-that-nobody-knows"] {
        let update = app.bare(Method::POST, "/v1/update");
        let update = update.header("x-rbs-server", "eu-1");
        let update = update.json(&round("eu-1", "1", "a", &[1], &[2]));
        refused(update.bearer_auth(secret), 401).await;
    }
    assert_eq!(listed(app, &app.first.address).await, before);
}

async fn a_server_of_two_pools_stands_in_both(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    let elsewhere = json!({"pool": "default"});
    let elsewhere = with(round("arena-1", "2", "a", &[1], &[2]), elsewhere);
    app.counted(&elsewhere).await;
    let servers = listed(app, &app.first.address).await;
    let pools = servers.iter().map(|one| one["pool"].clone());
    assert_eq!(pools.collect::<Value>(), json!(["arena", "default"]));
    let of_default = app.get("/v1/admin/servers?pool=default").await;
    assert_eq!(of_default["servers"].as_array().map(Vec::len), Some(1));
    assert_eq!(of_default["servers"][0]["policy"], "synelo");
}

fn series(server: &str, pool: &str) -> String {
    format!("rbs_server_last_round_timestamp_seconds{{server=\"{server}\",pool=\"{pool}\"}}")
}

async fn when_servers_last_played_is_measured_from_the_start(app: &App) {
    app.counted(&ended("arena-1", "1", NOON)).await;
    app.counted(&ended("arena-1", "2", "2026-11-20T11:00:00Z"))
        .await;
    app.counted(&ended("s", "1", "2026-11-20T11:59:59Z")).await;
    let other = app.another_instance().await;
    let request = app.bare_to(&other, Method::GET, "/metrics");
    let found = scrape(request.bearer_auth(SECRET)).await;
    assert_value(&found, &series("arena-1", "arena"), 1_795_176_000.0);
    assert_value(&found, &series("s", "default"), 1_795_175_999.0);
    assert_eq!(value(&found, &series("arena-1", "default")), None);
}

async fn of_servers_that_nobody_declared_the_most_active_are_measured(app: &App) {
    // The last server has played one round, and every other two.
    let played = (0..51).map(|n| (n, "1")).chain((0..50).map(|n| (n, "2")));
    let rounds: Vec<Value> = played
        .map(|(n, round_id)| {
            let played = round(&format!("s-{n}"), round_id, "a", &[1], &[2]);
            with(played, json!({"pool": "arena"}))
        })
        .collect();
    for some in rounds.chunks(64) {
        posted(app, "/v1/updates", &json!({"rounds": some})).await;
    }
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    let found = metrics(app).await;
    let is_measured = |server: &str| value(&found, &series(server, "arena")).is_some();
    let found = ["arena-1", "s-0", "s-49", "s-50"].map(is_measured);
    assert_eq!(found, [true, true, true, false]);
}

async fn servers_that_nobody_declared_are_forgotten_after_a_month(app: &App) {
    let scramble = async |server: &str| {
        let body = json!({"server": server, "players": [id(1), id(2)]});
        posted(app, "/v1/scramble", &body).await;
    };
    for server in ["made-up", "arena-1"] {
        posted(app, HELLO, &json!({"server": server})).await;
        scramble(server).await;
    }
    set_clock(app, "2026-12-19T12:00:00Z");
    scramble("another").await;
    let table = async |server: &str| {
        let path = format!("/v1/scramble?server={server}");
        let (status, _) = send(app.request(Method::GET, &path)).await;
        status.as_u16()
    };
    assert_eq!(table("made-up").await, 200, "it is not a month");
    set_clock(app, "2026-12-20T12:00:01Z");
    posted(app, HELLO, &json!({"server": "another"})).await;
    assert_eq!(table("made-up").await, 404);
    assert_eq!(table("another").await, 200);
    assert_eq!(table("arena-1").await, 200, "the configuration names it");
    let known = listed(app, &app.another_instance().await).await;
    let is_known = |name: &str| names(&known).into_iter().any(|(known, _)| known == name);
    assert!(is_known("arena-1") && !is_known("made-up"), "{known:?}");
}
