use std::collections::BTreeMap;

use crate::domain::{ModeName, PastGame, Place, StatCount, StatName};

/// Kind of number that a past game has for a player; powers are computed from such numbers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Figure {
    /// Points for the place on the scoreboard, in even steps from the first to the last place.
    Place(PlaceScale),
    Score,
    Kills,
    Deaths,
    Assists,
    /// Kills of the player divided by the player's deaths; zero deaths count as one.
    KillsPerDeath {
        /// Worth of an assist in kills. Unknown assists count as zero.
        assists: f64,
    },
    /// Result of the game for the player: 1 for a victory, 0.5 for a draw, 0 for a defeat.
    Result,
    /// Custom number of the player on the game's scoreboard, with a name that the pool declares.
    Named(StatName),
}

/// Points that each place on a scoreboard is worth, in even steps from `last` to `first`, for any number of players.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlaceScale {
    /// Worth of the last place on the scoreboard, in points.
    pub(crate) last: f64,
    /// Worth of the first place on the scoreboard, in points.
    pub(crate) first: f64,
    /// Worth of the first place on the scoreboard in points, by game mode, for modes in which it differs from `first`.
    pub(crate) first_in: BTreeMap<ModeName, f64>,
}

impl Figure {
    /// Returns the player's number of this kind in a game, such as kills; `None` if the game lacks the number.
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
    /// Returns the points for the player's place in a game; `None` without a place, or if the player was alone.
    fn worth(&self, game: &PastGame) -> Option<f64> {
        let own = game.mode.as_ref().and_then(|mode| self.first_in.get(mode));
        let first = own.copied().unwrap_or(self.first);
        let Place { place, of } = game.place?;
        let others = f64::from(of.checked_sub(1)?);
        let beaten = f64::from(of) - place;
        (others > 0.0).then(|| self.last + (first - self.last) * (beaten / others))
    }
}
