/// A line through ratings: onto another mean, with another spread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    from: f64,
    to: f64,
    factor: f64,
}

impl Scale {
    /// What gives `ratings` this mean and this standard deviation, or of either what they have; `None` where they stay
    /// as they are. Equal ratings stay equal.
    pub(super) fn of(ratings: &[f64], mean: Option<f64>, sd: Option<f64>) -> Option<Self> {
        if ratings.is_empty() || (mean.is_none() && sd.is_none()) {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "players lie far below 2^53")]
        let count = ratings.len() as f64;
        let from = ratings.iter().sum::<f64>() / count;
        let squares = ratings
            .iter()
            .map(|rating| (rating - from) * (rating - from));
        let spread = (squares.sum::<f64>() / count).sqrt();
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
}
