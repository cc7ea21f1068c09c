mod live;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::check::Problems;
use super::{PluginVersionsAnswer, ReasonText};
use crate::domain::{
    Fingerprint, NoticeKind, NoticeName, PlayerId, PluginVersion, PolicyName, PoolName, Rating,
    SecretName, ServerName, Timestamp,
};

pub use live::*;

/// Query of `GET /v1/admin/servers` and `GET /v1/admin/live`.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ServersQuery {
    /// Filter: name of the pool whose game servers are listed. Default: servers of all pools.
    pub pool: Option<PoolName>,
}

/// Answer of `GET /v1/admin/servers`: the known game servers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServersAnswer {
    /// Time since which this instance records requests. Other instances record their own.
    pub since: Timestamp,
    /// Servers that need attention first, ordered by cause: refused rounds, silence, outdated plugin. The other servers
    /// follow. Equal servers are ordered by name. At most 500.
    pub servers: Vec<ServerAnswer>,
    /// Number of known game servers that the list of at most 500 leaves out.
    pub not_listed: u64,
    /// Plugin versions that this service supports.
    pub plugin: PluginVersionsAnswer,
}

/// Reason why a server needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ServerAttention {
    /// Refused rounds: the service refused rounds of the server.
    Refused,
    /// Silence: the service has not heard from the server for a day.
    Silent,
    /// Outdated plugin: the server's plugin is older than the oldest supported version.
    Plugin,
}

/// A game server in a pool. Known servers are configured, have rounds in the pool, have sent `POST /v1/hello`, or had
/// rounds refused lately.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ServerAnswer {
    /// Name of the server.
    pub server: ServerName,
    /// Name of the pool of the server's rounds. A server without rounds has the pool that its rounds would count in.
    pub pool: PoolName,
    /// `true` if the configuration names the server, under `[servers]` or `[[game_servers]]`.
    pub declared: bool,
    /// Main reason why the server needs attention; `null` if it needs none.
    pub attention: Option<ServerAttention>,
    /// Sentence that says why the server needs attention, with advice; `null` if it needs none.
    pub advice: Option<String>,
    /// Time of the server's last activity: a request to this instance, a `POST /v1/hello` to any instance, or the end
    /// of a round. `null` if there was none.
    pub last_seen_at: Option<Timestamp>,
    /// End of the server's last round in the pool, including voided rounds; `null` without rounds.
    pub last_round_at: Option<Timestamp>,
    /// Number of the server's rounds in the pool that count and ended since midnight UTC.
    pub rounds_today: u64,
    /// Number of the server's rounds in the pool that count and ended in the current hour or the 23 hours before.
    pub rounds_24_hours: u64,
    /// Number of the server's rounds that were refused in the current hour and the 23 hours before, by this instance, or
    /// before it started by any. Excludes the statuses 410 and 429.
    pub refused_24_hours: u64,
    /// Number of the server's rated rounds in the pool.
    pub rounds: u64,
    /// Bias: mean score of team a minus its mean prediction, over the server's rated rounds; `null` without rounds.
    pub bias: Option<f64>,
    /// Standard error of `bias` (mean score minus mean prediction); `null` with fewer than two rounds.
    pub standard_error: Option<f64>,
    /// Name of the balance policy for requests of this server that name none.
    pub policy: PolicyName,
    /// Secret of the server's last request to this instance or last `POST /v1/hello` to any instance, whichever is
    /// later; `null` if unknown.
    pub secret: Option<SecretUseAnswer>,
    /// Plugin version that the server named in its last `POST /v1/hello`; `null` if it named none.
    pub plugin: Option<PluginVersion>,
    /// Time of the server's last `POST /v1/hello`; `null` if there was none.
    pub hello_at: Option<Timestamp>,
}

/// Last use of a secret by a game server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SecretUseAnswer {
    /// Fingerprint (eight characters) of the secret that the game server used.
    pub fingerprint: Fingerprint,
    /// Name of the secret that the game server used; `null` if the secret has none, or is not accepted any more.
    pub name: Option<SecretName>,
    /// Time of the game server's last request with the secret.
    pub used_at: Timestamp,
}

/// Maximum number of notices that a request may confirm.
const MAX_SEEN: usize = 64;

/// A message from the service to a game server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Name of the notice. Send it in `notices_seen` to confirm the notice.
    pub name: NoticeName,
    /// Kind of notice. Ignore unknown kinds: later versions may add some.
    pub kind: NoticeKind,
    /// Id of the player whom the notice concerns; `null` if it does not concern one player.
    pub player: Option<PlayerId>,
    /// New rating of the player, in points; `null` for notices that are not about a rating.
    pub rating: Option<Rating>,
    /// Time at which the notice to the game server was made.
    pub made_at: Timestamp,
    /// Time after which the notice is not sent any more; `null` if it is sent while its cause lasts.
    pub expires_at: Option<Timestamp>,
    /// Text of the notice to the game server, as a sentence.
    pub message: String,
}

/// Request of `POST /v1/admin/servers/{server}/scramble`: an admin's wish for new teams.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrambleWishRequest {
    /// Reason of the admin for the wish for new teams, shown to the players on the server.
    pub reason: Option<ReasonText>,
}

/// Adds a problem (an invalid field) if a request confirms more than 64 notices.
pub(super) fn check_seen(seen: &[NoticeName], problems: &mut Problems) {
    problems.check_count("/notices_seen", seen.len(), MAX_SEEN, "names");
}
