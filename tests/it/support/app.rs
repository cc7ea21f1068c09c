use std::sync::Mutex;
use std::time::Duration;

use rbs::clock::Clock;
use rbs::config::{Flags, Settings};
use rbs::domain::Timestamp;
use rbs::http::{self, AuthConfig, Authenticator, Limits};
use rbs::service::{Service, TIMEOUT};
use rbs::store::{DatabaseUrl, Store};
use reqwest::header::{CONTENT_TYPE, HeaderMap, RETRY_AFTER};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::Database;

/// The game servers' secret.
pub const SECRET: &str = "the-game-servers-secret";
/// The admins' secret.
pub const ADMIN_SECRET: &str = "the-admins-secret";

/// What the tests' service is configured with besides the defaults: a pool with odd constants and
/// a short window, a server in it, and policies of its own.
const CONFIGURATION: &str = r#"
[pools.arena]
window = 8
shadow_rounds = 3
theta = 1000.0
participation_half_life = 600
[pools.arena.balance]
policy = "ns2"
[pools.arena.balance.ns2]
win_probability = 0.65
[pools.arena.balance.house]
size_difference = 4
[pools.arena.balance.arena-only]
like = "ut2004"
[balance.house]
like = "synelo"
size_difference = 3
apply_on_death = true
[servers.arena-1]
pool = "arena"
"#;

/// How much clients may take up in the tests; the timeout is short, so that its end can be seen.
pub const LIMITS: Limits = Limits {
    timeout: Duration::from_millis(500),
    connections: 1024,
    requests: 1024,
};

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
    let database = url.parse().expect("a database address");
    settings_with_secrets(database, SECRET, Some(ADMIN_SECRET))
}

/// The same with other secrets.
pub fn settings_with_secrets(
    database: DatabaseUrl,
    secret: &str,
    admin_secret: Option<&str>,
) -> Settings {
    let secrets = [
        ("RBS_SECRET", Some(secret)),
        ("RBS_ADMIN_SECRET", admin_secret),
    ];
    settings_from(database, "", &secrets)
}

/// The settings of the tests' service with this configuration before its own, in this environment.
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

/// What `settings` make the handlers work with.
pub fn parts(service: Service, settings: &Settings, limits: Limits) -> http::App {
    http::App {
        service,
        authenticator: Authenticator::new(AuthConfig {
            game: settings.secrets.clone().expect("a secret").0,
            admin: settings.admin_secrets.clone(),
            bound: settings.bound_secrets.clone(),
            rate_limit: settings.rate_limit,
            metrics_public: settings.metrics_public,
        }),
        request_timeout: settings.request_timeout,
        limits,
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
            .with_timeout(TIMEOUT);
        Self::over(service, settings).await
    }

    /// Serves what is there already.
    pub async fn over(service: Service, settings: &Settings) -> Self {
        Self::within(LIMITS, service, settings).await
    }

    /// Serves what is there already, where clients may take up no more than `limits`.
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

    /// Stops and leaves the service, and its connections, to whoever uses them too.
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
        self.bare_to(&self.first.address, method, path)
    }

    /// A request to the instance at `address`, without a secret.
    pub fn bare_to(&self, address: &str, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{address}{path}"))
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
        self.bare_to(address, method, path).bearer_auth(SECRET)
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

/// Sends a request and reads the answer, which must be JSON and keep the rules that hold for all
/// answers.
pub async fn send(request: RequestBuilder) -> (StatusCode, Value) {
    let (status, _, body) = send_for_headers(request).await;
    (status, body)
}

/// The same, with the answer's headers.
pub async fn send_for_headers(request: RequestBuilder) -> (StatusCode, HeaderMap, Value) {
    read(request.send().await.expect("an answer")).await
}

/// Sends a request that must be refused with `status` as the contract says, and answers the
/// headers and the body of the refusal.
pub async fn refused(request: RequestBuilder, status: u16) -> (HeaderMap, Value) {
    let (actual, headers, body) = send_for_headers(request).await;
    assert_eq!(actual.as_u16(), status, "{body}");
    assert_problem(actual, &headers, &body);
    (headers, body)
}

/// The fields that a refusal names.
pub fn fields(problem: &Value) -> Vec<&str> {
    let errors = problem["errors"].as_array();
    let errors = errors.unwrap_or_else(|| panic!("names no field: {problem}"));
    let field = |error: &'_ Value| error["field"].as_str().is_some();
    assert!(errors.iter().all(field), "{problem}");
    errors
        .iter()
        .filter_map(|error| error["field"].as_str())
        .collect()
}

async fn read(response: Response) -> (StatusCode, HeaderMap, Value) {
    let status = response.status();
    let headers = response.headers().clone();
    let text = response.text().await.expect("a body");
    let body = serde_json::from_str(&text)
        .unwrap_or_else(|error| panic!("{status} has a body that is no JSON: {error}: {text}"));
    for secret in [SECRET, ADMIN_SECRET] {
        assert!(
            !text.contains(secret) && !format!("{headers:?}").contains(secret),
            "an answer reveals a secret: {headers:?} {text}"
        );
    }
    assert_readable_by_plugins(&body, "");
    if status.is_success() {
        assert_eq!(headers[CONTENT_TYPE], "application/json", "{text}");
    } else {
        assert_problem(status, &headers, &body);
    }
    (status, headers, body)
}

/// Plugins read integers of 32 signed bits, and ids as text.
fn assert_readable_by_plugins(value: &Value, place: &str) {
    match value {
        Value::Number(number) if number.is_f64() => {}
        Value::Number(number) => assert!(
            number.as_i64().is_some_and(|n| i32::try_from(n).is_ok()),
            "{place} is {number}, which does not fit 32 signed bits"
        ),
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                assert_readable_by_plugins(item, &format!("{place}/{index}"));
            }
        }
        Value::Object(members) => {
            for (key, member) in members {
                if key == "id" {
                    let id = member.as_str().unwrap_or_default();
                    assert!(
                        id.len() == 17 && id.bytes().all(|byte| byte.is_ascii_digit()),
                        "{place}/id is {member}, not a decimal string"
                    );
                }
                assert_readable_by_plugins(member, &format!("{place}/{key}"));
            }
        }
        Value::Null | Value::Bool(_) | Value::String(_) => {}
    }
}

/// What holds for every refusal: RFC 9457's members, and the headers that go with the status.
fn assert_problem(status: StatusCode, headers: &HeaderMap, body: &Value) {
    assert_eq!(
        headers[CONTENT_TYPE], "application/problem+json",
        "{status}: {body}"
    );
    let mut keys: Vec<&str> = body
        .as_object()
        .unwrap_or_else(|| panic!("{status}: {body}"))
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort_unstable();
    assert_eq!(
        keys,
        ["detail", "errors", "status", "title", "type"],
        "{body}"
    );
    assert_eq!(body["type"], "about:blank", "{body}");
    assert_eq!(body["status"], json!(status.as_u16()), "{body}");
    assert_eq!(
        body["title"],
        json!(status.canonical_reason().expect("a known status")),
        "{body}"
    );
    let detail = body["detail"].as_str().expect("a detail");
    assert!(!detail.is_empty(), "{body}");
    if status == StatusCode::UNPROCESSABLE_ENTITY {
        let errors = body["errors"].as_array().expect("a list of errors");
        assert!(!errors.is_empty(), "{body}");
        for error in errors {
            let member = |key| error[key].as_str().unwrap_or_default();
            assert!(member("field").starts_with('/'), "{body}");
            assert!(!member("detail").is_empty(), "{body}");
            assert_eq!(error.as_object().map(serde_json::Map::len), Some(2));
        }
    } else {
        assert_eq!(body["errors"], Value::Null, "{body}");
    }
    let wanted = match status {
        StatusCode::UNAUTHORIZED => Some("www-authenticate"),
        StatusCode::METHOD_NOT_ALLOWED => Some("allow"),
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => {
            let seconds = headers.get(RETRY_AFTER).map(|value| value.to_str());
            let seconds = seconds.and_then(|text| text.ok()?.parse::<u32>().ok());
            assert!(
                seconds.is_some_and(|seconds| seconds >= 1),
                "{status} does not say when to come back: {headers:?}"
            );
            None
        }
        _ => None,
    };
    if let Some(name) = wanted {
        assert!(headers.contains_key(name), "{status} without {name}");
    }
}
