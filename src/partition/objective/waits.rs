//! Weights of players by how many rounds in a row they have waited.

use std::collections::BTreeMap;

/// Penalties for letting players wait another round, as dimensionless weights in the cost of a split.
#[derive(Clone, Debug)]
pub(crate) struct Waits {
    /// Penalty by player for waiting another round, 0 for those who have not waited. A longer wait weighs more than all
    /// shorter waits together.
    pub(crate) weights: Vec<u64>,
    /// Number greater than the sum of all players' penalties for waiting: the smallest weight for a more important
    /// wish.
    pub(crate) radix: u64,
    /// `true` if players with different numbers of rounds waited always have different penalties.
    pub(crate) are_distinct: bool,
}

impl Waits {
    /// Computes penalties for waiting, larger for longer waits, as multiples of `unit` with a sum below `levels` units.
    /// If there are too many different waits, the shortest ones share a penalty.
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
            // The two shortest waits merge into the longer one.
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
