//! Figures and moments as people read them.

use std::time::Duration;

use crate::domain::{Progress, Timestamp};

/// A figure, or a dash where there is none.
pub(crate) fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// The same with its sign.
pub(crate) fn signed(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:+.digits$}"))
}

/// A share in percent.
pub(crate) fn percent(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{:.1} %", 100.0 * value))
}

/// Which part is done, 0 to 1.
pub(crate) fn share(progress: Progress) -> f64 {
    float(progress.done) / float(progress.total).max(1.0)
}

/// How many a second.
pub(crate) fn rate(count: u64, took: Duration) -> f64 {
    float(count) / took.as_secs_f64().max(1e-9)
}

/// A count as people read it.
#[expect(clippy::cast_precision_loss, reason = "figures for people to read")]
pub(crate) fn float(count: u64) -> f64 {
    count as f64
}

/// A moment to the second, in UTC.
pub(crate) fn moment(at: Timestamp) -> String {
    let text = at.to_string().replace('T', " ");
    text.chars().take(19).collect()
}

/// A moment to the minute, in UTC.
pub(crate) fn minute(at: Timestamp) -> String {
    moment(at).chars().take(16).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_a_dash() {
        assert_eq!(number(None, 2), "-");
        assert_eq!(number(Some(0.125), 2), "0.12");
        assert_eq!(signed(Some(0.5), 1), "+0.5");
        assert_eq!(percent(Some(0.512)), "51.2 %");
        let at = "2026-11-20T12:00:05.000001Z".parse().unwrap();
        assert_eq!(moment(at), "2026-11-20 12:00:05");
        assert_eq!(minute(at), "2026-11-20 12:00");
    }
}
