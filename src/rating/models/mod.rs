//! Rating models side by side: each predicts a round from what it has learnt of the rounds before, then
//! learns from how that ended.

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

use super::Parameters;
use crate::domain::{PlayerId, Probability, Rating, Round};
use elo::Elo;
use glicko2::Glicko2;
use plain::{InMemory, Skill as _};
use synelo::SynElo;
use trueskill::TrueSkill;
use weng_lin::WengLin;

pub use constants::Constant;
pub use learnt::{Learnt, LearntFigure, MapLean, ObserverShare};
pub use pool::{
    Conditions, PoolModel, PoolModelName, Profile, RatedRound, Seat, UnknownPoolModel, lead,
};
pub use state::{InvalidState, ModelState};

/// A rating model that has seen the rounds of a pool up to some moment.
pub trait Model: fmt::Debug + Send {
    /// The probability that team a wins the round, from the rounds before alone; then learns how it ended.
    fn rate(&mut self, round: &Round) -> Probability;

    /// What the model takes the player for now, as splits add it up; a stranger's where it has not seen the player.
    ///
    /// SynElo, Elo, `adaptive` and `ns2` count Θ points for one of log-odds. The others have their makers' scales, where a
    /// newcomer is 1000: Glicko-2 its own, TrueSkill and Weng-Lin 40 points for one of theirs.
    fn rating(&self, player: PlayerId) -> Rating;
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

    /// The model before the first round. Of `parameters` SynElo takes all, `adaptive` those that are not
    /// about K and windows, Elo Θ and what a team is ahead by, `ns2` these and the half-life of a round's seconds, and
    /// the others nothing: they have constants of their own.
    #[must_use]
    pub fn start(self, parameters: &Parameters) -> Box<dyn Model> {
        match self {
            Self::SynElo => Box::new(SynElo::new(parameters.clone())),
            Self::Adaptive => Box::new(adaptive::InMemory::new(parameters.clone())),
            Self::Elo => Box::new(InMemory::<Elo>::new(parameters.clone(), Elo::usual())),
            Self::Glicko2 => Box::new(InMemory::<Glicko2>::new(
                parameters.clone(),
                Glicko2::usual(),
            )),
            Self::TrueSkill => Box::new(InMemory::<TrueSkill>::new(
                parameters.clone(),
                TrueSkill::usual(),
            )),
            Self::WengLin => Box::new(InMemory::<WengLin>::new(
                parameters.clone(),
                WengLin::usual(),
            )),
            Self::Ns2 => Box::new(ns2::InMemory::new(parameters.clone(), ns2::Config::usual())),
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
#[error(
    "no model has that name; there are synelo, adaptive, elo, glicko2, trueskill, weng-lin and ns2"
)]
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
