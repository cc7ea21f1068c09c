use std::collections::HashMap;

use super::departures::WatchedRound;
use super::residual::NORMAL_95;
use super::{mean, number};
use crate::domain::MapName;

/// Minimum share of both teams' points that the leading team has in a one-sided round.
pub const ONE_SIDED_SHARE: f64 = 0.6;
/// Minimum number of rounds of a map for a median length.
const MIN_LENGTHS: usize = 20;

/// Numbers of one-sided rounds among the rounds whose teams followed a split of RBS, and among the other rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneSided {
    /// Rounds whose teams followed a split.
    pub scrambled: OneSidedCount,
    /// Number of rounds whose teams did not follow a split of RBS, and of the one-sided rounds among these.
    pub others: OneSidedCount,
}

/// Number of one-sided rounds among some rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneSidedCount {
    /// Number of rounds that carry the measure.
    pub rounds: u64,
    /// Number of rounds in which one team scored at least 60 % of both teams' points.
    pub one_sided: u64,
}

impl OneSidedCount {
    fn add(&mut self, is_one_sided: bool) {
        self.rounds += 1;
        self.one_sided += u64::from(is_one_sided);
    }

    /// Returns the share of one-sided rounds, from 0 to 1; `None` without rounds.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        mean(number(self.one_sided), self.rounds)
    }
}

impl OneSided {
    /// Returns the share of one-sided rounds among scrambled rounds minus the share among other rounds, and half the
    /// width of its 95 % interval. Returns `None` if either kind has no rounds.
    #[must_use]
    pub fn difference(&self) -> Option<(f64, f64)> {
        let (scrambled, others) = (self.scrambled.share()?, self.others.share()?);
        let variance = |share: f64, of: OneSidedCount| share * (1.0 - share) / number(of.rounds);
        let variance = variance(scrambled, self.scrambled) + variance(others, self.others);
        Some((scrambled - others, NORMAL_95 * variance.sqrt()))
    }
}

/// Counts one-sided rounds by scoreboard: the leading team has at least 60 % of the points of both.
#[must_use]
pub fn one_sided_by_scoreboard(rounds: &[WatchedRound]) -> OneSided {
    count(rounds, |round| {
        Some(round.leading_share? >= ONE_SIDED_SHARE)
    })
}

/// Counts one-sided rounds by length: the round is shorter than half the median of its map. Maps with fewer than 20
/// timed rounds are left out.
#[must_use]
pub fn one_sided_by_length(rounds: &[WatchedRound]) -> OneSided {
    let mut lengths: HashMap<&MapName, Vec<u32>> = HashMap::new();
    for round in rounds {
        if let (Some(map), Some(seconds)) = (&round.map, round.seconds) {
            lengths.entry(map).or_default().push(seconds);
        }
    }
    lengths.retain(|_, of_map| of_map.len() >= MIN_LENGTHS);
    let medians: HashMap<&MapName, u32> = lengths
        .into_iter()
        .map(|(map, mut of_map)| {
            let middle = of_map.len() / 2;
            (map, *of_map.select_nth_unstable(middle).1)
        })
        .collect();
    count(rounds, |round| {
        let median = medians.get(round.map.as_ref()?)?;
        Some(round.seconds?.saturating_mul(2) < *median)
    })
}

fn count(
    rounds: &[WatchedRound],
    is_one_sided: impl Fn(&WatchedRound) -> Option<bool>,
) -> OneSided {
    let mut counted = OneSided::default();
    for round in rounds {
        if let (Some(is_scrambled), Some(is_one_sided)) = (round.is_scrambled, is_one_sided(round))
        {
            let of = if is_scrambled {
                &mut counted.scrambled
            } else {
                &mut counted.others
            };
            of.add(is_one_sided);
        }
    }
    counted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Probability, Score};
    use crate::rating::samples::watched;

    fn round(is_scrambled: Option<bool>, leading_share: f64, seconds: u32) -> WatchedRound {
        WatchedRound {
            map: Some("m".parse().unwrap()),
            leading_share: Some(leading_share),
            seconds: Some(seconds),
            is_scrambled,
            ..watched(Probability::HALF, Score::WIN)
        }
    }

    #[test]
    fn one_sided_rounds_are_counted_apart_after_a_scramble() {
        let mut rounds = vec![
            round(Some(true), 0.55, 600),
            round(Some(true), 0.6, 299),
            round(Some(false), 0.7, 200),
            round(None, 0.9, 100),
        ];
        let count = |rounds, one_sided| OneSidedCount { rounds, one_sided };
        let found = one_sided_by_scoreboard(&rounds);
        assert_eq!((found.scrambled, found.others), (count(2, 1), count(1, 1)));
        let (difference, reach) = found.difference().unwrap();
        assert!((difference + 0.5).abs() < 1e-12);
        assert!((reach - 1.959_963_984_540_054 * (0.125_f64).sqrt()).abs() < 1e-12);
        // The map has too few rounds for a median.
        assert_eq!(one_sided_by_length(&rounds), OneSided::default());
        rounds.extend((0..40).map(|_| round(Some(false), 0.5, 600)));
        let found = one_sided_by_length(&rounds);
        assert_eq!((found.scrambled, found.others), (count(2, 1), count(41, 1)));
    }
}
