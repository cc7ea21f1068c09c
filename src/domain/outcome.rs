use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, de};
use strum::IntoStaticStr;

/// One of the two teams of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Side {
    /// Team a. Probabilities and scores without an explicit side refer to this team.
    A,
    /// Team b, the opponent of team a.
    B,
}

impl Side {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

/// Result of a round; in JSON `"a"`, `"b"` or `"draw"`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, strum::Display)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Winner {
    /// Team a won the round.
    A,
    /// Team b won the round.
    B,
    /// Neither team won the round.
    Draw,
}

/// Score of one team in a round: 0, 0.5 or 1. Stored in halves, so that sums are exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(u8);

impl Score {
    /// Score of a defeat: 0.
    pub const LOSS: Self = Self(0);
    /// Score of a draw: 0.5.
    pub const DRAW: Self = Self(1);
    /// Score of a victory: 1.
    pub const WIN: Self = Self(2);

    /// Creates a score from a number of halves. Returns `None` if `halves` is greater than 2.
    pub(crate) fn of_halves(halves: u8) -> Option<Self> {
        (halves <= Self::WIN.0).then_some(Self(halves))
    }

    /// Returns the score in halves: 0, 1 or 2.
    #[must_use]
    pub const fn halves(self) -> u8 {
        self.0
    }

    /// Returns the score as a float: 0, 0.5 or 1.
    #[must_use]
    pub fn value(self) -> f64 {
        f64::from(self.0) / 2.0
    }

    /// Returns the other team's score of the same round: a loss for a win, a draw for a draw.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(Self::WIN.0 - self.0)
    }
}

impl Winner {
    /// Returns the score of `side` in a round with this result.
    #[must_use]
    pub fn score(self, side: Side) -> Score {
        match (self, side) {
            (Self::Draw, _) => Score::DRAW,
            (Self::A, Side::A) | (Self::B, Side::B) => Score::WIN,
            (Self::A, Side::B) | (Self::B, Side::A) => Score::LOSS,
        }
    }
}

/// An admin's change of a recorded round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum RoundAction {
    /// Void: the round no longer counts.
    Void,
    /// Unvoid: a voided round counts again.
    Unvoid,
    /// Correction: the round had another winner than reported.
    Correct {
        /// Winner of the round after the correction.
        winner: Winner,
    },
}

/// Name of an admin's change of a round ([`RoundAction`]), without its data.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::Display, IntoStaticStr,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum RoundActionName {
    /// Name of the action [`RoundAction::Void`].
    Void,
    /// Name of the action [`RoundAction::Unvoid`].
    Unvoid,
    /// Name of the action [`RoundAction::Correct`].
    Correct,
}

impl RoundAction {
    /// Returns the name of the admin's change, without its data.
    #[must_use]
    pub fn name(self) -> RoundActionName {
        match self {
            Self::Void => RoundActionName::Void,
            Self::Unvoid => RoundActionName::Unvoid,
            Self::Correct { .. } => RoundActionName::Correct,
        }
    }

    /// Returns the round's corrected winner, or `None` if the change is not a correction.
    pub(crate) fn winner(self) -> Option<Winner> {
        match self {
            Self::Void | Self::Unvoid => None,
            Self::Correct { winner } => Some(winner),
        }
    }

    /// Builds an admin's change of a round from its name and the corrected winner. Returns `None` if a correction has
    /// no winner, or another change has one.
    pub(crate) fn of(name: RoundActionName, winner: Option<Winner>) -> Option<Self> {
        match (name, winner) {
            (RoundActionName::Void, None) => Some(Self::Void),
            (RoundActionName::Unvoid, None) => Some(Self::Unvoid),
            (RoundActionName::Correct, Some(winner)) => Some(Self::Correct { winner }),
            _ => None,
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

/// Error for a round's winner that is not `a`, `b` or `draw`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a, b or draw")]
pub struct UnknownWinner;

// A derived implementation would also accept an object such as {"a": null}.
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

/// Kind of action recommended for unbalanced teams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InterventionResult {
    /// Recommendation that some players change teams.
    Moved,
    /// Recommendation that some bots join or leave.
    Filled,
    /// Finding that no allowed action balances the teams.
    NothingHelps,
}

impl InterventionResult {
    /// Derives the kind of recommendation from two facts: players have to move, and the actions balance the teams.
    pub(crate) fn of(has_moves: bool, balanced_after: bool) -> Self {
        match (has_moves, balanced_after) {
            (true, _) => Self::Moved,
            (false, true) => Self::Filled,
            (false, false) => Self::NothingHelps,
        }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Moved => "moved",
            Self::Filled => "filled",
            Self::NothingHelps => "nothing_helps",
        }
    }
}

/// A team of a match with two to eight teams, by letter: the first team is `a`, the eighth `h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TeamLetter(u8);

impl TeamLetter {
    const LAST: u8 = b'h';

    /// Returns the letter of the team at index `place`, counted from 0. Indexes beyond the eighth team get `h`.
    pub(crate) fn at(place: usize) -> Self {
        let behind_a = u8::try_from(place).unwrap_or(u8::MAX);
        Self(b'a'.saturating_add(behind_a).min(Self::LAST))
    }

    /// Parses the letter of a team, `a` to `h`. Returns `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        match text.as_bytes() {
            [letter @ b'a'..=Self::LAST] => Some(Self(*letter)),
            _ => None,
        }
    }
}

impl fmt::Display for TeamLetter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        char::from(self.0).fmt(formatter)
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
        let is_letter = |text: &str| TeamLetter::parse(text).is_some();
        assert!(is_letter("a") && is_letter("h"));
        for other in ["i", "A", "é", "", "ab"] {
            assert!(!is_letter(other), "{other}");
        }
    }
}
