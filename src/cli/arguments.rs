//! Values on the command line that are read more kindly than by default.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::domain::{InvalidTimestamp, Probability, Timestamp};

/// A whole number of that range.
pub(super) fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
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

/// A moment: RFC 3339, or whole unix seconds.
pub(super) fn moment(text: &str) -> Result<Timestamp, String> {
    Timestamp::from_text(text).map_err(|error| match error {
        InvalidTimestamp::NoTime => {
            "must be a time such as 2026-11-20T12:00:00Z, or unix seconds".to_owned()
        }
        unit @ InvalidTimestamp::Unit { .. } => unit.to_string(),
    })
}

/// A share of something.
pub(super) fn share(text: &str) -> Result<Probability, String> {
    let share = text.parse().ok().and_then(Probability::new);
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

/// A number.
pub(super) fn number(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "must be a number".to_owned())
}
