use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::pagination::{AuditPlace, Cursor, PageSize};
use crate::domain::{
    Fingerprint, PlayerDisplayName, PlayerId, PoolName, RoundId, ServerName, Timestamp,
};

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
