use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::RwLock;
use tokio::time::Instant;

use super::caller::Caller;
use super::log_in::{LogIns, address_of};
use super::secret_set::{SecretSet, check_scopes};
use super::session::{
    IDLE, LINK_LIFETIME, SIGNED_COOKIE, SIGNED_LINK, Session, check_csrf, is_https, no_cookie,
    seconds,
};
use crate::api::{SecretAnswer, SessionAnswer, SessionRequest};
use crate::config::{BoundSecrets, Candidate, KnownSecret, RateLimit, ReadSecrets, Secrets};
use crate::domain::{Fingerprint, SecretName, Timestamp};
use crate::http::openapi;
use crate::http::resources::session::PATH as SESSION;
use crate::http::resources::{dashboard, metrics};
use crate::http::{App, Problem, pages};
use crate::random;
use crate::service::Author;

/// Paths that need no secret: they hold no data, take another proof, or are opened to everybody by a pool's settings.
const OPEN_PATHS: [&str; 9] = [
    "/",
    dashboard::FAVICON,
    "/healthz",
    "/readyz",
    openapi::DESCRIPTION,
    openapi::PAGE,
    dashboard::ROBOTS,
    pages::leaderboard::PATH,
    SESSION,
];

/// Accepted secrets, and the requests that each of them may send.
#[derive(Clone, Debug)]
pub struct AuthConfig {
    /// Secrets that give access to everything except the admin paths. If there are no admin secrets, to everything.
    pub game: Secrets,
    /// Admin secrets, which give access to every path of the API.
    pub admin: Option<Secrets>,
    /// Secrets that are restricted to certain servers and pools, and give access to no admin path.
    pub bound: Vec<BoundSecrets>,
    /// Read-only secrets, which give access only to the paths of their scopes.
    pub read: Option<ReadSecrets>,
    /// Rate limit for each secret of game servers and for each read-only secret.
    pub rate_limit: Option<RateLimit>,
    /// `true` if a request for the Prometheus metrics needs no secret.
    pub metrics_public: bool,
}

/// Dashboard session that authenticated a request.
struct Used {
    id: String,
    /// `Set-Cookie` value that renews the dashboard session, if a renewal is due.
    cookie: Option<String>,
}

/// Cookie and answer of a new dashboard session, and id and expiry of the link that began it.
type Begun = (String, SessionAnswer, Option<(String, Timestamp)>);

/// Authenticates requests by their secrets, and limits their rate. Cheap to clone; clones share their state.
#[derive(Clone)]
pub struct Authenticator(Arc<Shared>);

struct Shared {
    /// Accepted secrets. A reload replaces the set as a whole, so that each request sees only one set.
    secrets: RwLock<Arc<SecretSet>>,
    log_ins: LogIns,
    started: Instant,
}

impl Authenticator {
    /// Returns an authenticator that accepts the secrets of `config`.
    #[must_use]
    pub fn new(config: AuthConfig) -> Self {
        Self(Arc::new(Shared {
            secrets: RwLock::new(Arc::new(SecretSet::new(config, None))),
            log_ins: LogIns::default(),
            started: Instant::now(),
        }))
    }

    /// Replaces the accepted secrets. Sessions signed by a removed secret end.
    pub(crate) fn replace(&self, config: AuthConfig) {
        let replacement = SecretSet::new(config, Some(&self.secrets()));
        *self.0.secrets.write() = Arc::new(replacement);
    }

    pub(crate) fn list_secrets(&self) -> Vec<SecretAnswer> {
        self.secrets().answers()
    }

    fn secrets(&self) -> Arc<SecretSet> {
        Arc::clone(&self.0.secrets.read())
    }

    /// Makes the token of a link that begins one dashboard session within five minutes of `now`: a session of the sender
    /// `by`, or else of the first admin secret. Returns the token and its expiry.
    pub(crate) fn make_log_in_link(
        &self,
        by: Option<&Caller>,
        now: Timestamp,
    ) -> io::Result<(String, Timestamp)> {
        let secrets = self.secrets();
        // Secrets of admins come first, if there are any, and then those of game servers, which are admins otherwise.
        let mut known = secrets.known();
        let secret = known
            .find(|known| by.is_none_or(|by| known.fingerprint == by.client))
            .ok_or_else(|| io::Error::other("the secret was removed"))?;
        let logged_in = by.and_then(|by| by.logged_in).unwrap_or(seconds(now));
        let link = Session::begin(random::hex::<8>()?, logged_in, (now, LINK_LIFETIME), false);
        Ok((link.signed(SIGNED_LINK, &secret.digest), link.expires_at()))
    }

    pub(crate) fn secret_name(&self, of: Fingerprint) -> Option<SecretName> {
        let secrets = self.secrets();
        let mut known = secrets.known();
        known.find(|known| known.fingerprint == of)?.name.clone()
    }

    /// Begins a dashboard session by a secret or by the token of a log-in link. The caller must check that the link was not
    /// used before.
    pub(crate) fn begin_session(
        &self,
        request: &SessionRequest,
        (peer, headers): (Option<IpAddr>, &HeaderMap),
        now: Timestamp,
    ) -> Result<Begun, Problem> {
        check_csrf(headers)?;
        let (log_ins, address) = (&self.0.log_ins, address_of(peer, headers));
        let tried = || {
            let tried = log_ins.begin_attempt(address, self.0.started.elapsed());
            tried.map_err(Problem::too_many_log_ins)
        };
        let set = self.secrets();
        let (signer, began, link) = match (&request.token, &request.secret) {
            (Some(token), None) => {
                tried()?;
                let (link, signer) = Session::of_token(token)
                    .and_then(|link| valid(&set, SIGNED_LINK, link, now))
                    .ok_or_else(Problem::used_link)?;
                let expires_at = link.expires_at();
                (signer, link.began, Some((link.id, expires_at)))
            }
            (None, Some(secret)) => {
                tried()?;
                let secret = Candidate::new(secret);
                let found = set.known().fold(None, |found, known| {
                    let is_it = known.digest.is(&secret);
                    is_it.then_some(known).or(found)
                });
                let signer = found.ok_or_else(Problem::wrong_secret)?.clone();
                (signer, seconds(now), None)
            }
            _ => {
                let detail = "is missing; send either a secret or the token of a log-in link";
                return Err(Problem::invalid_field("/secret", detail));
            }
        };
        log_ins.forgive(address);
        let id = random::hex::<16>().map_err(|error| {
            tracing::error!(%error, "Cannot generate an id for a new dashboard session");
            Problem::internal()
        })?;
        let session = Session::begin(id, began, (now, IDLE), is_https(headers));
        let cookie = session.cookie(&signer.digest, now);
        let answer = session_answer(&session, &signer, now);
        Ok((cookie, answer, link))
    }

    /// Returns id and answer of the dashboard session whose cookie is in `headers`. The caller must check that the
    /// session was not ended by a log-out.
    pub(crate) fn session_of(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Option<(String, SessionAnswer)> {
        let (session, signer) = Self::session(&self.secrets(), headers, now)?;
        let answer = session_answer(&session, &signer, now);
        Some((session.id, answer))
    }

    /// Returns id and expiry of the dashboard session whose cookie is in `headers`, if any, and the `Set-Cookie` value
    /// that removes the cookie.
    pub(crate) fn session_to_end(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<(Option<(String, Timestamp)>, String), Problem> {
        check_csrf(headers)?;
        let found = Self::session(&self.secrets(), headers, now);
        let ended = found.map(|(session, _)| (session.id.clone(), session.ends_at()));
        Ok((ended, no_cookie()))
    }

    /// Returns the first valid dashboard session among the cookies in `headers`, and the secret that signed it.
    fn session(
        set: &SecretSet,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Option<(Session, KnownSecret)> {
        // Browsers have no reason to send more than four session cookies.
        let mut cookies = Session::of_request(headers).take(4);
        cookies.find_map(|session| valid(set, SIGNED_COOKIE, session, now))
    }

    /// Authenticates a request by its secret or its session cookie. Returns the dashboard session, if any; the caller
    /// must check that it was not ended by a log-out.
    ///
    /// Compares all secrets, even after a match, so that the time taken reveals nothing.
    fn authenticate(
        &self,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<(Caller, Option<Used>), Problem> {
        let set = &*self.secrets();
        let is_open = OPEN_PATHS.contains(&path)
            || path.starts_with(dashboard::ASSETS)
            || is_public_page(path)
            || (set.metrics_public && path == metrics::PATH);
        if is_open {
            return Ok((Caller::anybody(), None));
        }
        if headers.contains_key(header::AUTHORIZATION) || !Session::is_in(headers) {
            let secret = secret(headers)?;
            let (candidate, client) = (Candidate::new(secret), Secrets::fingerprint(secret));
            let caller = self.admit(set, (&candidate, client), (method, path), now)?;
            return Ok((caller, None));
        }
        let (session, signer) =
            Self::session(set, headers, now).ok_or_else(Problem::session_over)?;
        if ![Method::GET, Method::HEAD].contains(method) {
            check_csrf(headers)?;
        }
        let secret = (&signer.digest, signer.fingerprint);
        let caller = self
            .admit(set, secret, (method, path), now)?
            .in_browser(session.began);
        let renewed = session.renewed(now);
        let used = Used {
            cookie: renewed.map(|session| session.cookie(&signer.digest, now)),
            id: session.id,
        };
        Ok((caller, Some(used)))
    }

    /// Authorizes a request that was sent with this `secret`, whose fingerprint is `client`.
    fn admit(
        &self,
        set: &SecretSet,
        (secret, client): (&Candidate, Fingerprint),
        (method, path): (&Method, &str),
        now: Timestamp,
    ) -> Result<Caller, Problem> {
        let since_start = self.0.started.elapsed();
        let an_admins = set
            .admin
            .as_ref()
            .and_then(|group| Some((group, group.secrets.index_of(secret)?)));
        let found = set.game.iter().fold(None, |found, group| {
            let index = group.secrets.index_of(secret);
            index.map(|index| (group, index)).or(found)
        });
        let reader = set.readers.as_ref().and_then(|(group, scopes)| {
            let index = group.secrets.index_of(secret)?;
            Some((group, scopes, index))
        });
        if let Some((group, index)) = an_admins {
            group.note(index, now);
            return Ok(Caller::person(client));
        }
        if let Some((group, scopes, index)) = reader {
            group.note(index, now);
            group.take(index, since_start)?;
            check_scopes(scopes, method, path)?;
            return Ok(Caller::person(client));
        }
        let (group, index) = found.ok_or_else(Problem::wrong_secret)?;
        group.note(index, now);
        group.take(index, since_start)?;
        let for_admins = path == "/v1/admin" || path.starts_with("/v1/admin/");
        if for_admins && (set.admin.is_some() || group.binding.is_some()) {
            return Err(Problem::forbidden(
                "this request is for admins; send the admin secret instead of a game server's",
            ));
        }
        Ok(Caller::game_server(client, group.binding.clone()))
    }
}

/// Returns the session and its signer if a secret of `set` signed it with this prefix, and it is not over.
fn valid(
    set: &SecretSet,
    prefix: &str,
    (session, signature): (Session, &str),
    now: Timestamp,
) -> Option<(Session, KnownSecret)> {
    let mut known = set.known();
    let signer = known.find(|known| session.is_signed(prefix, &known.digest, signature))?;
    (!session.is_over(now)).then(|| (session, signer.clone()))
}

fn session_answer(session: &Session, signer: &KnownSecret, now: Timestamp) -> SessionAnswer {
    SessionAnswer {
        seconds: Some(session.seconds_left(now)),
        secret: Some(signer.fingerprint),
        name: signer.name.clone(),
    }
}

/// Returns `true` for the path of a player's or a round's public page.
fn is_public_page(path: &str) -> bool {
    [(pages::player::PATH, 1), (pages::match_page::PATH, 2)]
        .into_iter()
        .filter_map(|(start, parts)| Some((path.strip_prefix(start)?, parts)))
        .any(|(rest, parts)| {
            rest.split('/').count() == parts && rest.split('/').all(|part| !part.is_empty())
        })
}

fn secret(headers: &HeaderMap) -> Result<&str, Problem> {
    let authorization = headers.get(header::AUTHORIZATION);
    let secret = authorization
        .and_then(|value| value.to_str().ok()?.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"))
        .map(|(_, secret)| secret.trim());
    secret.ok_or_else(Problem::no_secret)
}

/// Returns the fingerprint of the secret in a request, accepted or not.
pub(crate) fn sent_fingerprint(headers: &HeaderMap) -> Option<Fingerprint> {
    let secret = secret(headers).ok()?;
    Some(Secrets::fingerprint(secret))
}

/// Author of a change: the secret that authenticated the request.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Actor(pub(crate) Author);

impl<S: Send + Sync> FromRequestParts<S> for Actor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let caller = Caller::from_request_parts(parts, state).await?;
        Ok(Self(Author::Secret(caller.client)))
    }
}

pub(crate) async fn check(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let (method, path) = (request.method(), request.uri().path());
    let passed = app
        .authenticator
        .authenticate(method, path, request.headers(), app.service.now());
    let (caller, used) = match passed {
        Ok(passed) => passed,
        Err(problem) => return problem.into_response(),
    };
    let mut cookie = None;
    if let Some(used) = used {
        match app.service.has_ended_session(&used.id).await {
            Ok(false) => cookie = used.cookie,
            Ok(true) => return Problem::session_over().into_response(),
            Err(error) => return Problem::from(error).into_response(),
        }
    }
    request.extensions_mut().insert(caller);
    let mut response = next.run(request).await;
    // A cookie of hexadecimal digits and dots is always a valid header value.
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        let headers = response.headers_mut();
        headers.append(header::SET_COOKIE, cookie);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
