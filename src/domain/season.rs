//! Seasons: their starts in a pool's log, and the months in which they start.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use time::{Date, Month, OffsetDateTime};

use super::{SeasonName, Timestamp};

/// Share from 0 to 1, stored in whole thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Share(u16);

/// Error for a number that is not a [`Share`] from 0 to 1 with at most three decimals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 0 to 1 with at most three decimals, such as 0.5")]
pub struct InvalidShare;

impl Share {
    /// Share of one half, 0.5.
    pub const HALF: Self = Self(500);

    /// Creates a share from thousandths: 500 is a half. Returns `None` if `thousandths` is greater than 1000.
    #[must_use]
    pub fn from_thousandths(thousandths: u16) -> Option<Self> {
        (thousandths <= 1000).then_some(Self(thousandths))
    }

    /// Returns this share in thousandths, from 0 to 1000: a half is 500.
    pub(crate) fn thousandths(self) -> u16 {
        self.0
    }

    /// Returns this share as a number from 0 to 1.
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

/// Number of rounds of a season until a player counts as placed: 0 to [`CalibrationRounds::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u32")]
pub struct CalibrationRounds(u32);

/// Error for a number of a season's calibration rounds above [`CalibrationRounds::MAX`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 0 to 500 rounds")]
pub struct InvalidCalibration;

impl CalibrationRounds {
    /// Maximum number of a season's calibration rounds.
    pub const MAX: u32 = 500;

    pub(crate) fn get(self) -> u32 {
        self.0
    }
}

impl Default for CalibrationRounds {
    fn default() -> Self {
        Self(10)
    }
}

impl TryFrom<u32> for CalibrationRounds {
    type Error = InvalidCalibration;

    fn try_from(rounds: u32) -> Result<Self, InvalidCalibration> {
        let is_allowed = rounds <= Self::MAX;
        is_allowed.then_some(Self(rounds)).ok_or(InvalidCalibration)
    }
}

impl FromStr for CalibrationRounds {
    type Err = InvalidCalibration;

    fn from_str(text: &str) -> Result<Self, InvalidCalibration> {
        let rounds: u32 = text.parse().map_err(|_| InvalidCalibration)?;
        rounds.try_into()
    }
}

/// The start of a season, as an entry of a pool's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeasonStart {
    /// Name of the season.
    pub name: SeasonName,
    /// Share of the distance between each rating and the initial rating that remains after the start.
    pub keep: Share,
    /// Number of rounds of the season until a player counts as placed.
    pub calibration: CalibrationRounds,
}

/// Months in which seasons start automatically, at midnight UTC on the first day. If empty, no season starts
/// automatically.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartMonths(BTreeSet<u8>);

/// The first moment of a month in UTC, displayed as `2026-07`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthStart {
    /// Midnight UTC on the first day of the month.
    pub(crate) at: Timestamp,
}

impl MonthStart {
    fn new(year: i32, month: u8) -> Option<Self> {
        let day = Date::from_calendar_date(year, Month::try_from(month).ok()?, 1).ok()?;
        let at = day.midnight().assume_utc().unix_timestamp();
        let at = Timestamp::from_unix_seconds(at).ok()?;
        Some(Self { at })
    }
}

impl fmt::Display for MonthStart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:.7}", self.at.to_string())
    }
}

impl StartMonths {
    /// Creates the set of months in which seasons start. Returns `None` if a month is outside 1 to 12 or listed twice.
    #[must_use]
    pub fn new(months: &[u8]) -> Option<Self> {
        let set: BTreeSet<u8> = months.iter().copied().collect();
        let are_months = set.iter().all(|month| (1..=12).contains(month));
        (are_months && set.len() == months.len()).then_some(Self(set))
    }

    /// Returns `true` if no season starts automatically.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the months in which seasons start as a bit set: bit `n` means month `n`, 1 to 12.
    pub(crate) fn bits(&self) -> u16 {
        self.0.iter().fold(0, |bits, month| bits | 1 << month)
    }

    /// Returns the latest start of a season's month up to `now`, or `None` if no season starts automatically.
    pub(crate) fn last(&self, now: Timestamp) -> Option<MonthStart> {
        let now = OffsetDateTime::from_unix_timestamp_nanos(i128::from(now.unix_micros()) * 1_000)
            .ok()?;
        let this_month = u8::from(now.month());
        let this_year = self.0.range(..=this_month).next_back();
        match this_year {
            Some(month) => MonthStart::new(now.year(), *month),
            None => MonthStart::new(now.year() - 1, *self.0.last()?),
        }
    }
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

    #[test]
    fn the_last_start_is_at_midnight_of_the_first_in_utc() {
        let months = StartMonths::new(&[7, 1]).unwrap();
        for (now, at, name) in [
            ("2027-01-01T00:00:00Z", "2027-01-01T00:00:00Z", "2027-01"),
            ("2026-12-31T23:59:59Z", "2026-07-01T00:00:00Z", "2026-07"),
            (
                "2026-07-01T01:00:00+02:00",
                "2026-01-01T00:00:00Z",
                "2026-01",
            ),
            (
                "2026-06-30T23:00:00-02:00",
                "2026-07-01T00:00:00Z",
                "2026-07",
            ),
        ] {
            let last = months.last(now.parse().unwrap()).unwrap();
            assert_eq!(
                (last.at, last.to_string()),
                (at.parse().unwrap(), name.to_owned())
            );
        }
        let autumn = StartMonths::new(&[10]).unwrap();
        let last = autumn
            .last("2026-03-05T00:00:00Z".parse().unwrap())
            .unwrap();
        assert_eq!(last.to_string(), "2025-10");
        assert_eq!(StartMonths::default().last(last.at), None);
    }

    #[test]
    fn months_are_1_to_12_and_stand_once() {
        for wrong in [&[0][..], &[13], &[1, 7, 1]] {
            assert_eq!(StartMonths::new(wrong), None, "{wrong:?}");
        }
    }
}
