use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{MovedRatingsAnswer, ReasonText};
use crate::domain::{CalibrationRounds, ChangeId, PoolName, SeasonName, Share, Timestamp};

/// Request of `POST /v1/admin/seasons`: the start of a season.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct StartSeasonRequest {
    /// Name of the season, unique within the pool.
    pub name: SeasonName,
    /// Share of its distance from the initial rating that each rating keeps at the start of the season, from 0 to 1.
    pub keep: Share,
    /// Number of placement rounds: rounds that a player must play in the season to be placed. Default: 10.
    pub calibration: Option<CalibrationRounds>,
    /// Reason that the admin gives for the season start.
    pub reason: Option<ReasonText>,
    /// Id of the season start, chosen by the client. Repeated requests with the same id start one season.
    pub change_id: Option<ChangeId>,
}

/// Answer of `GET /v1/admin/seasons`: the seasons of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonsAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Seasons of the pool, the latest first. The last item is season 0, the time before the first season start.
    pub seasons: Vec<SeasonAnswer>,
}

/// A season of a pool.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonAnswer {
    /// Number of the season. Season 0 is the time before the first season start. Undone starts are not counted.
    pub number: u32,
    /// Name of the season; `null` for season 0.
    pub name: Option<SeasonName>,
    /// Share of its distance from the initial rating that each rating kept at the season start, from 0 to 1; `null` for
    /// season 0.
    pub keep: Option<Share>,
    /// Number of placement rounds: rounds that a player must play in the season to be placed; `null` for season 0.
    pub calibration: Option<CalibrationRounds>,
    /// Time at which the season started; `null` for season 0.
    pub started_at: Option<Timestamp>,
    /// Time at which the season ended; `null` for the current season.
    pub ended_at: Option<Timestamp>,
    /// Number of players rated in the season; `null` for the current season.
    pub players: Option<u64>,
    /// Number of players with a rank at the end of the season; `null` for the current season.
    pub ranked: Option<u64>,
    /// Reason that the admin gave for the season start; `null` if none was given.
    pub reason: Option<String>,
    /// Id of the season start. Send the id as `undoes` to undo the season start. `null` for season 0.
    pub change_id: Option<ChangeId>,
}

/// Request of `POST /v1/admin/seasons/trial`: a season start to preview.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeasonTrialRequest {
    /// Share of its distance from the initial rating that each rating would keep at the season start, from 0 to 1.
    pub keep: Share,
}

/// Answer of `POST /v1/admin/seasons/trial`: the effect that the start of a season would have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SeasonTrialAnswer {
    /// Name of the requested pool.
    pub pool: PoolName,
    /// Share of its distance from the initial rating that each rating would keep at the season start, from 0 to 1.
    pub keep: Share,
    /// Effect of a season start now on the ratings: number of players, sum of points, and largest changes.
    pub moved: MovedRatingsAnswer,
    /// Effect of an assumed past season start on the predictions. `null` if no round follows it, if rounds are pruned,
    /// or if the computation would exceed the request timeout.
    pub predictions: Option<PredictionTrialAnswer>,
}

/// Predictions of past rounds with and without an assumed season start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PredictionTrialAnswer {
    /// Time of the assumed season start: that of the last season, or 90 days before the last round if no season has
    /// started.
    pub started_at: Timestamp,
    /// Number of compared rounds after the assumed season start, at most 500 over HTTP.
    pub rounds: u64,
    /// Mean log loss of the predictions without the assumed season start, in nats.
    pub log_loss: f64,
    /// Mean log loss of the predictions with the assumed season start, in nats.
    pub log_loss_with: f64,
    /// Gain from the assumed season start: `log_loss` minus `log_loss_with`, in nats; above 0 if predictions improve.
    pub gain: f64,
    /// Standard error of `gain`, the difference in mean log loss, in nats; `null` for a single round.
    pub standard_error: Option<f64>,
}
