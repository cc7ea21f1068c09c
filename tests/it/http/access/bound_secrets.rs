//! Secrets for certain servers and pools, and their rate limits.

use rbs::config::Settings;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};

use super::operations;
use super::read_secrets::READ;
use crate::http::{id, ids, round, with};
use crate::support::{
    ADMIN_SECRET, App, Instance, SECRET, answered, refused, refused_saying, settings_from,
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
        let more = json!({"pool": pool, "scramble": scramble});
        let sent = with(round(server, "1", "a", &[1, 2], &[3, 4]), more);
        let queue = json!({"rounds": [round(server, "2", "a", &[1], &[2])]});
        let own = with(scramble.clone(), json!({"server": server}));
        let post = |path: &str, body: &Value| ask(secret, Method::POST, path).json(body);
        let get = |path: String| ask(secret, Method::GET, &path);
        for request in [
            post("/v1/update", &sent),
            post("/v1/updates", &queue),
            post("/v1/scramble", &own),
            get(format!("/v1/scramble?server={server}")),
            get(format!("/v1/players/{}?server={server}", id(1))),
            get(format!("/v1/players/{}?pool={pool}", id(1))),
        ] {
            let body = answered(request).await;
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
    answered(ask(ARENA, Method::POST, "/v1/update").json(&named)).await;
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
    let requests = |server: &str, pool: &str| {
        let table = json!({"server": server, "players": ids(1..=4)});
        let own = with(round("home-1", "1", "a", &[1], &[2]), json!({"pool": pool}));
        [
            post(
                "/v1/update",
                &with(arena.clone(), json!({"server": server})),
            ),
            post("/v1/update", &own),
            post("/v1/scramble", &table),
            get(&format!("/v1/scramble?server={server}")),
            player(&format!("server={server}")),
            player(&format!("pool={pool}")),
            player(&format!("server=home-1&pool={pool}")),
        ]
    };
    let not_there = requests("no-server", "no-pool");
    for (there, not_there) in requests("arena-1", "arena").into_iter().zip(not_there) {
        let problem = refused_saying(there, 403, "[[game_servers]]").await;
        let (_, other) = refused(not_there, 403).await;
        let renamed = problem
            .to_string()
            .replace("\\\"arena-1\\\"", "\\\"no-server\\\"")
            .replace("\\\"arena\\\"", "\\\"no-pool\\\"");
        assert_eq!(renamed, other.to_string());
    }
    // A request without a pool means `default`, which the arena's secret may not access.
    let path = format!("/v1/players/{}", id(1));
    let bare = app.bare_to(&instance.address, Method::GET, &path);
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
    let body = answered(request.json(&json!({"rounds": rounds}))).await;
    let statuses = [0, 1, 2, 3].map(|place: usize| &body["answers"][place]["status"]);
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
    let body = answered(ask(Method::POST, "/v1/updates").json(&queue)).await;
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
        for (method, path) in operations() {
            if path.starts_with("/v1/admin/") {
                let path = format!("{path}?pool=arena");
                refused(ask(app, &instance, ARENA, method, &path), 403).await;
            }
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
        ("RBS_READ_SECRET", Some(READ)),
        ("HOME", Some(HOME)),
    ];
    let settings = settings_from(database, limits, &variables);
    let instance = Instance::start(&settings, app.clock.clone()).await;
    let player = format!("/v1/players/{}?server=home-1", id(1));
    let ask = |secret, path: &str| ask(app, &instance, secret, Method::GET, path);
    for (secret, path, allowed, longest) in [
        ("the-first-of-two-secrets", player.as_str(), 3, 1000),
        ("the-second-of-two-secrets", &player, 3, 1000),
        (HOME, &player, 1, 500),
        (READ, "/v1/leaderboard", 3, 1000),
    ] {
        for _ in 0..allowed {
            answered(ask(secret, path)).await;
        }
        refused_saying(ask(secret, path), 429, "requests_per_second").await;
        let (headers, _) = refused(ask(secret, path), 429).await;
        let wait = headers["retry-after"].to_str().expect("text");
        let wait: u32 = wait.parse().expect("seconds");
        assert!((longest - 120..=longest).contains(&wait), "{wait}");
    }
    for _ in 0..10 {
        answered(ask(ADMIN_SECRET, &player)).await;
        refused(ask("wrong", &player), 401).await;
        answered(app.bare_to(&instance.address, Method::GET, "/healthz")).await;
    }
    instance.stop().await;
    assert!(app.settings.rate_limit.is_none(), "there is one by default");
}

async fn a_bound_secret_names_players_of_its_own_pools_alone(app: &App) {
    let instance = start(app).await;
    let post = |secret, path: &str, body: &Value| {
        ask(app, &instance, secret, Method::POST, path).json(body)
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
        answered(post(secret, "/v1/update", &played)).await;
    }
    let of_home = json!({"server": "home-1", "players": [called(3, "Three"), called(4, "Four")]});
    let of_arena = json!({"server": "arena-1", "players": [
        called(1, "One"), called(3, "HACKED"), called(4, "Vier"), called(5, "Five"),
    ]});
    for (secret, hello) in [(HOME, of_home), (ARENA, of_arena)] {
        for path in ["/v1/hello", "/v1/players"] {
            answered(post(secret, path, &hello)).await;
        }
    }
    for (player, expected) in [(1, "One"), (3, "Three"), (4, "Vier"), (5, "Five")] {
        assert_eq!(name(player).await, expected);
    }
    let ahead = with(
        round("arena-1", "2", "a", &[1], &[2]),
        json!({"team_a": [called(3, "HACKED")], "ended_at": "2027-01-01T00:00:00Z"}),
    );
    refused(post(ARENA, "/v1/update", &ahead), 422).await;
    assert_eq!(name(3).await, "Three");
    instance.stop().await;
}
