//! Figures and times in the form for people.

use std::fmt;
use std::time::Duration;

use indicatif::HumanDuration;

use crate::api::ProgressAnswer;
use crate::domain::{Progress, Timestamp};

/// Figure formatted for people, with a dash if missing. `{:#}` prints the plain value, and nothing if missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Number {
    value: Option<f64>,
    form: Form,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Plain(usize),
    Signed(usize),
    Percent,
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (self.value, self.form) {
            (None, _) if formatter.alternate() => String::new(),
            (None, _) => "-".to_owned(),
            (Some(value), _) if formatter.alternate() => value.to_string(),
            (Some(value), Form::Plain(digits)) => format!("{value:.digits$}"),
            (Some(value), Form::Signed(digits)) => format!("{value:+.digits$}"),
            (Some(value), Form::Percent) => format!("{:.1} %", 100.0 * value),
        };
        formatter.pad(&text)
    }
}

/// Formats a figure with `digits` decimals.
#[must_use]
pub fn number(value: Option<f64>, digits: usize) -> Number {
    let form = Form::Plain(digits);
    Number { value, form }
}

/// Formats a figure with its sign and `digits` decimals.
#[must_use]
pub fn signed(value: Option<f64>, digits: usize) -> Number {
    let form = Form::Signed(digits);
    Number { value, form }
}

/// Formats a share from 0 to 1 as a percentage.
#[must_use]
pub fn percent(value: Option<f64>) -> Number {
    let form = Form::Percent;
    Number { value, form }
}

/// Formats an optional table cell: the value as text, or an empty text for `None`.
#[must_use]
pub fn or_nothing(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// Returns the value as text, or a dash if missing.
#[must_use]
pub fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Returns the completed share of the work, 0 to 1.
#[must_use]
pub fn share(progress: Progress) -> f64 {
    float(progress.done) / float(progress.total).max(1.0)
}

/// Describes the progress of a rebuild and the estimated remaining time.
#[must_use]
pub fn progress_text(answer: &ProgressAnswer) -> String {
    let (done, total) = (answer.done, answer.total);
    let share = percent(Some(share(Progress { done, total })));
    match answer.remaining_seconds {
        Some(seconds) => {
            let left = HumanDuration(Duration::from_secs(seconds.into()));
            format!("{share} computed, about {left} to go")
        }
        None => format!("{share} computed"),
    }
}

/// Returns the number of items per second.
#[must_use]
pub fn rate(count: u64, took: Duration) -> f64 {
    float(count) / took.as_secs_f64().max(1e-9)
}

/// Converts a count to a float for printing. Exact below 2^53.
#[expect(clippy::cast_precision_loss, reason = "figures for people to read")]
#[must_use]
pub fn float(count: u64) -> f64 {
    count as f64
}

/// Formats a time to the second, in UTC.
#[must_use]
pub fn moment(at: Timestamp) -> String {
    let text = at.to_string().replace('T', " ");
    text.chars().take(19).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!(number(None, 2).to_string(), "-");
        assert_eq!(number(Some(0.125), 2).to_string(), "0.12");
        assert_eq!(signed(Some(0.5), 1).to_string(), "+0.5");
        assert_eq!(percent(Some(0.512)).to_string(), "51.2 %");
        let at = "2026-11-20T12:00:05.000001Z".parse().unwrap();
        assert_eq!(moment(at), "2026-11-20 12:00:05");
    }

    #[test]
    fn programs_get_the_value_itself() {
        assert_eq!(format!("{:#}", percent(Some(0.125))), "0.125");
        assert_eq!(format!("{:#}", signed(Some(0.125), 1)), "0.125");
        assert_eq!(format!("{:#}", number(None, 2)), "");
    }

    #[test]
    fn what_takes_long_says_how_long_it_may_take_as_soon_as_that_is_known() {
        let at = |seconds| Timestamp::from_unix_seconds(seconds).unwrap();
        let text = |done| {
            let progress = Progress { done, total: 200 };
            progress_text(&ProgressAnswer::new(progress, at(0), at(15)))
        };
        assert_eq!(text(0), "0.0 % computed");
        assert_eq!(text(50), "25.0 % computed, about 45 seconds to go");
    }
}
