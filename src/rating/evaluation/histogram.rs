use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::number;
use crate::domain::Rating;

/// Minimum width of a histogram bin in rating points. Wider bins are multiples of this width.
const NARROWEST: i32 = 50;
/// Maximum number of bins of a histogram of players' ratings.
const MAX: usize = 60;

/// Number of players who share the same rating, in whole points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatingCount {
    /// Exact rating of each of the counted players, in whole points.
    pub rating: Rating,
    /// Number of the pool's players whose rating is exactly `rating`.
    pub players: u64,
    /// Number of players with this rating whose rating is hidden, during their first `shadow_rounds` rounds.
    pub hidden: u64,
}

/// Number of players whose ratings lie in one bin of a histogram.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = HistogramAnswer)]
pub struct HistogramBin {
    /// Lowest rating in this bin of the histogram, in points.
    pub from: i32,
    /// Lowest rating in the next bin of the histogram, in points.
    pub to: i32,
    /// Number of players in this range of ratings whose rating is hidden, during their first `shadow_rounds` rounds.
    pub hidden: u64,
    /// Number of players in this range of ratings whose rating is visible, after their first `shadow_rounds` rounds.
    pub visible: u64,
}

/// Returns the histogram of ratings from `counts`, which must ascend by rating. Without players it is empty.
///
/// The bins are adjacent and equally wide. Their width is 50 points, or the smallest multiple of 50 with at most 60
/// bins.
#[must_use]
pub fn histogram(counts: &[RatingCount]) -> Vec<HistogramBin> {
    let (Some(first), Some(last)) = (counts.first(), counts.last()) else {
        return Vec::new();
    };
    let (lowest, highest) = (first.rating.points(), last.rating.points());
    let mut width = NARROWEST;
    let bins = |width: i32| {
        let bins = highest / width - lowest / width + 1;
        usize::try_from(bins).unwrap_or(0)
    };
    while bins(width) > MAX {
        width += NARROWEST;
    }
    let start = lowest / width * width;
    let mut histogram: Vec<HistogramBin> = (start..=highest)
        .step_by(usize::try_from(width).unwrap_or(1))
        .map(|from| HistogramBin {
            from,
            to: from + width,
            hidden: 0,
            visible: 0,
        })
        .collect();
    for count in counts {
        let index = usize::try_from((count.rating.points() - start) / width);
        if let Some(bin) = index.ok().and_then(|index| histogram.get_mut(index)) {
            bin.hidden += count.hidden;
            bin.visible += count.players.saturating_sub(count.hidden);
        }
    }
    histogram
}

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
    use proptest::prelude::*;

    use super::*;

    fn count(points: i32, players: u64, hidden: u64) -> RatingCount {
        RatingCount {
            rating: Rating::new(points).unwrap(),
            players,
            hidden,
        }
    }

    #[test]
    fn bins_without_players_stand_between_those_with() {
        assert_eq!(histogram(&[]), []);
        let bin = |from, hidden, visible| HistogramBin {
            from,
            to: from + 50,
            hidden,
            visible,
        };
        let counts = [(999, 1, 1), (1000, 5, 2), (1049, 1, 0), (1100, 1, 1)]
            .map(|(points, players, hidden)| count(points, players, hidden));
        let bins = [(950, 1, 0), (1000, 2, 4), (1050, 0, 0), (1100, 1, 0)]
            .map(|(from, hidden, visible)| bin(from, hidden, visible));
        assert_eq!(histogram(&counts), bins);
    }

    #[test]
    fn percentiles_lie_between_the_players_they_part() {
        let counts =
            [(100, 1), (200, 2), (400, 1)].map(|(points, players)| count(points, players, 0));
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

    proptest! {
        #[test]
        fn everybody_is_in_one_of_sixty_bins(
            ratings in prop::collection::btree_set(0..=1_000_000_i32, 1..40),
        ) {
            let counts: Vec<RatingCount> =
                ratings.iter().map(|points| count(*points, 3, 1)).collect();
            let bins = histogram(&counts);
            prop_assert!(bins.len() <= 60);
            prop_assert!(bins.windows(2).all(|pair| pair[0].to == pair[1].from));
            let players: u64 = bins.iter().map(|bin| bin.hidden + bin.visible).sum();
            prop_assert_eq!(players, 3 * counts.len() as u64);
            prop_assert!(bins[0].hidden > 0 && bins[bins.len() - 1].hidden > 0);
        }
    }
}
