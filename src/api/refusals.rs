use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::pagination::{AuditPlace, Cursor, PageSize};
use crate::domain::{
    FieldProblem, Fingerprint, PlayerDisplayName, PlayerId, PoolName, RoundId, ServerName,
    Timestamp,
};

/// `GET /v1/admin/refusals`: what one instance remembers of what it refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RefusalsAnswer {
    /// Since when they are remembered.
    pub since: Timestamp,
    /// The refusals, the one that was last seen first, at most 200; equal ones are one.
    pub refusals: Vec<RefusalAnswer>,
    /// How many refusals are in none of these any more, because others came.
    pub forgotten: u64,
}

/// Requests, or rounds of requests, that were refused for the same reason.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RefusalAnswer {
    /// When the first was refused.
    pub first_at: Timestamp,
    /// When the last was refused.
    pub last_at: Timestamp,
    /// How many there were.
    pub count: u64,
    /// The HTTP method; `other` where it is none of the usual ones.
    pub method: String,
    /// The template of the path; `unmatched` where there is nothing.
    pub route: String,
    /// The HTTP status, or that of one round of several.
    pub status: u16,
    /// The server that the body named. Where the secret was refused before the body was read, what the header
    /// `X-RBS-Server` names, which anybody may make up. `null` where neither names one.
    pub server: Option<ServerName>,
    /// The JSON pointer of the first field that is not acceptable; `null` where it is none.
    pub field: Option<String>,
    /// The sentence that the client got, cut behind 500 characters.
    pub detail: String,
    /// The fingerprint of the secret that was sent; `null` where none was.
    pub secret: Option<Fingerprint>,
    /// The address that the requests came from: the server's, or that of a proxy.
    #[schema(value_type = Option<String>, format = "ip")]
    pub address: Option<IpAddr>,
    /// The last address in the header `X-Forwarded-For`. A proxy in front of RBS writes it; anybody else may make it up.
    #[schema(value_type = Option<String>, format = "ip")]
    pub forwarded_for: Option<IpAddr>,
    /// The id of the last of the requests, which its line in the log has too.
    pub request_id: String,
}

/// The most fields that an answer names.
pub const MAX_PROBLEMS: usize = 20;

/// An error (RFC 9457).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemAnswer {
    /// Always `about:blank`: the status shows of what kind it is.
    pub r#type: &'static str,
    /// The status in words.
    pub title: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// What is wrong and what to do.
    pub detail: String,
    /// The fields that are not acceptable, where fields are, 20 at most.
    pub errors: Option<Vec<FieldProblem>>,
}

/// `GET /healthz` and `GET /readyz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusAnswer {
    /// `ok`, or `ready` from `/readyz`.
    pub status: &'static str,
}

/// The query of `GET /v1/admin/audit`.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// The pool; left out, all of them.
    pub pool: Option<PoolName>,
    /// How many at most; 50 where it is left out.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// The `next` of the page before.
    #[param(value_type = Option<AuditPlace>, inline)]
    pub after: Option<Cursor<AuditPlace>>,
}

/// `GET /v1/admin/audit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditAnswer {
    /// What was done, the latest first.
    pub entries: Vec<AuditedAnswer>,
    /// What to send as `after` for the next page; `null` at the end.
    pub next: Option<String>,
}

/// Something that an admin did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditedAnswer {
    /// When.
    pub at: Timestamp,
    /// The fingerprint of the secret; `null` where it was done on the command line or, as `by_calendar` of `after` says,
    /// by the calendar of seasons.
    pub secret: Option<Fingerprint>,
    /// What.
    pub action: String,
    /// Where.
    pub pool: PoolName,
    /// Whom it concerned.
    pub player: Option<PlayerId>,
    /// What people read in place of that id; `null` where no name is known.
    #[serde(default)]
    pub player_name: Option<PlayerDisplayName>,
    /// The server of the round that it concerned.
    pub server: Option<ServerName>,
    /// The round that it concerned.
    pub round_id: Option<RoundId>,
    /// Why.
    pub reason: Option<String>,
    /// What was before; players that are listed there stand with the names that they have now, `null` where none is
    /// known.
    pub before: Value,
    /// What was after, likewise.
    pub after: Value,
}
