//! Servers missing in the configuration, under the setting `unknown_servers`.

use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::http::{id, ids, round, with};
use crate::support::{
    ADMIN_SECRET, App, Instance, SECRET, answered, refused, refused_saying, send, settings_from,
};

same_on_both_databases!(
    a_warning_stands_in_answers_until_the_name_is_right,
    they_are_refused_with_the_names_that_were_perhaps_meant,
    a_pool_means_the_same_wherever_a_server_is_named,
);

async fn start(app: &App, setting: &str) -> Instance {
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some("the-homes-own-secret")),
    ];
    let configuration = format!(
        "unknown_servers = \"{setting}\"\n[[game_servers]]\nsecret_variable = \"HOME\"\nservers = [\"home-1\"]"
    );
    let settings = settings_from(app.settings.database.clone(), &configuration, &secrets);
    Instance::start(&settings, app.clock.clone()).await
}

/// Every request in which a server names itself.
fn requests(app: &App, to: &Instance, server: &str) -> Vec<RequestBuilder> {
    let post = |path: &str, body: Value| {
        let body = with(body, json!({"server": server}));
        app.request_to(&to.address, Method::POST, path).json(&body)
    };
    let path = format!("/v1/players/{}?server={server}", id(1));
    vec![
        post("/v1/hello", json!({})),
        post("/v1/update", round(server, "1", "a", &[1], &[2])),
        post("/v1/scramble", json!({"players": ids(1..=4)})),
        post("/v1/players", json!({"players": []})),
        post(
            "/v1/place",
            json!({"team_a": [], "team_b": [], "joining": [id(1)]}),
        ),
        app.request_to(&to.address, Method::GET, &path),
    ]
}

async fn a_warning_stands_in_answers_until_the_name_is_right(app: &App) {
    let instance = start(app, "warn").await;
    for request in requests(app, &instance, "arean-1").into_iter().take(3) {
        let body = answered(request).await;
        assert_eq!(
            body["notices"],
            json!([{
                "name": "unknown_server", "kind": "unknown_server", "player": null, "rating": null,
                "made_at": "2026-11-20T12:00:00Z", "expires_at": null,
                "message": "The configuration does not name the server \"arean-1\", so each of its rounds counts in \
                        the pool that the round names, or in \"default\"; correct the name to \"arena-1\", or add \
                        [servers.arean-1].",
            }])
        );
    }
    for server in ["arena-1", "home-1"] {
        for request in requests(app, &instance, server).into_iter().take(3) {
            assert_eq!(send(request).await.1["notices"], json!([]), "{server}");
        }
    }
    instance.stop().await;
}

async fn they_are_refused_with_the_names_that_were_perhaps_meant(app: &App) {
    let instance = start(app, "refuse").await;
    for request in requests(app, &instance, "arean-1") {
        let says = "correct the name to \"arena-1\"";
        let problem = refused_saying(request, 422, says).await;
        assert_eq!(problem["errors"][0]["field"], "/server", "{problem}");
    }
    let path = "/v1/admin/servers/nowhere/scramble";
    let wish = app.bare_to(&instance.address, Method::POST, path);
    refused_saying(wish.bearer_auth(ADMIN_SECRET), 422, "add [servers.nowhere]").await;
    let queue = json!({"rounds": [round("nowhere", "1", "a", &[1], &[2]), round("home-1", "1", "a", &[1], &[2])]});
    let request = app
        .request_to(&instance.address, Method::POST, "/v1/updates")
        .json(&queue);
    let (_, answers) = send(request).await;
    let statuses = [0, 1].map(|index| answers["answers"][index]["status"].clone());
    assert_eq!(statuses, [json!(422), json!(200)], "{answers}");
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
    for request in requests(app, &instance, "arena-1") {
        answered(request).await;
    }
    instance.stop().await;
}

async fn a_pool_means_the_same_wherever_a_server_is_named(app: &App) {
    let requests = |pool: Option<&str>| {
        let round_id = format!("of {pool:?}").replace(' ', "-");
        let lobby = json!({"players": ids(1..=4)});
        let joining = json!({"team_a": [], "team_b": [], "joining": [id(1)]});
        let teams = json!({"team_a": [id(1)], "team_b": [id(2)]});
        let named = |body: &Value| with(body.clone(), json!({"server": "eu-9"}));
        let servers = json!([{"name": "eu-9", "sizes": [2]}]);
        let bodies = [
            ("/v1/update", round("eu-9", &round_id, "a", &[1], &[2])),
            ("/v1/hello", named(&json!({}))),
            ("/v1/scramble", named(&lobby)),
            ("/v1/admin/scramble", named(&lobby)),
            ("/v1/players", named(&lobby)),
            ("/v1/balance", named(&teams)),
            ("/v1/place", named(&joining)),
            ("/v1/match", json!({"tickets": [], "servers": servers})),
        ];
        bodies.map(|(path, mut body)| {
            if let Some(pool) = pool {
                body["pool"] = json!(pool);
            }
            (path, app.admin(Method::POST, path).json(&body))
        })
    };
    for (pool, meant) in [(None, "default"), (Some("arena"), "arena")] {
        for (path, request) in requests(pool) {
            let (status, body) = send(request).await;
            assert_eq!(
                (status, &body["pool"]),
                (StatusCode::OK, &json!(meant)),
                "{path}: {body}"
            );
        }
        let last = app.get("/v1/scramble?server=eu-9").await;
        assert_eq!(last["pool"], meant);
    }
    let player = format!("/v1/players/{}", id(1));
    let admin_player = format!("/v1/admin/players/{}", id(1));
    let [history, reset] = ["history", "reset"].map(|end| format!("{admin_player}/{end}"));
    let others = [
        (Method::GET, player.as_str()),
        (Method::GET, &admin_player),
        (Method::PUT, &admin_player),
        (Method::POST, &reset),
        (Method::GET, "/v1/admin/quality"),
        (Method::GET, "/v1/admin/quality/history"),
        (Method::GET, "/v1/admin/activity"),
        (Method::GET, &history),
    ]
    .map(|(method, path)| {
        let named = app.admin(method, &format!("{path}?pool=nowhere"));
        (path, named.json(&json!({"rating": 1500})))
    });
    for (_, request) in requests(Some("nowhere")).into_iter().chain(others) {
        refused_saying(request, 404, "nowhere").await;
    }
    for (pool, status) in [("arena", 200), ("default", 404), ("nowhere", 404)] {
        let path = format!("/v1/scramble?server=eu-9&pool={pool}");
        let (found, body) = send(app.request(Method::GET, &path)).await;
        assert_eq!(found.as_u16(), status, "{pool}: {body}");
    }
    let twice = json!({"pool": "arena", "scramble": {"players": [], "pool": "arena"}});
    let twice = with(round("eu-9", "twice", "a", &[1], &[2]), twice);
    let (_, problem) = refused(app.request(Method::POST, "/v1/update").json(&twice), 422).await;
    assert_eq!(problem["errors"][0]["field"], "/scramble/pool");
}
