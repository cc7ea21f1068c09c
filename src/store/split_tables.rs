//! JSON content of a stored table of splits. The fields are those of a scramble's answer, but the types are separate. A
//! new field of the answer must be added here, with a default for rows of older versions, to be stored.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{StoreError, corrupt};
use crate::domain::{
    PlayerId, PoolName, PowerName, Probability, Rating, ServerName, SplitMethod, Timestamp,
};

/// A table of splits, and the ratings that it was computed with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SplitTableRecord {
    pub(crate) table: SplitsRecord,
    pub(crate) ratings: Vec<RatedPlayer>,
    /// Number of consecutive rounds that each player has waited. Empty in tables stored before this field existed.
    #[serde(default)]
    pub(crate) waited: BTreeMap<PlayerId, u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RatedPlayer {
    pub(crate) player: PlayerId,
    /// Rating of the player, or the initial rating of an unknown player.
    pub(crate) rating: Rating,
    /// `true` if the pool knows the player.
    pub(crate) known: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SplitsRecord {
    pub(crate) server: ServerName,
    pub(crate) pool: PoolName,
    /// Power that the splits are computed by. Tables stored before powers existed used ratings.
    #[serde(default)]
    pub(crate) by: PowerName,
    #[serde(default)]
    pub(crate) powers: Vec<PlayerPowerRecord>,
    #[serde(default)]
    pub(crate) scale: Option<f64>,
    pub(crate) eligible: usize,
    pub(crate) computed_at: Timestamp,
    pub(crate) splits: Vec<SplitRecord>,
    pub(crate) alternatives: Vec<SplitRecord>,
    #[serde(default)]
    pub(crate) drawn: Option<DrawnSplitRecord>,
    #[serde(default)]
    pub(crate) is_probe: bool,
    /// Tables stored before this field existed have no sentence.
    #[serde(default)]
    pub(crate) message: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct DrawnSplitRecord {
    pub(crate) size: usize,
    pub(crate) rank: usize,
    pub(crate) of: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PlayerPowerRecord {
    pub(crate) id: PlayerId,
    pub(crate) power: Option<f64>,
    pub(crate) games: Option<usize>,
    pub(crate) games_of: Option<String>,
    pub(crate) from: String,
    pub(crate) counted: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SplitRecord {
    pub(crate) size: usize,
    pub(crate) a: Vec<PlayerId>,
    pub(crate) b: Vec<PlayerId>,
    pub(crate) waiting: Vec<PlayerId>,
    pub(crate) sum_a: i64,
    pub(crate) sum_b: i64,
    pub(crate) difference: u64,
    pub(crate) win_probability_a: Probability,
    pub(crate) method: SplitMethod,
    pub(crate) optimal: bool,
    pub(crate) best_difference: Option<u64>,
    pub(crate) moves: Option<usize>,
    pub(crate) parties: PartiesRecord,
    pub(crate) apart: ApartRecord,
    /// Roles with too few players. Tables stored before roles existed have none.
    #[serde(default)]
    pub(crate) roles: RolesRecord,
    /// Number of newcomers on each team. Tables stored before newcomers were spread over the teams have none.
    #[serde(default)]
    pub(crate) newcomers: Option<NewcomersRecord>,
    pub(crate) relaxed: RelaxedRecord,
    pub(crate) waits: Vec<WaitRecord>,
    pub(crate) spread: SpreadRecord,
    pub(crate) repeats: bool,
    pub(crate) message: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartiesRecord {
    pub(crate) kept: Vec<Vec<PlayerId>>,
    pub(crate) split: Vec<Vec<PlayerId>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ApartRecord {
    pub(crate) together: Vec<[PlayerId; 2]>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RolesRecord {
    pub(crate) missing: Vec<MissingRoleRecord>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct MissingRoleRecord {
    pub(crate) name: String,
    pub(crate) missing: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NewcomersRecord {
    pub(crate) a: usize,
    pub(crate) b: usize,
    pub(crate) cost: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RelaxedRecord {
    pub(crate) must_play: Vec<PlayerId>,
    pub(crate) must_wait: Vec<PlayerId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WaitRecord {
    pub(crate) id: PlayerId,
    pub(crate) waited: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SpreadRecord {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) top_two_apart: bool,
}

impl SplitTableRecord {
    pub(crate) fn to_text(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    pub(crate) fn from_text(text: &str) -> Result<Self, StoreError> {
        serde_json::from_str(text).map_err(|_| corrupt("split_tables", "content"))
    }
}
