//! Rating models side by side: each predicts a round from what it has learnt of the rounds before, then
//! learns from how that ended.

mod adaptive;
mod elo;
mod glicko2;
mod learnt;
mod plain;
mod pool;
mod state;
mod synelo;
mod teams;
mod trueskill;
mod weng_lin;

use std::fmt;
use std::str::FromStr;

use super::Parameters;
use crate::domain::{Probability, Round};
use elo::Elo;
use glicko2::Glicko2;
use plain::InMemory;
use synelo::SynElo;
use trueskill::TrueSkill;
use weng_lin::WengLin;

pub use learnt::{Learnt, LearntFigure, MapLean, ObserverShare};
pub use pool::{
    Conditions, PoolModel, PoolModelName, Profile, RatedRound, Seat, UnknownPoolModel, lead,
};
pub use state::{InvalidState, ModelState};

/// A rating model that has seen the rounds of a pool up to some moment.
pub trait Model: fmt::Debug + Send {
    /// The probability that team a wins the round, from the rounds before alone; then learns how it ended.
    fn rate(&mut self, round: &Round) -> Probability;
}

/// The models that there are, by the names that people give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelName {
    /// SynElo, F1 to F5: what pools are rated by.
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
}

impl ModelName {
    /// Every model, SynElo first, which the others are compared with.
    pub const ALL: [Self; 6] = [
        Self::SynElo,
        Self::Adaptive,
        Self::Elo,
        Self::Glicko2,
        Self::TrueSkill,
        Self::WengLin,
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
        }
    }

    /// The model before the first round. Of `parameters` SynElo takes all, `adaptive` those that are not
    /// about K and windows, Elo Θ alone, and the others nothing: they have constants of their own.
    #[must_use]
    pub fn start(self, parameters: &Parameters) -> Box<dyn Model> {
        match self {
            Self::SynElo => Box::new(SynElo::new(parameters.clone())),
            Self::Adaptive => Box::new(adaptive::InMemory::new(parameters.clone())),
            Self::Elo => Box::new(InMemory::<Elo>::new(parameters.theta)),
            Self::Glicko2 => Box::new(InMemory::<Glicko2>::new(parameters.theta)),
            Self::TrueSkill => Box::new(InMemory::<TrueSkill>::new(parameters.theta)),
            Self::WengLin => Box::new(InMemory::<WengLin>::new(parameters.theta)),
        }
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// No model has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no model has that name; there are synelo, adaptive, elo, glicko2, trueskill and weng-lin")]
pub struct UnknownModel;

impl FromStr for ModelName {
    type Err = UnknownModel;

    fn from_str(name: &str) -> Result<Self, UnknownModel> {
        let mut models = Self::ALL.into_iter();
        models
            .find(|model| model.name() == name)
            .ok_or(UnknownModel)
    }
}

#[cfg(test)]
mod tests;
