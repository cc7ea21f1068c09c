use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::number;
use crate::domain::Rating;
use crate::rating::RatingCount;

/// Distribution of the players' ratings, in points. Without players all figures are null.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = RatingsAnswer)]
pub struct Distribution {
    /// Lowest rating of all players, in points.
    pub min: Option<f64>,
    /// Tenth percentile of all players' ratings, in points.
    pub p10: Option<f64>,
    /// Median of all players' ratings, in points.
    pub median: Option<f64>,
    /// Ninetieth percentile of all players' ratings, in points.
    pub p90: Option<f64>,
    /// Highest rating of all players, in points.
    pub max: Option<f64>,
    /// Mean of all players' ratings, in points.
    pub mean: Option<f64>,
    /// Population standard deviation of all players' ratings, in points.
    pub sd: Option<f64>,
}

/// Computes the distribution of ratings from `counts`, the number of players with each rating, by ascending rating
/// without repetitions. All figures are `None` without players. Percentiles between two players are interpolated
/// linearly.
#[must_use]
pub fn distribution(counts: &[RatingCount]) -> Distribution {
    let players: u64 = counts.iter().map(|count| count.players).sum();
    let (Some(first), Some(last), 1..) = (counts.first(), counts.last(), players) else {
        return Distribution::default();
    };
    let points = |rating: Rating| f64::from(rating.points());

    let nth = |rank: u64| {
        let mut passed = 0;
        let found = counts.iter().find(|count| {
            passed += count.players;
            passed > rank
        });
        points(found.map_or(last.rating, |count| count.rating))
    };
    let percentile = |share: f64| {
        let place = share * number(players - 1);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to the number of players"
        )]
        let below = place.floor() as u64;
        let (low, high) = (nth(below), nth(below + 1));
        low + (high - low) * (place - place.floor())
    };

    let mean_of = |value: &dyn Fn(f64) -> f64| {
        let all = counts.iter();
        let weighted = all.map(|count| value(points(count.rating)) * number(count.players));
        weighted.sum::<f64>() / number(players)
    };
    let mean = mean_of(&|rating| rating);
    let variance = mean_of(&|rating| (rating - mean).powi(2));
    Distribution {
        min: Some(points(first.rating)),
        p10: Some(percentile(0.1)),
        median: Some(percentile(0.5)),
        p90: Some(percentile(0.9)),
        max: Some(points(last.rating)),
        mean: Some(mean),
        sd: Some(variance.sqrt()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_lie_between_the_players_they_part() {
        let counts = [(100, 1), (200, 2), (400, 1)].map(|(points, players)| RatingCount {
            rating: Rating::new(points).unwrap(),
            players,
            hidden: 0,
        });
        let spread = distribution(&counts);
        assert_eq!((spread.min, spread.max), (Some(100.0), Some(400.0)));
        assert_eq!((spread.median, spread.mean), (Some(200.0), Some(225.0)));
        assert!((spread.p10.unwrap() - 130.0).abs() < 1e-9);
        assert!((spread.p90.unwrap() - 340.0).abs() < 1e-9);
        assert!((spread.sd.unwrap() - 11_875.0_f64.sqrt()).abs() < 1e-9);
        let one = distribution(&counts[..1]);
        let only = Some(100.0);
        assert_eq!((one.p10, one.median, one.p90), (only, only, only));
        assert_eq!(one.sd, Some(0.0));
    }
}
