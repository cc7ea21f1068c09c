use crate::domain::Rating;
use crate::rating::RatingCount;

/// How the ratings of a pool are spread, in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// The lowest.
    pub min: f64,
    /// A tenth of the players lie below.
    pub p10: f64,
    /// Half of the players lie below.
    pub median: f64,
    /// Nine tenths of the players lie below.
    pub p90: f64,
    /// The highest.
    pub max: f64,
    /// The mean.
    pub mean: f64,
    /// The population standard deviation.
    pub deviation: f64,
}

/// The spread of `counts`: how many players have each rating, ratings ascending and each once.
/// `None` without players. Between two players a percentile is interpolated linearly.
#[must_use]
pub fn distribution(counts: &[RatingCount]) -> Option<Distribution> {
    let players: u64 = counts.iter().map(|count| count.players).sum();
    let (lowest, highest) = (counts.first()?.rating, counts.last()?.rating);
    if players == 0 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "players number far below 2^53")]
    let number = |count: u64| count as f64;
    let points = |rating: Rating| f64::from(rating.points());

    let nth = |rank: u64| {
        let mut passed = 0;
        let found = counts.iter().find(|count| {
            passed += count.players;
            passed > rank
        });
        points(found.map_or(highest, |count| count.rating))
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

    let weighted = |value: fn(f64) -> f64| -> f64 {
        counts
            .iter()
            .map(|count| value(points(count.rating)) * number(count.players))
            .sum()
    };
    let mean = weighted(|rating| rating) / number(players);
    let variance: f64 = counts
        .iter()
        .map(|count| (points(count.rating) - mean).powi(2) * number(count.players))
        .sum::<f64>()
        / number(players);
    Some(Distribution {
        min: points(lowest),
        p10: percentile(0.1),
        median: percentile(0.5),
        p90: percentile(0.9),
        max: points(highest),
        mean,
        deviation: variance.sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(pairs: &[(i32, u64)]) -> Vec<RatingCount> {
        let count = |(points, players): &(i32, u64)| RatingCount {
            rating: Rating::new(*points).unwrap(),
            players: *players,
            hidden: 0,
        };
        pairs.iter().map(count).collect()
    }

    #[test]
    fn nobody_has_no_distribution() {
        assert_eq!(distribution(&[]), None);
        assert_eq!(distribution(&counts(&[(1000, 0)])), None);
    }

    #[test]
    fn percentiles_lie_between_the_players_they_part() {
        let spread = distribution(&counts(&[(100, 1), (200, 2), (400, 1)])).unwrap();
        assert_eq!((spread.min, spread.max), (100.0, 400.0));
        assert_eq!(spread.median, 200.0);
        assert!((spread.p10 - 130.0).abs() < 1e-9);
        assert!((spread.p90 - 340.0).abs() < 1e-9);
        assert_eq!(spread.mean, 225.0);
        assert!((spread.deviation - 11_875.0_f64.sqrt()).abs() < 1e-9);
        let one = distribution(&counts(&[(1000, 1)])).unwrap();
        assert_eq!(
            (one.p10, one.median, one.p90, one.deviation),
            (1000.0, 1000.0, 1000.0, 0.0)
        );
    }
}
