use std::cmp::Reverse;

use serde::Serialize;

use crate::domain::{PlayerId, Rating};

/// A player's current rating, and the rating under an alternative: another model, other settings or a changed log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MovedRating {
    /// Identifier of the player.
    pub id: PlayerId,
    /// Current rating of the player, in points.
    pub is: Rating,
    /// Rating that the player would have under the other model, settings or log, in points.
    pub would_be: Rating,
}

/// Comparison of players' current ratings with their ratings under an alternative model, setting or log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatingComparison {
    /// Number of players whose rating under the alternative model, settings or log differs from their current rating.
    pub moved: u64,
    /// Sum of the absolute differences between the current and alternative ratings of all players, in points.
    pub points: u64,
    /// Number of compared players whose rating is visible, past the shadow period.
    pub shown: u64,
    /// Spearman's rank correlation of current ratings with ratings under the other model, settings or log, -1 to 1.
    /// Only players with a visible rating count. `None` for fewer than two such players, or if all have the same
    /// rating.
    pub rank_correlation: Option<f64>,
    /// Players, up to ten, whose current and alternative ratings differ most. Visible ratings come first, then larger
    /// differences.
    pub largest: Vec<MovedRating>,
}

impl MovedRating {
    fn points(&self) -> u32 {
        self.would_be.points().abs_diff(self.is.points())
    }
}

impl RatingComparison {
    const MAX_NAMED: usize = 10;

    /// Compares players' current ratings with their ratings under another model, settings or log. Each item has a
    /// player's two ratings, and `true` if the rating is visible.
    #[must_use]
    pub fn of(mut ratings: Vec<(MovedRating, bool)>) -> Self {
        let shown: Vec<(i32, i32)> = ratings
            .iter()
            .filter(|(_, is_shown)| *is_shown)
            .map(|(change, _)| (change.is.points(), change.would_be.points()))
            .collect();
        ratings.retain(|(change, _)| change.is != change.would_be);
        ratings.sort_unstable_by_key(|(change, is_shown)| {
            (Reverse(*is_shown), Reverse(change.points()), change.id)
        });
        let changes = ratings.iter().map(|(change, _)| change);
        Self {
            moved: ratings.len() as u64,
            points: changes
                .clone()
                .map(|change| u64::from(change.points()))
                .sum(),
            shown: shown.len() as u64,
            rank_correlation: rank_correlation(&shown),
            largest: changes.take(Self::MAX_NAMED).copied().collect(),
        }
    }
}

/// Returns Spearman's rank correlation of pairs of numbers, -1 to 1. Equal numbers share the mean of their ranks.
/// Returns `None` for fewer than two pairs, or if all numbers of one side are equal.
fn rank_correlation(pairs: &[(i32, i32)]) -> Option<f64> {
    let (one, other): (Vec<i32>, Vec<i32>) = pairs.iter().copied().unzip();
    let (one, other) = (ranks(&one), ranks(&other));
    let middle = super::mean(one.iter().sum(), one.len() as u64)?;
    let products = |left: &[f64], right: &[f64]| -> f64 {
        let pairs = left.iter().zip(right);
        pairs
            .map(|(left, right)| (left - middle) * (right - middle))
            .sum()
    };
    let spread = (products(&one, &one) * products(&other, &other)).sqrt();
    (spread > 0.0).then(|| products(&one, &other) / spread)
}

/// Returns the rank of each number, from 1. Equal numbers share the mean of their ranks.
fn ranks(numbers: &[i32]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_unstable();
    let rank = |number: &i32| {
        let below = sorted.partition_point(|other| other < number);
        let up_to = sorted.partition_point(|other| other <= number);
        #[expect(clippy::cast_precision_loss, reason = "a rank is far below 2^53")]
        let mean = (below + 1 + up_to) as f64 / 2.0;
        mean
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_changes_of_those_who_are_shown_come_first() {
        let change = |number: u64, is: i32, would_be: i32| MovedRating {
            id: PlayerId::from_steam_id64(76_561_197_960_265_728 + number).unwrap(),
            is: Rating::new(is).unwrap(),
            would_be: Rating::new(would_be).unwrap(),
        };
        let (still, up, down) = (
            change(1, 900, 900),
            change(2, 900, 903),
            change(3, 800, 750),
        );
        let hidden = change(4, 1000, 1400);
        let found = RatingComparison::of(vec![
            (still, true),
            (up, true),
            (hidden, false),
            (down, true),
        ]);
        assert_eq!(found.largest, [down, up, hidden]);
        assert_eq!((found.moved, found.points, found.shown), (3, 453, 3));
    }

    #[test]
    fn the_order_counts_and_equals_share_their_ranks() {
        let correlation = |pairs: &[(i32, i32)]| {
            let found = rank_correlation(pairs);
            found.map(|correlation| (correlation * 1e4).round() / 1e4)
        };
        assert_eq!(correlation(&[(1, 10), (2, 500), (3, 501)]), Some(1.0));
        assert_eq!(correlation(&[(1, 3), (2, 2), (3, 1)]), Some(-1.0));
        // Ranks 1, 2.5, 2.5, 4 against 1, 2, 3, 4: 4.5 / √(4.5 · 5).
        assert_eq!(correlation(&[(1, 1), (2, 2), (2, 3), (3, 4)]), Some(0.9487));
        assert_eq!(correlation(&[(1, 1), (1, 2)]), None);
        assert_eq!(correlation(&[(1, 1)]), None);
        assert_eq!(correlation(&[]), None);
    }
}
