//! Parsers of command line values, with more helpful errors than clap's own.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use humantime::parse_duration;

use crate::clock::Clock;
use crate::domain::{InvalidTimestamp, Probability, Timestamp};

/// Returns a parser of option values that are whole numbers in `range`.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            format!(
                "must be a whole number from {} to {}",
                range.start(),
                range.end()
            )
        })
    }
}

/// Parses a time: RFC 3339, a day, an age such as `2h`, or whole unix seconds.
pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    moment_seen_from(Clock::System.now(), text)
}

/// Parses a time, where days and ages are relative to `now`.
fn moment_seen_from(now: Timestamp, text: &str) -> Result<Timestamp, String> {
    match Timestamp::from_text(text) {
        Ok(at) => return Ok(at),
        Err(unit @ InvalidTimestamp::Unit { .. }) => return Err(unit.to_string()),
        Err(InvalidTimestamp::NoTime) => {}
    }
    let at = match text {
        "now" => Some(now),
        "today" => midnight(now),
        "yesterday" => midnight(now.days_earlier(1)),
        _ => day_or_minute(text).or_else(|| Some(now.earlier(age(text)?))),
    };
    at.ok_or_else(|| {
        "must be a time such as 2026-11-20T12:00:00Z or \"2026-11-20 12:00\" (UTC), a day \
         (2026-11-20, today, yesterday), a time span before now (90min, 2h, 3d), or unix seconds"
            .to_owned()
    })
}

/// Parses an age such as `2h` or `2h ago`. Refuses capitals: a parsed `5M` would be five months, not five minutes.
fn age(text: &str) -> Option<Duration> {
    let text = text.strip_suffix(" ago").unwrap_or(text);
    parse_duration(text)
        .ok()
        .filter(|_| !text.contains(char::is_uppercase))
}

fn midnight(at: Timestamp) -> Option<Timestamp> {
    let day: String = at.to_string().chars().take("2026-11-20".len()).collect();
    day_or_minute(&day)
}

/// Parses a day, which means its beginning, or a time to the minute or second in the form of printed tables, in UTC.
fn day_or_minute(text: &str) -> Option<Timestamp> {
    let missing = match text.len() {
        10 => "T00:00:00Z",
        16 => ":00Z",
        19 => "Z",
        _ => return None,
    };
    format!("{}{missing}", text.replacen(' ', "T", 1))
        .parse()
        .ok()
}

/// Parses a share or probability from 0 to 1.
pub fn share(text: &str) -> Result<Probability, String> {
    let share = text.parse().ok().and_then(Probability::new);
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "must be a number".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_may_be_named_by_how_long_ago_it_was_or_by_its_day() {
        let now = "2026-11-24T15:51:54Z".parse().unwrap();
        for (text, named) in [
            ("2026-11-20T12:00:00+01:00", "2026-11-20T11:00:00Z"),
            ("1763640000", "2025-11-20T12:00:00Z"),
            ("now", "2026-11-24T15:51:54Z"),
            ("today", "2026-11-24T00:00:00Z"),
            ("yesterday", "2026-11-23T00:00:00Z"),
            ("2026-11-20", "2026-11-20T00:00:00Z"),
            ("2026-11-20 12:30", "2026-11-20T12:30:00Z"),
            ("2026-11-20T12:30", "2026-11-20T12:30:00Z"),
            ("2026-11-20 12:30:05", "2026-11-20T12:30:05Z"),
            ("2h", "2026-11-24T13:51:54Z"),
            ("90min", "2026-11-24T14:21:54Z"),
            ("3 days ago", "2026-11-21T15:51:54Z"),
            ("1w", "2026-11-17T15:51:54Z"),
            ("4000w", "1950-03-28T15:51:54Z"),
            ("999999999w", "0001-01-01T00:00:00Z"),
        ] {
            let found = moment_seen_from(now, text);
            assert_eq!(
                found.map(|at| at.to_string()),
                Ok(named.to_owned()),
                "{text}"
            );
        }
        for text in [
            "",
            "h",
            "2x",
            "-2h",
            "5M",
            "2h 3",
            "2026-13-01",
            "2026-11-20 25:00",
            "tomorrow",
            "ü",
            "２h",
        ] {
            let refused = moment_seen_from(now, text).unwrap_err();
            assert!(refused.contains("yesterday"), "{text}");
        }
        let milliseconds = moment_seen_from(now, "1763640000000").unwrap_err();
        assert!(milliseconds.contains("milliseconds"), "{milliseconds}");
    }
}
