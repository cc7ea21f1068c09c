//! Rating models. Each model predicts a round from earlier rounds, then learns the result of the round.

mod adaptive;
mod constants;
mod elo;
mod glicko2;
mod learnt;
mod maps;
mod ns2;
mod plain;
mod pool;
mod state;
mod synelo;
mod trueskill;
mod weng_lin;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use constants::Constant;
pub use learnt::{Learnt, LearntFigure, MapLean, ObserverShare};
pub use pool::{Conditions, LineupMember, PoolModel, Profile, RatedRound, lead};
pub use state::{InvalidState, ModelState};

/// Names of the rating models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelName {
    /// Model SynElo with formulas F1 to F5, the default model of pools.
    #[default]
    SynElo,
    /// Model that estimates every player's strength with many filters (observers), and learns each filter's share in
    /// the pool's predictions.
    Adaptive,
    /// Model Elo for teams, with one K-factor for all players.
    Elo,
    /// Model Glicko-2, with each player against the mean of the other team.
    Glicko2,
    /// Model TrueSkill for two teams.
    TrueSkill,
    /// Model of Weng and Lin, by Bradley and Terry's formula with full pairs.
    WengLin,
    /// Model of Natural Selection 2's player ranking: logistic regression, with a separate skill of commanders.
    Ns2,
}

impl ModelName {
    /// All rating models. SynElo comes first, as the baseline of comparisons.
    pub const ALL: [Self; 7] = [
        Self::SynElo,
        Self::Adaptive,
        Self::Elo,
        Self::Glicko2,
        Self::TrueSkill,
        Self::WengLin,
        Self::Ns2,
    ];

    /// Returns `true` if no rating falls below the setting `min_rating`. Under the other models, ratings may become
    /// negative.
    #[must_use]
    pub fn has_floor(self) -> bool {
        self != Self::Adaptive
    }

    /// Returns the model's name in settings, commands and JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SynElo => "synelo",
            Self::Adaptive => "adaptive",
            Self::Elo => "elo",
            Self::Glicko2 => "glicko2",
            Self::TrueSkill => "trueskill",
            Self::WengLin => "weng-lin",
            Self::Ns2 => "ns2",
        }
    }

    /// Returns `true` if the rating model counts bots. Models that do not add up points ignore bots.
    #[must_use]
    pub fn counts_bots(self) -> bool {
        match self {
            Self::SynElo | Self::Adaptive | Self::Elo | Self::Ns2 => true,
            Self::Glicko2 | Self::TrueSkill | Self::WengLin => false,
        }
    }

    /// Returns `true` if the rating model counts the advantages that are set for maps. `ns2` measures the whole value
    /// of a map itself, and would count an advantage twice.
    #[must_use]
    pub fn counts_advantages(self) -> bool {
        self.counts_bots() && self != Self::Ns2
    }

    /// Returns `true` if the rating model learns each map's value for a side.
    #[must_use]
    pub fn learns_maps(self) -> bool {
        matches!(self, Self::Adaptive | Self::Ns2)
    }

    /// Creates the rating model before its first round.
    #[must_use]
    pub fn start(self) -> Box<dyn PoolModel> {
        self.start_by(|constant| constant.value)
    }

    /// Restores the rating model that wrote `state`. An empty state gives the model before its first round.
    ///
    /// # Errors
    /// Returns an error if this model did not write `state`.
    pub fn resume(self, state: &ModelState) -> Result<Box<dyn PoolModel>, InvalidState> {
        match self {
            Self::Adaptive => adaptive::resume(state),
            Self::Ns2 => ns2::resume(state),
            _ if state.is_empty() => Ok(self.start()),
            _ => Err(InvalidState),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// Error: no rating model has this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a model; the models are synelo, adaptive, elo, glicko2, trueskill, weng-lin and ns2"
)]
pub struct UnknownModel(String);

impl FromStr for ModelName {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        Self::ALL
            .into_iter()
            .find(|model| model.name() == name)
            .ok_or_else(|| UnknownModel(name.to_owned()))
    }
}

impl Serialize for ModelName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for ModelName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(de::Error::custom)
    }
}

impl Default for Box<dyn PoolModel> {
    /// Returns the rating model SynElo, which has no state.
    fn default() -> Self {
        ModelName::SynElo.start()
    }
}

#[cfg(test)]
mod tests;
