use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

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

/// Whether a round is to count, or what became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VoidAction {
    /// It is as if it had never been played.
    Void,
    /// It counts again.
    Unvoid,
}

impl VoidAction {
    /// As it is stored, sent and shown: `void` or `unvoid`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Unvoid => "unvoid",
        }
    }

    /// Whether the round does not count after it.
    #[must_use]
    pub fn is_void(self) -> bool {
        self == Self::Void
    }
}

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
                match text {
                    "a" => Ok(Winner::A),
                    "b" => Ok(Winner::B),
                    "draw" => Ok(Winner::Draw),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }

        deserializer.deserialize_str(Visitor)
    }
}
