use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::domain::MapName;

/// What a model has learnt of a pool besides its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Learnt {
    /// The observers that rate every player side by side; none of a model that has none.
    pub observers: Vec<ObserverShare>,
    /// What the lead that they see is multiplied with, 1 at the start: below, what looks like a lead is less.
    /// `null` of a model that takes it as it is.
    pub temperature: Option<LearntFigure>,
    /// What the side of team a is worth, in log-odds of winning.
    pub side: LearntFigure,
    /// What a player more than the other team is worth, where teams are of the size that is usual, in log-odds.
    pub extra_player: LearntFigure,
    /// What a player's first 100 rounds are worth besides their results, in points of the rating; `null` of a model that
    /// does not look at it.
    pub experience: Option<LearntFigure>,
    /// The usual size of a team.
    pub team_size: f64,
    /// What maps are worth to team a, in log-odds, the last played first, 50 at most.
    pub maps: Vec<MapLean>,
}

/// How much an observer of the players is trusted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ObserverShare {
    /// What it is called, by its temper.
    pub name: String,
    /// The share of its view, 0 to 1; all of them sum to 1.
    pub share: f64,
}

/// A figure that was learnt.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct LearntFigure {
    /// What it is.
    pub value: f64,
    /// How uncertain that is, one standard deviation.
    pub standard_error: f64,
}

impl LearntFigure {
    /// The figure of a Gaussian with that mean and variance, times `scale`.
    pub(super) fn of((mean, variance): (f64, f64), scale: f64) -> Self {
        Self {
            value: scale * mean,
            standard_error: scale.abs() * variance.max(0.0).sqrt(),
        }
    }
}

/// What a map is worth to team a.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MapLean {
    /// The map.
    pub map: MapName,
    /// What it is worth, in log-odds, besides the side.
    #[serde(flatten)]
    pub lean: LearntFigure,
}
