use std::iter::Sum;
use std::ops::{Add, Mul, Sub};

use crate::catalog::InvalidEntry;
use crate::domain::Rating;

/// Weight (strength) of a player or a team, in billionths of a point. Whole steps keep sums and limits exact.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Power(i64);

impl Power {
    pub(crate) const ZERO: Self = Self(0);
    /// Maximum weight (strength) of one player, in points.
    pub(crate) const MAX: f64 = 1_000_000.0;
    /// Number of integer units per point in a [`Power`]. Weights have three decimals, and party multipliers two; powers
    /// below 1 have more decimals. 128 players of the maximum weight, in parties with tenfold weight, stay below a
    /// sixth of the maximum of `i64`.
    const STEPS: i64 = 1_000_000_000;
    const STEPS_OF_A_THOUSANDTH: i64 = Self::STEPS / 1000;
    /// Minimum number of rounding units (see [`Power::unit`]) in the weight of a match's strongest player.
    const DIGITS: i64 = 1000;

    /// Creates a weight (strength) from points, rounded to a thousandth. `None` if `points` is NaN, or outside of 0 to
    /// [`Power::MAX`].
    #[must_use]
    pub fn new(points: f64) -> Option<Self> {
        if !(0.0..=Self::MAX).contains(&points) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "whole and within range")]
        let thousandths = (points * 1000.0).round() as i64;
        Some(Self(thousandths * Self::STEPS_OF_A_THOUSANDTH))
    }

    /// Creates a weight (strength) from a number of points in a TOML table; the error names the `setting`.
    pub(crate) fn of_setting(points: f64, setting: &str) -> Result<Self, InvalidEntry> {
        let wrong = || InvalidEntry::new(format!("{setting} must be 0 to {}", Self::MAX));
        Self::new(points).ok_or_else(wrong)
    }

    /// Creates a weight (strength) from a computed number of points, rounded to its [`unit`](Self::unit). `None`
    /// outside of the range of [`Power::new`].
    pub(crate) fn computed(points: f64) -> Option<Self> {
        Self::new(points)?;
        #[expect(clippy::cast_possible_truncation, reason = "whole and within range")]
        let billionths = (points * 1e9).round() as i64;
        let power = Self(billionths * (Self::STEPS / 1_000_000_000));
        Some(power.rounded(power.unit()))
    }

    /// Returns the decimal unit for rounding strengths in a match whose strongest player has this power.
    ///
    /// The unit is the largest of 10^-3, 10^-4, ..., 10^-9 points that is at most a thousandth of this power, else
    /// 10^-9 points.
    pub(crate) fn unit(self) -> Self {
        let mut unit = Self::STEPS_OF_A_THOUSANDTH;
        while unit > 1 && self.0 < Self::DIGITS * unit {
            unit /= 10;
        }
        Self(unit)
    }

    /// Rounds this weight (strength) to the nearest multiple of `unit`, halves upwards.
    pub(crate) fn rounded(self, unit: Self) -> Self {
        Self((self.0 + unit.0 / 2).div_euclid(unit.0) * unit.0)
    }

    pub(crate) fn of_rating(rating: Rating) -> Self {
        Self(i64::from(rating.points()) * Self::STEPS)
    }

    /// Creates a weight (strength) from whole points, which may be negative.
    pub(crate) fn of_points(points: i64) -> Self {
        Self(points * Self::STEPS)
    }

    pub(crate) fn of_quarters(quarters: u32) -> Self {
        Self(i64::from(quarters) * (Self::STEPS / 4))
    }

    /// Returns the midpoint of two weights (strengths), rounded down to a billionth of a point.
    pub(crate) fn halfway(one: Self, other: Self) -> Self {
        Self(i64::midpoint(one.0, other.0))
    }

    /// Returns this percentage of the weight (strength); exact for weights with three decimals.
    pub(crate) fn percent(self, percent: u32) -> Self {
        Self(self.0 * i64::from(percent) / 100)
    }

    /// Returns the part of this total weight of `all` players that `count` of them have on average. The part is rounded
    /// down to five decimals, so that tables of sums stay small.
    pub(crate) fn share(self, count: usize, all: usize) -> Self {
        let shared = i128::from(self.0) * count as i128 / (all.max(1) as i128);
        // The part is at most the whole, which fits.
        let shared = i64::try_from(shared).unwrap_or(self.0);
        Self(shared - shared.rem_euclid(Self::STEPS / 100_000))
    }

    pub(crate) fn points(self) -> f64 {
        // Below 2^53 steps, the quotient is the number nearest to the decimal one.
        #[expect(
            clippy::cast_precision_loss,
            reason = "nine million points have 2^53 steps"
        )]
        let points = self.0 as f64 / Self::STEPS as f64;
        points
    }

    /// Returns this weight (strength) of a player or team in whole points, truncated towards zero.
    pub(crate) fn whole_points(self) -> i64 {
        self.0 / Self::STEPS
    }

    pub(crate) fn abs(self) -> Self {
        Self(self.0.abs())
    }

    pub(crate) fn steps(self) -> i64 {
        self.0
    }

    pub(crate) fn of_steps(steps: i64) -> Self {
        Self(steps)
    }
}

impl Add for Power {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Power {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<usize> for Power {
    type Output = Self;

    fn mul(self, times: usize) -> Self {
        // The factor is a number of players or bots.
        Self(self.0 * i64::try_from(times).unwrap_or(i64::MAX))
    }
}

impl Sum for Power {
    fn sum<I: Iterator<Item = Self>>(powers: I) -> Self {
        powers.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_multiplied_weight_is_exact() {
        let weight = |points| Power::new(points).unwrap();
        let party: Power = [11.0, 11.0, 10.0]
            .map(|one| weight(one).percent(120))
            .into_iter()
            .sum();
        assert_eq!(party, weight(38.4));
        assert_eq!(party.points(), 38.4);
        assert_eq!(weight(0.001).percent(115).points(), 0.001_15);
    }

    #[test]
    fn a_computed_power_below_one_keeps_its_digits() {
        let points = |number| Power::computed(number).map(Power::points);
        for (number, kept) in [
            (57.142_857, 57.143),
            (0.123_456, 0.1235),
            (0.000_364_16, 0.000_364_2),
            (0.000_001_367, 0.000_001_367),
            (0.000_000_000_4, 0.0),
            (0.0, 0.0),
        ] {
            assert_eq!(points(number), Some(kept), "{number}");
        }
        assert_eq!(points(-0.1), None);
    }

    #[test]
    fn only_numbers_within_range_are_powers() {
        assert!(Power::new(0.0).is_some() && Power::new(Power::MAX).is_some());
        for points in [-0.001, 1_000_000.1, f64::NAN, f64::INFINITY] {
            assert_eq!(Power::new(points), None, "{points}");
        }
    }
}
