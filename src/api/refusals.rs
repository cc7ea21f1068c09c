use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::pagination::{AuditPlace, Cursor, PageSize};
use crate::domain::{
    FieldProblem, Fingerprint, PlayerDisplayName, PlayerId, PoolName, RoundId, ServerName,
    Timestamp,
};

/// Answer of `GET /v1/admin/refusals`: refused requests and rounds of this instance, and those with
/// an accepted secret from before it started.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RefusalsAnswer {
    /// Time of the earliest listed refusal, or of the start of this instance if that is earlier.
    pub since: Timestamp,
    /// Groups of equal refusals (by route, server and error) of requests or rounds, at most 200, ordered by `last_at`,
    /// the latest first.
    pub refusals: Vec<RefusalAnswer>,
    /// Number of refusals (of requests or rounds) whose groups were evicted by newer groups.
    pub forgotten: u64,
}

/// Query of `GET /v1/admin/refusals`.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct RefusalsQuery {
    /// Filter: name of the game server whose refused requests are listed. Default: all requests, also those without a
    /// server name.
    pub server: Option<ServerName>,
}

/// A group of refusals of requests, or of rounds in requests, with equal route, server, field and error message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RefusalAnswer {
    /// Time of the first refusal in a group of equal refusals.
    pub first_at: Timestamp,
    /// Time of the last refusal in a group of equal refusals.
    pub last_at: Timestamp,
    /// Number of equal refusals, of requests or of rounds, from `first_at` to `last_at`.
    pub count: u64,
    /// HTTP method of the refused requests; `other` for an unusual method.
    pub method: String,
    /// Template of the refused requests' path; `unmatched` if no route matches.
    pub route: String,
    /// HTTP status of the refusal: of the whole answer, or of one round in an answer about several.
    pub status: u16,
    /// Name of the server from the body. If the secret was refused before the body was read, name from the header
    /// `X-RBS-Server`, which anybody can forge. `null` without a name.
    pub server: Option<ServerName>,
    /// JSON pointer of the first invalid field in the refused request; `null` if the refusal is not about a field.
    pub field: Option<String>,
    /// Error message that the client received, cut after 500 characters.
    pub detail: String,
    /// Fingerprint of the secret in the refused requests; `null` if none was sent.
    pub secret: Option<Fingerprint>,
    /// Address of the client: of the game server or of a proxy; `null` if unknown.
    #[schema(value_type = Option<String>, format = "ip")]
    pub address: Option<IpAddr>,
    /// Last address in the header `X-Forwarded-For`. Trustworthy only behind a proxy that writes the header.
    #[schema(value_type = Option<String>, format = "ip")]
    pub forwarded_for: Option<IpAddr>,
    /// Id of the last request in a group of equal refusals, as in the service's log.
    pub request_id: String,
}

/// Maximum number of invalid fields that an error answer lists.
pub const MAX_PROBLEMS: usize = 20;

/// Error answer in the format of RFC 9457 (problem details).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ProblemAnswer {
    /// Type of the error: always `about:blank`, because the status states the kind of error.
    pub r#type: &'static str,
    /// Name of the answer's HTTP status, such as `Not Found`.
    pub title: &'static str,
    /// HTTP status code of the error answer.
    pub status: u16,
    /// Explanation of the error, with advice.
    pub detail: String,
    /// Invalid fields of the request, at most 20; `null` if the error is not about fields.
    pub errors: Option<Vec<FieldProblem>>,
}

/// Answer of `GET /healthz` and `GET /readyz`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StatusAnswer {
    /// State of the service: `ok` from `/healthz`, `ready` from `/readyz`.
    pub status: &'static str,
}

/// Query of `GET /v1/admin/audit`.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AuditQuery {
    /// Filter: name of the pool whose entries of the audit log are listed. Default: entries of all pools.
    pub pool: Option<PoolName>,
    /// Maximum number of entries of the audit log per page. Default: 50.
    #[serde(default)]
    #[param(inline)]
    pub limit: PageSize,
    /// Cursor at which the page of the audit log starts: `next` of the previous page.
    #[param(value_type = Option<AuditPlace>, inline)]
    pub after: Option<Cursor<AuditPlace>>,
}

/// Answer of `GET /v1/admin/audit`: a page of the audit log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditAnswer {
    /// Entries of the audit log on this page, the latest first.
    pub entries: Vec<AuditedAnswer>,
    /// Cursor of the next page, for the query key `after`; `null` on the last page.
    pub next: Option<String>,
}

/// An entry of the audit log: an action by an admin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AuditedAnswer {
    /// Time of the admin's action.
    pub at: Timestamp,
    /// Fingerprint of the admin's secret; `null` for an action on the command line, or a season that
    /// started automatically (`by_calendar` in `after`).
    pub secret: Option<Fingerprint>,
    /// Name of the admin's action, such as `void`.
    pub action: String,
    /// Name of the pool in which the admin acted.
    pub pool: PoolName,
    /// Id of the player whom the admin's action concerns; `null` if it does not concern one player.
    pub player: Option<PlayerId>,
    /// Name to show in place of the player's id; `null` if no name is known.
    pub player_name: Option<PlayerDisplayName>,
    /// Server that the admin's action concerns, or that played the round concerned; `null` if there is neither.
    pub server: Option<ServerName>,
    /// Id of the round that the admin's action concerns; `null` if it does not concern a round.
    pub round_id: Option<RoundId>,
    /// Reason that the admin gave for the action; `null` if none was given.
    pub reason: Option<String>,
    /// State of the player, round, server or pool that the admin's action concerns, before the action. Players listed
    /// in it have their current names, or `null` if no name is known.
    pub before: Value,
    /// State of the player, round, server or pool that the admin's action concerns, after the action. Players listed in
    /// it have their current names, or `null` if no name is known.
    pub after: Value,
}
