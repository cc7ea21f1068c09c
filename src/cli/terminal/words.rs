//! Formats counts ("2 rounds"), ages ("3 min ago") and quoted shell words for the output of commands.

use crate::domain::Timestamp;

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const MONTHS_FROM: u64 = 60 * DAY;
const MONTH: u64 = 30 * DAY;
const YEARS_FROM: u64 = 2 * YEAR;
const YEAR: u64 = 365 * DAY;

/// Formats a count with a noun: "1 round", "2 rounds".
#[must_use]
pub fn plural(count: u64, one: &str) -> String {
    plural_of(count, one, &format!("{one}s"))
}

/// Formats a count with an irregular noun: "1 entry", "2 entries".
pub(crate) fn plural_of(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Describes the time from `at` to `now`, such as "3 min ago", or "in 3 min" for a future time.
pub(crate) fn ago(at: Timestamp, now: Timestamp) -> String {
    let seconds = now.whole_seconds_since(at);
    let length = match seconds.unsigned_abs() {
        0..MINUTE => return "just now".to_owned(),
        length @ MINUTE..HOUR => format!("{} min", length / MINUTE),
        length @ HOUR..DAY => format!("{} h", length / HOUR),
        length @ DAY..MONTHS_FROM => plural(length / DAY, "day"),
        length @ MONTHS_FROM..YEARS_FROM => plural(length / MONTH, "month"),
        length => plural(length / YEAR, "year"),
    };
    if seconds < 0 {
        format!("in {length}")
    } else {
        format!("{length} ago")
    }
}

/// Quotes a text as one word for a shell, if needed.
pub(crate) fn shell_word(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:,/+@%".contains(&byte);
    if !text.is_empty() && text.bytes().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_stands_alone() {
        assert_eq!(plural(0, "round"), "0 rounds");
        assert_eq!(plural(1, "round"), "1 round");
        assert_eq!(plural_of(2, "entry", "entries"), "2 entries");
    }

    #[test]
    fn how_long_ago_is_said_in_one_unit() {
        let at = |seconds: i64| Timestamp::from_unix_seconds(1_763_640_000 + seconds).unwrap();
        for (seconds, said) in [
            (0, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (3_599, "59 min ago"),
            (7_200, "2 h ago"),
            (86_400, "1 day ago"),
            (59 * 86_400, "59 days ago"),
            (61 * 86_400, "2 months ago"),
            (800 * 86_400, "2 years ago"),
            (-30, "just now"),
            (-180, "in 3 min"),
        ] {
            assert_eq!(ago(at(0), at(seconds)), said, "{seconds}");
        }
    }

    #[test]
    fn what_means_something_to_a_shell_is_quoted() {
        for (text, word) in [
            ("1763640000.17", "1763640000.17"),
            ("1.a;reboot", "'1.a;reboot'"),
            ("1.it's", r"'1.it'\''s'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(text), word);
        }
    }
}
