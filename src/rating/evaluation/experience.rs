use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{mean, number};

/// Minimum number of earlier rounds of each bucket. A bucket ends where the next begins; the last has no end.
const FROM: [u32; 10] = [0, 1, 5, 10, 20, 50, 100, 200, 500, 1000];

/// Number of units in a K-factor or a convergence of 1. Integer sums do not depend on the order of rounds.
const UNITS_PER_ONE: f64 = 1_048_576.0; // 2^20

/// Sums of K-factors and convergences of a pool's rated players, in buckets by number of earlier rounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Experience([Sums; FROM.len()]);

/// Sums of one bucket; in JSON a list of three numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "[u64; 3]")]
struct Sums {
    entries: u64,
    k: u64,
    convergence: u64,
}

/// Mean figures of players with a similar number of earlier rounds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = ExperienceAnswer)]
pub struct ExperienceBucket {
    /// Minimum number of earlier rounds.
    pub from: u32,
    /// Minimum of the next bucket; null for the last bucket.
    pub to: Option<u32>,
    /// Number of times that a player in this bucket was rated.
    pub entries: u64,
    /// Mean K-factor for participation in whole rounds.
    pub k: Option<f64>,
    /// Mean of the convergence (F3) of these players, 0 to 1.
    pub convergence: Option<f64>,
}

impl Experience {
    /// Returns the sums with one more rated player, who had `rounds` earlier rounds.
    #[must_use]
    pub fn with(mut self, rounds: u32, k: f64, convergence: f64) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "K is at most 10,000, C at most 1"
        )]
        let units = |value: f64| (value * UNITS_PER_ONE).round_ties_even() as u64;
        let index = FROM.partition_point(|from| *from <= rounds) - 1;
        let sums = &mut self.0[index];
        sums.entries += 1;
        sums.k += units(k);
        sums.convergence += units(convergence);
        self
    }

    /// Returns the sums with `added` in place of `removed`. `removed` must be a part of these sums.
    #[must_use]
    pub fn replaced(mut self, removed: &Self, added: &Self) -> Self {
        for ((sums, removed), added) in self.0.iter_mut().zip(&removed.0).zip(&added.0) {
            sums.entries = sums.entries.saturating_sub(removed.entries) + added.entries;
            sums.k = sums.k.saturating_sub(removed.k) + added.k;
            sums.convergence =
                sums.convergence.saturating_sub(removed.convergence) + added.convergence;
        }
        self
    }

    /// Iterates over the buckets, the fewest rounds first.
    pub fn buckets(&self) -> impl Iterator<Item = ExperienceBucket> + '_ {
        self.0.iter().enumerate().map(|(index, sums)| {
            let of = |units: u64| mean(number(units) / UNITS_PER_ONE, sums.entries);
            ExperienceBucket {
                from: FROM[index],
                to: FROM.get(index + 1).copied(),
                entries: sums.entries,
                k: of(sums.k),
                convergence: of(sums.convergence),
            }
        })
    }
}

impl From<Sums> for [u64; 3] {
    fn from(sums: Sums) -> Self {
        [sums.entries, sums.k, sums.convergence]
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
