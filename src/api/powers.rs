use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::domain::{
    MapName, ModeName, MutatorName, Mutators, PlayerDisplayName, PlayerId, PoolName, PowerName,
    Stats, Timestamp,
};

/// What a player counts in a match or in splits that go by a power.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPowerAnswer {
    /// Who.
    pub id: PlayerId,
    /// The power; `null` where nothing is known of the player and the power gives newcomers nothing.
    pub power: Option<f64>,
    /// How many of the player's games are behind it; `null` where it is the rating.
    pub games: Option<usize>,
    /// Which games these are: `set`, those of the match's mode and mutators, `mode`, or `any`; `null`
    /// where there are none.
    pub games_of: Option<String>,
    /// What is counted: `games`, the power from games; `newcomer`, what the power gives newcomers;
    /// `rating`, the rating; `median`, the median of the powers of those present, for one without.
    pub from: String,
    /// The number that is counted; never 0 for want of a power.
    pub counted: f64,
}

/// The query of `GET /v1/admin/players/{id}/powers`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerPowersQuery {
    /// The pool; `default` where it is left out.
    pub pool: Option<PoolName>,
    /// The mode of the match that the powers are for; games of any mode count where it is left out.
    pub mode: Option<ModeName>,
}

/// `GET /v1/admin/players/{id}/powers`: what a player is worth by each power, and the games behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayerPowersAnswer {
    /// Who.
    pub id: PlayerId,
    /// What people read in place of the id; `null` where no name is known.
    #[serde(default)]
    pub name: Option<PlayerDisplayName>,
    /// The pool asked for.
    pub pool: PoolName,
    /// The mode asked for.
    pub mode: Option<ModeName>,
    /// Every power that the pool knows, by name.
    pub powers: Vec<NamedPowerAnswer>,
    /// The player's last rounds that count, up to 200, the latest first.
    pub games: Vec<PastGameAnswer>,
}

/// A power of a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NamedPowerAnswer {
    /// What the power is called.
    pub name: PowerName,
    /// The power; `null` where nothing is known and newcomers get nothing.
    pub power: Option<f64>,
    /// How many games are behind it; `null` where it is the rating.
    pub games: Option<usize>,
    /// Which games these are: `set`, `mode` or `any`; `null` where there are none.
    pub games_of: Option<String>,
    /// Where it comes from: `games`, `newcomer` or `rating`; `null` where there is no power.
    pub from: Option<String>,
}

/// A round as one of its players had it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PastGameAnswer {
    /// When it ended.
    pub ended_at: Timestamp,
    /// For how many seconds the player was there; `null` where that is not known.
    pub seconds: Option<u32>,
    /// The mode, if reported.
    pub mode: Option<ModeName>,
    /// The mutators.
    #[schema(value_type = Vec<MutatorName>)]
    pub mutators: Mutators,
    /// The map, if reported.
    pub map: Option<MapName>,
    /// The player's numbers of the scoreboard; `null` where none were reported.
    #[schema(value_type = Option<Stats>)]
    pub stats: Option<Box<Stats>>,
    /// 1 for a victory, 0.5 for a draw, 0 for a defeat.
    pub result: f64,
    /// The place on the scoreboard by score, 1 for the best, shared places as their mean; `null` where
    /// no score was reported.
    pub place: Option<f64>,
    /// How many players stood on it; `null` where no score was reported.
    pub of: Option<u32>,
}
