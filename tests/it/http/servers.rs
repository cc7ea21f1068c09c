//! `GET /v1/admin/servers`, and the time of servers' last rounds in the metrics.

use rbs::config::Secrets;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::service::metrics::{assert_value, metrics, scrape, value};
use super::{id, round, set_clock, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_from};

on_both_databases!(
    a_server_is_listed_with_what_it_plays_and_what_it_runs,
    what_needs_attention_comes_first,
    what_a_server_says_at_the_start_of_a_map_is_known_to_every_instance,
    a_secret_is_shown_by_its_name,
    a_server_that_is_refused_for_its_name_is_listed,
    whoever_has_no_secret_says_nothing_of_a_server,
    a_server_of_two_pools_stands_in_both,
    only_admins_see_servers,
    when_servers_last_played_is_measured_from_the_start,
    of_servers_that_nobody_declared_the_most_active_are_measured,
    servers_that_nobody_declared_are_forgotten_after_a_month,
);

const NOON: &str = "2026-11-20T12:00:00Z";

async fn hello(app: &App, body: &Value) {
    let request = app.request(Method::POST, "/v1/hello").json(body);
    let (status, answer) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
}

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

async fn a_server_is_listed_with_what_it_plays_and_what_it_runs(app: &App) {
    for (round_id, ended_at) in [
        ("1", "2026-11-19T12:30:00Z"),
        ("2", "2026-11-19T13:30:00Z"),
        ("3", "2026-11-20T00:00:00Z"),
        ("4", "2026-11-20T11:00:00Z"),
    ] {
        app.counted(&ended("arena-1", round_id, ended_at)).await;
    }
    hello(app, &json!({"server": "arena-1", "plugin": "1.2.3+tf2"})).await;
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
    set_clock(app, "2026-11-20T12:30:00Z");
    app.get(&format!("/v1/players/{}?server=arena-1", id(1)))
        .await;
    app.get("/v1/leaderboard?server=arena-1").await;
    assert_eq!(
        listed(app, &app.first.address).await[0]["last_seen_at"],
        NOON
    );
    let lobby = json!({"server": "arena-1", "players": []});
    let (status, _) = send(app.request(Method::POST, "/v1/scramble").json(&lobby)).await;
    assert_eq!(status, StatusCode::OK);
    let later = &listed(app, &app.first.address).await[0];
    assert_eq!(later["last_seen_at"], "2026-11-20T12:30:00Z");
    assert_eq!(later["secret"]["used_at"], "2026-11-20T12:30:00Z");
}

async fn what_needs_attention_comes_first(app: &App) {
    hello(app, &json!({"server": "old", "plugin": "0.0.9"})).await;
    hello(app, &json!({"server": "good", "plugin": "0.1.0"})).await;
    hello(app, &json!({"server": "also-good"})).await;
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

    set_clock(app, "2026-11-22T12:00:00Z");
    let servers = listed(app, &app.first.address).await;
    let silent = names(&servers)
        .into_iter()
        .filter(|(_, why)| *why == Some("silent"));
    let silent: Vec<&str> = silent.map(|(server, _)| server).collect();
    assert_eq!(silent, ["also-good", "arena-1", "good", "old"]);
    assert_eq!(servers[4]["refused_24_hours"], 0);
    set_clock(app, "2026-12-04T12:00:00Z");
    let servers = listed(app, &app.first.address).await;
    assert_eq!(names(&servers)[0], ("arena-1", Some("silent")));
    assert_eq!(names(&servers)[1], ("also-good", None));
}

async fn what_a_server_says_at_the_start_of_a_map_is_known_to_every_instance(app: &App) {
    hello(app, &json!({"server": "eu-1", "plugin": "1.0.0"})).await;
    app.counted(&round("eu-2", "1", "a", &[1], &[2])).await;
    let other = app.another_instance().await;
    let servers = listed(app, &other).await;
    let found = |server: &str| {
        let mut found = servers.iter().filter(|one| one["server"] == server);
        found.next().expect("the server").clone()
    };
    assert_eq!(found("eu-1")["plugin"], "1.0.0");
    assert_eq!(found("eu-1")["hello_at"], NOON);
    let fingerprint = Secrets::fingerprint(SECRET).to_string();
    assert_eq!(found("eu-1")["secret"]["fingerprint"], fingerprint);
    assert_eq!(found("eu-2")["last_seen_at"], NOON);
    assert_eq!(found("eu-2")["secret"], Value::Null);
}

async fn another(app: &App, configuration: &str) -> Instance {
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some("home the-homes-own-secret")),
    ];
    let settings = settings_from(app.settings.database.clone(), configuration, &secrets);
    Instance::start(&settings, app.clock.clone()).await
}

async fn a_secret_is_shown_by_its_name(app: &App) {
    let table = "[[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]";
    let instance = another(app, table).await;
    let request = app.bare_to(&instance.address, Method::POST, "/v1/hello");
    let request = request.bearer_auth("the-homes-own-secret");
    let (status, _) = send(request.json(&json!({"server": "home-1"}))).await;
    assert_eq!(status, StatusCode::OK);
    for (path, body) in [
        ("/v1/players", json!({"server": "home-1", "players": []})),
        ("/v1/hello", json!({"server": "home-1"})),
    ] {
        let request = app.bare_to(&instance.address, Method::POST, path);
        let request = request.bearer_auth(ADMIN_SECRET);
        let (status, _) = send(request.json(&body)).await;
        assert_eq!(status, StatusCode::OK);
    }
    let servers = listed(app, &instance.address).await;
    let home = servers.iter().find(|one| one["server"] == "home-1");
    let home = home.expect("the server");
    assert_eq!(
        (&home["declared"], &home["secret"]["name"]),
        (&json!(true), &json!("home"))
    );
    instance.stop().await;
    let servers = listed(app, &app.first.address).await;
    let home = servers.iter().find(|one| one["server"] == "home-1");
    let home = home.expect("the server");
    assert_eq!(
        (&home["declared"], &home["secret"]["name"]),
        (&json!(false), &Value::Null)
    );
}

async fn a_server_that_is_refused_for_its_name_is_listed(app: &App) {
    let instance = another(app, "unknown_servers = \"refuse\"").await;
    let request = app.request_to(&instance.address, Method::POST, "/v1/update");
    refused(request.json(&round("arean-1", "1", "a", &[1], &[2])), 422).await;
    let servers = listed(app, &instance.address).await;
    assert_eq!(names(&servers)[0], ("arean-1", Some("refused")));
    assert_eq!(servers[0]["declared"], false);
    assert_eq!(servers[0]["last_seen_at"], NOON);
    instance.stop().await;
}

async fn whoever_has_no_secret_says_nothing_of_a_server(app: &App) {
    hello(app, &json!({"server": "eu-1"})).await;
    let before = listed(app, &app.first.address).await;
    set_clock(app, "2026-11-20T12:30:00Z");
    for secret in [None, Some("a-secret-that-nobody-knows")] {
        let update = app.bare(Method::POST, "/v1/update");
        let update = update.header("x-rbs-server", "eu-1");
        let update = update.json(&round("eu-1", "1", "a", &[1], &[2]));
        let update = match secret {
            Some(secret) => update.bearer_auth(secret),
            None => update,
        };
        refused(update, 401).await;
    }
    assert_eq!(listed(app, &app.first.address).await, before);
    let counted = app.admin(Method::GET, "/v1/admin/refusals");
    let (_, counted) = send(counted).await;
    let of_server = counted["refusals"].as_array().expect("refusals").iter();
    assert_eq!(of_server.filter(|one| one["server"] == "eu-1").count(), 2);
}

async fn a_server_of_two_pools_stands_in_both(app: &App) {
    let elsewhere = json!({"pool": "default"});
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    app.counted(&with(
        round("arena-1", "2", "a", &[1], &[2]),
        elsewhere.clone(),
    ))
    .await;
    let servers = listed(app, &app.first.address).await;
    let pools: Vec<_> = servers
        .iter()
        .map(|one| (&one["server"], &one["pool"]))
        .collect();
    let server = json!("arena-1");
    let expected = [(&server, &json!("arena")), (&server, &json!("default"))];
    assert_eq!(pools, expected);
    let of_default = app.get("/v1/admin/servers?pool=default").await;
    assert_eq!(of_default["servers"].as_array().map(Vec::len), Some(1));
    assert_eq!(of_default["servers"][0]["policy"], "synelo");
}

async fn only_admins_see_servers(app: &App) {
    refused(app.request(Method::GET, "/v1/admin/servers"), 403).await;
    let unknown = app.admin(Method::GET, "/v1/admin/servers?pool=nowhere");
    refused(unknown, 404).await;
    refused(app.admin(Method::GET, "/v1/admin/servers?server=s"), 422).await;
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
    let body: Vec<Value> = (0..51)
        .map(|n| {
            with(
                round(&format!("s-{n}"), "1", "a", &[1], &[2]),
                json!({"pool": "arena"}),
            )
        })
        .collect();
    let more = (0..50).map(|n| {
        with(
            round(&format!("s-{n}"), "2", "a", &[1], &[2]),
            json!({"pool": "arena"}),
        )
    });
    let rounds: Vec<Value> = body.into_iter().chain(more).collect();
    for some in rounds.chunks(64) {
        let request = app.request(Method::POST, "/v1/updates");
        let (status, answer) = send(request.json(&json!({"rounds": some}))).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    let found = metrics(app).await;
    for server in ["arena-1", "s-0", "s-49"] {
        assert!(
            value(&found, &series(server, "arena")).is_some(),
            "{server}"
        );
    }
    assert_eq!(value(&found, &series("s-50", "arena")), None);
}

async fn servers_that_nobody_declared_are_forgotten_after_a_month(app: &App) {
    let scramble = async |server: &str| {
        let body = json!({"server": server, "players": [id(1), id(2)]});
        let request = app.request(Method::POST, "/v1/scramble").json(&body);
        let (status, answer) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    };
    for server in ["made-up", "arena-1"] {
        hello(app, &json!({"server": server})).await;
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
    hello(app, &json!({"server": "another"})).await;
    assert_eq!(table("made-up").await, 404);
    assert_eq!(table("another").await, 200);
    assert_eq!(table("arena-1").await, 200, "the configuration names it");
    let other = app.another_instance().await;
    let known = listed(app, &other).await;
    let known: Vec<&str> = names(&known).into_iter().map(|(name, _)| name).collect();
    assert!(
        known.contains(&"arena-1") && !known.contains(&"made-up"),
        "{known:?}"
    );
}
