use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use super::caller::Caller;
use super::log_in::{LogIns, address_of};
use super::read_only;
use super::secret_set::{SecretSet, Signer};
use super::session::{Session, check_page, is_https, no_cookie};
use crate::api::{SecretAnswer, SessionAnswer, SessionRequest};
use crate::config::{BoundSecrets, Candidate, RateLimit, ReadSecrets, Secrets};
use crate::domain::{Fingerprint, SecretName, Timestamp};
use crate::http::openapi::docs;
use crate::http::resources::session::PATH as SESSION;
use crate::http::resources::{dashboard, metrics};
use crate::http::{App, Problem, pages};
use crate::random;
use crate::service::Author;

/// What answers without a secret: what holds no data or takes another proof, and what a pool's settings open to everybody.
const OPEN_PATHS: [&str; 9] = [
    "/",
    dashboard::FAVICON,
    "/healthz",
    "/readyz",
    docs::DESCRIPTION,
    docs::PAGE,
    dashboard::ROBOTS,
    pages::leaderboard::PATH,
    SESSION,
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

/// The session that a request belongs to.
struct Used {
    id: String,
    /// The cookie that prolongs the session, if it is due for that.
    cookie: Option<String>,
}

/// Decides which requests pass, by their secrets and how many they have sent. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Authenticator(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// Replaced as a whole, so that a request goes by one set from its beginning to its end.
    secrets: RwLock<Arc<SecretSet>>,
    log_ins: LogIns,
    started: Instant,
}

impl Authenticator {
    /// An authenticator that accepts these.
    #[must_use]
    pub fn new(config: AuthConfig) -> Self {
        Self(Arc::new(Shared {
            secrets: RwLock::new(Arc::new(SecretSet::new(config, None))),
            log_ins: LogIns::default(),
            started: Instant::now(),
        }))
    }

    /// Accepts these from now on and no others; sessions that others have signed end.
    pub(crate) fn replace(&self, config: AuthConfig) {
        let replacement = SecretSet::new(config, Some(&self.secrets()));
        let secrets = self.0.secrets.write();
        *secrets.unwrap_or_else(PoisonError::into_inner) = Arc::new(replacement);
    }

    /// Every secret that is accepted, and how it is used.
    pub(crate) fn list_secrets(&self) -> Vec<SecretAnswer> {
        self.secrets().answers()
    }

    fn secrets(&self) -> Arc<SecretSet> {
        // No code that could panic runs under the lock.
        let secrets = self.0.secrets.read();
        Arc::clone(&secrets.unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes the token of a link that opens the dashboard once, within five minutes of `now`, and replaces the one
    /// before.
    ///
    /// # Errors
    /// Where the operating system has no randomness.
    pub fn make_log_in_link(&self, now: Timestamp) -> std::io::Result<String> {
        self.0.log_ins.make_link(now)
    }

    /// What the secret with that fingerprint is called, where it is accepted and has a name.
    pub(crate) fn secret_name(&self, of: Fingerprint) -> Option<SecretName> {
        let secrets = self.secrets();
        let mut known = secrets.known();
        known.find(|known| known.fingerprint == of)?.name.clone()
    }

    /// Begins a session; answers its cookie too.
    pub(crate) fn begin_session(
        &self,
        request: &SessionRequest,
        (peer, headers): (Option<IpAddr>, &HeaderMap),
        now: Timestamp,
    ) -> Result<(String, SessionAnswer), Problem> {
        check_page(headers)?;
        let (log_ins, address) = (&self.0.log_ins, address_of(peer, headers));
        let tried = || {
            let tried = log_ins.begin_attempt(address, self.0.started.elapsed());
            tried.map_err(Problem::too_many_log_ins)
        };
        let signer = match (&request.token, &request.secret) {
            (Some(token), None) => {
                tried()?;
                let opened = log_ins.open(&Candidate::new(token), now);
                opened.map(Signer::from).ok_or_else(Problem::used_link)?
            }
            (None, Some(secret)) => {
                tried()?;
                let (secret, set) = (Candidate::new(secret), self.secrets());
                let found = set.known().fold(None, |found, known| {
                    let is_it = known.digest.is(&secret);
                    is_it.then_some(known).or(found)
                });
                found.map(Signer::from).ok_or_else(Problem::wrong_secret)?
            }
            _ => {
                let detail =
                    "is missing; send a secret, or the token of a link, and one of them alone";
                return Err(Problem::invalid_field("/secret", detail));
            }
        };
        log_ins.forgive(address);
        let id = random::hex::<16>().map_err(|error| {
            tracing::error!(%error, "A session has no name");
            Problem::internal()
        })?;
        let session = Session::begin(id, now, is_https(headers));
        let cookie = session.cookie(&signer.digest, now);
        Ok((cookie, session_answer(Some((&session, &signer)), now)))
    }

    /// Returns the id of the session of the cookie in `headers`, and the answer about it. The caller must check that the
    /// session was not ended.
    pub(crate) fn session_of(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Option<(String, SessionAnswer)> {
        let (session, signer) = self.session(&self.secrets(), headers, now)?;
        let answer = session_answer(Some((&session, &signer)), now);
        Some((session.id, answer))
    }

    /// Returns the id and the expiry of the session of the cookie in `headers`, if there is one, and the header value that
    /// removes the cookie.
    pub(crate) fn session_to_end(
        &self,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Result<(Option<(String, Timestamp)>, String), Problem> {
        check_page(headers)?;
        let found = self.session(&self.secrets(), headers, now);
        let ended = found.map(|(session, _)| (session.id.clone(), session.ends_at()));
        Ok((ended, no_cookie()))
    }

    /// The session that the cookies among `headers` hold, and what has signed it.
    fn session(
        &self,
        set: &SecretSet,
        headers: &HeaderMap,
        now: Timestamp,
    ) -> Option<(Session, Signer)> {
        let link = self.0.log_ins.signer();
        let good = |(session, signature): (Session, &str)| {
            let known = set.known().map(Signer::from);
            let mut signers = known.chain(link.map(Signer::from));
            let signer = signers.find(|signer| session.is_signed(&signer.digest, signature))?;
            (!session.is_over(now)).then_some((session, signer))
        };
        // Nobody has more of them by accident.
        Session::of_request(headers).take(4).find_map(good)
    }

    /// Lets a request of this `method` for `path` with these headers pass, or refuses it. Returns its session, if it has
    /// one; the caller must check that the session was not ended.
    ///
    /// Every secret is compared, whichever fits, so that the time gives nothing away.
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
            || is_player_page(path)
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
        let (session, signer) = self
            .session(set, headers, now)
            .ok_or_else(Problem::session_over)?;
        if ![Method::GET, Method::HEAD].contains(method) {
            check_page(headers)?;
        }
        let secret = (&signer.digest, signer.fingerprint);
        let caller = self.admit(set, secret, (method, path), now)?.in_browser();
        let renewed = session.renewed(now);
        let used = Used {
            cookie: renewed.map(|session| session.cookie(&signer.digest, now)),
            id: session.id,
        };
        Ok((caller, Some(used)))
    }

    /// Lets a request with this `secret`, known as `client`, pass, or refuses it.
    fn admit(
        &self,
        set: &SecretSet,
        (secret, client): (&Candidate, Fingerprint),
        (method, path): (&Method, &str),
        now: Timestamp,
    ) -> Result<Caller, Problem> {
        let since_start = self.0.started.elapsed();
        let came_by_link = self
            .0
            .log_ins
            .signer()
            .is_some_and(|(signer, _)| signer.is(secret));
        let an_admins = set
            .admin
            .as_ref()
            .and_then(|group| Some((group, group.index_of(secret)?)));
        let found = set.game.iter().fold(None, |found, group| {
            let index = group.index_of(secret);
            index.map(|index| (group, index)).or(found)
        });
        let reader = set.readers.as_ref().and_then(|(group, scopes)| {
            let index = group.index_of(secret)?;
            Some((group, scopes, index))
        });
        if let Some((group, index)) = an_admins {
            group.note(index, now);
        }
        if an_admins.is_some() || came_by_link {
            return Ok(Caller::person(client));
        }
        if let Some((group, scopes, index)) = reader {
            group.note(index, now);
            group.take(index, since_start)?;
            read_only::check(scopes, method, path)?;
            return Ok(Caller::person(client));
        }
        let (group, index) = found.ok_or_else(Problem::wrong_secret)?;
        group.note(index, now);
        group.take(index, since_start)?;
        let for_admins = path == "/v1/admin" || path.starts_with("/v1/admin/");
        if for_admins && (set.admin.is_some() || group.binding.is_some()) {
            return Err(Problem::not_an_admin());
        }
        Ok(Caller::game_server(client, group.binding.clone()))
    }
}

/// The answer if nobody is logged in.
pub(crate) fn no_session(now: Timestamp) -> SessionAnswer {
    session_answer(None, now)
}

fn session_answer(session: Option<(&Session, &Signer)>, now: Timestamp) -> SessionAnswer {
    SessionAnswer {
        seconds: session.map(|(session, _)| session.seconds_left(now)),
        secret: session.map(|(_, signer)| signer.fingerprint),
        name: session.and_then(|(_, signer)| signer.name.clone()),
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

/// What the secret that a request sends is known by, whether it is accepted or not.
pub(crate) fn sent_fingerprint(headers: &HeaderMap) -> Option<Fingerprint> {
    let secret = secret(headers).ok()?;
    Some(Secrets::fingerprint(secret))
}

/// The author of a change, by the fingerprint of the secret that the request has.
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
    // Hexadecimal digits and points always are a header's value.
    if let Some(cookie) = cookie.and_then(|cookie| HeaderValue::from_str(&cookie).ok()) {
        let headers = response.headers_mut();
        headers.append(header::SET_COOKIE, cookie);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}
