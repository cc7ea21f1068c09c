use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MovedRatingsAnswer, ReasonText};
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

/// `POST /v1/admin/seasons/trial`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeasonTrialRequest {
    /// The share of its distance from the initial rating that each rating would keep.
    pub keep: Share,
}

/// What `POST /v1/admin/seasons/trial` found: what the start of a season would do.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonTrialAnswer {
    /// The pool asked for.
    pub pool: PoolName,
    /// The share that each rating would keep.
    pub keep: Share,
    /// The ratings that would move.
    pub moved: MovedRatingsAnswer,
    /// What a start in the past would have done to the predictions. `null` where no round stands behind it, where rounds
    /// are pruned, and where that takes longer to compute than an answer may take.
    pub predictions: Option<PredictionTrialAnswer>,
}

/// The predictions of some rounds without a season that started in front of them, and with it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PredictionTrialAnswer {
    /// When the season would have started: in place of the last start, or else 90 days before the last round.
    pub started_at: Timestamp,
    /// How many rounds behind that are compared, 500 at most unless more were asked for.
    pub rounds: u64,
    /// Their mean log loss without the season, in nats.
    pub log_loss: f64,
    /// The same with it.
    pub log_loss_with: f64,
    /// By how much it is lower with it; below 0 where it is higher.
    pub gain: f64,
    /// The standard error of that, in nats; `null` of a single round.
    pub standard_error: Option<f64>,
}
