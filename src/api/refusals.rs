use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::{FieldProblem, Fingerprint, ServerName, Timestamp};

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
pub const MOST_PROBLEMS: usize = 20;

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
