use std::sync::Mutex;
use std::time::Duration;

use rbs::clock::Clock;
use rbs::config::{Flags, Settings};
use rbs::domain::Timestamp;
use rbs::http::{self, Gate};
use rbs::service::Service;
use rbs::store::Store;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::Database;

/// The game servers' secret.
pub const SECRET: &str = "the-game-servers-secret";
/// The admins' secret.
pub const ADMIN_SECRET: &str = "the-admins-secret";

/// What the tests' service is configured with beside the defaults: a pool with odd constants and
/// a short window, and a server in it.
const CONFIGURATION: &str = r#"
[pools.arena]
window = 8
shadow_rounds = 3
theta = 1000.0
[servers.arena-1]
pool = "arena"
"#;

/// One running instance of the service.
pub struct Instance {
    pub service: Service,
    pub address: String,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// The service of a test: one instance, and more over the same database where asked for.
pub struct App {
    pub first: Instance,
    pub clock: Clock,
    pub settings: Settings,
    client: reqwest::Client,
    more: Mutex<Vec<Instance>>,
}

/// The settings of the tests' service over a database at `url`.
pub fn settings(url: &str) -> Settings {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rbs.toml");
    std::fs::write(&path, CONFIGURATION).expect("the configuration is written");
    let flags = Flags {
        config: Some(path),
        database_url: Some(url.to_owned()),
        bind: None,
    };
    let environment = |name: &str| match name {
        "RBS_SECRET" => Some(SECRET.to_owned()),
        "RBS_ADMIN_SECRET" => Some(ADMIN_SECRET.to_owned()),
        _ => None,
    };
    Settings::load(&flags, environment).expect("the tests' settings")
}

impl Instance {
    pub async fn start(settings: &Settings, clock: Clock) -> Self {
        let store = Store::connect(&settings.database)
            .await
            .expect("a database");
        store.migrate().await.expect("tables");
        let service = Service::open(store, clock, &settings.pools, &settings.servers)
            .await
            .expect("a service");
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let app = http::App {
            service: service.clone(),
            gate: Gate {
                game: settings.secrets.clone().expect("a secret").0,
                admin: settings.admin_secrets.clone(),
            },
            request_timeout: settings.request_timeout,
            head_timeout: Duration::from_millis(500),
        };
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(http::serve(listener, app, async {
            let _told_or_gone = stopped.await;
        }));
        Self {
            service,
            address,
            stop: Some(stop),
            serving,
        }
    }

    pub async fn stop(mut self) {
        drop(self.stop.take());
        self.serving
            .await
            .expect("serving ends")
            .expect("serving ends well");
        self.service.close().await;
    }
}

impl App {
    pub(super) async fn start(database: &Database) -> Self {
        let settings = settings(&database.url_text());
        let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
        let clock = Clock::manual(noon);
        Self {
            first: Instance::start(&settings, clock.clone()).await,
            clock,
            settings,
            client: reqwest::Client::new(),
            more: Mutex::default(),
        }
    }

    /// Starts another instance over the same database; answers its address.
    pub async fn another_instance(&self) -> String {
        let instance = Instance::start(&self.settings, self.clock.clone()).await;
        let address = instance.address.clone();
        self.more
            .lock()
            .expect("no panic under the lock")
            .push(instance);
        address
    }

    /// A request to the first instance, without a secret.
    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.first.address))
    }

    /// A request to the first instance with the game servers' secret.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(SECRET)
    }

    /// A request to the first instance with the admins' secret.
    pub fn admin(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(ADMIN_SECRET)
    }

    /// A request to the instance at `address` with the game servers' secret.
    pub fn request_to(&self, address: &str, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{address}{path}"))
            .bearer_auth(SECRET)
    }

    /// Gets `path`, with the admins' secret, and expects 200.
    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = send(self.admin(Method::GET, path)).await;
        assert_eq!(status, StatusCode::OK, "GET {path}: {body}");
        body
    }

    /// Posts a round and answers the status and the body.
    pub async fn update(&self, round: &Value) -> (StatusCode, Value) {
        send(self.request(Method::POST, "/v1/update").json(round)).await
    }

    /// Posts a round that must count.
    pub async fn counted(&self, round: &Value) -> Value {
        let (status, body) = self.update(round).await;
        assert_eq!(status, StatusCode::OK, "{round}: {body}");
        body
    }

    pub(super) async fn stop(self) {
        let more = self.more.into_inner().expect("no panic under the lock");
        for instance in more {
            instance.stop().await;
        }
        self.first.stop().await;
    }
}

/// Sends a request and reads the answer, which must be JSON.
pub async fn send(request: RequestBuilder) -> (StatusCode, Value) {
    let response = request.send().await.expect("an answer");
    let status = response.status();
    let text = response.text().await.expect("a body");
    let body = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{status} has a body that is no JSON: {error}: {text}"));
    (status, body)
}
