//! The whole router in this process, and the invariants of each answer.

use std::collections::BTreeMap;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use rbs::clock::Clock;
use rbs::http::router;
use rbs::service::Service;
use serde_json::{Value, json};
use tower::ServiceExt as _;
use tracing::subscriber::DefaultGuard;

use super::generate::{Sent, Who};
use super::logs::{self, Logged};
use crate::support::{ADMIN_SECRET, Database, LIMITS, SECRET, parts, settings_from};

const BOUND_SECRET: &str = "the-homes-own-secret";

const TABLE: &str = r#"
[[game_servers]]
secret_variable = "HOME"
servers = ["home-1"]
"#;

/// A rating that exists only in the pool `arena`.
const GIVEN_AWAY: i64 = 7777;

pub struct Target {
    router: axum::Router,
    service: Service,
    logged: Logged,
    _logging: DefaultGuard,
}

impl Target {
    pub async fn start(database: &Database) -> Self {
        let variables = [
            ("RBS_SECRET", Some(SECRET)),
            ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
            ("HOME", Some(BOUND_SECRET)),
        ];
        let settings = settings_from(database.url(), TABLE, &variables);
        let (logged, logging) = Logged::start();
        let noon = "2026-11-20T12:00:00Z".parse().expect("a time");
        let clock = Clock::manual(noon);
        let service = Service::open(
            database.store().await,
            clock,
            &settings.pools,
            &settings.servers,
        )
        .await
        .expect("a service");
        let target = Self {
            router: router(parts(service.clone(), &settings, LIMITS)),
            service,
            logged,
            _logging: logging,
        };
        target.fill_the_arena().await;
        target
    }

    /// Stores data in the other pool that must not leak.
    async fn fill_the_arena(&self) {
        let id = "76561197960265729";
        let sent = Sent {
            method: "PUT".to_owned(),
            path: format!("/v1/admin/players/{id}?pool=arena"),
            headers: vec![("content-type".to_owned(), b"application/json".to_vec())],
            body: json!({"rating": GIVEN_AWAY}).to_string().into_bytes(),
            who: Who::Admin,
        };
        let mut counts = BTreeMap::new();
        self.try_out(&sent, &mut counts).await.expect("a rating");
        assert_eq!(counts.keys().collect::<Vec<_>>(), [&200]);
    }

    /// Sends `sent`, counts its status, and returns an error if an invariant is violated.
    pub async fn try_out(
        &self,
        sent: &Sent,
        counts: &mut BTreeMap<u16, u32>,
    ) -> Result<(), String> {
        let Some(request) = request(sent) else {
            // The HTTP library refuses invalid HTTP.
            return Ok(());
        };
        let path = request.uri().path().to_owned();
        self.logged.take();
        let answer = self.router.clone().oneshot(request).await;
        let (head, body) = answer.map_err(|never| format!("{never:?}"))?.into_parts();
        let body = to_bytes(body, usize::MAX)
            .await
            .map_err(|error| error.to_string())?;
        let text = String::from_utf8(body.to_vec()).map_err(|error| error.to_string())?;
        *counts.entry(head.status.as_u16()).or_default() += 1;
        check(sent, &path, head.status, &head.headers, &text)
            .map_err(|why| format!("{why}\n{} {:?}\n{text}", head.status, head.headers))?;
        let lines = self.logged.take();
        if lines.is_empty() {
            return Err("nothing was logged".to_owned());
        }
        for said in lines {
            if let Some(why) = logs::problem(&said).or_else(|| secret_in(&said)) {
                return Err(why);
            }
        }
        Ok(())
    }

    pub async fn stop(self) {
        self.service.close().await;
    }
}

fn request(sent: &Sent) -> Option<Request<Body>> {
    let mut request = Request::builder()
        .method(sent.method.as_str())
        .uri(sent.path.as_str());
    for (name, value) in &sent.headers {
        // The HTTP library refuses values that cannot be headers.
        if let Ok(value) = HeaderValue::from_bytes(value) {
            request = request.header(name.as_str(), value);
        }
    }
    let secret = match sent.who {
        Who::GameServer => SECRET,
        Who::Bound => BOUND_SECRET,
        Who::Admin => ADMIN_SECRET,
        Who::Nobody => "nobody's",
    };
    let request = request.header("authorization", format!("Bearer {secret}"));
    request.body(Body::from(sent.body.clone())).ok()
}

fn secret_in(text: &str) -> Option<String> {
    let secrets = [SECRET, ADMIN_SECRET, BOUND_SECRET];
    let output = secrets.into_iter().find(|secret| text.contains(secret))?;
    Some(format!("{output} stands in {text:?}"))
}

/// Pages for browsers, which are public.
const PAGES: [&str; 5] = ["/", "/docs", "/leaderboard", "/favicon.ico", "/robots.txt"];

fn check(
    sent: &Sent,
    path: &str,
    status: StatusCode,
    headers: &HeaderMap,
    text: &str,
) -> Result<(), String> {
    if status.is_server_error() {
        return Err("the service failed".to_owned());
    }
    for value in headers.values() {
        let plain = value.to_str().map_err(|error| error.to_string())?;
        if let Some(why) = secret_in(plain) {
            return Err(why);
        }
    }
    if let Some(why) = secret_in(text) {
        return Err(why);
    }
    let is_page = PAGES.contains(&path) || path.starts_with("/assets/");
    let is_open = is_page || ["/healthz", "/readyz", "/openapi.json"].contains(&path);
    if sent.who == Who::Nobody && status.is_success() && !is_open {
        return Err("somebody without a secret was served".to_owned());
    }
    if sent.who == Who::Bound && text.contains(&GIVEN_AWAY.to_string()) {
        return Err("a rating of another pool was shown".to_owned());
    }
    let content_type = headers.get("content-type").map(HeaderValue::as_bytes);
    if sent.method == "HEAD" || (status.is_success() && (is_page || path == "/metrics")) {
        return Ok(());
    }
    let body: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    if status.is_success() {
        let fits = content_type == Some(b"application/json");
        return fits.then_some(()).ok_or_else(|| "is no JSON".to_owned());
    }
    let members = body.as_object().ok_or("the problem is no object")?;
    let keys: Vec<&str> = members.keys().map(String::as_str).collect();
    let fits = content_type == Some(b"application/problem+json")
        && keys == ["detail", "errors", "status", "title", "type"]
        && body["status"] == status.as_u16()
        && body["errors"].is_array() == (status == StatusCode::UNPROCESSABLE_ENTITY)
        && body["detail"].as_str().is_some_and(|detail| {
            (1..=2000).contains(&detail.len()) && !detail.contains("panicked")
        });
    fits.then_some(())
        .ok_or_else(|| "is no problem as the contract has it".to_owned())
}
