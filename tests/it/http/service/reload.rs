//! Reloads: secrets and limits that change at run time. `cli/service/reload` tests invalid files.

use std::sync::{Arc, Mutex};

use rbs::config::{Secrets, Settings};
use rbs::http;
use reqwest::{Method, RequestBuilder};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::metrics::{scrape, value};
use crate::http::{ids, round};
use crate::support::{
    ADMIN_SECRET, App, LIMITS, SECRET, answered, loaded, parts_that_read, refused, send,
    send_for_headers, settings_from,
};

same_on_both_databases!(
    new_secrets_are_taken_and_removed_ones_and_their_log_ins_end,
    limits_servers_and_policies_change_and_ratings_wait_for_a_restart,
    the_use_of_each_secret_is_seen_and_goes_on_over_a_reload,
);

/// A service whose settings the test changes as an operator changes a file.
struct Reloading<'app> {
    app: &'app App,
    address: String,
    next: Arc<Mutex<Settings>>,
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
        let next = Arc::new(Mutex::new(started.clone()));
        let shared = Arc::clone(&next);
        let read = move || Ok(loaded(&shared.lock().expect("no panic under the lock")));
        let parts = parts_that_read(app.first.service.clone(), &started, LIMITS, read);
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = tokio::spawn(http::serve(listener, parts, async {
            let _told_or_gone = stopped.await;
        }));
        Self {
            app,
            address,
            next,
            stop,
            serving,
        }
    }

    fn set(&self, next: Settings) {
        *self.next.lock().expect("no panic under the lock") = next;
    }

    fn ask(&self, secret: &str, method: Method, path: &str) -> RequestBuilder {
        let request = self.app.bare_to(&self.address, method, path);
        request.bearer_auth(secret)
    }

    async fn get(&self, secret: &str, path: &str) -> Value {
        answered(self.ask(secret, Method::GET, path)).await
    }

    async fn reload(&self, secret: &str) -> Value {
        answered(self.ask(secret, Method::POST, "/v1/admin/reload")).await
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
    let both = format!("{SECRET},alice {newcomer}");
    let admins = format!("{ADMIN_SECRET},{successor}");
    refused(here.ask(newcomer, Method::GET, player), 401).await;
    here.set(settings(app, "", &both, &admins));
    let rotated = here.reload(ADMIN_SECRET).await;
    let [admin, game] = [successor, newcomer].map(Secrets::fingerprint);
    assert_eq!(
        rotated["secrets_added"],
        json!([
            {"fingerprint": admin, "kind": "admin", "name": null},
            {"fingerprint": game, "kind": "game", "name": "alice"},
        ])
    );
    here.get(newcomer, player).await;
    here.get(SECRET, player).await;
    answered(by_session()).await;

    here.set(settings(app, "", newcomer, successor));
    let removed = here.reload(ADMIN_SECRET).await["secrets_removed"].clone();
    let removed = [0, 1].map(|index: usize| removed[index]["fingerprint"].clone());
    let gone = [ADMIN_SECRET, SECRET].map(|secret| json!(Secrets::fingerprint(secret)));
    assert_eq!(removed, gone);
    refused(here.ask(SECRET, Method::GET, player), 401).await;
    refused(here.ask(ADMIN_SECRET, Method::GET, "/v1/admin/pools"), 401).await;
    refused(by_session(), 401).await;
    here.get(successor, "/v1/admin/pools").await;
    here.stop().await;
}

async fn limits_servers_and_policies_change_and_ratings_wait_for_a_restart(app: &App) {
    let here = Reloading::start(app).await;
    let hello = |server: &str| {
        let asked = here.ask(SECRET, Method::POST, "/v1/hello");
        asked.json(&json!({"server": server}))
    };
    assert_eq!(send(hello("arena-9")).await.1["pool"], "default");
    app.counted(&round("other", "1", "a", &[1], &[2])).await;
    let text = "unknown_servers = \"refuse\"\nrequests_per_second = 0.01\nburst = 4\n[rating]\nwindow = 9\n\
                [servers.other]\n[servers.arena-9]\npool = \"arena\"\n[servers.new-1]\npool = \"new\"\n[pools.new]\n\
                [balance]\npolicy = \"ns2\"\n";
    here.set(settings(app, text, SECRET, ADMIN_SECRET));
    let changed = here.reload(ADMIN_SECRET).await;
    assert_eq!(changed["taken"], json!(["requests_per_second"]));
    assert_eq!(changed["restart"], json!(["rating.window"]));
    let shown = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
    assert_eq!(shown["restart"], json!(["rating.window"]));
    assert_eq!(shown["settings"][0]["value"], 500);
    assert_eq!(shown["settings"][1]["value"], 0.01);

    let (_, arena) = send(hello("arena-9")).await;
    assert_eq!(
        json!([arena["pool"], arena["declared"]]),
        json!(["arena", true])
    );
    refused(hello("new-1"), 422).await;
    let pools = here.get(ADMIN_SECRET, "/v1/admin/pools").await;
    let pools = pools["pools"].as_array().expect("pools");
    let windows: Vec<_> = pools.iter().map(|pool| &pool["window"]).collect();
    assert_eq!(windows, [8, 500], "{pools:?}");
    let teams = json!({"server": "other", "team_a": ids(1..=5), "team_b": ids(6..=10)});
    let judged = here.ask(SECRET, Method::POST, "/v1/balance").json(&teams);
    assert_eq!(answered(judged).await["policy"], "ns2");
    here.get(SECRET, "/v1/leaderboard").await;
    refused(here.ask(SECRET, Method::GET, "/v1/leaderboard"), 429).await;
    here.stop().await;
}

async fn the_use_of_each_secret_is_seen_and_goes_on_over_a_reload(app: &App) {
    let here = Reloading::start(app).await;
    let secrets = async || {
        let shown = here.get(ADMIN_SECRET, "/v1/admin/settings").await;
        shown["secrets"].clone()
    };
    let [admin, game] = [ADMIN_SECRET, SECRET].map(Secrets::fingerprint);
    let now = app.clock.now();
    let unused = json!({"fingerprint": game, "name": null, "kind": "game", "last_used": null, "requests": 0});
    let of_admin = json!({"fingerprint": admin, "name": null, "kind": "admin", "last_used": now, "requests": 1});
    assert_eq!(secrets().await, json!([of_admin, unused]));
    let metric = async || {
        let metrics = scrape(here.ask(ADMIN_SECRET, Method::GET, "/metrics")).await;
        let series = format!("rbs_secret_last_used_timestamp_seconds{{fingerprint=\"{game}\"}}");
        value(&metrics, &series)
    };
    assert_eq!(metric().await, Some(0.0));
    here.get(SECRET, "/v1/players/76561197960265729").await;
    refused(here.ask(SECRET, Method::GET, "/v1/admin/pools"), 403).await;
    refused(here.ask("nobody's", Method::GET, "/v1/admin/pools"), 401).await;
    let used =
        json!({"fingerprint": game, "name": null, "kind": "game", "last_used": now, "requests": 2});
    assert_eq!(secrets().await[1], used);
    let names = format!("old {SECRET},a-secret-for-later");
    here.set(settings(app, "", &names, ADMIN_SECRET));
    here.reload(ADMIN_SECRET).await;
    let renamed = secrets().await;
    assert_eq!(
        [&renamed[1]["name"], &renamed[1]["requests"]],
        [&json!("old"), &json!(2)]
    );
    assert_eq!(renamed[2]["last_used"], Value::Null);
    let seconds = f64::from(u32::try_from(now.unix_micros() / 1_000_000).expect("this century"));
    assert_eq!(metric().await, Some(seconds));
    here.set(settings(app, "", "a-secret-for-later", ADMIN_SECRET));
    here.reload(ADMIN_SECRET).await;
    assert_eq!(metric().await, None);
    here.stop().await;
}
