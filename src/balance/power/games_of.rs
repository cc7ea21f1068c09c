use crate::domain::{ModeName, Mutators, PastGame, SetRules, Timestamp};

/// Selection of a player's past games from which the player's power for a match is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GamesOf {
    /// Past games of the player with any mode and any mutators.
    Any,
    /// Games of the match's mode; all games if the match names no mode.
    Mode,
    /// Games with the match's mode and its relevant mutators. If there are too few, games of the mode; if these are too
    /// few, all games. All games count if the match names no mode, or if the pool has no sets.
    Set,
}

/// The match for which players are valued by their past games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'all> {
    /// Time up to which past games count: the present, or the end of a past match. The ages of games are measured back
    /// from this time.
    pub(crate) now: Timestamp,
    /// Mode of the match, by the name that rounds use.
    pub(crate) mode: Option<&'all ModeName>,
    /// Mutators of the match, by the names that rounds use.
    pub(crate) mutators: &'all Mutators,
    /// Mutators that distinguish sets of games, and the minimum number of games in a set; `None` without sets.
    pub(crate) sets: Option<&'all SetRules>,
}

impl GamesOf {
    /// Returns the name of the selection of games in settings and answers: `any`, `mode` or `set`.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Mode => "mode",
            Self::Set => "set",
        }
    }

    /// Returns the selections of past games to compute a power from, the narrowest first; each is used if the
    /// selections before it have too few games.
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
    /// Returns `true` if a past game belongs to the selection `kind` of games like this match.
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

    /// Returns the minimum number of games in a set or mode; with fewer, a wider selection of games counts.
    pub(super) fn enough(self) -> usize {
        let least = self.sets.map_or(1, |sets| sets.least_games);
        usize::try_from(least).unwrap_or(usize::MAX)
    }
}
