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
    /// Power (value from scoreboards) of the player; `null` if the player has too few games and newcomers have no
    /// power.
    pub power: Option<f64>,
    /// Number of the player's games that the power is computed from; `null` if the power is the rating.
    pub games: Option<usize>,
    /// Kind of games that the power is computed from: `set` (of the match's mode and set of mutators), `mode` (of the
    /// match's mode) or `any`; `null` without games.
    pub games_of: Option<String>,
    /// Source of `counted`, the number by which teams are balanced for the player: `games`; `newcomer` (power for
    /// newcomers); `rating`; or `median` (median power of the players present, for a player without power).
    pub from: String,
    /// Number by which teams are balanced for this player. A player without power counts the median power of the
    /// players present, not 0.
    pub counted: f64,
}

/// Query of `GET /v1/admin/players/{id}/powers`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerPowersQuery {
    /// Name of the pool whose powers (values from scoreboards) are computed. Default: `default`.
    pub pool: Option<PoolName>,
    /// Game mode of the match for which the player's powers are computed. Default: games of every mode count.
    pub mode: Option<ModeName>,
}

/// Answer of `GET /v1/admin/players/{id}/powers`: a player's powers, and the games that they are computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPowersAnswer {
    /// Id of the player.
    pub id: PlayerId,
    /// Name to show in place of the player's id; `null` if no name of the player is known.
    pub name: Option<PlayerDisplayName>,
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Game mode from the request; `null` if none was sent.
    pub mode: Option<ModeName>,
    /// Powers (values from scoreboards) of the player, one for each power that the pool defines, ordered by name.
    pub powers: Vec<NamedPowerAnswer>,
    /// Past rounds of the player from which powers may be computed: the last 200 rounds that are not void, the latest
    /// first.
    pub games: Vec<PastGameAnswer>,
}

/// Power (value from scoreboards) of a player under one of the pool's powers, and the games that it is computed from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NamedPowerAnswer {
    /// Name of the power, such as `kdr-power`.
    pub name: PowerName,
    /// Power (value from scoreboards) of the player; `null` if the player has too few games and newcomers have no
    /// power.
    pub power: Option<f64>,
    /// Number of the player's games that the power is computed from; `null` if the power is the rating.
    pub games: Option<usize>,
    /// Kind of games that the power is computed from: `set` (of the requested mode and no mutators), `mode` (of the
    /// requested mode) or `any`; `null` without games.
    pub games_of: Option<String>,
    /// Source of the player's power: `games`, `newcomer` (power for newcomers) or `rating`; `null` if there is no
    /// power.
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
    /// Result of the round for the player: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub result: f64,
    /// Rank of the player by score on the round's scoreboard, 1 for the best. Players with equal scores share the mean
    /// of their ranks. `null` if no score was reported.
    pub place: Option<f64>,
    /// Number of players on the round's scoreboard; `null` if no score was reported.
    pub of: Option<u32>,
}
