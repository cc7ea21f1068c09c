use crate::rating::win_probability;

/// Up to here, in tenths of a percent, odds are called even.
const STILL_EVEN: u32 = 510;

/// The odds of two teams whose sums differ by `difference`, at Θ = `theta`, in words; the better
/// team's first.
pub(super) fn say_odds(difference: u64, theta: f64) -> String {
    match tenths(favourite(difference, theta)) {
        500 => "even odds".to_owned(),
        even @ ..=STILL_EVEN => format!("even odds ({})", percent(even)),
        1000.. => "odds beyond 99.9 %".to_owned(),
        uneven => format!("odds of {} to {}", percent(uneven), percent(1000 - uneven)),
    }
}

/// What wishes cost that made `difference` out of the least one, `best`: in points and, where it
/// shows, in the favourite's odds. Nothing where they cost nothing.
pub(super) fn say_price(best: u64, difference: u64, theta: f64) -> Option<String> {
    let points = match difference.saturating_sub(best) {
        0 => return None,
        1 => "wishes cost 1 point".to_owned(),
        points => format!("wishes cost {points} points"),
    };
    Some(
        match tenths(favourite(difference, theta) - favourite(best, theta)) {
            0 => points,
            odds => format!("{points} ({})", percent(odds)),
        },
    )
}

/// The win probability of the team that is `points` ahead.
fn favourite(points: u64, theta: f64) -> f64 {
    win_probability(0_i64.saturating_add_unsigned(points), 0, theta).get()
}

/// A share in tenths of a percent.
fn tenths(share: f64) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share is 0 to 1"
    )]
    let tenths = (share * 1000.0).round() as u32;
    tenths
}

fn percent(tenths: u32) -> String {
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    const THETA: f64 = 2400.0;

    #[test]
    fn odds_are_even_or_those_of_both_teams() {
        for (difference, expected) in [
            (0, "even odds"),
            (4, "even odds"),
            (5, "even odds (50.1 %)"),
            (100, "even odds (51.0 %)"),
            (105, "odds of 51.1 % to 48.9 %"),
            (2400, "odds of 73.1 % to 26.9 %"),
            (18_000, "odds of 99.9 % to 0.1 %"),
            (20_000, "odds beyond 99.9 %"),
            (u64::MAX, "odds beyond 99.9 %"),
        ] {
            assert_eq!(say_odds(difference, THETA), expected, "{difference}");
        }
    }

    #[test]
    fn the_price_is_what_lies_above_the_closest() {
        for (best, difference, expected) in [
            (0, 0, None),
            (7, 7, None),
            (0, 1, Some("wishes cost 1 point")),
            (2, 4, Some("wishes cost 2 points")),
            (0, 60, Some("wishes cost 60 points (0.6 %)")),
            (1000, 1060, Some("wishes cost 60 points (0.6 %)")),
            (9000, 9600, Some("wishes cost 600 points (0.5 %)")),
            // Without its anchor a split can be closer than the closest with it.
            (60, 0, None),
        ] {
            assert_eq!(say_price(best, difference, THETA).as_deref(), expected);
        }
    }
}
