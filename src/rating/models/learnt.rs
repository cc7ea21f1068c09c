use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::MapName;

/// Values that a pool's rating model has learnt besides the players' ratings, such as the advantage of a side or a map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Learnt {
    /// Observers (filters that rate every player in parallel) of the model, grouped by how fast they forget, slowest
    /// first; empty for a model without observers.
    pub observers: Vec<ObserverShare>,
    /// Standard deviation of the players' strengths that the model believes in, in rating points. `null` for a model
    /// that does not learn it.
    pub spread: Option<f64>,
    /// Factor by which a lead that the observers estimate is multiplied, 1 at the start. Below 1, leads are smaller
    /// than estimated. `null` for a model without this factor.
    pub temperature: Option<LearntFigure>,
    /// Value of playing as team a, in log-odds of winning.
    pub side: LearntFigure,
    /// Value of one extra player in log-odds of winning, for teams of the usual size.
    pub extra_player: LearntFigure,
    /// Value of a player's first 100 rounds besides their results, in rating points. `null` for a model that ignores
    /// experience.
    pub experience: Option<LearntFigure>,
    /// Usual number of players in a team of the pool, as a running mean over the pool's rounds.
    pub team_size: f64,
    /// Value of playing each map as team a, in log-odds of winning. At most 50 maps, the last played first.
    pub maps: Vec<MapLean>,
}

/// Observers (filters of players' strengths) of a rating model that forget equally fast, with their share in the model's
/// predictions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ObserverShare {
    /// Name of the group of observers: how fast they forget, from `lasting` to `form`.
    pub name: String,
    /// Share of the group of observers in the model's predictions, 0 to 1. The shares of all groups sum to 1.
    pub share: f64,
}

/// Value that a rating model has learnt, such as a map's advantage for team a, with its standard error. The description
/// of the containing field gives the unit.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntFigure {
    /// Estimate of what the rating model has learnt, such as the advantage of a map; the description of the containing
    /// field names it and its unit.
    pub value: f64,
    /// Standard error of the estimate in `value`, in the same unit as `value`.
    pub standard_error: f64,
}

impl LearntFigure {
    /// Returns `scale` times a Gaussian's mean, with `scale` times its standard deviation as standard error. `scale`
    /// converts the unit.
    pub(super) fn of((mean, variance): (f64, f64), scale: f64) -> Self {
        Self {
            value: scale * mean,
            standard_error: scale.abs() * variance.max(0.0).sqrt(),
        }
    }
}

/// Value of playing a map as team a in log-odds of winning, with its standard error.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapLean {
    /// Name of the map.
    pub map: MapName,
    /// Value of the map for team a in log-odds, in addition to the value of playing as team a.
    #[serde(flatten)]
    pub lean: LearntFigure,
}
