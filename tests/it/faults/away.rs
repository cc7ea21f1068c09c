//! While the database is unavailable, requests that need it fail soon and nothing hangs or piles up. The service
//! recovers by itself.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, SqliteConnection};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::cluster::Cluster;
use super::proxy::Proxy;
use super::site::{Site, plainly};
use crate::support::{Database, Engine, Need, SECRET, refused, run_bare, send};

/// The limit is two seconds, plus slack for busy machines.
const SOON: Duration = Duration::from_millis(3500);
/// Maximum time until the service is ready again.
const BACK: Duration = Duration::from_secs(15);
/// More concurrent requests than database connections.
const CROWD: usize = 60;

/// Requests that need the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Away {
    Altogether,
    ForWriters,
}

struct GameServer {
    site: Site,
    client: Client,
    sent: usize,
}

impl GameServer {
    async fn start(url: &str) -> Self {
        let client = Client::builder().no_proxy().build().expect("a client");
        let site = Site::open(url, 1, plainly);
        let mut server = Self {
            site,
            client,
            sent: 0,
        };
        let round = server.next_round();
        for request in [server.update(&round), server.scramble()] {
            let (status, body) = send(request).await;
            assert_eq!(status, StatusCode::OK, "{body}");
        }
        server
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let url = format!("http://{}{path}", self.site.address(0));
        self.client.request(method, url).bearer_auth(SECRET)
    }

    fn next_round(&mut self) -> Value {
        self.sent += 1;
        json!({
            "round_id": format!("{}", self.sent), "server": "s", "winner": "a",
            "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"],
        })
    }

    fn update(&self, round: &Value) -> RequestBuilder {
        self.request(Method::POST, "/v1/update").json(round)
    }

    fn scramble(&self) -> RequestBuilder {
        let players = ["[U:1:1]", "[U:1:2]", "[U:1:3]", "[U:1:4]"];
        let body = json!({"server": "s", "players": players});
        self.request(Method::POST, "/v1/scramble").json(&body)
    }

    fn readers(&self) -> Vec<RequestBuilder> {
        let get = |path: &str| self.request(Method::GET, path);
        vec![
            get("/v1/players/76561197960265729"),
            get("/v1/admin/players/76561197960265729"),
            get("/v1/admin/quality"),
            get("/v1/scramble?server=unheard-of"),
        ]
    }

    fn writers(&self, round: &Value) -> Vec<RequestBuilder> {
        let player = "/v1/admin/players/76561197960265729";
        vec![
            self.update(round),
            self.scramble(),
            self.request(Method::PUT, player)
                .json(&json!({"rating": 1500})),
            self.request(Method::POST, &format!("{player}/reset")),
            self.request(Method::GET, "/readyz"),
        ]
    }

    /// Asserts that every request is answered soon, including a crowd of rounds, and that requests without database
    /// access succeed.
    async fn assert_away(&mut self, away: Away) {
        let round = self.next_round();
        // Repeated, because the first pass may use up the remaining connections.
        for _ in 0..2 {
            let mut requests = self.writers(&round);
            if away == Away::Altogether {
                requests.extend(self.readers());
            }
            requests.extend((0..CROWD).map(|_| self.update(&round)));
            let mut refusals = JoinSet::new();
            for request in requests {
                refusals.spawn(async move {
                    let asked = Instant::now();
                    refused(request, 503).await;
                    asked.elapsed()
                });
            }
            for request in [
                self.request(Method::GET, "/healthz"),
                self.request(Method::GET, "/v1/scramble?server=s"),
            ] {
                let asked = Instant::now();
                let (status, body) = send(request).await;
                assert_eq!(status, StatusCode::OK, "{body}");
                assert!(body["age"].is_u64() || body["status"] == "ok", "{body}");
                assert!(asked.elapsed() < SOON, "it took {:?}", asked.elapsed());
            }
            let slowest = refusals.join_all().await.into_iter().max();
            let slowest = slowest.expect("somebody asked");
            assert!(slowest < SOON, "a refusal took {slowest:?}");
        }
        if away == Away::ForWriters {
            for (reader, expected) in self.readers().into_iter().zip([200, 200, 200, 404]) {
                assert_eq!(send(reader).await.0.as_u16(), expected);
            }
        }
    }

    /// Asserts that the service recovers, and that the refused round counts once.
    async fn assert_back(&mut self) {
        let deadline = Instant::now() + BACK;
        while send(self.request(Method::GET, "/readyz")).await.0 != StatusCode::OK {
            assert!(Instant::now() < deadline, "not ready after {BACK:?}");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        self.sent -= 1;
        let round = self.next_round();
        let (status, body) = send(self.update(&round)).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        let (_, quality) = send(self.request(Method::GET, "/v1/admin/quality")).await;
        assert_eq!(quality["rounds"], self.sent, "{quality}");
        // All old connections were replaced: several concurrent requests succeed.
        let mut crowd = JoinSet::new();
        for _ in 0..CROWD / 4 {
            crowd.spawn(send(
                self.request(Method::GET, "/v1/players/76561197960265729"),
            ));
        }
        for (status, body) in crowd.join_all().await {
            assert_eq!(status, StatusCode::OK, "{body}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_that_falls_silent_is_said_to_be_away() {
    run_bare(Engine::Postgres, async |database| {
        let proxy = Proxy::start(&database.url_text()).await;
        let mut server = GameServer::start(proxy.url()).await;
        for _ in 0..2 {
            proxy.set_silent(true);
            server.assert_away(Away::Altogether).await;
            proxy.set_silent(false);
            server.assert_back().await;
        }
        server.site.stop();
    })
    .await;
}

/// Like a vanished machine: no connection is closed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_primary_that_falls_silent_is_left_for_its_standby() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let primary = Cluster::start();
    let standby = primary.standby();
    let proxy = Proxy::start(&primary.url()).await;
    let places = format!("{},{}", proxy.place(), standby.place());
    let mut server = GameServer::start(&format!("postgres://rbs@{places}/postgres")).await;
    proxy.set_silent(true);
    server.assert_away(Away::Altogether).await;
    standby.promote();
    server.assert_back().await;
    server.site.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgresql_that_refuses_connections_is_said_to_be_away() {
    if Need::PostgresPrograms.is_left_out() {
        return;
    }
    let cluster = Cluster::start();
    let mut server = GameServer::start(&cluster.url()).await;
    cluster.crash();
    server.assert_away(Away::Altogether).await;
    cluster.start_server();
    server.assert_back().await;
    server.site.stop();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sqlite_file_that_another_process_locks_is_said_to_be_away() {
    run_bare(Engine::Sqlite, async |database| {
        let mut server = GameServer::start(&database.url_text()).await;
        let holder = SqliteConnection::connect(&database.url_text()).await;
        let mut holder = holder.expect("SQLite");
        holder.execute("begin immediate").await.expect("the lock");
        server.assert_away(Away::ForWriters).await;
        holder.execute("rollback").await.expect("the lock is freed");
        server.assert_back().await;
        holder.close().await.expect("SQLite says goodbye");
        server.site.stop();
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_sqlite_file_that_is_gone_is_said_to_be_away() {
    run_bare(Engine::Sqlite, async |database| {
        let mut server = GameServer::start(&database.url_text()).await;
        let (file, aside) = (path(database), format!("{}.aside", path(database)));
        std::fs::rename(&file, &aside).expect("the file is moved");
        server.assert_away(Away::Altogether).await;
        std::fs::rename(&aside, &file).expect("the file is put back");
        server.assert_back().await;
        server.site.stop();
    })
    .await;
}

fn path(database: &Database) -> String {
    let url = database.url_text();
    url.strip_prefix("sqlite://").expect("a file").to_owned()
}
