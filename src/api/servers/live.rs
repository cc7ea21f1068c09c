use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::PairAnswer;
use crate::domain::{
    MapName, PlayerDisplayName, PlayerId, PoolName, Probability, Rating, ServerName, Side,
    Timestamp,
};

/// Answer of `GET /v1/admin/live`: the matches that game servers play now.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LiveAnswer {
    /// Matches of the game servers that the service heard from in the last three hours, ordered by name.
    pub matches: Vec<LiveMatchAnswer>,
}

/// The match that a game server plays now, as far as this instance knows it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LiveMatchAnswer {
    /// Name of the game server.
    pub server: ServerName,
    /// Name of the pool whose ratings give the odds.
    pub pool: PoolName,
    /// Map of the server's last request that named one, or else of its last round; `null` if unknown.
    pub map: Option<MapName>,
    /// Time of the teams: of the server's request, of its scramble, or of the end of its round. `null` if no teams of
    /// the last three hours are known.
    pub teams_at: Option<Timestamp>,
    /// Current win probability of each team, as the pool's rating model predicts it; `null` without teams.
    pub win_probability: Option<PairAnswer<Probability>>,
    /// Players by descending rating: those on the teams, and those who left since the last scramble or round.
    pub players: Vec<LivePlayerAnswer>,
    /// Time at which an admin asked for a scramble that the server has not confirmed yet; `null` if there is none.
    pub scramble_asked_at: Option<Timestamp>,
    /// Sentences that say why the teams are as they are. The first one has the odds and their main cause.
    pub message: String,
}

/// A player of a running match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LivePlayerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// Current rating of the player, in points.
    pub rating: Rating,
    /// Team of the player; for a player who left, the team that the player was on.
    pub team: Side,
    /// Change of the player since the last scramble or round that the message names; `null` if there was none.
    pub change: Option<PlayerChange>,
}

/// Change of a player since earlier teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum PlayerChange {
    /// Joined: the player was on neither team before.
    Joined,
    /// Moved: the player was on the other team before.
    Moved,
    /// Left: the player is on neither team any more.
    Left,
}
