use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::Side;

/// A player's rating in whole rating points, from [`Rating::MIN`] to [`Rating::MAX`].
///
/// Each pool has its own floor, initial rating and cap. The limits of this type only keep sums of a team, and sums
/// of squares of a window, far inside 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Rating(i32);

impl Rating {
    /// Smallest rating, -100,000 points.
    pub const MIN: Self = Self(-100_000);

    /// Largest rating, 1,000,000 points. Play cannot reach this value with any sensible K-factor.
    pub const MAX: Self = Self(1_000_000);

    /// Creates a rating of whole points. Returns `None` if `points` is outside [`Rating::MIN`] to
    /// [`Rating::MAX`].
    #[must_use]
    pub fn new(points: i32) -> Option<Self> {
        let valid = Self::MIN.0..=Self::MAX.0;
        valid.contains(&points).then_some(Self(points))
    }

    /// Creates a rating: rounds `points` to the nearest whole number, ties to even, and clamps the result to
    /// [`Rating::MIN`] to [`Rating::MAX`]. NaN becomes 0.
    #[must_use]
    pub fn from_rounded(points: f64) -> Self {
        let (least, most) = (f64::from(Self::MIN.0), f64::from(Self::MAX.0));
        let rounded = points.round_ties_even().clamp(least, most);
        #[expect(clippy::cast_possible_truncation, reason = "whole and within range")]
        Self(rounded as i32)
    }

    /// Returns the rating in points.
    #[must_use]
    pub const fn points(self) -> i32 {
        self.0
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl<'de> Deserialize<'de> for Rating {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let points = i32::deserialize(deserializer)?;
        Self::new(points).ok_or_else(|| {
            let (least, most) = (Self::MIN, Self::MAX);
            de::Error::custom(format!("must be a rating of {least} to {most}"))
        })
    }
}

/// A probability from 0 to 1, never NaN.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct Probability(f64);

impl Probability {
    /// Probability of one half: even odds.
    pub const HALF: Self = Self(0.5);

    /// Creates a probability. Returns `None` if `value` is NaN or outside 0 to 1.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// Returns the probability as a float from 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// Returns the probability of the opposite event, 1 - P.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(1.0 - self.0)
    }

    /// Returns the probability that `side` wins, if `self` is the probability that team a wins.
    pub(crate) fn of(self, side: Side) -> Self {
        match side {
            Side::A => self,
            Side::B => self.complement(),
        }
    }
}

impl TryFrom<f64> for Probability {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Self::new(value).ok_or("is not a probability; send a number from 0 to 1")
    }
}
