use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::domain::{
    MapName, ModeName, MutatorName, Mutators, PlayerDisplayName, PlayerId, PoolName, PowerName,
    Stats, Timestamp,
};

/// Power of one player in a match or in splits that use a power in place of ratings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPowerAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// The player's power; `null` if the player has too few games and newcomers have no power.
    pub power: Option<f64>,
    /// Number of the player's games that the power is computed from; `null` if the power is the rating.
    pub games: Option<usize>,
    /// Kind of games that the power is computed from: `set` (of the match's mode and set of mutators), `mode` (of the
    /// match's mode) or `any`; `null` without games.
    pub games_of: Option<String>,
    /// Source of the number `counted`: `games`; `newcomer` (power for newcomers); `rating`; or `median` (median power
    /// of the players present, for a player without power).
    pub from: String,
    /// Number that teams are balanced by for this player. A player without power counts the median, not 0.
    pub counted: f64,
}

/// Query of `GET /v1/admin/players/{id}/powers`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerPowersQuery {
    /// Name of the pool. Default: `default`.
    pub pool: Option<PoolName>,
    /// Mode of the match that the powers are for. Default: games of every mode count.
    pub mode: Option<ModeName>,
}

/// Answer of `GET /v1/admin/players/{id}/powers`: a player's powers, and the games that they are computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPowersAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the id; `null` if no name is known.
    #[serde(default)]
    pub name: Option<PlayerDisplayName>,
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Mode from the request; `null` if none was sent.
    pub mode: Option<ModeName>,
    /// Values of the player by each power that the pool knows, ordered by name of the power.
    pub powers: Vec<NamedPowerAnswer>,
    /// The player's last rounds that count, up to 200, the latest first.
    pub games: Vec<PastGameAnswer>,
}

/// A player's value by one power, and the games that it is computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NamedPowerAnswer {
    /// Name of the power, such as `kdr-power`.
    pub name: PowerName,
    /// The player's power; `null` if the player has too few games and newcomers have no power.
    pub power: Option<f64>,
    /// Number of games that the power is computed from; `null` if the power is the rating.
    pub games: Option<usize>,
    /// Kind of games that the power is computed from: `set` (of the requested mode and no mutators), `mode` (of the
    /// requested mode) or `any`; `null` without games.
    pub games_of: Option<String>,
    /// Source of the power: `games`, `newcomer` or `rating`; `null` if there is no power.
    pub from: Option<String>,
}

/// A past round from one player's point of view.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PastGameAnswer {
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Number of seconds that the player took part in the round; `null` if unknown.
    pub seconds: Option<u32>,
    /// Mode of the round; `null` if not reported.
    pub mode: Option<ModeName>,
    /// Mutators of the round; empty if none were reported.
    #[schema(value_type = Vec<MutatorName>)]
    pub mutators: Mutators,
    /// Name of the map; `null` if not reported.
    pub map: Option<MapName>,
    /// The player's numbers on the round's scoreboard, such as kills; `null` if not reported.
    #[schema(value_type = Option<Stats>)]
    pub stats: Option<Box<Stats>>,
    /// Result of the player: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
    /// Rank by score on the round's scoreboard, 1 for the best. Players with equal scores share the mean of their
    /// ranks. `null` if no score was reported.
    pub place: Option<f64>,
    /// Number of players on the round's scoreboard; `null` if no score was reported.
    pub of: Option<u32>,
}
