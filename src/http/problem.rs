mod of_service;

use axum::Json;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::{InvalidJson, MAX_PROBLEMS, ProblemAnswer};
use crate::domain::{FieldProblem, PoolName, ServerName};
use crate::http::refused::{self, Refusal};

/// What the body of an error is.
pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Why a round may be rejected, in a word for counting.
const REASONS: [(StatusCode, &str); 11] = [
    (StatusCode::BAD_REQUEST, "malformed"),
    (StatusCode::UNSUPPORTED_MEDIA_TYPE, "not_json"),
    (StatusCode::PAYLOAD_TOO_LARGE, "too_large"),
    (StatusCode::UNPROCESSABLE_ENTITY, "invalid"),
    (StatusCode::UNAUTHORIZED, "no_secret"),
    (StatusCode::FORBIDDEN, "not_allowed"),
    (StatusCode::NOT_FOUND, "no_such_pool"),
    (StatusCode::CONFLICT, "round_id_taken"),
    (StatusCode::GONE, "pruned"),
    (StatusCode::TOO_MANY_REQUESTS, "busy"),
    (StatusCode::SERVICE_UNAVAILABLE, "unavailable"),
];

/// The same for every other status.
const OTHER_REASON: &str = "internal";

/// How a secret that is not known is answered.
const UNKNOWN_SECRET: &str = "Bearer realm=\"rbs\", error=\"invalid_token\"";

/// An error as the client sees it: problem+json (RFC 9457), with nothing internal in it.
#[derive(Debug)]
pub(crate) struct Problem {
    status: StatusCode,
    detail: String,
    errors: Option<Vec<FieldProblem>>,
    /// How to authenticate, where that is what is missing.
    challenge: Option<&'static str>,
    retry_after: Option<u32>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, detail: impl Into<String>) -> Self {
        Self {
            status,
            detail: detail.into(),
            errors: None,
            challenge: None,
            retry_after: None,
        }
    }

    /// To be sent again in so many seconds.
    fn again_after(self, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }

    /// Why a round was rejected, in a word for counting.
    fn reason(&self) -> &'static str {
        let mut reasons = REASONS.into_iter();
        let found = reasons.find(|(status, _)| *status == self.status);
        found.map_or(OTHER_REASON, |(_, reason)| reason)
    }

    /// Every word that [`Problem::reason`] may be.
    pub(crate) fn reasons() -> impl Iterator<Item = &'static str> {
        let reasons = REASONS.into_iter().map(|(_, reason)| reason);
        reasons.chain([OTHER_REASON])
    }

    /// Every word that a refused secret is counted by: none was sent, it is none that is known, or it is not for this.
    pub(crate) fn secret_reasons() -> impl Iterator<Item = &'static str> {
        ["missing", "unknown", "not_allowed"].into_iter()
    }

    /// Why a secret was refused, in a word for counting, where it is the secret.
    fn secret_reason(&self) -> Option<&'static str> {
        match (self.status, self.challenge) {
            (StatusCode::UNAUTHORIZED, Some(UNKNOWN_SECRET)) => Some("unknown"),
            (StatusCode::UNAUTHORIZED, _) => Some("missing"),
            (StatusCode::FORBIDDEN, _) => Some("not_allowed"),
            _ => None,
        }
    }

    /// This as whoever keeps account of refusals wants it, of that round where it is one of several.
    pub(crate) fn refusal(&self, round: Option<usize>) -> Refusal {
        let first = self.errors.as_ref().and_then(|errors| errors.first());
        let field = first.map(|first| first.field.clone());
        Refusal {
            status: self.status,
            detail: self.detail.clone(),
            field: field.filter(|field| !field.is_empty()),
            reason: self.reason(),
            secret: self.secret_reason(),
            server: None,
            round,
        }
    }

    /// The seconds to wait before the same is sent again, where that is what to do.
    pub(crate) fn retry_after(&self) -> Option<u32> {
        self.retry_after
    }

    /// What the client reads, for a place other than the body of an error.
    pub(crate) fn into_answer(self) -> ProblemAnswer {
        ProblemAnswer {
            r#type: "about:blank",
            title: self.status.canonical_reason().unwrap_or("Error"),
            status: self.status.as_u16(),
            detail: self.detail,
            errors: self.errors,
        }
    }

    pub(crate) fn no_secret() -> Self {
        Self {
            challenge: Some("Bearer realm=\"rbs\""),
            ..Self::new(
                StatusCode::UNAUTHORIZED,
                "send the secret in the header \"Authorization: Bearer <secret>\"",
            )
        }
    }

    pub(crate) fn wrong_secret() -> Self {
        Self {
            challenge: Some(UNKNOWN_SECRET),
            ..Self::new(
                StatusCode::UNAUTHORIZED,
                "this secret is none that this service knows; the service's start says where they are set",
            )
        }
    }

    pub(crate) fn used_link() -> Self {
        Self {
            detail: "this link was used already, or is older than five minutes; log in with the admin secret, or \
                     start RBS again for another link"
                .to_owned(),
            ..Self::wrong_secret()
        }
    }

    /// A session that is over, ended, or of a secret that is none any more.
    pub(crate) fn session_over() -> Self {
        Self {
            detail: "this log-in is over; log in again with the admin secret".to_owned(),
            ..Self::wrong_secret()
        }
    }

    /// What a log-in of the dashboard came with, and the dashboard did not send.
    pub(crate) fn another_page() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "a log-in of the dashboard changes something only from the dashboard itself, with the header \
             \"RBS-Page: 1\"; from elsewhere send the secret in the header \"Authorization: Bearer <secret>\"",
        )
    }

    pub(crate) fn not_an_admin() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "this is for admins; send the admin secret in place of the game servers'",
        )
    }

    /// A secret for reading that was sent elsewhere than to these paths.
    pub(crate) fn read_only(paths: &str) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!(
                "this secret is for reading alone: GET of {paths}, as read_scopes in the configuration \
                 names them; send a game server's or an admin's for anything else"
            ),
        )
    }

    pub(crate) fn not_your_server(server: &ServerName) -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            format!(
                "this secret is not for the server \"{server}\"; send that server's own, or name it \
                 among the servers of this one in the configuration, under [[game_servers]]"
            ),
        )
    }

    /// Says nothing of whether there is such a pool.
    pub(crate) fn not_your_pool(named: Option<&PoolName>) -> Self {
        let which = named.map_or_else(
            || "the pool that is meant here".to_owned(),
            |pool| format!("the pool \"{pool}\""),
        );
        Self::new(
            StatusCode::FORBIDDEN,
            format!(
                "this secret is not for {which}; name a server or pool that it is for, or name the \
                 pool among those of this secret in the configuration, under [[game_servers]]"
            ),
        )
    }

    pub(crate) fn not_all_pools() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "this is about every pool, and the secret is bound to some; send one that is bound to \
             none, RBS_SECRET or the admin's",
        )
    }

    /// More requests than a secret may send; the next may come in so many seconds.
    pub(crate) fn too_many_requests(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "this secret sends more requests than its requests_per_second and burst in the \
             configuration allow; send the same again later",
        )
        .again_after(seconds)
    }

    /// Too many log-ins from one address have failed; the next may be tried in `seconds`.
    pub(crate) fn too_many_log_ins(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!(
                "too many log-ins from this address have failed; try again in {seconds} s, or log in by the link that \
                 the service prints when it is started at a terminal"
            ),
        )
        .again_after(seconds)
    }

    /// More bodies of one client, from one address or of all are on their way than may be.
    pub(crate) fn too_many_bodies() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many requests whose bodies are still on their way; send each body at once, and the same again \
             later",
        )
        .again_after(1)
    }

    pub(crate) fn broken_off() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "the body broke off; send the request again",
        )
    }

    /// A body in an encoding, such as gzip.
    pub(crate) fn encoded(encoding: &str) -> Self {
        Self::new(
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
            format!(
                "the body is encoded (\"Content-Encoding: {encoding}\"); send plain JSON without that header"
            ),
        )
    }

    /// `nearest` is a path that was perhaps meant.
    pub(crate) fn no_such_path(nearest: Option<&str>) -> Self {
        let meant = nearest.map_or_else(String::new, |path| {
            format!("{path} was perhaps meant, and ")
        });
        Self::new(
            StatusCode::NOT_FOUND,
            format!("there is nothing at this path; {meant}/docs lists all that there are"),
        )
    }

    /// `allowed` are the methods that the path takes.
    pub(crate) fn wrong_method(allowed: &str) -> Self {
        Self::new(
            StatusCode::METHOD_NOT_ALLOWED,
            format!("this path does not take that method; send {allowed}"),
        )
    }

    pub(crate) fn invalid(mut errors: Vec<FieldProblem>) -> Self {
        let count = errors.len();
        errors.truncate(MAX_PROBLEMS);
        let first = errors.first().map(|first| match first.field.as_str() {
            "" => first.detail.clone(),
            field => format!("{field} {}", first.detail),
        });
        let detail = match (first.unwrap_or_default(), count) {
            (first, 0 | 1) => first,
            (first, 2) => format!("{first}; 1 more field is not acceptable, see \"errors\""),
            (first, count) => format!(
                "{first}; {} more fields are not acceptable, see \"errors\"",
                count - 1
            ),
        };
        Self {
            errors: Some(errors),
            ..Self::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
        }
    }

    pub(crate) fn invalid_field(field: &str, detail: impl Into<String>) -> Self {
        Self::invalid(vec![FieldProblem::new(field, detail)])
    }

    pub(crate) fn unavailable(detail: &str) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, detail).again_after(5)
    }

    pub(crate) fn internal() -> Self {
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "RBS failed at this; the log has the reason under this answer's x-request-id",
        )
    }
}

impl From<InvalidJson> for Problem {
    fn from(invalid: InvalidJson) -> Self {
        match invalid {
            InvalidJson::Malformed(detail) => Self::new(StatusCode::BAD_REQUEST, detail),
            InvalidJson::Fields(problems) => Self::invalid(problems),
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let (status, challenge, retry_after) = (self.status, self.challenge, self.retry_after);
        let refusal = self.refusal(None);
        let content_type = [(CONTENT_TYPE, PROBLEM_JSON)];
        let mut response = (status, content_type, Json(self.into_answer())).into_response();
        refused::attach(&mut response, vec![refusal]);
        let headers = response.headers_mut();
        if let Some(challenge) = challenge {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        if let Some(seconds) = retry_after {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        response
    }
}
