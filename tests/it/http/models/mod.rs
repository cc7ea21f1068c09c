//! Pools rated by other models than SynElo.

mod balance;
mod challengers;
mod endpoints;
mod roles;
mod splits;

use rbs::clock::Clock;
use serde_json::Value;

use crate::support::{ADMIN_SECRET, Database, Instance, SECRET, settings_from};

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
        let secrets = [
            ("RBS_SECRET", Some(SECRET)),
            ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ];
        let settings = settings_from(database.url(), POOLS, &secrets);
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
        let request = self.client.post(format!("{}{path}", self.instance.address));
        answer(request.bearer_auth(ADMIN_SECRET).json(body), path).await
    }

    pub(super) async fn put(&self, path: &str, body: &Value) -> Value {
        let request = self.client.put(format!("{}{path}", self.instance.address));
        answer(request.bearer_auth(ADMIN_SECRET).json(body), path).await
    }

    pub(super) async fn get(&self, path: &str) -> Value {
        let request = self.client.get(format!("{}{path}", self.instance.address));
        answer(request.bearer_auth(ADMIN_SECRET), path).await
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

async fn answer(request: reqwest::RequestBuilder, path: &str) -> Value {
    let (status, body) = crate::support::send(request).await;
    assert_eq!(status, reqwest::StatusCode::OK, "{path}: {body}");
    body
}
