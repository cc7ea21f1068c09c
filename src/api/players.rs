use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::check::Problems;
use super::lobby::{LobbyPlayer, sent_names};
use super::pagination::Count;
use super::schema::AnyLobbyPlayer;
use super::splits::check::check_players;

use super::ReasonText;
use crate::domain::{
    ChangeId, FieldProblem, MapName, PlayerDisplayName, PlayerId, PoolName, Probability, Rating,
    RoundId, SentName, ServerName, Side, Timestamp, Winner,
};

/// Query of `GET /v1/players/{id}`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// Name of a game server. Selects the pool of this server if `pool` is left out.
    pub server: Option<ServerName>,
    /// Name of the pool whose rating of the player is returned. Default: the pool of `server`, or else `default`.
    pub pool: Option<PoolName>,
}

/// Query of `GET /v1/admin/players/{id}/history`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerHistoryQuery {
    /// Name of the pool whose ratings of the player are returned. Default: `default`.
    pub pool: Option<PoolName>,
    /// Number of the season to which the history of the player's rating is limited. Default: all seasons.
    #[param(value_type = Option<u32>)]
    pub season: Option<Count<0, 4_294_967_295, 0>>,
    /// Maximum number of points on the curve of the player's rating. Admins' changes and season starts are always
    /// included. Default: 500.
    #[serde(default)]
    #[param(inline)]
    pub points: Count<2, 2000, 500>,
}

/// Answer of `GET /v1/players/{id}`: a player with the current rating in a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// Name of the pool in which the player has the rating.
    pub pool: PoolName,
    /// Current rating of the player, in points.
    pub rating: Rating,
    /// Uncertainty of the player's rating as a standard deviation, in points; `null` if the pool's model does not
    /// estimate one.
    pub uncertainty: Option<f64>,
    /// `true` if the player's rating is shown, which is after the player's first `shadow_rounds` rated rounds.
    pub visible: bool,
    /// Number of the player's rated rounds since the last reset.
    pub rounds: u32,
    /// Number of placement rounds that the player still has to play in the season; 0 if none are left, or if no season
    /// has started.
    #[serde(default)]
    pub placing_rounds: u32,
    /// `true` if the player's last rated round ended more than `stale_days` days ago.
    pub stale: bool,
    /// End of the player's last rated round; `null` if the player has none.
    pub last_played: Option<Timestamp>,
}

/// Request of `POST /v1/players`: the players to look up.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PlayersRequest {
    /// Name of the game server that asks.
    pub server: ServerName,
    /// Name of the pool of the ratings. Default: the pool of `server`.
    pub pool: Option<PoolName>,
    /// Players to look up: 0 to 128, each once. Only `id` and `name` of objects are used.
    #[schema(value_type = Vec<AnyLobbyPlayer>, max_items = 128)]
    pub players: Vec<LobbyPlayer>,
}

impl PlayersRequest {
    pub(crate) fn player_ids(&self) -> Vec<PlayerId> {
        self.players.iter().map(|player| player.id).collect()
    }

    pub(crate) fn names(&self) -> Vec<SentName> {
        sent_names(&self.players)
    }

    pub(crate) fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Problems::default();
        check_players("/players", &self.player_ids(), &mut problems);
        problems.none_or(self)
    }
}

/// Answer of `POST /v1/players`: the requested players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayersAnswer {
    /// Name of the server from the request.
    pub server: ServerName,
    /// Name of the pool that the players' ratings and ranks belong to.
    pub pool: PoolName,
    /// The requested players, in the order sent.
    pub players: Vec<PlayerCardAnswer>,
}

/// A player's rating and rank in a pool, as a game server can show them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerCardAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// Current rating of the player, in points.
    pub rating: Rating,
    /// `true` if the player's rating is shown, which is after the player's first `shadow_rounds` rated rounds.
    pub visible: bool,
    /// Number of the player's rated rounds since the last reset.
    pub rounds: u32,
    /// Number of rated rounds until the player's rating is shown; 0 if the rating is shown.
    pub rounds_until_visible: u32,
    /// Number of placement rounds that the player still has to play in the season; 0 if none are left, or if no season
    /// has started.
    pub placing_rounds: u32,
    /// Rank of the player by rating within the pool: 1 is the best, and equal ratings share a rank. `null` if the
    /// rating is hidden or the player is stale.
    pub rank: Option<u64>,
    /// Name of the division that the player's rank falls in; `null` without a rank, or if no division covers the rank.
    pub division: Option<String>,
}

/// Answer of `/v1/admin/players/{id}`: a player, and the inputs of the next round's K-factor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct AdminPlayerAnswer {
    /// Current rating of the player, and other public facts.
    #[serde(flatten)]
    pub player: PlayerAnswer,
    /// Name that an admin gave the player, in place of the name sent by game servers; `null` without one.
    pub alias: Option<PlayerDisplayName>,
    /// `true` if the player is forgotten: names sent by game servers are not stored.
    #[serde(default)]
    pub forgotten: bool,
    /// `true` if people must not see the player's id; show `name` in place of the id.
    #[serde(default)]
    pub id_hidden: bool,
    /// Convergence of the player's rating, from 0 (settled) to 1 (still moving) (F3).
    pub convergence: f64,
    /// K-factor of the player's next round: rating points for a surprise (result minus prediction) of 1. With SynElo
    /// this is the maximum (F5).
    pub k: f64,
    /// Inputs of `convergence`, from the window of the player's last rounds (F3).
    pub window: WindowAnswer,
    /// Last rounds of the player, at most 10, the latest first.
    pub last_rounds: Vec<LastRoundAnswer>,
    /// Last change of the player's rating by an admin that is in force and can be undone; `null` if there is none, or
    /// if the change is pruned.
    pub last_change: Option<LastChangeAnswer>,
}

/// Last change of a player's rating by an admin: a set rating or a reset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LastChangeAnswer {
    /// Kind of an admin's change of the player's rating: `set` or `reset`.
    pub change: String,
    /// Rating that an admin set, in points; `null` for a reset.
    pub rating: Option<Rating>,
    /// Id of the admin's change of the player's rating. Send the id as `undoes` to undo the change.
    pub change_id: ChangeId,
    /// Reason that the admin gave for setting or resetting the rating; `null` if none was given.
    pub reason: Option<String>,
    /// Time at which an admin changed the player's rating.
    pub at: Timestamp,
}

/// Request of `POST /v1/admin/players/{id}/undo` and `POST /v1/admin/seasons/undo`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UndoRequest {
    /// Id of the admin's change or season start to undo. Ratings become as if the change had never been made.
    pub undoes: ChangeId,
    /// The admin's reason for the undo.
    pub reason: Option<ReasonText>,
    /// Id of the undo, chosen by the client. Repeated requests with the same id undo once.
    pub change_id: Option<ChangeId>,
}

/// Inputs of the convergence of a player's rating, over the window of the player's last rounds (F3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct WindowAnswer {
    /// Number of the player's last rounds in the window from which `convergence` is computed.
    pub n: u32,
    /// Drift of the player's rating: absolute difference between the mean ratings of the window's newer and older half,
    /// in units of the maximum K-factor (F3).
    pub velocity: f64,
    /// Distance between the player's results and predictions, in units of the setting `win_rate_tolerance` (F3).
    pub win_rate_excess: f64,
    /// Standard deviation of the player's ratings in the window, in units of the maximum K-factor (F3).
    pub volatility: f64,
}

/// A round from one player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LastRoundAnswer {
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// Name of the server that played the round.
    pub server: ServerName,
    /// Name of the map; `null` if not reported.
    pub map: Option<MapName>,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Winner of the round: `a`, `b` or `draw`.
    pub winner: Winner,
    /// Team that the player was rated on in the round: `a` or `b`.
    pub team: Side,
    /// Predicted win probability of the player's team before the round.
    pub win_probability: Probability,
    /// The player's rating before the round, in points.
    pub before: Rating,
    /// The player's rating after the round, in points.
    pub rating: Rating,
    /// Change of the player's rating by the round, in points.
    pub delta: i32,
    /// K-factor that the player was rated with in the round, in points.
    pub k: f64,
}

/// Answer of `GET /v1/admin/players/{id}/history`: the course of a player's rating.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerHistoryAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Ratings of the player after rounds and changes, in the order in which the pool's log counted them.
    pub points: Vec<PlayerPointAnswer>,
}

/// A player's rating after a round, an admin's change or a season start.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PlayerPointAnswer {
    /// End of the round, or time of the change, after which the player had the rating.
    pub at: Timestamp,
    /// Rating of the player after the round or change, in points.
    pub rating: Rating,
    /// Event that led to the player's rating: `round`, `set`, `reset` or `season` (the start of a season).
    pub change: &'static str,
    /// Number of the round among the player's rated rounds, from 1 and across resets; `null` for a change.
    pub round_number: Option<u64>,
    /// Id of the round; `null` for a change, and for a pruned round.
    pub round_id: Option<RoundId>,
    /// Name of the server that played the round; `null` for a change, and for a pruned round.
    pub server: Option<ServerName>,
}
