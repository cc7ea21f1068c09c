use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{mean, number};

/// Minimum numbers of a player's earlier rounds, by bucket of players. A bucket ends where the next begins.
const FROM: [u32; 10] = [0, 1, 5, 10, 20, 50, 100, 200, 500, 1000];

/// Number of integer units in a K-factor or convergence of 1, so that sums do not depend on the order of rounds.
const UNITS_PER_ONE: f64 = 1_048_576.0; // 2^20

/// Sums over a pool's rated players, in buckets by number of earlier rounds: the number of ratings, the sum of
/// K-factors and the sum of convergences (F3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Experience([[u64; 3]; FROM.len()]);

/// Mean K-factor and mean convergence of players in one bucket, which means with similar numbers of earlier rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ExperienceAnswer)]
pub struct ExperienceBucket {
    /// Minimum number of rounds that a player in this bucket had played before the rated round.
    pub from: u32,
    /// Number of rounds played before the rated round from which a player is in the next bucket; null for the last
    /// bucket.
    pub to: Option<u32>,
    /// Number of times that a player with at least `from` and less than `to` earlier rounds was rated.
    pub entries: u64,
    /// Mean K-factor for a whole round, in points, of players with at least `from` and less than `to` earlier rounds;
    /// null without entries.
    pub k: Option<f64>,
    /// Mean convergence of ratings (F3), from 0 (settled) to 1 (unsettled), of players with at least `from` and less
    /// than `to` earlier rounds; null without entries.
    pub convergence: Option<f64>,
}

impl Experience {
    /// Adds the K-factor `k` (in points) and `convergence` (F3, 0 to 1) of a rated player with `rounds` earlier rounds
    /// to the sums.
    #[must_use]
    pub fn with(mut self, rounds: u32, k: f64, convergence: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "K is at most 10,000, C at most 1"
        )]
        let units = |value: f64| (value * UNITS_PER_ONE).round_ties_even() as u64;
        let index = FROM.partition_point(|from| *from <= rounds) - 1;
        for (sum, more) in self.0[index]
            .iter_mut()
            .zip([1, units(k), units(convergence)])
        {
            *sum += more;
        }
        self
    }

    /// Returns the sums of K-factors and convergences with `added` in place of `removed`, which must be a part of them.
    #[must_use]
    pub fn replaced(mut self, removed: &Self, added: &Self) -> Self {
        let (removed, added) = (removed.0.iter().flatten(), added.0.iter().flatten());
        for ((sum, removed), added) in self.0.iter_mut().flatten().zip(removed).zip(added) {
            *sum = sum.saturating_sub(*removed) + added;
        }
        self
    }

    /// Iterates over the buckets of players by number of earlier rounds, the fewest first.
    pub fn buckets(&self) -> impl Iterator<Item = ExperienceBucket> + '_ {
        self.0.iter().enumerate().map(|(index, sums)| {
            let [entries, k, convergence] = *sums;
            let of = |units: u64| mean(number(units) / UNITS_PER_ONE, entries);
            ExperienceBucket {
                from: FROM[index],
                to: FROM.get(index + 1).copied(),
                entries,
                k: of(k),
                convergence: of(convergence),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_rounds_has_one_bucket() {
        for (rounds, from, to) in [
            (0, 0, Some(1)),
            (1, 1, Some(5)),
            (4, 1, Some(5)),
            (5, 5, Some(10)),
            (999, 500, Some(1000)),
            (u32::MAX, 1000, None),
        ] {
            let one = Experience::default().with(rounds, 36.0, 0.5);
            let used: Vec<ExperienceBucket> =
                one.buckets().filter(|bucket| bucket.entries > 0).collect();
            let expected = ExperienceBucket {
                from,
                to,
                entries: 1,
                k: Some(36.0),
                convergence: Some(0.5),
            };
            assert_eq!(used, [expected], "{rounds}");
        }
    }

    #[test]
    fn means_are_over_the_bucket_and_read_back_from_json() {
        let two = Experience::default().with(2, 72.0, 1.0).with(3, 2.0, 0.0);
        let bucket = two.buckets().nth(1).unwrap();
        assert_eq!((bucket.k, bucket.convergence), (Some(37.0), Some(0.5)));
        assert_eq!(two.buckets().next().unwrap().k, None);
        let text = serde_json::to_string(&two).unwrap();
        assert_eq!(serde_json::from_str::<Experience>(&text).unwrap(), two);
    }
}
