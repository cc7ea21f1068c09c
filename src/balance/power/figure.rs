use std::collections::BTreeMap;

use crate::domain::{ModeName, PastGame, Place, StatCount, StatName};

/// What a game says of a player.
#[derive(Clone, Debug, PartialEq)]
pub enum Figure {
    /// The place on the scoreboard.
    Place(PlaceScale),
    /// The score on it.
    Score,
    /// The kills.
    Kills,
    /// The deaths.
    Deaths,
    /// The assists.
    Assists,
    /// The kills by the deaths, none counting as one.
    KillsPerDeath {
        /// What part of a kill an assist is; where no assists are known, there were none.
        assists: f64,
    },
    /// 1 for a victory, 0.5 for a draw, 0 for a defeat.
    Result,
    /// A number of a name that the pool declares.
    Named(StatName),
}

/// What the places on a scoreboard are worth, in even steps from the last to the first, however many
/// players stand on it.
#[derive(Clone, Debug, PartialEq)]
pub struct PlaceScale {
    /// The last place.
    pub last: f64,
    /// The first place.
    pub first: f64,
    /// The first place in games of these modes.
    pub first_in: BTreeMap<ModeName, f64>,
}

impl Figure {
    /// `None` where the game does not say.
    pub(super) fn of(&self, game: &PastGame) -> Option<f64> {
        let stats = game.stats.as_deref();
        let count = |count: Option<StatCount>| count.map(|count| f64::from(count.get()));
        match self {
            Self::Place(scale) => scale.worth(game),
            Self::Score => Some(stats?.score?.value()),
            Self::Kills => count(stats?.kills),
            Self::Deaths => count(stats?.deaths),
            Self::Assists => count(stats?.assists),
            Self::KillsPerDeath { assists } => {
                let kills = count(stats?.kills)? + assists * count(stats?.assists).unwrap_or(0.0);
                Some(kills / count(stats?.deaths)?.max(1.0))
            }
            Self::Result => Some(game.result.value()),
            Self::Named(name) => stats?.named.get(name).map(|stat| stat.value()),
        }
    }
}

impl PlaceScale {
    /// Of somebody who was alone on the scoreboard there is nothing to say.
    fn worth(&self, game: &PastGame) -> Option<f64> {
        let own = game.mode.as_ref().and_then(|mode| self.first_in.get(mode));
        let first = own.copied().unwrap_or(self.first);
        let Place { place, of } = game.place?;
        let others = f64::from(of.checked_sub(1)?);
        let beaten = f64::from(of) - place;
        (others > 0.0).then(|| self.last + (first - self.last) * (beaten / others))
    }
}
