use crate::domain::{Probability, Rating, Score};

/// Number of integer units that represent a probability of 1 in [`Totals`].
const UNITS_PER_ONE: f64 = 4_398_046_511_104.0; // 2^42

/// Sums of a player's ratings, win probabilities and scores over the rated rounds, from the first round to some later
/// round.
///
/// # Design
/// Every rated round stores the totals up to and including itself. The sums over any span of rounds are then the
/// difference of two totals. A window, or half of a window, costs two lookups whatever its length, and a change of the
/// window's length needs no repair.
///
/// All fields are integers, so that differences are exact and the order of additions has no effect. Probabilities are
/// counted in units of 2^-42, with an error of at most 1.2e-13 that a mean does not amplify. Sums that exceed 64 bits,
/// after two million rounds at the earliest, wrap around. Differences of totals are still right, because the sums of a
/// window are far smaller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Σ of the ratings that the player had after each of the player's rated rounds so far, in points.
    pub rating: i64,
    /// Σ of the player's squared ratings after each round, in points squared.
    pub rating_squared: i64,
    /// Σ of the win probabilities of the player's team, in units of 2^-42.
    pub expected: i64,
    /// Σ of the player's scores, in halves: a win counts 2, a draw 1.
    pub score_halves: i64,
}

/// Rating, win probability and score of one rated round, which the round adds to a player's [`Totals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TotalsStep {
    /// Rating of the player after the round, in points.
    pub rating: Rating,
    /// Win probability of the player's team, in units of 2^-42: 0 to 2^42.
    pub expected: u64,
    /// Score of the player's team: win, draw or loss.
    pub score: Score,
}

impl TotalsStep {
    /// Creates the contribution of one round to a player's [`Totals`]. `after` is the player's rating after the round,
    /// `expected` is the win probability of the player's team, and `score` is the team's score.
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

    /// Returns the win probability of the player's team, 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "0 to 2^42")]
    pub fn win_probability(self) -> f64 {
        self.expected as f64 / UNITS_PER_ONE
    }
}

impl Totals {
    /// Returns the player's predicted number of wins; a draw counts half.
    #[must_use]
    pub fn expected_wins(&self) -> f64 {
        float(self.expected) / UNITS_PER_ONE
    }

    /// Returns the player's number of wins; a draw counts half.
    #[must_use]
    pub fn wins(&self) -> f64 {
        float(self.score_halves) / 2.0
    }

    /// Returns the player's sums of ratings, win probabilities and scores after one more round, `step`.
    #[must_use]
    pub fn with(self, step: TotalsStep) -> Self {
        let one = Self::from(step);
        Self {
            rating: self.rating.wrapping_add(one.rating),
            rating_squared: self.rating_squared.wrapping_add(one.rating_squared),
            expected: self.expected.wrapping_add(one.expected),
            score_halves: self.score_halves.wrapping_add(one.score_halves),
        }
    }

    /// Returns the player's sums of ratings, win probabilities and scores without the last round, `step`.
    #[must_use]
    pub fn without(self, step: TotalsStep) -> Self {
        self.since(step.into())
    }

    /// Returns the sums of ratings, win probabilities and scores over the player's rounds after `earlier`, an earlier
    /// state of these sums.
    fn since(self, earlier: Self) -> Self {
        Self {
            rating: self.rating.wrapping_sub(earlier.rating),
            rating_squared: self.rating_squared.wrapping_sub(earlier.rating_squared),
            expected: self.expected.wrapping_sub(earlier.expected),
            score_halves: self.score_halves.wrapping_sub(earlier.score_halves),
        }
    }
}

impl From<TotalsStep> for Totals {
    fn from(step: TotalsStep) -> Self {
        let points = i64::from(step.rating.points());
        Self {
            rating: points,
            rating_squared: points * points,
            expected: step.expected.cast_signed(),
            score_halves: i64::from(step.score.halves()),
        }
    }
}

/// Boundaries of a player's window and its halves, as numbers of the player's rated rounds (entries). The first entry
/// has number 1; number 0 means empty totals.
///
/// The window holds the entries after `start` up to the last entry. Its older half ends at `old_end`, and its newer
/// half begins after `new_start`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boundaries {
    /// n: number of rounds in the player's window.
    pub length: u32,
    /// Number of the player's last rated round before the window.
    pub start: u64,
    /// Number of the last rated round in the older half of the player's window, counted from the player's first rated
    /// round, 1.
    pub old_end: u64,
    /// Number of the last rated round before the newer half of the player's window, counted from the player's first
    /// rated round, 1.
    pub new_start: u64,
}

/// Returns the boundaries of a player's window of at most `window` rounds (W), as numbers of the player's rated rounds.
/// `entries` is the number of all rounds, and `rounds` the number of rounds since the last reset, which alone count.
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

/// Sums of a player's ratings, win probabilities and scores over the last W rated rounds, and over each half of them.
/// F3 computes from these sums how unsettled the rating is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    length: u32,
    all: Totals,
    old: Totals,
    new: Totals,
}

impl Window {
    /// Returns the player's window with these `boundaries`. The other arguments are the player's sums from the first
    /// round to each boundary, and to the player's `last` round.
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

    /// Returns n, the number of rounds in the player's window.
    #[must_use]
    pub fn length(&self) -> u32 {
        self.length
    }

    /// Returns |mean rating of the window's newer half - of its older half| in points; 0 for fewer than two rounds.
    #[must_use]
    pub fn drift(&self) -> f64 {
        let half = self.length / 2;
        if half == 0 {
            return 0.0;
        }
        float(self.new.rating - self.old.rating).abs() / f64::from(half)
    }

    /// Returns |mean score - mean win probability| of the player in the window, 0 to 1; 0 without rounds.
    #[must_use]
    pub fn win_rate_excess(&self) -> f64 {
        if self.length == 0 {
            return 0.0;
        }
        (self.all.wins() - self.all.expected_wins()).abs() / f64::from(self.length)
    }

    /// Returns the population standard deviation of the ratings in the window, in points; 0 for fewer than two rounds.
    ///
    /// Integers compute n·Σw² - (Σw)². In floating point the two nearly equal terms would cancel out, and the variance
    /// could become negative.
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
    reason = "sums over a window stay below 2^53, except in units of 2^-42, where lost digits do not matter"
)]
fn float(sum: i64) -> f64 {
    sum as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the window of a player after `rounds` simulated rounds. `before` has the player's sums of ratings, win
    /// probabilities and scores before these rounds.
    fn window_after(before: Totals, rounds: u32) -> Window {
        let mut totals = vec![before];
        let scores = [Score::WIN, Score::LOSS, Score::DRAW].iter().cycle();
        for (round, score) in (1..=rounds).zip(scores) {
            let after = Rating::from_rounded(f64::from(900 + 7 * round));
            let last = totals[totals.len() - 1];
            totals.push(last.with(TotalsStep::of(after, Probability::HALF, *score)));
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
