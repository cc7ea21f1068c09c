//! Pools rated by other models than SynElo.

mod balance;
mod endpoints;
mod roles;

use rbs::clock::Clock;
use reqwest::{Method, StatusCode};
use serde_json::Value;

use crate::http::configuration;
use crate::support::{ADMIN_SECRET, Database, Instance, send};

/// Pools rated by `adaptive`: `learned` with the constants of the known answers, and `quick`, which shows players after
/// their second round. The pool `led` is rated by `ns2`.
const POOLS: &str = r#"
max_round_age_days = 0
[pools.learned]
model = "adaptive"
theta = 800
[pools.quick]
model = "adaptive"
theta = 800
shadow_rounds = 2
[pools.led]
model = "ns2"
[servers.led-1]
pool = "led"
[servers.learned-1]
pool = "learned"
[servers.quick-1]
pool = "quick"
"#;

pub(super) struct Served {
    instance: Instance,
    client: reqwest::Client,
}

impl Served {
    pub(super) async fn start(database: &Database) -> Self {
        let settings = configuration(database.url(), POOLS);
        let clock = Clock::manual("2026-11-20T12:00:00Z".parse().expect("a time"));
        Self {
            instance: Instance::start(&settings, clock).await,
            client: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client"),
        }
    }

    pub(super) async fn stop(self) {
        self.instance.stop().await;
    }

    pub(super) async fn post(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::POST, path, Some(body)).await
    }

    pub(super) async fn put(&self, path: &str, body: &Value) -> Value {
        self.ask(Method::PUT, path, Some(body)).await
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        self.ask(Method::GET, path, None).await
    }

    async fn ask(&self, method: Method, path: &str, body: Option<&Value>) -> Value {
        let url = format!("{}{path}", self.instance.address);
        let mut request = self.client.request(method, url).bearer_auth(ADMIN_SECRET);
        if let Some(body) = body {
            request = request.json(body);
        }
        let (status, answer) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// Asserts that all stored figures of a pool follow from its log.
    pub(super) async fn assert_no_differences(&self, pool: &str) {
        let service = &self.instance.service;
        let pools = service.stored_pools().await.expect("pools");
        let pool = pools.iter().find(|stored| stored.name.as_str() == pool);
        let watch = &mut |_| ();
        let checked = service.check_pool(pool.expect("the pool"), watch);
        let checked = checked.await.expect("a check");
        assert_eq!(checked.differences, 0, "{checked:#?}");
    }
}
