use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::check::Problems;
use super::{PluginVersionsAnswer, ReasonText};
use crate::domain::{
    Fingerprint, NoticeKind, NoticeName, PlayerId, PluginVersion, PolicyName, PoolName, Rating,
    SecretName, ServerName, Timestamp,
};

/// The query of `GET /v1/admin/servers`.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ServersQuery {
    /// The pool; left out, all of them.
    pub pool: Option<PoolName>,
}

/// `GET /v1/admin/servers`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServersAnswer {
    /// Since when this instance counts refused rounds and remembers requests; those of other instances it does not
    /// see.
    pub since: Timestamp,
    /// The servers that need attention first: those whose rounds are refused, then those that are silent, then
    /// those with too old a plugin; the others by name. 500 at most.
    pub servers: Vec<ServerAnswer>,
    /// How many more there are.
    pub not_listed: u64,
    /// Which plugins this service works with.
    pub plugin: PluginVersionsAnswer,
}

/// Why a server needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ServerAttention {
    /// Rounds of it were refused.
    Refused,
    /// Nothing has come from it for a day.
    Silent,
    /// Its plugin is older than what this service works with.
    Plugin,
}

/// A game server in a pool: one that the configuration names, that has rounds there, that has said hello, or whose
/// rounds were refused lately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerAnswer {
    /// The server.
    pub server: ServerName,
    /// The pool that it has rounds in; of a server without rounds, the one that they would count in.
    pub pool: PoolName,
    /// Whether the configuration names the server, under `[servers]` or `[[game_servers]]`.
    pub declared: bool,
    /// The foremost reason to look at it; `null` where there is none.
    pub attention: Option<ServerAttention>,
    /// That reason in a sentence, with what to do; `null` where there is none.
    pub advice: Option<String>,
    /// When it was last heard of: by a request of the server to this instance, by hello to any, or by the end of a
    /// round; `null` where it never was.
    pub last_seen_at: Option<Timestamp>,
    /// When its last round in the pool ended, void ones included; `null` without rounds.
    pub last_round_at: Option<Timestamp>,
    /// Its rounds in the pool that count and ended since midnight UTC, as `GET /v1/admin/activity` counts them.
    pub rounds_today: u64,
    /// The same in the hour that it is now and the 23 before.
    pub rounds_24_hours: u64,
    /// Its rounds that this instance refused in the same hours and that are lost: not those answered 410 or 429.
    pub refused_24_hours: u64,
    /// Its rounds in the pool that are rated.
    pub rounds: u64,
    /// The mean score less the mean prediction of team a in these rounds; `null` without rounds.
    pub bias: Option<f64>,
    /// The standard error of the bias; `null` of fewer than two rounds.
    pub standard_error: Option<f64>,
    /// The policy by which its matches are balanced where a request names none.
    pub policy: PolicyName,
    /// The secret of its last request to this instance, or of its last hello to any; `null` where neither is known.
    pub secret: Option<SecretUseAnswer>,
    /// The version of its plugin by its last hello; `null` where that named none.
    pub plugin: Option<PluginVersion>,
    /// When that hello came; `null` where there was none.
    pub hello_at: Option<Timestamp>,
}

/// When a secret was used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecretUseAnswer {
    /// The fingerprint of the secret.
    pub fingerprint: Fingerprint,
    /// What it is called; `null` where it has no name, or is not accepted any more.
    pub name: Option<SecretName>,
    /// When.
    pub used_at: Timestamp,
}

/// The most names of notices that a request gives back.
const MAX_SEEN: usize = 64;

/// Something that a game server should know, and perhaps do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Its name, to be given back in `notices_seen`.
    pub name: NoticeName,
    /// What it is about. More kinds may come: pass over what you do not know.
    pub kind: NoticeKind,
    /// Whom it concerns, where that is one player.
    pub player: Option<PlayerId>,
    /// The player's rating since then.
    pub rating: Option<Rating>,
    /// When it came up.
    pub made_at: Timestamp,
    /// From when on it is not sent any more; `null` of what goes only with its cause.
    pub expires_at: Option<Timestamp>,
    /// All of it in a sentence.
    pub say: String,
}

/// `POST /v1/admin/servers/{server}/scramble`.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrambleWishRequest {
    /// Why, for those who play there.
    pub reason: Option<ReasonText>,
}

/// Checks that not too many notices are given back.
pub(super) fn check_seen(seen: &[NoticeName], problems: &mut Problems) {
    problems.check_count("/notices_seen", seen.len(), MAX_SEEN, "names");
}
