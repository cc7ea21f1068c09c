/// A regular expression for the whole numbers from `least` to `most`, without leading zeros.
#[must_use]
pub(crate) fn whole_number_pattern(least: u64, most: u64) -> String {
    let mut parts = Vec::new();
    let mut from = least;
    while from <= most {
        // The last number with as many digits.
        let digits = from.to_string().len();
        let longest = "9".repeat(digits).parse().unwrap_or(u64::MAX);
        let until = most.min(longest);
        parts.extend(of_one_length(&from.to_string(), &until.to_string()));
        let Some(next) = until.checked_add(1) else {
            break;
        };
        from = next;
    }
    parts.join("|")
}

/// The numbers from `from` to `until`, which have as many digits.
fn of_one_length(from: &str, until: &str) -> Vec<String> {
    let (Some(first), Some(last)) = (from.chars().next(), until.chars().next()) else {
        return vec![String::new()];
    };
    let (low, high) = (&from[1..], &until[1..]);
    let rest = low.len();
    let lowest = low.chars().all(|digit| digit == '0');
    let highest = high.chars().all(|digit| digit == '9');
    if first == last && !(lowest && highest) {
        let after = of_one_length(low, high);
        return after
            .into_iter()
            .map(|part| format!("{first}{part}"))
            .collect();
    }
    let mut parts = Vec::new();
    let mut begin = first;
    let mut end = last;
    if !lowest {
        let after = of_one_length(low, &"9".repeat(rest));
        parts.extend(after.into_iter().map(|part| format!("{first}{part}")));
        begin = next(first);
    }
    if !highest {
        end = before(last);
    }
    if begin <= end {
        let one = if begin == end {
            begin.to_string()
        } else {
            format!("[{begin}-{end}]")
        };
        parts.push(match rest {
            0 => one,
            1 => format!("{one}[0-9]"),
            _ => format!("{one}[0-9]{{{rest}}}"),
        });
    }
    if !highest {
        let after = of_one_length(&"0".repeat(rest), high);
        parts.extend(after.into_iter().map(|part| format!("{last}{part}")));
    }
    parts
}

fn next(digit: char) -> char {
    char::from_u32(u32::from(digit) + 1).unwrap_or(digit)
}

fn before(digit: char) -> char {
    char::from_u32(u32::from(digit) - 1).unwrap_or(digit)
}

#[cfg(test)]
mod tests {
    use super::whole_number_pattern;

    /// Whether `number` fits one of the patterns: digits and classes, each perhaps repeated.
    fn fits(pattern: &str, number: u64) -> bool {
        pattern.split('|').any(|part| {
            let text = number.to_string();
            let mut digits = text.bytes();
            let mut rest = part;
            while !rest.is_empty() {
                let (class, behind) = match rest.strip_prefix('[') {
                    Some(inside) => inside.split_once(']').expect("a class ends"),
                    None => rest.split_at(1),
                };
                let (count, behind) = match behind.strip_prefix('{') {
                    Some(inside) => inside.split_once('}').expect("a count ends"),
                    None => ("1", behind),
                };
                let (low, high) = (class.as_bytes()[0], class.as_bytes()[class.len() - 1]);
                for _ in 0..count.parse().expect("a number") {
                    if !digits
                        .next()
                        .is_some_and(|digit| (low..=high).contains(&digit))
                    {
                        return false;
                    }
                }
                rest = behind;
            }
            digits.next().is_none()
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
