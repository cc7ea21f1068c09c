use std::collections::BTreeSet;
use std::fmt;

use time::{Date, Month, OffsetDateTime, UtcOffset};

use super::Timestamp;

/// The months at whose beginnings, at midnight in UTC, seasons start; with none of them no season starts by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StartMonths(BTreeSet<u8>);

/// The beginning of a month in UTC, written as `2026-07`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonthStart {
    year: i32,
    month: u8,
    at: Timestamp,
}

impl MonthStart {
    fn new(year: i32, month: u8) -> Option<Self> {
        let day = Date::from_calendar_date(year, Month::try_from(month).ok()?, 1).ok()?;
        let at = day.midnight().assume_utc().unix_timestamp();
        let at = Timestamp::from_unix_seconds(at).ok()?;
        Some(Self { year, month, at })
    }

    /// Midnight of its first day.
    #[must_use]
    pub fn at(self) -> Timestamp {
        self.at
    }
}

impl fmt::Display for MonthStart {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}", self.year, self.month)
    }
}

impl StartMonths {
    /// Those months, each from 1 to 12; `None` where one is not, or stands twice.
    #[must_use]
    pub fn new(months: &[u8]) -> Option<Self> {
        let set: BTreeSet<u8> = months.iter().copied().collect();
        let are_months = set.iter().all(|month| (1..=12).contains(month));
        (are_months && set.len() == months.len()).then_some(Self(set))
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The same as a number: for each month the bit of its number.
    #[must_use]
    pub fn bits(&self) -> u16 {
        self.0.iter().fold(0, |bits, month| bits | 1 << month)
    }

    /// The last time that one of them began, up to `now`; `None` without a month.
    #[must_use]
    pub fn last(&self, now: Timestamp) -> Option<MonthStart> {
        let now = OffsetDateTime::from_unix_timestamp_nanos(i128::from(now.unix_micros()) * 1_000)
            .ok()?
            .to_offset(UtcOffset::UTC);
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
                (last.at(), last.to_string()),
                (at.parse().unwrap(), name.to_owned())
            );
        }
        let autumn = StartMonths::new(&[10]).unwrap();
        let last = autumn
            .last("2026-03-05T00:00:00Z".parse().unwrap())
            .unwrap();
        assert_eq!(last.to_string(), "2025-10");
        assert_eq!(StartMonths::default().last(last.at()), None);
    }

    #[test]
    fn months_are_1_to_12_and_stand_once() {
        for wrong in [&[0][..], &[13], &[1, 7, 1]] {
            assert_eq!(StartMonths::new(wrong), None, "{wrong:?}");
        }
    }
}
