use crate::domain::{ModeName, Mutators, PastGame, SetRules, Timestamp};

/// Which games count for a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GamesOf {
    /// All.
    Any,
    /// Those of its mode; all where the match names none.
    Mode,
    /// Those of its mode and with the same of the mutators that matter; where these are too few those
    /// of its mode, and where these are too few all. All where the match names no mode, and where all
    /// games are alike.
    Set,
}

/// The match that players are weighed for.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'all> {
    /// When it is.
    pub now: Timestamp,
    /// The mode that it is played in, as rounds name theirs.
    pub mode: Option<&'all ModeName>,
    /// The mutators that it is played with, likewise.
    pub mutators: &'all Mutators,
    /// Which mutators matter, and how many games of a set are enough; `None` where all games are
    /// alike.
    pub sets: Option<&'all SetRules>,
}

impl GamesOf {
    /// As it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Mode => "mode",
            Self::Set => "set",
        }
    }

    /// Which games count, the next where those before are too few.
    pub(super) fn in_order(self, situation: Situation<'_>) -> &'static [Self] {
        match self {
            _ if situation.mode.is_none() => &[Self::Any],
            Self::Mode => &[Self::Mode],
            Self::Set if situation.sets.is_some() => &[Self::Set, Self::Mode, Self::Any],
            Self::Any | Self::Set => &[Self::Any],
        }
    }
}

impl Situation<'_> {
    /// Whether a game is of that kind, seen from the match.
    pub(super) fn is_like(self, kind: GamesOf, game: &PastGame) -> bool {
        match (kind, self.sets) {
            (GamesOf::Any, _) | (GamesOf::Set, None) => true,
            (GamesOf::Mode, _) => game.mode.as_ref() == self.mode,
            (GamesOf::Set, Some(sets)) => {
                let own = sets.set_of(self.mode, self.mutators);
                sets.set_of(game.mode.as_ref(), &game.mutators) == own
            }
        }
    }

    /// How many games are enough, so that no wider selection takes the place of a set or its mode.
    pub(super) fn enough(self) -> usize {
        let least = self.sets.map_or(1, |sets| sets.least_games);
        usize::try_from(least).unwrap_or(usize::MAX)
    }
}
