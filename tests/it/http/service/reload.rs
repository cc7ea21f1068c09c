//! Reloads: secrets and limits that change at run time, and invalid files, which change nothing.

use std::sync::{Arc, Mutex};

use rbs::config::{Secrets, Settings};
use rbs::http::{self, Reloader};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::metrics::{scrape, value};
use crate::http::{ids, round};
use crate::support::{
    ADMIN_SECRET, App, LIMITS, SECRET, loaded, parts_that_read, refused, send, send_for_headers,
    settings_from,
};

same_on_both_databases!(
    new_secrets_are_taken_and_removed_ones_and_their_log_ins_end,
    a_wrong_configuration_changes_nothing_and_is_named,
    limits_servers_and_policies_change_and_ratings_wait_for_a_restart,
    the_use_of_each_secret_is_seen_and_goes_on_over_a_reload,
);

/// A service whose settings the test changes as an operator changes a file.
struct Reloading<'app> {
    app: &'app App,
    address: String,
    reloader: Reloader,
    next: Arc<Mutex<Result<Settings, String>>>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<std::io::Result<()>>,
}

fn settings(app: &App, text: &str, secret: &str, admin: &str) -> Settings {
    let variables = [
        ("RBS_SECRET", Some(secret)),
        ("RBS_ADMIN_SECRET", Some(admin)),
    ];
    settings_from(app.settings.database.clone(), text, &variables)
}

impl<'app> Reloading<'app> {
    async fn start(app: &'app App) -> Self {
        let started = settings(app, "", SECRET, ADMIN_SECRET);
        let next = Arc::new(Mutex::new(Ok(started.clone())));
        let read = {
            let next = Arc::clone(&next);
            move || {
                let next = next.lock().expect("no panic under the lock").clone();
                next.map(|settings: Settings| loaded(&settings))
            }
        };
        let parts = parts_that_read(app.first.service.clone(), &started, LIMITS, read);
        let reloader = parts.reloader.clone();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(http::serve(listener, parts, async {
            let _told_or_gone = stopped.await;
        }));
        Self {
            app,
            address,
            reloader,
            next,
            stop,
            serving,
        }
    }

    fn set(&self, next: Result<Settings, &str>) {
        let next = next.map_err(str::to_owned);
        *self.next.lock().expect("no panic under the lock") = next;
    }

    fn ask(&self, secret: &str, method: Method, path: &str) -> RequestBuilder {
        let request = self.app.bare_to(&self.address, method, path);
        request.bearer_auth(secret)
    }

    async fn get(&self, secret: &str, path: &str) -> Value {
        let (status, body) = send(self.ask(secret, Method::GET, path)).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        body
    }

    async fn reload(&self, secret: &str) -> Value {
        let (status, body) = send(self.ask(secret, Method::POST, "/v1/admin/reload")).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        body
    }

    async fn stop(self) {
        drop(self.stop);
        let served = self.serving.await.expect("serving ends");
        served.expect("serving ends well");
    }
}

async fn new_secrets_are_taken_and_removed_ones_and_their_log_ins_end(app: &App) {
    let here = Reloading::start(app).await;
    let log_in = app.bare_to(&here.address, Method::POST, "/session");
    let log_in = log_in.json(&json!({"secret": ADMIN_SECRET}));
    let (_, headers, _) = send_for_headers(log_in.header("rbs-page", "1")).await;
    let cookie = headers["set-cookie"].to_str().expect("a text");
    let cookie = cookie.split(';').next().expect("a pair").to_owned();
    let by_session = || {
        let request = app.bare_to(&here.address, Method::GET, "/v1/admin/pools");
        request.header("cookie", &cookie)
    };
    let player = "/v1/players/76561197960265729";
    let (newcomer, successor) = ("alice-has-a-secret-too", "the-next-admins-secret");

    refused(here.ask(SECRET, Method::POST, "/v1/admin/reload"), 403).await;
    let unknown = here.ask(ADMIN_SECRET, Method::POST, "/v1/admin/reload?force=1");
    refused(unknown, 422).await;
    let same = here.reload(ADMIN_SECRET).await;
    assert_eq!(
        same,
        json!({"taken": [], "restart": [], "secrets_added": [], "secrets_removed": []})
    );

    let both = format!("{SECRET},alice {newcomer}");
    let admins = format!("{ADMIN_SECRET},{successor}");
    refused(here.ask(newcomer, Method::GET, player), 401).await;
    here.set(Ok(settings(app, "", &both, &admins)));
    let rotated = here.reload(ADMIN_SECRET).await;
    let secret = |secret: &str, kind: &str, name: Option<&str>| json!({"fingerprint": Secrets::fingerprint(secret), "kind": kind, "name": name});
    assert_eq!(
        rotated["secrets_added"],
        json!([
            secret(successor, "admin", None),
            secret(newcomer, "game", Some("alice"))
        ])
    );
    here.get(newcomer, player).await;
    here.get(SECRET, player).await;
    assert_eq!(send(by_session()).await.0, StatusCode::OK);

    here.set(Ok(settings(app, "", newcomer, successor)));
    let removed = here.reloader.reload().expect("settings that make sense");
    let removed: Vec<_> = removed
        .secrets_removed
        .iter()
        .map(|secret| secret.fingerprint)
        .collect();
    assert_eq!(removed, [ADMIN_SECRET, SECRET].map(Secrets::fingerprint));
    refused(here.ask(SECRET, Method::GET, player), 401).await;
    refused(here.ask(ADMIN_SECRET, Method::GET, "/v1/admin/pools"), 401).await;
    refused(by_session(), 401).await;
    here.get(successor, "/v1/admin/pools").await;
    here.stop().await;
}

async fn a_wrong_configuration_changes_nothing_and_is_named(app: &App) {
    let here = Reloading::start(app).await;
    let before = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
    here.set(Err("rating.window must be 1 to 100000 rounds"));
    let wrong = here.ask(ADMIN_SECRET, Method::POST, "/v1/admin/reload");
    let (_, problem) = refused(wrong, 409).await;
    assert_eq!(
        problem["detail"],
        "the settings stay unchanged: rating.window must be 1 to 100000 rounds"
    );
    let after = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
    for part in ["settings", "restart", "loaded_at"] {
        assert_eq!(before[part], after[part], "{part}");
    }
    here.stop().await;
}

async fn limits_servers_and_policies_change_and_ratings_wait_for_a_restart(app: &App) {
    let here = Reloading::start(app).await;
    let pool_of = async |server: &str| {
        let asked = here.ask(SECRET, Method::POST, "/v1/hello");
        let (status, body) = send(asked.json(&json!({"server": server}))).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        body
    };
    assert_eq!(pool_of("arena-9").await["pool"], "default");
    app.counted(&round("other", "1", "a", &[1], &[2])).await;
    let text = "unknown_servers = \"refuse\"\nrequests_per_second = 0.01\nburst = 4\n[rating]\nwindow = 9\n\
                [servers.other]\n[servers.arena-9]\npool = \"arena\"\n[servers.new-1]\npool = \"new\"\n[pools.new]\n\
                [balance]\npolicy = \"ns2\"\n";
    here.set(Ok(settings(app, text, SECRET, ADMIN_SECRET)));
    let changed = here.reload(ADMIN_SECRET).await;
    assert_eq!(changed["taken"], json!(["requests_per_second"]));
    assert_eq!(changed["restart"], json!(["rating.window"]));
    let shown = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
    assert_eq!(shown["restart"], json!(["rating.window"]));
    assert_eq!(shown["settings"][0]["value"], 500);
    assert_eq!(shown["settings"][1]["value"], 0.01);

    let arena = pool_of("arena-9").await;
    assert_eq!(
        (&arena["pool"], &arena["declared"]),
        (&json!("arena"), &json!(true))
    );
    let unknown = here.ask(SECRET, Method::POST, "/v1/hello");
    refused(unknown.json(&json!({"server": "new-1"})), 422).await;
    let pools = here.get(ADMIN_SECRET, "/v1/admin/pools").await;
    let pools = pools["pools"].as_array().expect("pools");
    let windows: Vec<_> = pools.iter().map(|pool| &pool["window"]).collect();
    assert_eq!(windows, [8, 500], "{pools:?}");
    let teams = json!({"server": "other", "team_a": ids(1..=5), "team_b": ids(6..=10)});
    let judged = here.ask(SECRET, Method::POST, "/v1/balance").json(&teams);
    let (status, judged) = send(judged).await;
    assert_eq!(status, StatusCode::OK, "{judged}");
    assert_eq!(judged["policy"], "ns2");
    let fourth = here.ask(SECRET, Method::GET, "/v1/leaderboard");
    assert_eq!(send(fourth).await.0, StatusCode::OK);
    refused(here.ask(SECRET, Method::GET, "/v1/leaderboard"), 429).await;
    here.stop().await;
}

async fn the_use_of_each_secret_is_seen_and_goes_on_over_a_reload(app: &App) {
    let here = Reloading::start(app).await;
    let secrets = async || {
        let shown = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
        shown["secrets"].clone()
    };
    let (admin, game) = (
        Secrets::fingerprint(ADMIN_SECRET),
        Secrets::fingerprint(SECRET),
    );
    let now = app.clock.now();
    let used = |requests: u64| json!({"fingerprint": game, "name": null, "kind": "game", "last_used": now, "requests": requests});
    let first = secrets().await;
    assert_eq!(
        first,
        json!([
            {"fingerprint": admin, "name": null, "kind": "admin", "last_used": now, "requests": 1},
            {"fingerprint": game, "name": null, "kind": "game", "last_used": null, "requests": 0},
        ])
    );
    let metrics = scrape(here.ask(ADMIN_SECRET, Method::GET, "/metrics")).await;
    let of = |metrics: &str, fingerprint: &str| {
        let series =
            format!("rbs_secret_last_used_timestamp_seconds{{fingerprint=\"{fingerprint}\"}}");
        value(metrics, &series)
    };
    assert_eq!(of(&metrics, &game.to_string()), Some(0.0));
    here.get(SECRET, "/v1/players/76561197960265729").await;
    refused(here.ask(SECRET, Method::GET, "/v1/admin/pools"), 403).await;
    refused(here.ask("nobody's", Method::GET, "/v1/admin/pools"), 401).await;
    assert_eq!(secrets().await[1], used(2));
    let names = format!("old {SECRET},a-secret-for-later");
    here.set(Ok(settings(app, "", &names, ADMIN_SECRET)));
    here.reload(ADMIN_SECRET).await;
    let renamed = secrets().await;
    assert_eq!(
        (&renamed[1]["name"], &renamed[1]["requests"]),
        (&json!("old"), &json!(2))
    );
    assert_eq!(renamed[2]["last_used"], Value::Null);
    let metrics = scrape(here.ask(ADMIN_SECRET, Method::GET, "/metrics")).await;
    let seconds = f64::from(u32::try_from(now.unix_micros() / 1_000_000).expect("this century"));
    assert_eq!(of(&metrics, &game.to_string()), Some(seconds));
    here.set(Ok(settings(app, "", "a-secret-for-later", ADMIN_SECRET)));
    here.reload(ADMIN_SECRET).await;
    let metrics = scrape(here.ask(ADMIN_SECRET, Method::GET, "/metrics")).await;
    assert_eq!(of(&metrics, &game.to_string()), None);
    here.stop().await;
}
