use std::sync::Mutex;
use std::time::Duration;

use rbs::clock::Clock;
use rbs::config::{EffectiveSetting, Flags, Origin, Settings};
use rbs::domain::{PoolName, Timestamp};
use rbs::http::{self, AuthConfig, Authenticator, Limits, Loaded, Reloader};
use rbs::service::{Declared, Service};
use rbs::store::{DatabaseUrl, Store};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::Value;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::{Database, send};

/// Secret of the game servers.
pub const SECRET: &str = "the-game-servers-secret";
/// Secret of the admins.
pub const ADMIN_SECRET: &str = "the-admins-secret";

/// Configuration of the test service: a pool with unusual constants and a short window, one of its servers, and custom
/// policies.
const CONFIGURATION: &str = r#"
[pools.arena]
window = 8
shadow_rounds = 3
theta = 1000.0
participation_half_life = 600
challengers = ["adaptive", "elo"]
[pools.arena.advantages]
uphill = -350
[pools.arena.bots]
easy = 600
expert = 1400
[pools.arena.scoreboard]
stats = ["damage", "healing"]
[pools.arena.balance]
policy = "ns2"
[pools.arena.balance.ns2]
win_probability = 0.65
[pools.arena.balance.house]
size_difference = 4
[pools.arena.balance.arena-only]
like = "ut2004"
[pools.arena.balance.filled]
like = "ut2004"
weigh = "rating"
[balance.house]
like = "synelo"
size_difference = 3
apply_on_death = true
[servers.arena-1]
pool = "arena"
"#;

/// Maximum time of a database transaction and of a request, so long that a machine that stalls briefly fails no test.
/// Tests of timeouts use shorter ones.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Client limits in tests.
pub const LIMITS: Limits = Limits {
    timeout: TIMEOUT,
    connections: 1024,
    requests: 1024,
};

pub struct Instance {
    pub service: Service,
    pub address: String,
    stop: Option<oneshot::Sender<()>>,
    serving: JoinHandle<std::io::Result<()>>,
}

/// The service of a test: one instance, and more on the same database on request.
pub struct App {
    pub first: Instance,
    pub clock: Clock,
    pub settings: Settings,
    client: reqwest::Client,
    more: Mutex<Vec<Instance>>,
}

pub fn settings(url: &str) -> Settings {
    let database = url.parse().expect("a database address");
    settings_with_secrets(database, SECRET, Some(ADMIN_SECRET))
}

pub fn settings_with_secrets(
    database: DatabaseUrl,
    secret: &str,
    admin_secret: Option<&str>,
) -> Settings {
    let secrets = [
        ("RBS_SECRET", Some(secret)),
        ("RBS_ADMIN_SECRET", admin_secret),
    ];
    // Most tests play at arbitrary times.
    let configuration = "void_own_minutes = 10\nmax_round_age_days = 0";
    settings_from(database, configuration, &secrets)
}

/// Settings with this configuration prepended, in this environment.
pub fn settings_from(
    database: DatabaseUrl,
    configuration: &str,
    variables: &[(&str, Option<&str>)],
) -> Settings {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rbs.toml");
    std::fs::write(&path, format!("{configuration}\n{CONFIGURATION}"))
        .expect("the configuration is written");
    let flags = Flags {
        config: Some(path),
        database_url: None,
        bind: None,
    };
    let environment = |name: &str| {
        let found = variables.iter().find(|(key, _)| *key == name);
        found.and_then(|(_, value)| value.map(str::to_owned))
    };
    let settings = Settings::load(&flags, environment).expect("the tests' settings");
    Settings {
        database,
        ..settings
    }
}

pub fn parts(service: Service, settings: &Settings, limits: Limits) -> http::App {
    let again = loaded(settings);
    parts_that_read(service, settings, limits, move || Ok(again.clone()))
}

/// Parts of the HTTP server, with `read` as the source of a reload.
pub fn parts_that_read(
    service: Service,
    settings: &Settings,
    limits: Limits,
    read: impl Fn() -> Result<Loaded, String> + Send + Sync + 'static,
) -> http::App {
    let started = loaded(settings);
    let authenticator = Authenticator::new(started.auth);
    let (serving, accepting) = (service.clone(), authenticator.clone());
    http::App {
        service,
        authenticator,
        reloader: Reloader::new(serving, accepting, started.settings, read),
        request_timeout: settings.request_timeout,
        limits,
    }
}

/// Reloadable parts of `settings`; of the origins of settings, tests show two.
pub fn loaded(settings: &Settings) -> Loaded {
    let setting = |name: &str, value: Value, from, restart| EffectiveSetting {
        setting: name.to_owned(),
        value,
        from,
        place: None,
        restart,
        pool: None,
    };
    let per_second = settings.rate_limit.map(|limit| limit.per_second);
    let window = settings.pools[&PoolName::default()].parameters.window;
    Loaded {
        auth: AuthConfig {
            game: settings.secrets.clone().expect("a secret").0,
            admin: settings.admin_secrets.clone(),
            bound: settings.bound_secrets.clone(),
            read: settings.read_secrets.clone(),
            rate_limit: settings.rate_limit,
            metrics_public: settings.metrics_public,
        },
        declared: Declared {
            pools: settings.pools.clone(),
            servers: settings.servers.clone(),
            unknown_servers: settings.unknown_servers,
            void_own_within: settings.void_own_within,
            max_round_age: settings.max_round_age,
        },
        settings: vec![
            setting("rating.window", window.into(), Origin::Default, true),
            setting(
                "requests_per_second",
                per_second.into(),
                Origin::Default,
                false,
            ),
        ],
    }
}

impl Instance {
    pub async fn start(settings: &Settings, clock: Clock) -> Self {
        let store = Store::connect(&settings.database)
            .await
            .expect("a database");
        store.migrate().await.expect("tables");
        let service = Service::open(store, clock, &settings.pools, &settings.servers)
            .await
            .expect("a service")
            .with_timeout(TIMEOUT)
            // The clock stands still, so no lease would end.
            .with_lease_wait(Duration::ZERO)
            .with_backup_folder(settings.backup_folder.clone());
        service.declare(&loaded(settings).declared);
        Self::over(service, settings).await
    }

    pub async fn over(service: Service, settings: &Settings) -> Self {
        Self::within(LIMITS, service, settings).await
    }

    /// Serves an existing service with these client limits.
    pub async fn within(limits: Limits, service: Service, settings: &Settings) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = format!("http://{}", listener.local_addr().expect("an address"));
        let app = parts(service.clone(), settings, limits);
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

    pub async fn stop(self) {
        self.stop_serving().await.close().await;
    }

    /// Stops serving, and returns the service with its connections.
    pub async fn stop_serving(mut self) -> Service {
        drop(self.stop.take());
        self.serving
            .await
            .expect("serving ends")
            .expect("serving ends well");
        self.service
    }
}

impl App {
    pub(super) async fn start(database: &Database) -> Self {
        let settings = settings_with_secrets(database.url(), SECRET, Some(ADMIN_SECRET));
        let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
        let clock = Clock::manual(noon);
        Self {
            first: Instance::start(&settings, clock.clone()).await,
            clock,
            settings,
            client: reqwest::Client::builder()
                .no_proxy()
                .build()
                .expect("a client"),
            more: Mutex::default(),
        }
    }

    /// Starts another instance on the same database, and returns its address.
    pub async fn another_instance(&self) -> String {
        let instance = Instance::start(&self.settings, self.clock.clone()).await;
        let address = instance.address.clone();
        self.more
            .lock()
            .expect("no panic under the lock")
            .push(instance);
        address
    }

    pub fn bare(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare_to(&self.first.address, method, path)
    }

    /// A request to `address` without a secret.
    pub fn bare_to(&self, address: &str, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{address}{path}"))
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(SECRET)
    }

    pub fn admin(&self, method: Method, path: &str) -> RequestBuilder {
        self.bare(method, path).bearer_auth(ADMIN_SECRET)
    }

    pub fn request_to(&self, address: &str, method: Method, path: &str) -> RequestBuilder {
        self.bare_to(address, method, path).bearer_auth(SECRET)
    }

    /// Gets `path` with the admins' secret, and asserts 200.
    pub async fn get(&self, path: &str) -> Value {
        let (status, body) = send(self.admin(Method::GET, path)).await;
        assert_eq!(status, StatusCode::OK, "GET {path}: {body}");
        body
    }

    pub async fn update(&self, round: &Value) -> (StatusCode, Value) {
        send(self.request(Method::POST, "/v1/update").json(round)).await
    }

    /// Posts a round that must be counted.
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
