//! Formats of figures and times on the public pages.

use crate::domain::Timestamp;

/// Formats a whole number with separated thousands.
pub(super) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Formats rating points with separated thousands and, if negative, a minus sign.
pub(super) fn points(points: i32) -> String {
    let sign = if points < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", count(points.unsigned_abs().into()))
}

/// Formats a rating change with its sign. The minus is U+2212.
pub(super) fn change(by: i32) -> String {
    let sign = if by > 0 { "+" } else { "" };
    format!("{sign}{}", points(by))
}

/// Formats a number with its noun, such as "1 round" or "2 rounds".
pub(super) fn plural(number: u64, one: &str) -> String {
    let end = if number == 1 { "" } else { "s" };
    format!("{} {one}{end}", count(number))
}

/// Formats a difference with its sign and one decimal.
pub(super) fn tenths(value: f64) -> String {
    let text = format!("{value:+.1}").replace('-', "\u{2212}");
    match text.as_str() {
        "+0.0" | "\u{2212}0.0" => "0.0".to_owned(),
        _ => text,
    }
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

/// Formats the share of other players whom a player beats. Rounds down, so that only a player who beats everybody gets
/// 100 %. From 99 % on, shows tenths.
pub(super) fn percent_below(share: f64) -> String {
    let tenths = (share * 1000.0 + 1e-9).floor();
    if (990.0..1000.0).contains(&tenths) {
        format!("{:.1} %", tenths / 10.0)
    } else {
        format!("{:.0} %", (tenths / 10.0).floor())
    }
}

/// Formats the date of a time, in UTC.
pub(super) fn day(moment: Timestamp) -> String {
    moment.to_string().chars().take(10).collect()
}

/// Formats date and minute of a time, in UTC.
pub(super) fn minute(moment: Timestamp) -> String {
    let text: String = moment.to_string().chars().take(16).collect();
    text.replace('T', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_thousands_and_signs() {
        assert_eq!(
            [0, 999, 1000, 1_234_567].map(count),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            [0, 12, 1010, -3, -2010].map(change),
            ["0", "+12", "+1,010", "\u{2212}3", "\u{2212}2,010"]
        );
        assert_eq!(
            [0.04, -0.04, 2.35, -1.0].map(tenths),
            ["0.0", "0.0", "+2.4", "\u{2212}1.0"]
        );
        assert_eq!(
            (plural(1, "round"), plural(2000, "round")),
            ("1 round".into(), "2,000 rounds".into())
        );
    }

    #[test]
    fn nobody_is_better_than_all_who_is_not() {
        let shares = [0.0, 0.876, 0.29, 0.9899, 0.9951, 0.99999, 1.0].map(percent_below);
        assert_eq!(
            shares,
            ["0 %", "87 %", "29 %", "98 %", "99.5 %", "99.9 %", "100 %"]
        );
    }

    #[test]
    fn moments_are_days_and_minutes() {
        let moment: Timestamp = "2026-11-20T07:05:09.25Z".parse().unwrap();
        assert_eq!(
            (day(moment), minute(moment)),
            ("2026-11-20".into(), "2026-11-20 07:05".into())
        );
    }
}
