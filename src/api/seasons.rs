use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ReasonText;
use crate::domain::{CalibrationRounds, ChangeId, PoolName, SeasonName, Share, Timestamp};

/// `POST /v1/admin/seasons`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartSeasonRequest {
    /// What the season is called; no other of the pool is called so.
    pub name: SeasonName,
    /// The share of its distance from the initial rating that each rating keeps.
    pub keep: Share,
    /// How many rounds of the season it takes until a player is placed; 10 where it is left out.
    pub calibration: Option<CalibrationRounds>,
    /// Why.
    pub reason: Option<ReasonText>,
    /// What the change is named, so that it is made once however often it is sent.
    pub change_id: Option<ChangeId>,
}

/// `GET /v1/admin/seasons`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonsAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// Its seasons, the latest first; the last is what was before the first start.
    pub seasons: Vec<SeasonAnswer>,
}

/// A season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonAnswer {
    /// Counted up from 0, which is what was before the first start. An undone start does not count.
    pub number: u32,
    /// What it is called; `null` before the first start.
    pub name: Option<SeasonName>,
    /// The share of its distance from the initial rating that each rating kept as it started.
    pub keep: Option<Share>,
    /// How many rounds of the season it takes until a player is placed.
    pub calibration: Option<CalibrationRounds>,
    /// When it started.
    pub started_at: Option<Timestamp>,
    /// When it ended; `null` while it goes on.
    pub ended_at: Option<Timestamp>,
    /// How many players were rated in it; `null` while it goes on.
    pub players: Option<u64>,
    /// How many had a rank at its end; `null` while it goes on.
    pub ranked: Option<u64>,
    /// Why it was started, where an admin gave a reason.
    pub reason: Option<String>,
    /// The change that started it, by which it is undone.
    pub change_id: Option<ChangeId>,
}
