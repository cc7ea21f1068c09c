use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use reqwest::header::{AUTHORIZATION, CONTENT_TYPE};
use reqwest::{Client, RequestBuilder, StatusCode, Url};
use serde_json::Value;

/// Timeout of one request.
const TIMEOUT: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub(crate) struct Service {
    client: Client,
    url: Url,
    authorization: String,
    /// Headers with the other secrets.
    others: Vec<String>,
}

/// Outcome of a request.
#[derive(Debug)]
pub(crate) enum Outcome {
    /// Answered with 200 and this body.
    Served(Value),
    /// Shed: the service was overloaded and said when to retry.
    Shed,
    /// Any other outcome, as text.
    Failed(String),
}

impl Service {
    /// The service at `url`. With `connect_each`, every request opens a new connection.
    pub(crate) fn new(url: Url, secret_file: &Path, connect_each: bool) -> anyhow::Result<Self> {
        let host = url.host_str().unwrap_or_default();
        ensure!(
            matches!(host, "localhost" | "[::1]") || host.starts_with("127."),
            "{host} is not this machine; load a service on 127.0.0.1"
        );
        let secret = std::fs::read_to_string(secret_file)
            .with_context(|| format!("cannot read {}", secret_file.display()))?;
        let mut secrets = secret.lines().map(|line| format!("Bearer {}", line.trim()));
        let authorization = secrets.next().unwrap_or_default();
        let idle = if connect_each { 0 } else { usize::MAX };
        Ok(Self {
            client: Client::builder()
                .pool_max_idle_per_host(idle)
                .timeout(TIMEOUT)
                .no_proxy()
                .build()?,
            url,
            authorization,
            others: secrets.collect(),
        })
    }

    /// Returns one client per other secret.
    pub(crate) fn others(&self) -> impl Iterator<Item = Self> {
        self.others.iter().map(|authorization| Self {
            authorization: authorization.clone(),
            ..self.clone()
        })
    }

    /// Host and port, and the value of the header `Authorization`.
    pub(crate) fn bare(&self) -> (String, &str) {
        let host = self.url.host_str().unwrap_or_default();
        let port = self.url.port_or_known_default().unwrap_or_default();
        (format!("{host}:{port}"), &self.authorization)
    }

    pub(crate) async fn post(&self, path: &str, body: &Value) -> Outcome {
        self.send_json(self.client.post(self.at(path)), body).await
    }

    pub(crate) async fn put(&self, path: &str, body: &Value) -> Outcome {
        self.send_json(self.client.put(self.at(path)), body).await
    }

    async fn send_json(&self, request: RequestBuilder, body: &Value) -> Outcome {
        let request = request.header(CONTENT_TYPE, "application/json");
        self.send(request.body(body.to_string())).await
    }

    pub(crate) async fn get(&self, path: &str) -> Outcome {
        self.send(self.client.get(self.at(path))).await
    }

    fn at(&self, path: &str) -> Url {
        self.url.join(path).expect("a path of the service")
    }

    async fn send(&self, request: RequestBuilder) -> Outcome {
        let request = request.header(AUTHORIZATION, &self.authorization);
        let response = match request.send().await {
            Ok(response) => response,
            Err(error) if error.is_timeout() => {
                return Outcome::Failed("no answer in time".to_owned());
            }
            Err(_) => return Outcome::Failed("no connection".to_owned()),
        };
        let status = response.status();
        let says_when = response.headers().contains_key("retry-after");
        match response.bytes().await {
            Err(_) => Outcome::Failed("answer broken off".to_owned()),
            Ok(body) if status.is_success() => match serde_json::from_slice(&body) {
                Ok(value) => Outcome::Served(value),
                Err(_) => Outcome::Failed("no JSON".to_owned()),
            },
            Ok(_) => match status {
                StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE if says_when => {
                    Outcome::Shed
                }
                status => Outcome::Failed(status.to_string()),
            },
        }
    }
}
