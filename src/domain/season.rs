//! The start of a season, as a pool's log has it.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::SeasonName;

/// A share from 0 to 1, in whole thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(u16);

/// A number is no share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 0 to 1 with at most three decimals, such as 0.5")]
pub struct InvalidShare;

impl Share {
    /// Half of it.
    pub const HALF: Self = Self(500);

    /// The share of so many thousandths, 0 to 1000.
    #[must_use]
    pub fn from_thousandths(thousandths: u16) -> Option<Self> {
        (thousandths <= 1000).then_some(Self(thousandths))
    }

    /// How many thousandths it is, 0 to 1000.
    #[must_use]
    pub fn thousandths(self) -> u16 {
        self.0
    }

    /// As a number, 0 to 1.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

impl TryFrom<f64> for Share {
    type Error = InvalidShare;

    fn try_from(share: f64) -> Result<Self, InvalidShare> {
        let known = (0..=1000).map(Self);
        let mut same = known.filter(|known| (known.get() - share).abs() < 1e-9);
        same.next().ok_or(InvalidShare)
    }
}

impl From<Share> for f64 {
    fn from(share: Share) -> Self {
        share.get()
    }
}

impl FromStr for Share {
    type Err = InvalidShare;

    fn from_str(text: &str) -> Result<Self, InvalidShare> {
        let share: f64 = text.parse().map_err(|_| InvalidShare)?;
        share.try_into()
    }
}

/// How many rounds of a season it takes until a player is placed, 0 to 500.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub struct CalibrationRounds(u32);

/// A number of rounds is too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 0 to 500 rounds")]
pub struct InvalidCalibration;

impl CalibrationRounds {
    /// The most that there may be.
    pub const MOST: u32 = 500;

    /// The rounds, 0 to 500.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }
}

impl Default for CalibrationRounds {
    /// Ten.
    fn default() -> Self {
        Self(10)
    }
}

impl TryFrom<u32> for CalibrationRounds {
    type Error = InvalidCalibration;

    fn try_from(rounds: u32) -> Result<Self, InvalidCalibration> {
        if rounds <= Self::MOST {
            Ok(Self(rounds))
        } else {
            Err(InvalidCalibration)
        }
    }
}

impl From<CalibrationRounds> for u32 {
    fn from(rounds: CalibrationRounds) -> Self {
        rounds.0
    }
}

impl FromStr for CalibrationRounds {
    type Err = InvalidCalibration;

    fn from_str(text: &str) -> Result<Self, InvalidCalibration> {
        let rounds: u32 = text.parse().map_err(|_| InvalidCalibration)?;
        rounds.try_into()
    }
}

/// A season that starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonStart {
    /// What it is called.
    pub name: SeasonName,
    /// The share of its distance from the initial rating that each rating keeps.
    pub keep: Share,
    /// How many rounds of the season it takes until a player is placed.
    pub calibration: CalibrationRounds,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_has_three_decimals_and_lies_between_0_and_1() {
        for (text, thousandths) in [("0", 0), ("0.5", 500), ("0.333", 333), ("1", 1000)] {
            let share: Share = text.parse().unwrap();
            assert_eq!(share.thousandths(), thousandths);
            assert_eq!(Share::try_from(share.get()), Ok(share));
        }
        for text in ["-0.1", "1.001", "0.3333", "NaN", "half", ""] {
            assert_eq!(text.parse::<Share>(), Err(InvalidShare), "{text}");
        }
    }

    #[test]
    fn calibration_ends_at_five_hundred_rounds() {
        assert_eq!("500".parse::<CalibrationRounds>().unwrap().get(), 500);
        assert_eq!("501".parse::<CalibrationRounds>(), Err(InvalidCalibration));
    }
}
