//! Figures and times in the form for people.

use std::fmt;
use std::time::Duration;

use indicatif::HumanDuration;

use crate::api::ProgressAnswer;
use crate::domain::{Progress, Timestamp};

/// Figure formatted for people, with a dash if missing. `{:#}` prints the plain value, and nothing if missing.
#[derive(Clone, Debug)]
pub struct Number {
    value: Option<f64>,
    shown: String,
}

impl Number {
    fn new(value: Option<f64>, shown: impl Fn(f64) -> String) -> Self {
        let shown = or_dash(value.map(shown));
        Self { value, shown }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if formatter.alternate() {
            formatter.pad(&or_nothing(self.value))
        } else {
            formatter.pad(&self.shown)
        }
    }
}

/// Formats a figure with `digits` decimals.
#[must_use]
pub fn number(value: Option<f64>, digits: usize) -> Number {
    Number::new(value, |value| format!("{value:.digits$}"))
}

/// Formats a figure with its sign and `digits` decimals.
pub(crate) fn signed(value: Option<f64>, digits: usize) -> Number {
    Number::new(value, |value| format!("{value:+.digits$}"))
}

/// Formats a share from 0 to 1 as a percentage.
pub(crate) fn percent(value: Option<f64>) -> Number {
    Number::new(value, |value| format!("{:.1} %", 100.0 * value))
}

pub(crate) fn or_nothing(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// Returns the completed share of the work, 0 to 1.
pub(crate) fn share(progress: Progress) -> f64 {
    float(progress.done) / float(progress.total).max(1.0)
}

pub(crate) fn progress_text(answer: &ProgressAnswer) -> String {
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
pub(crate) fn rate(count: u64, took: Duration) -> f64 {
    float(count) / took.as_secs_f64().max(1e-9)
}

#[expect(clippy::cast_precision_loss, reason = "figures for people to read")]
fn float(count: u64) -> f64 {
    count as f64
}

/// Formats a time to the second, in UTC.
pub(crate) fn moment(at: Timestamp) -> String {
    let text = at.to_string().replace('T', " ");
    text.chars().take(19).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_rounded_figures_and_programs_the_values() {
        for (figure, shown, plain) in [
            (number(None, 2), "-", ""),
            (number(Some(0.125), 2), "0.12", "0.125"),
            (signed(Some(0.5), 1), "+0.5", "0.5"),
            (percent(Some(0.512)), "51.2 %", "0.512"),
        ] {
            assert_eq!(
                (figure.to_string(), format!("{figure:#}")),
                (shown.into(), plain.into())
            );
        }
        let at = "2026-11-20T12:00:05.000001Z".parse().unwrap();
        assert_eq!(moment(at), "2026-11-20 12:00:05");
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
