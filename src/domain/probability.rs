use serde::{Deserialize, Serialize};

use super::Side;

/// A probability: a number from 0 to 1, never NaN.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

impl Probability {
    /// Even odds.
    pub const HALF: Self = Self(0.5);

    /// The probability `value`, or `None` outside 0 to 1.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        (0.0..=1.0).contains(&value).then_some(Self(value))
    }

    /// The number, 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        self.0
    }

    /// The probability that the other side wins, 1 - P.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(1.0 - self.0)
    }

    /// The probability that `side` wins, where this is team a's.
    #[must_use]
    pub fn of(self, side: Side) -> Self {
        match side {
            Side::A => self,
            Side::B => self.complement(),
        }
    }
}

impl TryFrom<f64> for Probability {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Self, Self::Error> {
        Self::new(value).ok_or("is not a probability; send 0 to 1")
    }
}

impl From<Probability> for f64 {
    fn from(probability: Probability) -> Self {
        probability.0
    }
}
