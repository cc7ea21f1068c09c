//! Effect of the start of a season on players' ratings and their uncertainty.

use super::Parameters;
use crate::domain::{Rating, Share};

/// Returns a player's rating after the start of a season. `keep` is the share of the rating's distance from the initial
/// rating that remains.
#[must_use]
pub fn carried_over(rating: Rating, keep: Share, parameters: &Parameters) -> Rating {
    let initial = f64::from(parameters.initial_rating.points());
    let distance = f64::from(rating.points()) - initial;
    Rating::from_rounded(initial + keep.get() * distance).max(parameters.min_rating)
}

/// Returns the variance of a player's skill after the start of a season: k² v + (1 - k²) v₀. v is `variance`, v₀ is the
/// variance of a `new` player, and k is `keep`.
#[must_use]
pub fn widened(variance: f64, new: f64, keep: Share) -> f64 {
    let kept = keep.get() * keep.get();
    kept * variance + (1.0 - kept) * new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_goes_towards_the_initial_one_by_what_is_not_kept() {
        let parameters = Parameters::default();
        let initial = parameters.initial_rating.points();
        let points = |points| Rating::new(points).unwrap();
        let share = |thousandths| Share::from_thousandths(thousandths).unwrap();
        for (from, keep, to) in [
            (500, 500, 250),
            (-301, 500, -151),
            (7, 0, 0),
            (7, 1000, 7),
            (400, 333, 133),
        ] {
            let after = carried_over(points(initial + from), share(keep), &parameters);
            assert!(
                (after.points() - initial - to).abs() <= 1,
                "{from}: {after}"
            );
        }
        assert_eq!(
            carried_over(points(1777), share(1000), &parameters),
            points(1777)
        );
        assert_eq!(
            carried_over(points(1777), share(0), &parameters),
            parameters.initial_rating
        );
    }

    #[test]
    fn a_variance_goes_towards_a_new_players() {
        let share = |thousandths| Share::from_thousandths(thousandths).unwrap();
        assert_eq!(widened(1.0, 9.0, share(1000)), 1.0);
        assert_eq!(widened(1.0, 9.0, share(0)), 9.0);
        assert_eq!(widened(1.0, 9.0, share(500)), 7.0);
    }
}
