//! Rating models: each predicts a round from what it has learnt of the rounds before, then learns from how that ended.

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
mod teams;
mod trueskill;
mod weng_lin;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use elo::Elo;
use glicko2::Glicko2;
use plain::PlainModel;
use trueskill::TrueSkill;
use weng_lin::WengLin;

pub use constants::Constant;
pub use learnt::{Learnt, LearntFigure, MapLean, ObserverShare};
pub use pool::{Conditions, Participant, PoolModel, Profile, RatedRound, lead};
pub use state::{InvalidState, ModelState};

/// The models that there are, by the names that people give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelName {
    /// SynElo, F1 to F5, by which a pool is rated unless a setting names another model.
    #[default]
    SynElo,
    /// Four observers of every player, and weights that the pool learns.
    Adaptive,
    /// Elo of teams with one K-factor for everybody.
    Elo,
    /// Glicko-2, each player against the mean of the other team.
    Glicko2,
    /// TrueSkill of two teams.
    TrueSkill,
    /// The Bradley-Terry model of Weng and Lin.
    WengLin,
    /// The player ranking of Natural Selection 2: logistic regression, and another skill for commanders.
    Ns2,
}

impl ModelName {
    /// Every model, SynElo first, which the others are compared with.
    pub const ALL: [Self; 7] = [
        Self::SynElo,
        Self::Adaptive,
        Self::Elo,
        Self::Glicko2,
        Self::TrueSkill,
        Self::WengLin,
        Self::Ns2,
    ];

    /// As people write it.
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

    /// Whether the model counts the bots on a team: those that have no points to add up do not.
    #[must_use]
    pub fn counts_bots(self) -> bool {
        match self {
            Self::SynElo | Self::Adaptive | Self::Elo | Self::Ns2 => true,
            Self::Glicko2 | Self::TrueSkill | Self::WengLin => false,
        }
    }

    /// Whether the model counts the advantage of a side that is set for a map. `ns2` does not: it measures all that a map
    /// is worth, and would count it twice.
    #[must_use]
    pub fn counts_advantages(self) -> bool {
        self.counts_bots() && self != Self::Ns2
    }

    /// Whether the model learns itself what maps are worth to a side.
    #[must_use]
    pub fn learns_maps(self) -> bool {
        matches!(self, Self::Adaptive | Self::Ns2)
    }

    /// The model before the first round.
    #[must_use]
    pub fn start(self) -> Box<dyn PoolModel> {
        match self {
            Self::SynElo => Box::new(synelo::SynElo),
            Self::Adaptive => Box::new(adaptive::Adaptive::new()),
            Self::Elo => Box::new(PlainModel::<Elo>::usual()),
            Self::Glicko2 => Box::new(PlainModel::<Glicko2>::usual()),
            Self::TrueSkill => Box::new(PlainModel::<TrueSkill>::usual()),
            Self::WengLin => Box::new(PlainModel::<WengLin>::usual()),
            Self::Ns2 => Box::new(ns2::Ns2Model::new(ns2::Config::usual())),
        }
    }

    /// The model as it was when it wrote `state`; before the first round if `state` is empty.
    ///
    /// # Errors
    /// A state that this model did not write.
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

/// No model has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no model; there are synelo, adaptive, elo, glicko2, trueskill, weng-lin and ns2"
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
    /// SynElo, which remembers nothing.
    fn default() -> Self {
        ModelName::SynElo.start()
    }
}

#[cfg(test)]
mod tests;
