/// Returns a regular expression for the whole numbers from `least` to `most`, without leading zeros.
#[must_use]
pub(crate) fn whole_number_pattern(least: u64, most: u64) -> String {
    let (mut from, end) = (u128::from(least), u128::from(most) + 1);
    let mut parts = Vec::new();
    while from < end {
        // Find the largest block of numbers that starts at `from` and leaves the last `open` digits free.
        let (mut open, mut step) = (0, 1);
        while from > 0 && from.is_multiple_of(step * 10) && from + step * 10 <= end {
            (open, step) = (open + 1, step * 10);
        }
        // Cover several such blocks by a range of the digit before the free ones.
        let low = from / step;
        let high = (low / 10 * 10 + 9).min(end / step - 1);
        let fixed = match low / 10 {
            0 => String::new(),
            fixed => fixed.to_string(),
        };
        let digit = if low == high {
            (low % 10).to_string()
        } else {
            format!("[{}-{}]", low % 10, high % 10)
        };
        let rest = match open {
            0 => String::new(),
            1 => "[0-9]".to_owned(),
            _ => format!("[0-9]{{{open}}}"),
        };
        parts.push(fixed + &digit + &rest);
        from = (high + 1) * step;
    }
    parts.join("|")
}

#[cfg(test)]
mod tests {
    use super::whole_number_pattern;

    /// Returns `true` if `number` matches one of the pattern's alternatives, which consist of digits and classes with
    /// repeats.
    fn fits(pattern: &str, number: u64) -> bool {
        let digits = number.to_string();
        pattern.split('|').any(|part| {
            let part = (2..20).fold(part.to_owned(), |part, count| {
                part.replace(&format!("[0-9]{{{count}}}"), &"[0-9]".repeat(count))
            });
            // Text outside of brackets consists of digits; text inside is a range like `2-7`.
            let bounds: Vec<(u8, u8)> = part
                .split(['[', ']'])
                .flat_map(|text| match text.as_bytes() {
                    [low, b'-', high] => vec![(*low, *high)],
                    digits => digits.iter().map(|digit| (*digit, *digit)).collect(),
                })
                .collect();
            let mut places = digits.bytes().zip(&bounds);
            digits.len() == bounds.len()
                && places.all(|(digit, (low, high))| (low..=high).contains(&&digit))
        })
    }

    #[test]
    fn exactly_the_numbers_of_the_range_fit() {
        for (least, most) in [
            (0, 0),
            (1, 9),
            (7, 23),
            (0, 999),
            (10, 109),
            (123, 1245),
            (5, 5),
        ] {
            let pattern = whole_number_pattern(least, most);
            for number in 0..2000 {
                let wanted = (least..=most).contains(&number);
                assert_eq!(fits(&pattern, number), wanted, "{number}: {pattern}");
            }
        }
        let (least, most) = (76_561_197_960_265_729, 76_561_202_255_233_023);
        let pattern = whole_number_pattern(least, most);
        for number in [least, least + 1, 76_561_200_000_000_000, most - 1, most] {
            assert!(fits(&pattern, number), "{number}: {pattern}");
        }
        for number in [least - 1, most + 1, 0, u64::MAX] {
            assert!(!fits(&pattern, number), "{number}: {pattern}");
        }
        assert!(fits(&whole_number_pattern(1, u64::MAX), u64::MAX));
    }
}
