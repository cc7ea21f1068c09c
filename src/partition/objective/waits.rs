//! The weights of turns on the bench.

use std::collections::BTreeMap;

/// What it weighs that players wait who have waited before.
#[derive(Clone, Debug)]
pub(crate) struct Waits {
    /// By player: whoever has waited longer weighs more than all together who have waited less.
    /// Nothing for those who have not waited.
    pub(crate) weights: Vec<u64>,
    /// More than all of them together.
    pub(crate) radix: u64,
    /// Whether different waits have different weights.
    pub(crate) are_distinct: bool,
}

impl Waits {
    /// The weights in multiples of `unit`, fewer than `levels` of them together. Where there are too
    /// many different waits for that, the shortest ones count alike.
    pub(crate) fn new(waited: &[u32], unit: u64, levels: u64) -> Self {
        let mut players_by_wait: BTreeMap<u32, u64> = BTreeMap::new();
        for rounds in waited.iter().filter(|rounds| **rounds > 0) {
            *players_by_wait.entry(*rounds).or_default() += 1;
        }
        let mut waits: Vec<(u32, u64)> = players_by_wait.into_iter().collect();
        let different = waits.len();
        let radix = |waits: &[(u32, u64)], unit| {
            let digits = waits.iter().map(|(_, players)| players + 1);
            digits.fold(unit, u64::saturating_mul)
        };
        while waits.len() > 1 && radix(&waits, 1) >= levels {
            // The two shortest become one, under the longer one's name.
            let (_, players) = waits.remove(0);
            waits[0].1 += players;
        }
        let weight = |rounds: &u32| {
            let shorter = waits.iter().filter(|(longest, _)| longest < rounds);
            let weight = shorter.fold(unit, |weight, (_, players)| weight * (players + 1));
            if *rounds == 0 { 0 } else { weight }
        };
        Self {
            weights: waited.iter().map(weight).collect(),
            radix: radix(&waits, unit),
            are_distinct: waits.len() == different,
        }
    }
}
