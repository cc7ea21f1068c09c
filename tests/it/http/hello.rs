use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{assert_nothing_stored, id, ids, round, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_from};

on_both_databases!(
    a_server_learns_what_it_is_here_and_nothing_is_kept,
    a_server_learns_its_last_round_and_its_last_table,
    a_table_of_another_pool_is_not_told,
    an_earlier_plugin_is_told_of_the_latest,
    a_bound_secret_is_declared_and_greets_for_its_own_servers_alone,
    what_makes_no_sense_is_refused,
);

async fn hello(app: &App, address: &str, body: &Value) -> Value {
    let request = app.request_to(address, Method::POST, "/v1/hello");
    let (status, answer) = send(request.json(body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn a_server_learns_what_it_is_here_and_nothing_is_kept(app: &App) {
    let versions = json!({"least": "0.1.0", "latest": env!("CARGO_PKG_VERSION")});
    let full = json!({"server": "arena-1", "map": "arena_well", "mode": "arena",
                      "plugin": env!("CARGO_PKG_VERSION"), "players": [id(1)]});
    assert_eq!(
        hello(app, &app.first.address, &full).await,
        json!({
            "server": "arena-1", "declared": true, "pool": "arena", "shadow_rounds": 3,
            "time": "2026-11-20T12:00:00Z",
            "players": [{"id": id(1), "name": null, "rating": 1000, "visible": false, "rounds": 0,
                         "rounds_until_visible": 3, "placing_rounds": 0, "rank": null, "division": null}],
            "table": null, "policy": "ns2", "last_round_id": null, "notices": [], "plugin": versions,
        })
    );
    let short = json!({"server": "arean-1"});
    assert_eq!(
        hello(app, &app.first.address, &short).await,
        json!({
            "server": "arean-1", "declared": false, "pool": "default", "shadow_rounds": 50,
            "time": "2026-11-20T12:00:00Z", "players": [], "table": null, "policy": "synelo",
            "last_round_id": null, "notices": [], "plugin": versions,
        })
    );
    assert_nothing_stored(app).await;
}

async fn a_server_learns_its_last_round_and_its_last_table(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1, 2], &[3, 4]))
        .await;
    let last = with(
        round("arena-1", "2", "b", &[1, 2], &[3, 4]),
        json!({"scramble": {"players": ids(1..=5)}}),
    );
    let splits = app.counted(&last).await["splits"].clone();
    app.counted(&round("s", "3", "a", &[1], &[2])).await;
    let answer = hello(app, &app.first.address, &json!({"server": "arena-1"})).await;
    assert_eq!(answer["last_round_id"], "2");
    assert_eq!(answer["table"], splits);
    let other = hello(app, &app.first.address, &json!({"server": "s"})).await;
    assert_eq!(
        (&other["last_round_id"], &other["table"]),
        (&json!("3"), &Value::Null)
    );
}

async fn another(app: &App, configuration: &str) -> Instance {
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some("the-homes-own-secret")),
    ];
    let settings = settings_from(app.settings.database.clone(), configuration, &secrets);
    Instance::start(&settings, app.clock.clone()).await
}

async fn a_table_of_another_pool_is_not_told(app: &App) {
    let moved = another(app, "[servers.s]\npool = \"arena\"").await;
    let scramble = json!({"server": "s", "players": ids(1..=4)});
    let request = app.request(Method::POST, "/v1/scramble");
    assert_eq!(send(request.json(&scramble)).await.0, StatusCode::OK);
    let named = json!({"server": "s"});
    let before = hello(app, &app.first.address, &named).await;
    assert_eq!(before["table"]["pool"], "default");
    let after = hello(app, &moved.address, &named).await;
    assert_eq!(
        (&after["pool"], &after["table"]),
        (&json!("arena"), &Value::Null)
    );
    moved.stop().await;
}

async fn an_earlier_plugin_is_told_of_the_latest(app: &App) {
    let latest = env!("CARGO_PKG_VERSION");
    let with_version = |version: &str| json!({"server": "s", "plugin": version});
    let answer = hello(app, &app.first.address, &with_version("0.0.9+tf2")).await;
    assert_eq!(
        answer["notices"],
        json!([{
            "name": format!("plugin-{latest}"), "kind": "plugin", "player": null, "rating": null,
            "made_at": "2026-11-20T12:00:00Z", "expires_at": null,
            "message": format!("The plugin is version 0.0.9, and this service comes with {latest}; update the plugin."),
        }])
    );
    for version in [latest, "999.0.0"] {
        let answer = hello(app, &app.first.address, &with_version(version)).await;
        assert_eq!(answer["notices"], json!([]), "{version}");
    }
}

async fn a_bound_secret_is_declared_and_greets_for_its_own_servers_alone(app: &App) {
    let table = "[[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]";
    let instance = another(app, table).await;
    let greet = |server: &str| {
        let request = app.bare_to(&instance.address, Method::POST, "/v1/hello");
        let request = request.bearer_auth("the-homes-own-secret");
        request.json(&json!({"server": server}))
    };
    let (status, answer) = send(greet("home-1")).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(
        (&answer["declared"], &answer["pool"]),
        (&json!(true), &json!("default"))
    );
    refused(greet("arena-1"), 403).await;
    refused(greet("home-2"), 403).await;
    instance.stop().await;
}

async fn what_makes_no_sense_is_refused(app: &App) {
    for (body, field) in [
        (json!({}), "/server"),
        (json!({"server": "a b"}), "/server"),
        (json!({"server": "s", "plugin": "1.2"}), "/plugin"),
        (json!({"server": "s", "plugin": 1}), "/plugin"),
        (json!({"server": "s", "mode": "king\nof the hill"}), "/mode"),
        (json!({"server": "s", "map": ""}), "/map"),
        (
            json!({"server": "s", "players": [id(1), id(1)]}),
            "/players/1",
        ),
        (json!({"server": "s", "players": ids(1..=129)}), "/players"),
        (json!({"server": "s", "pool": "a b"}), "/pool"),
    ] {
        let request = app.request(Method::POST, "/v1/hello").json(&body);
        let (_, problem) = refused(request, 422).await;
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
    let null = json!({"server": "s", "map": null, "mode": null, "plugin": null, "players": null});
    assert_eq!(
        hello(app, &app.first.address, &null).await["players"],
        json!([])
    );
}
