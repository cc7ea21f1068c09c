//! Secrets for certain servers and pools, and their rate limits.

use rbs::config::Settings;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use crate::http::{id, ids, round, with};
use crate::support::{
    ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_from, settings_with_secrets,
};

same_on_both_databases!(
    a_bound_secret_does_all_for_its_own_servers,
    what_a_bound_secret_is_not_for_is_refused_and_nothing_of_it_told,
    of_a_queue_only_the_rounds_of_its_own_servers_count,
    what_a_server_left_in_another_pool_is_not_told,
    a_bound_secret_opens_no_admin_path,
    a_secret_that_asks_too_often_is_told_when_to_come_back,
    a_bound_secret_names_players_of_its_own_pools_alone,
);

const ARENA: &str = "the-arenas-own-secret";
const HOME: &str = "the-homes-own-secret";

const TABLES: &str = r#"
[[game_servers]]
secret_variable = "ARENA"
servers = ["arena-1", "arena-2"]
pools = ["arena"]
[[game_servers]]
secret_variable = "HOME"
servers = ["home-1"]
"#;

fn bound(app: &App, admin: Option<&str>) -> Settings {
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", admin),
        ("ARENA", Some(ARENA)),
        ("HOME", Some(HOME)),
    ];
    settings_from(app.settings.database.clone(), TABLES, &variables)
}

async fn start(app: &App) -> Instance {
    Instance::start(&bound(app, Some(ADMIN_SECRET)), app.clock.clone()).await
}

fn ask(app: &App, to: &Instance, secret: &str, method: Method, path: &str) -> RequestBuilder {
    app.bare_to(&to.address, method, path).bearer_auth(secret)
}

async fn a_bound_secret_does_all_for_its_own_servers(app: &App) {
    let instance = start(app).await;
    let ask = |secret, method, path: &str| ask(app, &instance, secret, method, path);
    let scramble = json!({"players": ids(1..=4)});
    for (secret, server, pool) in [(ARENA, "arena-1", "arena"), (HOME, "home-1", "default")] {
        let sent = with(
            round(server, "1", "a", &[1, 2], &[3, 4]),
            json!({"pool": pool, "scramble": scramble}),
        );
        let queue = json!({"rounds": [round(server, "2", "a", &[1], &[2])]});
        let own = with(scramble.clone(), json!({"server": server}));
        let requests = [
            ask(secret, Method::POST, "/v1/update").json(&sent),
            ask(secret, Method::POST, "/v1/updates").json(&queue),
            ask(secret, Method::POST, "/v1/scramble").json(&own),
            ask(
                secret,
                Method::GET,
                &format!("/v1/scramble?server={server}"),
            ),
            ask(
                secret,
                Method::GET,
                &format!("/v1/players/{}?server={server}", id(1)),
            ),
            ask(
                secret,
                Method::GET,
                &format!("/v1/players/{}?pool={pool}", id(1)),
            ),
        ];
        for request in requests {
            let (status, body) = send(request).await;
            assert_eq!(status, StatusCode::OK, "{body}");
            assert!(
                body["pool"] == pool || body["answers"][0]["body"]["pool"] == pool,
                "{body}"
            );
        }
    }
    // arena-2 is in the default pool, so the request must name the allowed pool.
    let away = round("arena-2", "1", "a", &[1], &[2]);
    refused(ask(ARENA, Method::POST, "/v1/update").json(&away), 403).await;
    let named = with(away, json!({"pool": "arena"}));
    let (status, body) = send(ask(ARENA, Method::POST, "/v1/update").json(&named)).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    refused(ask(ARENA, Method::GET, "/metrics"), 403).await;
    let free = ask(SECRET, Method::GET, "/metrics").send().await;
    assert_eq!(free.expect("an answer").status(), StatusCode::OK);
    instance.stop().await;
}

async fn what_a_bound_secret_is_not_for_is_refused_and_nothing_of_it_told(app: &App) {
    let instance = start(app).await;
    let arena = with(
        round("arena-1", "1", "a", &[1, 2], &[3, 4]),
        json!({"scramble": {"players": ids(1..=4)}}),
    );
    app.counted(&arena).await;
    let ask = |method, path: &str| ask(app, &instance, HOME, method, path);
    let get = |path: &str| ask(Method::GET, path);
    let post = |path: &str, body: &Value| ask(Method::POST, path).json(body);
    let player = |query: &str| get(&format!("/v1/players/{}?{query}", id(1)));
    let in_pool = |pool: &str| {
        let own = round("home-1", "1", "a", &[1], &[2]);
        post("/v1/update", &with(own, json!({"pool": pool})))
    };
    let table = |server: &str| json!({"server": server, "players": ids(1..=4)});
    for (there, not_there, there_name, not_there_name) in [
        (
            post("/v1/update", &arena),
            post(
                "/v1/update",
                &with(arena.clone(), json!({"server": "nowhere"})),
            ),
            "arena-1",
            "nowhere",
        ),
        (in_pool("arena"), in_pool("nowhere"), "arena", "nowhere"),
        (
            post("/v1/scramble", &table("arena-1")),
            post("/v1/scramble", &table("nowhere")),
            "arena-1",
            "nowhere",
        ),
        (
            get("/v1/scramble?server=arena-1"),
            get("/v1/scramble?server=nowhere"),
            "arena-1",
            "nowhere",
        ),
        (
            player("server=arena-1"),
            player("server=nowhere"),
            "arena-1",
            "nowhere",
        ),
        (
            player("pool=arena"),
            player("pool=nowhere"),
            "arena",
            "nowhere",
        ),
        (
            player("server=home-1&pool=arena"),
            player("server=home-1&pool=nowhere"),
            "arena",
            "nowhere",
        ),
    ] {
        let (_, problem) = refused(there, 403).await;
        let (_, other) = refused(not_there, 403).await;
        let quoted = |name: &str| format!("\\\"{name}\\\"");
        let renamed = problem
            .to_string()
            .replace(&quoted(there_name), &quoted(not_there_name));
        assert_eq!(renamed, other.to_string());
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("[[game_servers]]"), "{problem}");
    }
    // A request without a pool means `default`, which the arena's secret may not access.
    let bare = app.bare_to(
        &instance.address,
        Method::GET,
        &format!("/v1/players/{}", id(1)),
    );
    refused(bare.bearer_auth(ARENA), 403).await;
    instance.stop().await;
    assert_eq!(app.get("/v1/admin/quality?pool=arena").await["rounds"], 1);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 0);
}

async fn of_a_queue_only_the_rounds_of_its_own_servers_count(app: &App) {
    let instance = start(app).await;
    let rounds = json!([
        round("home-1", "1", "a", &[1], &[2]),
        round("arena-1", "1", "a", &[1], &[2]),
        with(
            round("home-1", "2", "a", &[1], &[2]),
            json!({"pool": "arena"})
        ),
        round("home-1", "3", "a", &[1], &[2]),
    ]);
    let request = ask(app, &instance, HOME, Method::POST, "/v1/updates");
    let (status, body) = send(request.json(&json!({"rounds": rounds}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    let statuses: Vec<_> = (0..4)
        .map(|place| &body["answers"][place]["status"])
        .collect();
    assert_eq!(statuses, [200, 403, 403, 200]);
    instance.stop().await;
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 2);
    assert_eq!(app.get("/v1/admin/quality?pool=arena").await["rounds"], 0);
}

async fn what_a_server_left_in_another_pool_is_not_told(app: &App) {
    let instance = start(app).await;
    let sent = with(
        round("home-1", "1", "a", &[1, 2], &[3, 4]),
        json!({"scramble": {"players": ids(1..=4)}}),
    );
    app.counted(&with(sent.clone(), json!({"pool": "arena"})))
        .await;
    let ask = |method, path: &str| ask(app, &instance, HOME, method, path);
    let other = with(sent.clone(), json!({"winner": "b"}));
    let queue = json!({"rounds": [other]});
    let (status, body) = send(ask(Method::POST, "/v1/updates").json(&queue)).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body["answers"][0]["status"], 403, "{body}");
    assert!(!body.to_string().contains("arena"), "{body}");
    for request in [
        ask(Method::POST, "/v1/update").json(&sent),
        ask(Method::POST, "/v1/update").json(&other),
        ask(Method::GET, "/v1/scramble?server=home-1"),
    ] {
        let (_, problem) = refused(request, 403).await;
        assert!(!problem.to_string().contains("arena"), "{problem}");
    }
    instance.stop().await;
}

async fn a_bound_secret_opens_no_admin_path(app: &App) {
    for admin in [Some(ADMIN_SECRET), None] {
        let instance = Instance::start(&bound(app, admin), app.clock.clone()).await;
        let ask = |method, path: &str| ask(app, &instance, ARENA, method, path);
        let player = format!("/v1/admin/players/{}?pool=arena", id(1));
        for request in [
            ask(Method::GET, "/v1/admin/quality?pool=arena"),
            ask(Method::GET, &player),
            ask(Method::PUT, &player).json(&json!({"rating": 1500})),
            ask(Method::GET, "/v1/admin/nothing"),
        ] {
            refused(request, 403).await;
        }
        instance.stop().await;
    }
}

async fn a_secret_that_asks_too_often_is_told_when_to_come_back(app: &App) {
    let limits = "requests_per_second = 0.001\nburst = 3\n[[game_servers]]\n\
        secret_variable = \"HOME\"\nservers = [\"home-1\"]\nrequests_per_second = 0.002\nburst = 1\n";
    let database = app.settings.database.clone();
    let variables = [
        (
            "RBS_SECRET",
            Some("the-first-of-two-secrets,the-second-of-two-secrets"),
        ),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some(HOME)),
    ];
    let settings = settings_from(database, limits, &variables);
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let path = format!("/v1/players/{}?server=home-1", id(1));
    let ask = |secret| ask(app, &instance, secret, Method::GET, &path);
    for (secret, allowed, longest) in [
        ("the-first-of-two-secrets", 3, 1000),
        ("the-second-of-two-secrets", 3, 1000),
        (HOME, 1, 500),
    ] {
        for _ in 0..allowed {
            assert_eq!(send(ask(secret)).await.0, StatusCode::OK, "{secret}");
        }
        let (headers, problem) = refused(ask(secret), 429).await;
        let wait = headers["retry-after"].to_str().expect("text");
        let wait: u32 = wait.parse().expect("seconds");
        assert!((longest - 120..=longest).contains(&wait), "{wait}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(detail.contains("requests_per_second"), "{problem}");
    }
    for _ in 0..10 {
        assert_eq!(send(ask(ADMIN_SECRET)).await.0, StatusCode::OK);
        refused(ask("wrong"), 401).await;
        let health = app.bare_to(&instance.address, Method::GET, "/healthz");
        assert_eq!(send(health).await.0, StatusCode::OK);
    }
    instance.stop().await;
    assert!(
        settings_with_secrets(app.settings.database.clone(), SECRET, None)
            .rate_limit
            .is_none()
    );
}

async fn a_bound_secret_names_players_of_its_own_pools_alone(app: &App) {
    let instance = start(app).await;
    let post = async |secret, path: &str, body: &Value| {
        let request = ask(app, &instance, secret, Method::POST, path).json(body);
        send(request).await
    };
    let called = |n: u64, name: &str| json!({"id": id(n), "name": name});
    let name = async |n: u64| {
        let path = format!("/v1/admin/players/{}", id(n));
        app.get(&path).await["name"].clone()
    };
    for (secret, server, teams) in [
        (ARENA, "arena-1", [[1, 2], [4, 6]]),
        (HOME, "home-1", [[3, 7], [4, 8]]),
    ] {
        let played = round(server, "1", "a", &teams[0], &teams[1]);
        let (status, body) = post(secret, "/v1/update", &played).await;
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let of_home = json!({"server": "home-1", "players": [called(3, "Three"), called(4, "Four")]});
    let of_arena = json!({"server": "arena-1", "players": [
        called(1, "One"), called(3, "HACKED"), called(4, "Vier"), called(5, "Five"),
    ]});
    for (secret, hello) in [(HOME, of_home), (ARENA, of_arena)] {
        for path in ["/v1/hello", "/v1/players"] {
            let (status, body) = post(secret, path, &hello).await;
            assert_eq!(status, StatusCode::OK, "{body}");
        }
    }
    for (player, expected) in [(1, "One"), (3, "Three"), (4, "Vier"), (5, "Five")] {
        assert_eq!(name(player).await, expected);
    }
    let ahead = with(
        round("arena-1", "2", "a", &[1], &[2]),
        json!({"team_a": [called(3, "HACKED")], "ended_at": "2027-01-01T00:00:00Z"}),
    );
    let (status, body) = post(ARENA, "/v1/update", &ahead).await;
    assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{body}");
    assert_eq!(name(3).await, "Three");
    instance.stop().await;
}
