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

/// Request of `POST /v1/hello`: a game server's first request on a map.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HelloRequest {
    /// Name of the game server that sends the request, the same in all its requests.
    pub server: ServerName,
    /// Name of the pool of ratings that the game server uses, the same in all its requests. Default: the pool of
    /// `server`.
    pub pool: Option<PoolName>,
    /// Name of the map that starts, for the service's log.
    pub map: Option<MapName>,
    /// Mode of the game that starts, for the service's log.
    pub mode: Option<ModeName>,
    /// Version of the game server's plugin.
    pub plugin: Option<PluginVersion>,
    /// Players on the server: up to 128, each once. Only `id` and `name` of objects are used.
    #[schema(value_type = Option<Vec<AnyLobbyPlayer>>, max_items = 128)]
    pub players: Option<Vec<LobbyPlayer>>,
    /// Names of the notices (messages) that the game server has read, up to 64. They are not sent again.
    #[serde(default, deserialize_with = "default_where_null")]
    #[schema(value_type = Option<Vec<NoticeName>>, max_items = 64)]
    pub notices_seen: Vec<NoticeName>,
    /// Form of the teams in the answer's table of splits: `lists` of player ids, or `letters`. Default: `lists`.
    pub seats: Option<Seats>,
}

impl HelloRequest {
    pub(crate) fn player_ids(&self) -> Vec<PlayerId> {
        self.players
            .iter()
            .flatten()
            .map(|player| player.id)
            .collect()
    }

    pub(crate) fn names(&self) -> Vec<SentName> {
        sent_names(self.players.iter().flatten())
    }

    pub(crate) fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        check_players("/players", &self.player_ids(), &mut problems);
        check_seen(&self.notices_seen, &mut problems);
        problems.none_or(self)
    }
}

/// Answer of `POST /v1/hello`: facts that a game server needs at the start of a map.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct HelloAnswer {
    /// Name of the server from the request.
    pub server: ServerName,
    /// `true` if the configuration names the server, under `[servers]` or `[[game_servers]]`. Rounds of other servers
    /// count in the pool `default`, so `false` may hint at a misspelt name.
    pub declared: bool,
    /// Name of the server's pool.
    pub pool: PoolName,
    /// Number of rated rounds that a player needs before the rating is shown.
    pub shadow_rounds: u32,
    /// Current time of the service's clock.
    pub time: Timestamp,
    /// Name, rating and rounds of the requested players, in the order sent.
    pub players: Vec<PlayerCardAnswer>,
    /// Last table of splits (recommended teams by team size) for the game server; `null` if there is none in the
    /// server's pool.
    pub table: Option<SplitsAnswer>,
    /// Name of the balance policy for requests of this game server that name none.
    pub policy: PolicyName,
    /// Id of the server's round that ended last; `null` if the server has no round, or if all its rounds are pruned.
    pub last_round_id: Option<RoundId>,
    /// Notices (messages) for the game server.
    pub notices: Vec<NoticeAnswer>,
    /// Plugin versions that this service supports.
    pub plugin: PluginVersionsAnswer,
}

/// Plugin versions that the service supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PluginVersionsAnswer {
    /// Oldest plugin version that the service supports.
    pub least: PluginVersion,
    /// Plugin version that was released with the service.
    pub latest: PluginVersion,
}

/// Request of `POST /session`: a login to the dashboard, with either a token or a secret.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionRequest {
    /// Token of a login link: the part of the link after `#/enter/`.
    pub token: Option<String>,
    /// Secret (password) to log in to the dashboard with.
    pub secret: Option<String>,
}

/// Answer of `GET` and `POST /session`: the current login to the dashboard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SessionAnswer {
    /// Seconds until the dashboard session ends without further requests; `null` without a login.
    pub seconds: Option<u32>,
    /// Fingerprint of the secret that was used to log in to the dashboard, as in the audit log; `null` without a login.
    pub secret: Option<Fingerprint>,
    /// Name of the secret that was used to log in to the dashboard; `null` if the secret has none.
    pub name: Option<SecretName>,
}

/// Request of `POST /v1/admin/login-links`: a link that opens the dashboard without a secret.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginLinkRequest {
    /// Address at which the browser reaches RBS, such as `https://rbs.example.org`.
    #[schema(max_length = 2000, pattern = "^https?://")]
    pub address: String,
}

/// Answer of `POST /v1/admin/login-links`: a link that opens the dashboard once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoginLinkAnswer {
    /// Link to open in a browser. Whoever opens it first gets the rights of the secret that made it.
    pub url: String,
    /// Time after which the link no longer works.
    pub expires_at: Timestamp,
    /// QR code of `url`: one text per row, with `1` for dark and `0` for light modules, without the light margin.
    pub qr: Vec<String>,
}
