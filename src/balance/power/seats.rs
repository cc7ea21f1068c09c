use crate::balance::state::Power;
use crate::domain::Rating;

/// Maximum number of points to which the strongest player of a split is scaled.
const MAX_POINTS: f64 = 5000.0;
/// Available factors from powers to whole points, the largest first. The largest matches the nine decimals of powers.
const SCALES: [f64; 13] = [
    1e9, 1e8, 1e7, 1e6, 1e5, 1e4, 1e3, 1e2, 1e1, 1.0, 1e-1, 1e-2, 1e-3,
];

/// Scale that converts powers to the whole points that splits are computed with.
///
/// The scale is the largest power of ten, from 0.001 to a billion, with which nobody exceeds 5000 points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SeatScale(f64);

impl SeatScale {
    /// Returns the scale from powers to whole points for players with these powers.
    pub(crate) fn of(powers: impl IntoIterator<Item = Power>) -> Self {
        let most = powers.into_iter().max().unwrap_or_default().points();
        let fits = |scale: &f64| most * scale <= MAX_POINTS;
        Self(SCALES.into_iter().find(fits).unwrap_or(0.001))
    }

    /// Returns the factor that converts powers to the whole points of splits: a power of ten from 0.001 to a billion.
    pub(crate) fn factor(self) -> f64 {
        self.0
    }

    /// Returns the points of a player with this power, rounded to nearest, halves to even.
    pub(crate) fn seat(self, power: Power) -> Rating {
        Rating::from_rounded(power.points() * self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scaled(powers: &[f64]) -> (f64, Vec<i32>) {
        let powers: Vec<Power> = powers
            .iter()
            .map(|power| Power::computed(*power).unwrap())
            .collect();
        let scale = SeatScale::of(powers.iter().copied());
        let seats = powers.iter().map(|power| scale.seat(*power).points());
        (scale.factor(), seats.collect())
    }

    #[test]
    fn the_scale_is_the_finest_power_of_ten_at_which_the_strongest_counts_five_thousand_at_most() {
        assert_eq!(scaled(&[5.0, 0.125]), (1000.0, vec![5000, 125]));
        assert_eq!(scaled(&[5.001, 1.0]), (100.0, vec![500, 100]));
        assert_eq!(scaled(&[24.0, 7.256]), (100.0, vec![2400, 726]));
        assert_eq!(scaled(&[99.0, 1.0]), (10.0, vec![990, 10]));
        assert_eq!(scaled(&[1_000_000.0, 400.0]), (0.001, vec![1000, 0]));
        assert_eq!(scaled(&[0.001_367, 0.000_364]), (1e6, vec![1367, 364]));
        assert_eq!(scaled(&[0.000_017, 0.0]), (1e8, vec![1700, 0]));
        assert_eq!(scaled(&[]), (1e9, Vec::new()));
    }

    proptest! {
        #[test]
        fn who_is_stronger_counts_no_less(
            powers in prop::collection::vec(0.0..1_000_000.0_f64, 1..30), exponent in 0..12,
        ) {
            let powers: Vec<f64> = powers.iter().map(|power| power / 10_f64.powi(exponent)).collect();
            let (_, seats) = scaled(&powers);
            for (power, seat) in powers.iter().zip(&seats) {
                for (other, than) in powers.iter().zip(&seats) {
                    prop_assert!(power < other || seat >= than);
                }
                prop_assert!(*seat <= 5000);
            }
        }
    }
}
