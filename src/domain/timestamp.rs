use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, de};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

/// A point in time with microsecond precision, in the years 1 to 9999.
///
/// Parses RFC 3339 text, or integer unix seconds in JSON. Written as RFC 3339 in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(i64);

/// Error for a text or number that is not a point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidTimestamp {
    /// Input that is neither RFC 3339 nor unix seconds, or is a time outside the years 1 to 9999.
    #[error(
        "is not a time; send RFC 3339 such as \"2026-11-20T12:00:00Z\", or whole unix seconds, in \
         the years 1 to 9999"
    )]
    NoTime,
    /// Number sent as a time that is too large for unix seconds, but fits a smaller unit such as milliseconds.
    #[error(
        "is {number}, which looks like {unit}; divide it by {divisor} and send whole unix seconds"
    )]
    Unit {
        /// Number that was sent as a time.
        number: u64,
        /// Probable unit of the number that was sent as a time, such as milliseconds.
        unit: &'static str,
        /// Number of the probable units in a second, such as 1000 for milliseconds.
        divisor: u64,
    },
}

/// Units of time smaller than a second, with their number per second.
const SMALLER_UNITS: [(&str, u64); 3] = [
    ("milliseconds", 1_000),
    ("microseconds", 1_000_000),
    ("nanoseconds", 1_000_000_000),
];

const MICROS_PER_SECOND: i64 = 1_000_000;
/// Unix time of 0001-01-01T00:00:00Z, in seconds.
const FIRST_SECOND: i64 = -62_135_596_800;
/// Unix time of 9999-12-31T23:59:59Z, in seconds.
const LAST_SECOND: i64 = 253_402_300_799;

impl Timestamp {
    /// The unix epoch, 1970-01-01T00:00:00Z.
    pub const UNIX_EPOCH: Self = Self(0);
    /// Start of the year 2000 in UTC.
    pub const YEAR_2000: Self = Self(946_684_800 * MICROS_PER_SECOND);

    /// Creates a point in time from unix seconds.
    ///
    /// # Errors
    /// Returns an error if the time is outside the years 1 to 9999.
    pub fn from_unix_seconds(seconds: i64) -> Result<Self, InvalidTimestamp> {
        if (FIRST_SECOND..=LAST_SECOND).contains(&seconds) {
            Ok(Self(seconds * MICROS_PER_SECOND))
        } else {
            Err(u64::try_from(seconds).map_or(InvalidTimestamp::NoTime, too_large))
        }
    }

    /// Creates a point in time from unix microseconds.
    ///
    /// # Errors
    /// Returns an error if the time is outside the years 1 to 9999.
    pub fn from_unix_micros(micros: i64) -> Result<Self, InvalidTimestamp> {
        Self::from_unix_seconds(micros.div_euclid(MICROS_PER_SECOND)).map(|_| Self(micros))
    }

    /// Returns the unix time in microseconds.
    #[must_use]
    pub fn unix_micros(self) -> i64 {
        self.0
    }

    /// Returns the number of whole seconds from `earlier` to `self`; negative if `earlier` is after `self`.
    pub(crate) fn whole_seconds_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0) / MICROS_PER_SECOND
    }

    /// Returns the duration from `earlier` to `self`; zero if `earlier` is after `self`.
    pub(crate) fn duration_since(self, earlier: Self) -> Duration {
        let micros = self.0.saturating_sub(earlier.0);
        Duration::from_micros(u64::try_from(micros).unwrap_or(0))
    }

    /// Subtracts `days` days of 24 hours from the time, down to the first second of the year 1.
    #[must_use]
    pub fn days_earlier(self, days: u32) -> Self {
        self.earlier(Duration::from_secs(u64::from(days) * 86_400))
    }

    /// Subtracts `duration` from the time, down to the first second of the year 1.
    #[must_use]
    pub fn earlier(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let earlier = self.0.saturating_sub(micros);
        Self(earlier.max(FIRST_SECOND * MICROS_PER_SECOND))
    }

    /// Adds `duration` to the time, up to the last second of the year 9999.
    #[must_use]
    pub fn later(self, duration: Duration) -> Self {
        let micros = i64::try_from(duration.as_micros()).unwrap_or(i64::MAX);
        let later = self.0.saturating_add(micros);
        Self(later.min(LAST_SECOND * MICROS_PER_SECOND))
    }

    /// Parses a time from RFC 3339 or whole unix seconds, for sources without a number type, such as query strings.
    pub(crate) fn from_text(text: &str) -> Result<Self, InvalidTimestamp> {
        match text.parse() {
            Ok(seconds) => Self::from_unix_seconds(seconds),
            Err(_) => text.parse(),
        }
    }
}

/// Returns the error for a number sent as a time that is too large for unix seconds, and guesses its unit.
fn too_large(number: u64) -> InvalidTimestamp {
    let units = SMALLER_UNITS.into_iter();
    let mut fitting = units.filter(|(_, divisor)| number / divisor <= LAST_SECOND.unsigned_abs());
    fitting
        .next()
        .map_or(InvalidTimestamp::NoTime, |(unit, divisor)| {
            InvalidTimestamp::Unit {
                number,
                unit,
                divisor,
            }
        })
}

impl FromStr for Timestamp {
    type Err = InvalidTimestamp;

    fn from_str(text: &str) -> Result<Self, InvalidTimestamp> {
        let moment = OffsetDateTime::parse(text, &Rfc3339).map_err(|_| InvalidTimestamp::NoTime)?;
        let micros = moment.unix_timestamp_nanos().div_euclid(1_000);
        Self::from_unix_micros(i64::try_from(micros).map_err(|_| InvalidTimestamp::NoTime)?)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moment = OffsetDateTime::from_unix_timestamp_nanos(i128::from(self.0) * 1_000)
            .map_err(|_| fmt::Error)?;
        formatter.write_str(&moment.format(&Rfc3339).map_err(|_| fmt::Error)?)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Timestamp;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a time as RFC 3339 text or whole unix seconds")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Timestamp, E> {
                text.parse().map_err(E::custom)
            }

            fn visit_i64<E: de::Error>(self, seconds: i64) -> Result<Timestamp, E> {
                Timestamp::from_unix_seconds(seconds).map_err(E::custom)
            }

            fn visit_u64<E: de::Error>(self, seconds: u64) -> Result<Timestamp, E> {
                i64::try_from(seconds)
                    .map_err(|_| too_large(seconds))
                    .and_then(Timestamp::from_unix_seconds)
                    .map_err(E::custom)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_and_seconds_name_the_same_moment() {
        let text: Timestamp = serde_json::from_str("\"2026-11-20T13:00:00.25+01:00\"").unwrap();
        let seconds: Timestamp = serde_json::from_str("1795176000").unwrap();
        assert_eq!(text.unix_micros(), seconds.unix_micros() + 250_000);
        assert_eq!(text.to_string(), "2026-11-20T12:00:00.25Z");
    }

    #[test]
    fn a_time_in_a_smaller_unit_is_recognised() {
        let error = |text: &str| {
            serde_json::from_str::<Timestamp>(text)
                .unwrap_err()
                .to_string()
        };
        for (number, unit, divisor) in [
            ("1763640000000", "milliseconds", "1000"),
            ("1763640000000000", "microseconds", "1000000"),
            ("1763640000000000000", "nanoseconds", "1000000000"),
            ("18446744073709551615", "nanoseconds", "1000000000"),
        ] {
            let expected = format!("is {number}, which looks like {unit}; divide it by {divisor} ");
            assert!(error(number).starts_with(&expected), "{}", error(number));
        }
        assert!(error("-62135596801").starts_with("is not a time"));
        assert_eq!(Timestamp::from_text("soon"), Err(InvalidTimestamp::NoTime));
    }

    proptest! {
        #[test]
        fn every_moment_reads_back(micros in FIRST_SECOND * 1_000_000..=LAST_SECOND * 1_000_000) {
            let moment = Timestamp::from_unix_micros(micros).unwrap();
            prop_assert_eq!(moment.to_string().parse(), Ok(moment));
        }
    }
}
