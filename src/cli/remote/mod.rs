//! Client of a running service, on this machine or elsewhere.

pub(crate) mod answer;
pub(crate) mod audit;
mod follow;
pub(crate) mod interventions;
pub(crate) mod leaderboard;
pub(crate) mod models;
pub(crate) mod player;
pub(crate) mod players;
mod profile;
pub(crate) mod quality;
pub(crate) mod refusals;
pub(crate) mod rounds;
pub(crate) mod scramble;
pub(crate) mod servers;
pub(crate) mod settings;
pub(crate) mod target;
pub(crate) mod view;
pub(crate) mod void;
mod wait;

use std::io;
use std::thread;
use std::time::Duration;

use anyhow::Context as _;
use serde_json::Value;
use ureq::http::{Method, Request, header};
use ureq::tls::TlsConfig;
use ureq::{Agent, Timeout};

use super::database::only_pool;
use crate::api::PoolsAnswer;
use crate::config::SecretToSend;
use crate::domain::{ChangeId, PoolName};
use crate::random;

pub(crate) use answer::{Answer, Unsuccessful};
pub(crate) use target::{Address, NamedBy, Path, Target, named, trusted};

const CONNECT: Duration = Duration::from_secs(5);
/// Time limit for the service's answer. By default, the service itself gives up sooner.
const ANSWER: Duration = Duration::from_mins(1);
const ATTEMPTS: u32 = 3;
const MAX_PAUSE: Duration = Duration::from_secs(5);
/// Maximum length of the service's answer in bytes. Real answers are much shorter.
const MAX_ANSWER: u64 = 64 * 1024 * 1024;

pub(crate) struct Client {
    agent: Agent,
    pub(crate) address: Address,
    secret: SecretToSend,
}

impl Client {
    pub(crate) fn new(
        address: Address,
        secret: SecretToSend,
        is_local: bool,
        tls: Option<TlsConfig>,
    ) -> Self {
        Self {
            agent: agent(is_local, tls, ANSWER),
            address,
            secret,
        }
    }

    pub(crate) fn get(&self, path: &Path) -> anyhow::Result<Answer> {
        self.send(&Method::GET, path, None)
    }

    /// Sends a POST request without a body. Must be a request that can be repeated safely.
    pub(crate) fn post(&self, path: &Path) -> anyhow::Result<Answer> {
        self.send(&Method::POST, path, None)
    }

    /// Sends a change to the service. The change has an id, so the request can be repeated safely.
    pub(crate) fn change(
        &self,
        method: &Method,
        path: &Path,
        change: &Value,
    ) -> anyhow::Result<Answer> {
        self.send(method, path, Some(&change.to_string()))
    }

    /// Returns the pool that a command works on: the named one, or the choice of [`only_pool`]. If the secret may not
    /// list the pools, the service chooses.
    pub(crate) fn pool(&self, named: Option<PoolName>) -> anyhow::Result<Option<PoolName>> {
        if named.is_some() {
            return Ok(named);
        }
        let found: PoolsAnswer = match self.get(&Path::at("/v1/admin/pools")) {
            Ok(answer) => answer.read()?,
            Err(error) => {
                return match error.downcast_ref() {
                    Some(Unsuccessful::Refused(_) | Unsuccessful::NotFound(_)) => Ok(None),
                    Some(Unsuccessful::Unreachable(_)) | None => Err(error),
                };
            }
        };
        only_pool(found.pools.iter().map(|pool| (&pool.pool, pool.rounds)))
    }

    /// Sends a request to the service, and retries it if the service asks for that or the answer was lost.
    fn send(&self, method: &Method, path: &Path, body: Option<&str>) -> anyhow::Result<Answer> {
        let mut attempt = 1;
        loop {
            let sent = self.send_once(method, path, body);
            let pause = match &sent {
                Ok(answer) => answer.retry_after(),
                // A repeated request gets the lost answer again.
                Err(ureq::Error::Io(error)) if was_lost(error) => Some(Duration::from_millis(200)),
                Err(_) => None,
            };
            match pause {
                Some(pause) if attempt < ATTEMPTS && pause <= MAX_PAUSE => {
                    thread::sleep(pause);
                    attempt += 1;
                }
                _ => {
                    let answer = sent.map_err(|error| self.unreachable(&error))?;
                    return Ok(answer.accepted(&self.secret)?);
                }
            }
        }
    }

    fn send_once(
        &self,
        method: &Method,
        path: &Path,
        body: Option<&str>,
    ) -> Result<Answer, ureq::Error> {
        let request = Request::builder()
            .method(method)
            .uri(self.address.join(path))
            .header(
                header::AUTHORIZATION,
                format!("Bearer {}", self.secret.text),
            )
            .header(header::ACCEPT, "application/json");
        let answered = match body {
            None => self.agent.run(request.body(())?)?,
            Some(body) => {
                let request = request.header(header::CONTENT_TYPE, "application/json");
                self.agent.run(request.body(body)?)?
            }
        };
        let (head, mut body) = answered.into_parts();
        let body = body.with_config().limit(MAX_ANSWER).read_to_string()?;
        Ok(Answer { head, body })
    }

    fn unreachable(&self, error: &ureq::Error) -> Unsuccessful {
        let address = &self.address;
        Unsuccessful::Unreachable(match error {
            ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) => format!(
                "cannot connect to {address} within {} s; check the address (--url, RBS_URL) \
                 and the network",
                CONNECT.as_secs()
            ),
            ureq::Error::Timeout(_) => format!(
                "{address} does not answer within {} s; a change may still have been made, \
                 so check before you repeat it",
                ANSWER.as_secs()
            ),
            ureq::Error::Io(cause) if is_distrust(cause) => format!(
                "{address} cannot be trusted: {cause}; its certificate must be for that host, and \
                 issued by a public authority or by one in the file given with --ca-file or \
                 RBS_CA_FILE"
            ),
            ureq::Error::Io(cause) if cause.kind() == io::ErrorKind::InvalidData => format!(
                "{address} does not answer in the protocol that this address begins with: {cause}; write \
                 https:// if a proxy with TLS is in front of RBS, otherwise http://"
            ),
            ureq::Error::Tls(_) | ureq::Error::Rustls(_) => {
                format!("cannot set up an encrypted connection to {address}: {error}")
            }
            error => format!(
                "nothing answers on {address}: {error}; start the service, or give its address \
                 with --url or RBS_URL"
            ),
        })
    }
}

/// Returns an HTTP agent. It follows no redirects, so that the secret goes only to the named address. It uses no proxy
/// for a service on this machine (`is_local`). `tls` replaces the public certificate authorities.
pub(crate) fn agent(is_local: bool, tls: Option<TlsConfig>, timeout: Duration) -> Agent {
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .timeout_connect(Some(CONNECT))
        .timeout_global(Some(timeout))
        .user_agent(concat!("rbs/", env!("CARGO_PKG_VERSION")))
        .tls_config(tls.unwrap_or_default());
    let config = if is_local { config.proxy(None) } else { config };
    config.build().new_agent()
}

fn is_distrust(error: &io::Error) -> bool {
    let cause = error.get_ref().and_then(|cause| cause.downcast_ref());
    matches!(cause, Some(rustls::Error::InvalidCertificate(_)))
}

/// Returns `true` if the request may have arrived at the service although the answer was lost.
fn was_lost(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
            | io::ErrorKind::BrokenPipe
            | io::ErrorKind::UnexpectedEof
    )
}

pub(crate) fn new_change_id() -> anyhow::Result<ChangeId> {
    let name = random::hex::<16>()?;
    name.parse()
        .context("cannot generate an id for this change")
}
