use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::MapName;

/// Figures that a model has learnt of a pool besides its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Learnt {
    /// Observers that rate every player in parallel; empty for a model without observers.
    pub observers: Vec<ObserverShare>,
    /// Factor by which the lead that the observers see is multiplied, 1 at the start. Below 1, leads are smaller than
    /// they look. `null` for a model without this factor.
    pub temperature: Option<LearntFigure>,
    /// Value of playing as team a, in log-odds of winning.
    pub side: LearntFigure,
    /// Value of one extra player in log-odds, for teams of the usual size.
    pub extra_player: LearntFigure,
    /// Value of a player's first 100 rounds besides their results, in points of the rating. `null` for a model that
    /// ignores experience.
    pub experience: Option<LearntFigure>,
    /// Usual number of players in a team.
    pub team_size: f64,
    /// Value of each map for team a in log-odds. At most 50 maps, the last played first.
    pub maps: Vec<MapLean>,
}

/// Trust in one observer of the players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ObserverShare {
    /// Name of the observer, such as `cautious`.
    pub name: String,
    /// Share of the observer in predictions, 0 to 1. All shares sum to 1.
    pub share: f64,
}

/// Learnt figure with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntFigure {
    /// Estimate of the figure.
    pub value: f64,
    /// Standard deviation of the estimate.
    pub standard_error: f64,
}

impl LearntFigure {
    /// Returns the figure of a Gaussian with this mean and variance, times `scale`.
    pub(super) fn of((mean, variance): (f64, f64), scale: f64) -> Self {
        Self {
            value: scale * mean,
            standard_error: scale.abs() * variance.max(0.0).sqrt(),
        }
    }
}

/// Value of a map for team a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapLean {
    /// Name of the map.
    pub map: MapName,
    /// Value in log-odds, in addition to the value of the side.
    #[serde(flatten)]
    pub lean: LearntFigure,
}
