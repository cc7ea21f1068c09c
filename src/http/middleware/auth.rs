use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::caller::{Binding, Caller};
use super::log_in::{LogIns, SESSION_LIFETIME};
use super::rate_limit::Bucket;
use super::read_only;
use crate::api::SessionAnswer;
use crate::config::{BoundSecrets, Candidate, RateLimit, ReadScope, ReadSecrets, Secrets};
use crate::http::openapi::docs;
use crate::http::pages;
use crate::http::resources::{dashboard, metrics, session};
use crate::http::{App, Problem};
use crate::service::Author;

/// What answers without a secret: what holds no data or takes another proof, and what a pool's settings open to everybody.
const OPEN_PATHS: [&str; 9] = [
    "/",
    "/healthz",
    "/readyz",
    docs::DESCRIPTION,
    docs::PAGE,
    dashboard::FAVICON,
    dashboard::ROBOTS,
    pages::leaderboard::PATH,
    session::PATH,
];

/// Which secrets are accepted, and for what.
#[derive(Clone, Debug)]
pub struct AuthConfig {
    /// For everything but, where there are admin secrets, the admin paths.
    pub game: Secrets,
    /// For everything.
    pub admin: Option<Secrets>,
    /// For their servers and pools, and no admin path.
    pub bound: Vec<BoundSecrets>,
    /// For what their scopes name, to read, and nothing else.
    pub read: Option<ReadSecrets>,
    /// How many requests each of `game` and `read` may send.
    pub rate_limit: Option<RateLimit>,
    /// Whether the metrics need no secret.
    pub metrics_public: bool,
}

/// Decides which requests pass, by their secrets and how many they have sent. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Authenticator(Arc<SecretSet>);

#[derive(Debug)]
struct SecretSet {
    /// The game servers' secrets, then the bound ones.
    game: Vec<SecretGroup>,
    admin: Option<Secrets>,
    readers: Option<(SecretGroup, BTreeSet<ReadScope>)>,
    metrics_public: bool,
    log_ins: LogIns,
    started: Instant,
}

/// Secrets that are for the same.
#[derive(Debug)]
struct SecretGroup {
    secrets: Secrets,
    binding: Option<Arc<Binding>>,
    /// One for each of the secrets, where they are limited.
    buckets: Vec<Bucket>,
}

impl SecretGroup {
    fn new(secrets: Secrets, binding: Option<Binding>, limit: Option<RateLimit>) -> Self {
        let buckets = limit.map_or_else(Vec::new, |limit| {
            let of_each = |_| Bucket::new(limit);
            (0..secrets.count()).map(of_each).collect()
        });
        Self {
            secrets,
            binding: binding.map(Arc::new),
            buckets,
        }
    }

    /// Takes one of the requests that the secret at `index` may send at `now`.
    fn take(&self, index: u32, now: Duration) -> Result<(), Problem> {
        let bucket = usize::try_from(index)
            .ok()
            .and_then(|index| self.buckets.get(index));
        bucket.map_or(Ok(()), |bucket| {
            bucket.take(now).map_err(Problem::too_many_requests)
        })
    }
}

impl Authenticator {
    /// An authenticator that accepts these.
    #[must_use]
    pub fn new(config: AuthConfig) -> Self {
        let common = SecretGroup::new(config.game, None, config.rate_limit);
        let bound = config.bound.into_iter().map(|bound| {
            let binding = Binding {
                servers: bound.servers,
                pools: bound.pools,
            };
            SecretGroup::new(bound.secrets, Some(binding), bound.rate_limit)
        });
        let readers = config.read.map(|read| {
            let group = SecretGroup::new(read.secrets, None, config.rate_limit);
            (group, read.scopes)
        });
        Self(Arc::new(SecretSet {
            game: std::iter::once(common).chain(bound).collect(),
            admin: config.admin,
            readers,
            metrics_public: config.metrics_public,
            log_ins: LogIns::default(),
            started: Instant::now(),
        }))
    }

    /// Makes the token of a link that opens the dashboard once, within five minutes, and replaces the one before.
    ///
    /// # Errors
    /// Where the operating system has no randomness.
    pub fn make_log_in_link(&self) -> io::Result<String> {
        self.0.log_ins.make_link(self.0.started.elapsed())
    }

    /// Logs in by the token of the link.
    pub(crate) fn begin_session(&self, token: &str) -> Result<SessionAnswer, Problem> {
        let (token, now) = (Candidate::new(token), self.0.started.elapsed());
        let opened = self.0.log_ins.open(&token, now);
        let opened = opened.map_err(|error| {
            tracing::error!(%error, "A log-in has no secret");
            Problem::internal()
        })?;
        let seconds = u32::try_from(SESSION_LIFETIME.as_secs()).unwrap_or(u32::MAX);
        opened
            .map(|secret| SessionAnswer { secret, seconds })
            .ok_or_else(Problem::used_link)
    }

    /// Lets a request of this `method` for `path` with these headers pass, or refuses it.
    ///
    /// Every secret is compared, whichever fits, so that the time gives nothing away.
    fn authenticate(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<Caller, Problem> {
        let is_open = OPEN_PATHS.contains(&path)
            || path.starts_with(dashboard::ASSETS)
            || is_player_page(path)
            || (self.0.metrics_public && path == metrics::PATH);
        if is_open {
            return Ok(Caller::anybody());
        }
        let secret = secret(headers)?;
        let client = Secrets::fingerprint(secret);
        let secret = Candidate::new(secret);
        let SecretSet {
            game,
            admin,
            readers,
            log_ins,
            started,
            ..
        } = &*self.0;
        let is_logged_in = log_ins.admits(&secret, started.elapsed());
        let is_admin = admin
            .as_ref()
            .is_some_and(|admin| admin.index_of(&secret).is_some());
        let found = game.iter().fold(None, |found, group| {
            let index = group.secrets.index_of(&secret);
            index.map(|index| (group, index)).or(found)
        });
        let reader = readers.as_ref().and_then(|(group, scopes)| {
            let index = group.secrets.index_of(&secret)?;
            Some((group, scopes, index))
        });
        if is_admin || is_logged_in {
            return Ok(Caller::new(client, None));
        }
        if let Some((group, scopes, index)) = reader {
            group.take(index, started.elapsed())?;
            read_only::check(scopes, method, path)?;
            return Ok(Caller::new(client, None));
        }
        let (group, index) = found.ok_or_else(Problem::wrong_secret)?;
        group.take(index, started.elapsed())?;
        let for_admins = path == "/v1/admin" || path.starts_with("/v1/admin/");
        if for_admins && (admin.is_some() || group.binding.is_some()) {
            return Err(Problem::not_an_admin());
        }
        Ok(Caller::new(client, group.binding.clone()))
    }
}

/// Whether a player's page for everybody may be there.
fn is_player_page(path: &str) -> bool {
    let player = path.strip_prefix(pages::player::PATH);
    player.is_some_and(|player| !player.is_empty() && !player.contains('/'))
}

/// The secret in the header `Authorization`.
fn secret(headers: &HeaderMap) -> Result<&str, Problem> {
    let authorization = headers.get(header::AUTHORIZATION);
    let secret = authorization
        .and_then(|value| value.to_str().ok()?.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, secret)| secret.trim());
    secret.ok_or_else(Problem::no_secret)
}

/// The author of a change, by the fingerprint of the secret that the request has.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor(pub(crate) Author);

impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        let fingerprint = Secrets::fingerprint(secret(&parts.headers)?);
        Ok(Self(Author::Secret(fingerprint)))
    }
}

pub(crate) async fn check(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    match app
        .authenticator
        .authenticate(method, path, request.headers())
    {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(problem) => problem.into_response(),
    }
}
