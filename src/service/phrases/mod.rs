//! Sentences in answers of the HTTP API, for game chat and console.

pub(crate) mod balance;
mod clauses;
pub(crate) mod learnt;
pub(crate) mod live;
pub(crate) mod matches;
pub(crate) mod models;
pub(crate) mod odds;
pub(crate) mod split;
pub(crate) mod teams;

use std::fmt::Display;
use std::time::Duration;

/// Maximum length of a sentence in characters: about one line of a game's chat.
const MAX_LENGTH: usize = 120;

/// Formats a count with the words for one or for several: "1 player waits", "2 players wait".
pub(crate) fn plural<Count: Copy + Display + PartialEq + From<u8>>(
    count: Count,
    one: &str,
    several: &str,
) -> String {
    let words = if count == Count::from(1) {
        one
    } else {
        several
    };
    format!("{count} {words}")
}

/// Formats a duration in its two largest units: "1 day 2 hours".
pub(crate) fn duration(duration: Duration) -> String {
    let mut rest = duration.as_secs();
    let units = [
        (365 * 86_400, "year", "years"),
        (86_400, "day", "days"),
        (3_600, "hour", "hours"),
        (60, "minute", "minutes"),
        (1, "second", "seconds"),
    ];
    let counted = units
        .map(|(seconds, one, several)| {
            let count = rest / seconds;
            rest %= seconds;
            (count, plural(count, one, several))
        })
        .into_iter()
        .skip_while(|(count, _)| *count == 0);
    let largest = counted.take(2).filter(|(count, _)| *count > 0);
    let words: Vec<String> = largest.map(|(_, words)| words).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_has_its_two_largest_units() {
        for (seconds, words) in [
            (61, "1 minute 1 second"),
            (3_600, "1 hour"),
            (3_605, "1 hour"),
            (93_599, "1 day 1 hour"),
            (252_460_800_000, "8005 years 175 days"),
        ] {
            assert_eq!(duration(Duration::from_secs(seconds)), words);
        }
    }
}
