use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// One of the two teams of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Team a; probabilities and scores without a side of their own are this team's.
    A,
    /// Team b.
    B,
}

impl Side {
    /// The other team.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// How a round ended; in JSON `"a"`, `"b"` or `"draw"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// Team a won.
    A,
    /// Team b won.
    B,
    /// Nobody won.
    Draw,
}

/// What a side got out of a round: 0, 0.5 or 1, kept as a whole number of halves so that sums
/// are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u8);

impl Score {
    /// A defeat, 0.
    pub const LOSS: Self = Self(0);
    /// A draw, 0.5.
    pub const DRAW: Self = Self(1);
    /// A victory, 1.
    pub const WIN: Self = Self(2);

    /// The score of so many halves, or `None` above 2.
    #[must_use]
    pub fn of_halves(halves: u8) -> Option<Self> {
        (halves <= Self::WIN.0).then_some(Self(halves))
    }

    /// 0, 1 or 2 halves.
    #[must_use]
    pub const fn halves(self) -> u8 {
        self.0
    }

    /// 0, 0.5 or 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// What the other side got.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(Self::WIN.0 - self.0)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::A => "a",
            Self::B => "b",
        })
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::A => "a",
            Self::B => "b",
            Self::Draw => "draw",
        })
    }
}

impl Winner {
    /// The score of `side` in a round that ended so.
    #[must_use]
    pub fn score(self, side: Side) -> Score {
        match (self, side) {
            (Self::Draw, _) => Score::DRAW,
            (Self::A, Side::A) | (Self::B, Side::B) => Score::WIN,
            (Self::A, Side::B) | (Self::B, Side::A) => Score::LOSS,
        }
    }
}

/// What an admin makes of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum RoundAction {
    /// It is as if it had never been played.
    Void,
    /// It counts again.
    Unvoid,
    /// It ended otherwise than was reported.
    Correct {
        /// How it ended.
        winner: Winner,
    },
}

/// The name of a [`RoundAction`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundActionName {
    /// [`RoundAction::Void`].
    Void,
    /// [`RoundAction::Unvoid`].
    Unvoid,
    /// [`RoundAction::Correct`].
    Correct,
}

impl RoundAction {
    /// Its name.
    #[must_use]
    pub fn name(self) -> RoundActionName {
        match self {
            Self::Void => RoundActionName::Void,
            Self::Unvoid => RoundActionName::Unvoid,
            Self::Correct { .. } => RoundActionName::Correct,
        }
    }

    /// How the round ended, where it is corrected.
    #[must_use]
    pub fn winner(self) -> Option<Winner> {
        match self {
            Self::Void | Self::Unvoid => None,
            Self::Correct { winner } => Some(winner),
        }
    }

    /// The action of that name; `None` where a winner is given and has no place in it, or is not and has.
    #[must_use]
    pub fn of(name: RoundActionName, winner: Option<Winner>) -> Option<Self> {
        match (name, winner) {
            (RoundActionName::Void, None) => Some(Self::Void),
            (RoundActionName::Unvoid, None) => Some(Self::Unvoid),
            (RoundActionName::Correct, Some(winner)) => Some(Self::Correct { winner }),
            _ => None,
        }
    }
}

impl RoundActionName {
    /// As it is stored, sent and shown: `void`, `unvoid` or `correct`.
    #[must_use]
    pub fn text(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Unvoid => "unvoid",
            Self::Correct => "correct",
        }
    }
}

impl FromStr for Winner {
    type Err = UnknownWinner;

    fn from_str(text: &str) -> Result<Self, UnknownWinner> {
        match text {
            "a" => Ok(Self::A),
            "b" => Ok(Self::B),
            "draw" => Ok(Self::Draw),
            _ => Err(UnknownWinner),
        }
    }
}

/// A text that is none of the ways in which a round can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a, b or draw")]
pub struct UnknownWinner;

// Derived, it would also take an object such as {"a": null}.
impl<'de> Deserialize<'de> for Winner {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Winner;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("\"a\", \"b\" or \"draw\"")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Winner, E> {
                let unknown = |_| E::invalid_value(de::Unexpected::Str(text), &self);
                text.parse().map_err(unknown)
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}

/// What is to be done about teams that are unbalanced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionResult {
    /// Players change teams.
    Moved,
    /// Bots come or go.
    Filled,
    /// Nothing that is allowed balances the teams.
    NothingHelps,
}

impl InterventionResult {
    /// The result where somebody is to change teams or nobody is, and where the teams are balanced
    /// or not once everything is done.
    #[must_use]
    pub fn of(has_moves: bool, balanced_after: bool) -> Self {
        match (has_moves, balanced_after) {
            (true, _) => Self::Moved,
            (false, true) => Self::Filled,
            (false, false) => Self::NothingHelps,
        }
    }

    /// As it is written.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Filled => "filled",
            Self::NothingHelps => "nothing_helps",
        }
    }
}

/// One of the teams of a match, by its place: the first is `a`, the eighth `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamLetter(u8);

impl TeamLetter {
    /// The last team that has a letter.
    const LAST: u8 = b'h';

    /// The team at this place, counted from 0; those behind the eighth have its letter.
    #[must_use]
    pub fn at(place: usize) -> Self {
        let behind_a = u8::try_from(place).unwrap_or(u8::MAX);
        Self(b'a'.saturating_add(behind_a).min(Self::LAST))
    }

    /// The team of that letter, if there is one.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let letter = u8::try_from(letter).ok()?;
        (b'a'..=Self::LAST)
            .contains(&letter)
            .then_some(Self(letter))
    }
}

impl fmt::Display for TeamLetter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        char::from(self.0).fmt(formatter)
    }
}

impl Serialize for TeamLetter {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eight_teams_have_letters() {
        let letters: String = (0..9)
            .map(|place| TeamLetter::at(place).to_string())
            .collect();
        assert_eq!(letters, "abcdefghh");
        for (letter, is_one) in [
            ('a', true),
            ('h', true),
            ('i', false),
            ('A', false),
            ('é', false),
        ] {
            assert_eq!(
                TeamLetter::from_letter(letter).is_some(),
                is_one,
                "{letter}"
            );
        }
    }
}
