use axum::Json;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};

use crate::api::{InvalidJson, MAX_PROBLEMS, ProblemAnswer};
use crate::domain::{FieldProblem, PoolName, ServerName};
use crate::http::refused::{self, Refusal};
use crate::service::ServiceError;

pub(crate) const PROBLEM_JSON: &str = "application/problem+json";

/// Metrics labels for the reasons why rounds are rejected, by HTTP status of the answer.
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

const OTHER_REASON: &str = "internal";

const UNKNOWN_SECRET: &str = "Bearer realm=\"rbs\", error=\"invalid_token\"";

/// Error for the client, as problem+json (RFC 9457). Contains no internal details.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    detail: String,
    errors: Option<Vec<FieldProblem>>,
    /// Value of the header `WWW-Authenticate`, if a valid secret is missing.
    challenge: Option<&'static str>,
    pub(crate) retry_after: Option<u32>,
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

    pub(crate) fn forbidden(detail: impl Into<String>) -> Self {
        Self::new(StatusCode::FORBIDDEN, detail)
    }

    pub(crate) fn again_after(self, seconds: u32) -> Self {
        Self {
            retry_after: Some(seconds),
            ..self
        }
    }

    /// Returns the metrics label for the reason why a round was rejected, such as `malformed`, by HTTP status.
    fn reason(&self) -> &'static str {
        let mut reasons = REASONS.into_iter();
        let found = reasons.find(|(status, _)| *status == self.status);
        found.map_or(OTHER_REASON, |(_, reason)| reason)
    }

    pub(crate) fn reasons() -> impl Iterator<Item = &'static str> {
        let reasons = REASONS.into_iter().map(|(_, reason)| reason);
        reasons.chain([OTHER_REASON])
    }

    /// Returns every metrics label for why a secret is refused: none was sent, the secret is unknown, or it lacks the
    /// permission.
    pub(crate) fn secret_reasons() -> impl Iterator<Item = &'static str> {
        ["missing", "unknown", "not_allowed"].into_iter()
    }

    /// Returns the metrics label for why a secret is refused, or `None` if the problem is not the secret.
    fn secret_reason(&self) -> Option<&'static str> {
        match (self.status, self.challenge) {
            (StatusCode::UNAUTHORIZED, Some(UNKNOWN_SECRET)) => Some("unknown"),
            (StatusCode::UNAUTHORIZED, _) => Some("missing"),
            (StatusCode::FORBIDDEN, _) => Some("not_allowed"),
            _ => None,
        }
    }

    /// Returns the refusal for logs and metrics. `round` is the index of the refused round in a batch.
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

    /// Converts this HTTP error into the JSON object of problem+json, also for use inside a larger answer.
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
                "this service does not know this secret; at its start, the service prints where its secrets are set",
            )
        }
    }

    pub(crate) fn used_link() -> Self {
        Self {
            detail: "this link was already used, or is older than five minutes; log in with the \
                     admin secret, or make a new link with rbs login-link"
                .to_owned(),
            ..Self::wrong_secret()
        }
    }

    /// Refusal of a dashboard session that has expired, was ended, or was signed by a removed secret.
    pub(crate) fn session_over() -> Self {
        Self {
            detail: "this session has ended; log in again with the admin secret".to_owned(),
            ..Self::wrong_secret()
        }
    }

    pub(crate) fn read_only(paths: &str) -> Self {
        Self::forbidden(format!(
            "this secret is read-only: it allows GET of {paths}, as read_scopes in the configuration \
             says; send a game server's or an admin's secret for anything else"
        ))
    }

    pub(crate) fn not_your_server(server: &ServerName) -> Self {
        Self::forbidden(format!(
            "this secret is not for the server \"{server}\"; send that server's own secret, \
             or add the server to the servers of this secret under [[game_servers]] in the configuration"
        ))
    }

    /// Refusal of a pool that the secret does not open, without revealing if the pool exists.
    pub(crate) fn not_your_pool(named: Option<&PoolName>) -> Self {
        let which = named.map_or_else(
            || "the pool of this request".to_owned(),
            |pool| format!("the pool \"{pool}\""),
        );
        Self::forbidden(format!(
            "this secret is not for {which}; name a server or pool that the secret is for, or \
             add the pool to the pools of this secret under [[game_servers]] in the configuration"
        ))
    }

    pub(crate) fn too_many_requests(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "this secret sends more requests than requests_per_second and burst in \
             the configuration allow; send the same request again later",
        )
        .again_after(seconds)
    }

    pub(crate) fn too_many_log_ins(seconds: u32) -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            format!(
                "too many log-ins from this address have failed; try again in {seconds} s, or use the \
                 link that the service prints when it is started in a terminal"
            ),
        )
        .again_after(seconds)
    }

    pub(crate) fn broken_off() -> Self {
        Self::new(
            StatusCode::BAD_REQUEST,
            "the body ended early; send the request again",
        )
    }

    pub(crate) fn no_such_path(nearest: Option<&str>) -> Self {
        let meant = nearest.map_or_else(String::new, |path| format!("did you mean {path}? "));
        Self::new(
            StatusCode::NOT_FOUND,
            format!("this path does not exist; {meant}/docs lists all paths"),
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
            (first, 2) => format!("{first}; 1 more field is invalid, see \"errors\""),
            (first, count) => format!(
                "{first}; {} more fields are invalid, see \"errors\"",
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
            "RBS failed to answer this request; its log has the reason under this answer's x-request-id",
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

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match &error {
            ServiceError::Invalid(problems) => Self::invalid(problems.clone()),
            ServiceError::RebuildStopped(_) => Self::unavailable(&error.to_string()),
            ServiceError::NoSuchPool(_)
            | ServiceError::NoSplitTable(_)
            | ServiceError::NoPublicPage
            | ServiceError::NoRebuild(_)
            | ServiceError::NoSuchRatings { .. }
            | ServiceError::NoSuchRound { .. }
            | ServiceError::NoSuchChange(_)
            | ServiceError::NoSuchStart(_)
            | ServiceError::NoSuchSeason { .. } => {
                Self::new(StatusCode::NOT_FOUND, error.to_string())
            }
            ServiceError::OwnVoidsOff | ServiceError::TooLateToVoid(_) => {
                Self::forbidden(error.to_string())
            }
            ServiceError::RoundIdTaken { .. }
            | ServiceError::ChangeIdTaken(_)
            | ServiceError::RebuildInProgress(_)
            | ServiceError::RebuildCancelled(_)
            | ServiceError::RebuildLost(_)
            | ServiceError::PruneTooRecent(_)
            | ServiceError::RatingsPruned(_)
            | ServiceError::ChangePruned(_)
            | ServiceError::SeasonPruned(_)
            | ServiceError::LaterSeason(_)
            | ServiceError::SeasonNameTaken { .. }
            | ServiceError::ModelInForce(..)
            | ServiceError::PrunedPool(_)
            | ServiceError::NeedsWholeLog(..)
            | ServiceError::FiguresDiffer { .. }
            | ServiceError::PrunedMeanwhile(_) => {
                Self::new(StatusCode::CONFLICT, error.to_string())
            }
            ServiceError::RoundPruned(_) => Self::new(StatusCode::GONE, error.to_string()),
            ServiceError::Busy => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, error.to_string()).again_after(1)
            }
            ServiceError::Unavailable(cause) => {
                let reason = if error.is_disk_full() {
                    "the disk is full"
                } else {
                    "the database does not answer"
                };
                tracing::warn!(error = ?cause, "The database does not answer");
                Self::unavailable(&format!(
                    "{reason}; send the same request again later; a round with the same \
                     round_id is never counted twice"
                ))
            }
            ServiceError::BadLog(cause) => {
                tracing::error!(
                    error = ?cause,
                    "The ratings cannot be recomputed from the pool's log; `rbs check` looks for damage"
                );
                Self::internal()
            }
            ServiceError::Internal(cause) => {
                tracing::error!(error = ?cause, "A request failed");
                Self::internal()
            }
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
