use super::plural;
use crate::domain::Probability;
use crate::rating::win_probability;

/// Largest win probability at which a sentence calls the odds even, in tenths of a percent.
const STILL_EVEN: u32 = 510;

/// Describes the odds of two teams whose rating sums differ by `difference` points. `theta` is Θ, the scale that turns
/// points into odds. The favourite's odds come first.
pub(crate) fn odds(difference: u64, theta: f64) -> String {
    odds_of(favourite(difference, theta))
}

/// Describes the odds of two teams, the favourite's first. `for_a` is the win probability of team a.
pub(crate) fn odds_for(for_a: Probability) -> String {
    odds_of(for_a.get().max(for_a.complement().get()))
}

/// Describes the odds of two teams. `favourite` is the favourite's win probability, 0.5 to 1.
fn odds_of(favourite: f64) -> String {
    match tenths(favourite) {
        500 => "even odds".to_owned(),
        even @ ..=STILL_EVEN => format!("even odds ({})", percent(even)),
        1000.. => "odds beyond 99.9 %".to_owned(),
        uneven => format!("odds of {} to {}", percent(uneven), percent(1000 - uneven)),
    }
}

/// Cause for which the rating sums of a split's teams differ more than in the closest split.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// Unknown cause: the request has no wish, such as a party, that can raise the difference.
    Unasked,
    Wishes,
    /// Equal numbers of newcomers in both teams.
    Newcomers,
    /// Choice of an alternative split, which is not the closest one.
    Alternative,
}

/// Describes by how much the difference between a split's teams exceeds that of the closest split, in rating points
/// and, if noticeable, in the favourite's odds. `None` without an excess, or if the cause is [`Excess::Unasked`].
pub(crate) fn excess(cause: Excess, best: u64, difference: u64, theta: f64) -> Option<String> {
    let points = difference.checked_sub(best).filter(|points| *points > 0)?;
    let points = plural(points, "point", "points");
    let sentence = match cause {
        Excess::Unasked => return None,
        Excess::Wishes => format!("wishes cost {points}"),
        Excess::Newcomers => format!("sharing newcomers costs {points}"),
        Excess::Alternative => format!("{points} less even than the most even split"),
    };
    Some(
        match tenths(favourite(difference, theta) - favourite(best, theta)) {
            0 => sentence,
            odds => format!("{sentence} ({})", percent(odds)),
        },
    )
}

/// Returns the win probability of the team whose rating sum is `points` higher.
pub(crate) fn favourite(points: u64, theta: f64) -> f64 {
    win_probability(0_i64.saturating_add_unsigned(points), 0, theta).get()
}

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
            assert_eq!(odds(difference, THETA), expected, "{difference}");
        }
    }

    #[test]
    fn the_excess_is_in_points_and_odds() {
        let wishes = Excess::Wishes;
        let newcomers = "sharing newcomers costs 60 points (0.6 %)";
        let alternative = "60 points less even than the most even split (0.6 %)";
        for (cause, best, difference, expected) in [
            (wishes, 0, 0, None),
            (wishes, 7, 7, None),
            (wishes, 0, 1, Some("wishes cost 1 point")),
            (wishes, 2, 4, Some("wishes cost 2 points")),
            (wishes, 0, 60, Some("wishes cost 60 points (0.6 %)")),
            (wishes, 1000, 1060, Some("wishes cost 60 points (0.6 %)")),
            (wishes, 9000, 9600, Some("wishes cost 600 points (0.5 %)")),
            // A split without its anchor can be closer than the closest split with the anchor.
            (wishes, 60, 0, None),
            (Excess::Unasked, 0, 60, None),
            (Excess::Newcomers, 0, 60, Some(newcomers)),
            (Excess::Alternative, 0, 60, Some(alternative)),
        ] {
            let clause = excess(cause, best, difference, THETA);
            assert_eq!(clause.as_deref(), expected, "{cause:?} {best} {difference}");
        }
    }
}
