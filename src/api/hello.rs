use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::check::Problems;
use super::json::object::default_where_null;
use super::lobby::{LobbyPlayer, sent_names};
use super::schema::AnyLobbyPlayer;
use super::servers::check_seen;
use super::splits::check::check_players;
use super::{NoticeAnswer, PlayerCardAnswer, Seats, SplitsAnswer};
use crate::domain::{
    FieldProblem, Fingerprint, MapName, ModeName, NoticeName, PlayerId, PluginVersion, PolicyName,
    PoolName, RoundId, SecretName, SentName, ServerName, Timestamp,
};

/// `POST /v1/hello`: a game server's first request on a map.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HelloRequest {
    /// The server, as it will name itself in everything else.
    pub server: ServerName,
    /// The pool that the server names in its other requests; without it, the pool of the server.
    pub pool: Option<PoolName>,
    /// The map, for the log.
    pub map: Option<MapName>,
    /// The way of playing, for the log.
    pub mode: Option<ModeName>,
    /// The version of the plugin.
    pub plugin: Option<PluginVersion>,
    /// Who is there, up to 128, each once; of objects only ids and names count.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 128)]
    pub players: Option<Vec<LobbyPlayer>>,
    /// The notices that have been read and need not be sent again, up to 64.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<NoticeName>>, max_items = 64)]
    pub notices_seen: Vec<NoticeName>,
    /// How the teams of the table are answered; as lists of ids where it is left out.
    pub seats: Option<Seats>,
}

impl HelloRequest {
    /// Who is there, in the order sent.
    #[must_use]
    pub fn player_ids(&self) -> Vec<PlayerId> {
        self.players
            .iter()
            .flatten()
            .map(|player| player.id)
            .collect()
    }

    /// What they are called.
    #[must_use]
    pub fn names(&self) -> Vec<SentName> {
        sent_names(self.players.iter().flatten())
    }

    /// This request, if its list makes sense.
    ///
    /// # Errors
    /// Too many players, and everybody who is among them twice.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        check_players("/players", &self.player_ids(), &mut problems);
        check_seen(&self.notices_seen, &mut problems);
        problems.none_or(self)
    }
}

/// `POST /v1/hello`: what a game server has to know at the start of a map.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HelloAnswer {
    /// As sent.
    pub server: ServerName,
    /// Whether the configuration names the server, under `[servers]` or `[[game_servers]]`. One that it does not name
    /// is rated in `default`: `false` may be a slip.
    pub declared: bool,
    /// The pool named, or the server's.
    pub pool: PoolName,
    /// The rated rounds before a rating is shown.
    pub shadow_rounds: u32,
    /// The time by the service's clock.
    pub time: Timestamp,
    /// Who the players are, in the order sent.
    pub players: Vec<PlayerCardAnswer>,
    /// The last table of splits of the server; `null` where there is none in its pool.
    pub table: Option<SplitsAnswer>,
    /// The policy by which matches are balanced where a request names none.
    pub policy: PolicyName,
    /// The server's round that ended last; `null` before its first, and where all are pruned.
    pub last_round_id: Option<RoundId>,
    /// What the server should know.
    pub notices: Vec<NoticeAnswer>,
    /// Which plugins this service works with.
    pub plugin: PluginVersionsAnswer,
}

/// The versions of the plugin that a service works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PluginVersionsAnswer {
    /// The earliest that it understands.
    pub least: PluginVersion,
    /// The one that it was released with.
    pub latest: PluginVersion,
}

/// `POST /session`: what somebody logs in to the dashboard by; one of the two.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// What stands behind `#/enter/` in the link that the service printed at its start.
    #[serde(default)]
    pub token: Option<String>,
    /// A secret.
    #[serde(default)]
    pub secret: Option<String>,
}

/// `GET` and `POST /session`: who is logged in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SessionAnswer {
    /// For how many seconds, unless something is asked for meanwhile; null where nobody is logged in.
    pub seconds: Option<u32>,
    /// What the audit knows them by; null where nobody is logged in.
    pub secret: Option<Fingerprint>,
    /// The name of the secret, where it has one.
    pub name: Option<SecretName>,
}
