use crate::domain::{Probability, Rating, Score};

/// One probability, as [`Totals`] counts it, is this many units.
const UNITS_PER_ONE: f64 = 4_398_046_511_104.0; // 2^42

/// Sums over a player's rated rounds, from the first to some other.
///
/// # Design
/// Every rated round stores the totals up to and including itself. The sums over any stretch of
/// rounds are then the difference of two totals, so a window, or half of one, costs two look-ups
/// whatever its length, and nothing has to be repaired when the window's length is changed. All
/// fields are whole numbers: differences are exact, and no order or number of additions can make
/// them drift. A probability is counted in units of 2^-42, an error of at most 1.2e-13 that a mean
/// does not amplify. Sums that pass the end of 64 bits, at two million rounds at the earliest, wrap
/// around; the difference of two totals undoes it, since a window's own sums are far smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Σ of the ratings after each round, in points.
    pub rating: i64,
    /// Σ of their squares.
    pub rating_squared: i64,
    /// Σ of the player's win probabilities, in units of 2^-42.
    pub expected: i64,
    /// Σ of the scores, in halves.
    pub score_halves: i64,
}

/// What one rated round adds to a player's [`Totals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalsIncrement {
    /// The rating after it.
    pub rating: Rating,
    /// The win probability of the player's team, in units of 2^-42: 0 to 2^42.
    pub expected: u64,
    /// The team's score.
    pub score: Score,
}

impl Totals {
    /// How many rounds the player was predicted to win, a draw a half.
    #[must_use]
    pub fn expected_wins(&self) -> f64 {
        float(self.expected) / UNITS_PER_ONE
    }

    /// How many the player won, a draw a half.
    #[must_use]
    pub fn wins(&self) -> f64 {
        float(self.score_halves) / 2.0
    }
}

impl TotalsIncrement {
    /// The round that left the player with the rating `after`, whose team was given the probability
    /// `expected` and got `score`.
    #[must_use]
    pub fn of(after: Rating, expected: Probability, score: Score) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "0 to 2^42"
        )]
        let units = (expected.get() * UNITS_PER_ONE).round_ties_even() as u64;
        Self {
            rating: after,
            expected: units,
            score,
        }
    }

    /// The win probability of the player's team, 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "0 to 2^42")]
    pub fn win_probability(self) -> f64 {
        self.expected as f64 / UNITS_PER_ONE
    }
}

impl Totals {
    /// These totals with one more round.
    #[must_use]
    pub fn with(self, step: TotalsIncrement) -> Self {
        let points = i64::from(step.rating.points());
        Self {
            rating: self.rating.wrapping_add(points),
            rating_squared: self.rating_squared.wrapping_add(points * points),
            expected: self.expected.wrapping_add_unsigned(step.expected),
            score_halves: self
                .score_halves
                .wrapping_add(i64::from(step.score.halves())),
        }
    }

    /// The totals that `step` has made these of.
    #[must_use]
    pub fn without(self, step: TotalsIncrement) -> Self {
        let points = i64::from(step.rating.points());
        Self {
            rating: self.rating.wrapping_sub(points),
            rating_squared: self.rating_squared.wrapping_sub(points * points),
            expected: self.expected.wrapping_sub_unsigned(step.expected),
            score_halves: self
                .score_halves
                .wrapping_sub(i64::from(step.score.halves())),
        }
    }

    /// The sums over the rounds after `earlier`, up to these totals.
    #[must_use]
    fn since(self, earlier: Self) -> Self {
        Self {
            rating: self.rating.wrapping_sub(earlier.rating),
            rating_squared: self.rating_squared.wrapping_sub(earlier.rating_squared),
            expected: self.expected.wrapping_sub(earlier.expected),
            score_halves: self.score_halves.wrapping_sub(earlier.score_halves),
        }
    }
}

/// Which of a player's rounds a window and its halves end at, counted from the player's first
/// entry (number 1); number 0 stands for totals of nothing.
///
/// The window is the rounds after `start` up to the last; its older half the rounds after `start`
/// up to `old_end`; its newer half those after `new_start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundaries {
    /// Rounds in the window: n.
    pub length: u32,
    /// The last entry before the window.
    pub start: u64,
    /// The last entry of the older half.
    pub old_end: u64,
    /// The last entry before the newer half.
    pub new_start: u64,
}

/// The boundaries of the window of at most `window` rounds (W) of a player with `entries` rounds
/// in all, of which the latest `rounds` count (a reset makes the earlier ones not count).
#[must_use]
pub fn boundaries(entries: u64, rounds: u32, window: u32) -> Boundaries {
    let length = rounds.min(window);
    let half = u64::from(length / 2);
    let start = entries.saturating_sub(u64::from(length));
    Boundaries {
        length,
        start,
        old_end: start + half,
        new_start: entries.saturating_sub(half),
    }
}

/// The sums that F3 needs of the last W rounds of a player: all of them, and both halves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    length: u32,
    all: Totals,
    old: Totals,
    new: Totals,
}

impl Window {
    /// The window with these `boundaries`, from the totals at `start`, `old_end`, `new_start` and
    /// at the player's `last` round.
    #[must_use]
    pub fn between(
        boundaries: Boundaries,
        start: Totals,
        old_end: Totals,
        new_start: Totals,
        last: Totals,
    ) -> Self {
        Self {
            length: boundaries.length,
            all: last.since(start),
            old: old_end.since(start),
            new: last.since(new_start),
        }
    }

    /// n: the rounds in the window.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// |mean of the newer half - mean of the older half|, in rating points; 0 below two rounds.
    #[must_use]
    pub fn drift(&self) -> f64 {
        let half = self.length / 2;
        if half == 0 {
            return 0.0;
        }
        float(self.new.rating - self.old.rating).abs() / f64::from(half)
    }

    /// |mean score - mean win probability|; 0 without rounds.
    #[must_use]
    pub fn win_rate_excess(&self) -> f64 {
        if self.length == 0 {
            return 0.0;
        }
        let scored = float(self.all.score_halves) / 2.0;
        let expected = float(self.all.expected) / UNITS_PER_ONE;
        (scored - expected).abs() / f64::from(self.length)
    }

    /// The population standard deviation of the ratings, in points; 0 below two rounds.
    ///
    /// n·Σw² - (Σw)² is taken in whole numbers: in floating point the two nearly equal terms would
    /// cancel, and could leave a negative variance.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        if self.length == 0 {
            return 0.0;
        }
        let length = i128::from(self.length);
        let sum = i128::from(self.all.rating);
        let variance = length * i128::from(self.all.rating_squared) - sum * sum;
        #[expect(clippy::cast_precision_loss, reason = "the result is a float")]
        let variance = variance as f64;
        variance.sqrt() / f64::from(self.length)
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "sums over a window stay below 2^53 but for units of 2^-42, whose excess does not matter"
)]
fn float(sum: i64) -> f64 {
    sum as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The window of `rounds` rounds for a player whose totals were `before` at the start.
    fn window_after(before: Totals, rounds: u32) -> Window {
        let mut totals = vec![before];
        let scores = [Score::WIN, Score::LOSS, Score::DRAW].iter().cycle();
        for (round, score) in (1..=rounds).zip(scores) {
            let after = Rating::from_rounded(f64::from(900 + 7 * round));
            let last = totals[totals.len() - 1];
            totals.push(last.with(TotalsIncrement::of(after, Probability::HALF, *score)));
        }
        let ends = boundaries(rounds.into(), rounds, rounds);
        let at = |entry: u64| totals[usize::try_from(entry).unwrap()];
        let (start, old_end, new_start) = (at(ends.start), at(ends.old_end), at(ends.new_start));
        Window::between(ends, start, old_end, new_start, at(rounds.into()))
    }

    #[test]
    fn totals_that_pass_the_end_of_64_bits_still_differ_by_the_window() {
        let nearly_full = Totals {
            rating: i64::MAX - 1000,
            rating_squared: i64::MAX - 1000,
            expected: i64::MAX - 1000,
            score_halves: i64::MAX - 3,
        };
        for rounds in [1, 2, 3, 10] {
            let fresh = window_after(Totals::default(), rounds);
            assert_eq!(window_after(nearly_full, rounds), fresh);
        }
    }
}
