use std::ops::RangeInclusive;

/// Maximum distance of a usual rating from the median, in robust standard deviations.
const USUAL_DEVIATIONS: f64 = 6.0;

/// Returns the range of ratings that are not outliers: [`USUAL_DEVIATIONS`] around the median. The standard deviation
/// is estimated from the median absolute deviation, or from the mean absolute deviation if the median is 0 (Iglewicz
/// and Hoaglin, 1993).
pub(super) fn usual(ratings: &[f64]) -> RangeInclusive<f64> {
    let Some(middle) = median(ratings.to_vec()) else {
        return f64::NEG_INFINITY..=f64::INFINITY;
    };
    let deviations: Vec<f64> = ratings.iter().map(|one| (one - middle).abs()).collect();
    let mean = mean_of(&deviations);
    let spread = match median(deviations) {
        Some(deviation) if deviation > 0.0 => 1.4826 * deviation,
        _ => 1.2533 * mean,
    };
    let reach = USUAL_DEVIATIONS * spread;
    middle - reach..=middle + reach
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let upper = *numbers.get(numbers.len() / 2)?;
    let lower = *numbers.get(numbers.len().saturating_sub(1) / 2)?;
    Some(f64::midpoint(lower, upper))
}

fn mean_of(numbers: &[f64]) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "players lie far below 2^53")]
    let count = numbers.len() as f64;
    numbers.iter().sum::<f64>() / count
}

/// Linear map of ratings to another mean and standard deviation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    factor: f64,
}

impl Scale {
    /// Returns the map that gives `ratings` this mean and standard deviation; a missing one stays unchanged. `None` if
    /// both are missing or there are no ratings. Equal ratings are only shifted.
    pub(super) fn of(ratings: &[f64], mean: Option<f64>, sd: Option<f64>) -> Option<Self> {
        if ratings.is_empty() || (mean.is_none() && sd.is_none()) {
            return None;
        }
        let from = mean_of(ratings);
        let squares = ratings
            .iter()
            .map(|rating| (rating - from) * (rating - from));
        let spread = mean_of(&squares.collect::<Vec<_>>()).sqrt();
        let factor = sd.filter(|_| spread > 0.0).map_or(1.0, |sd| sd / spread);
        Some(Self {
            from,
            to: mean.unwrap_or(from),
            factor,
        })
    }

    pub(super) fn apply(self, rating: f64) -> f64 {
        self.to + (rating - self.from) * self.factor
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(ratings: &[f64], mean: Option<f64>, sd: Option<f64>) -> Vec<f64> {
        let scale = Scale::of(ratings, mean, sd).unwrap();
        ratings.iter().map(|rating| scale.apply(*rating)).collect()
    }

    #[test]
    fn ratings_get_the_mean_and_the_spread_that_are_asked_for() {
        let ratings = [1.0, 2.0, 3.0, 6.0];
        assert_eq!(scaled(&ratings, Some(10.0), None), [8.0, 9.0, 10.0, 13.0]);
        let spread = 3.5_f64.sqrt();
        let twice = scaled(&ratings, None, Some(2.0 * spread));
        for (found, expected) in twice.iter().zip([-1.0, 1.0, 3.0, 9.0]) {
            assert!((found - expected).abs() < 1e-12, "{twice:?}");
        }
        assert_eq!(scaled(&[7.0, 7.0], Some(1000.0), Some(200.0)), [1000.0; 2]);
        assert_eq!(Scale::of(&ratings, None, None), None);
        assert_eq!(Scale::of(&[], Some(1000.0), None), None);
    }

    #[test]
    fn a_placeholder_is_no_usual_rating_and_the_best_player_is_one() {
        let community: Vec<f64> = (0..58)
            .map(|place| 700.0 + 12.0 * f64::from(place))
            .collect();
        let with = |rating| [&community[..], &[rating]].concat();
        for (rating, is_usual) in [
            (9999.0, false),
            (-5000.0, false),
            (2400.0, true),
            (0.0, true),
        ] {
            assert_eq!(usual(&with(rating)).contains(&rating), is_usual, "{rating}");
            assert!(
                community
                    .iter()
                    .all(|one| usual(&with(rating)).contains(one))
            );
        }
        let mut equal = vec![1000.0; 57];
        assert_eq!(usual(&equal), 1000.0..=1000.0);
        equal.push(9999.0);
        assert!(usual(&equal).contains(&1000.0) && !usual(&equal).contains(&9999.0));
        for few in [&[][..], &[5.0], &[10.0, 2000.0], &[30.0, 10.0, 30.0]] {
            assert!(few.iter().all(|one| usual(few).contains(one)), "{few:?}");
        }
    }
}
