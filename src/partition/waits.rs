use std::collections::BTreeMap;

/// What waiting costs.
pub(super) struct Waits {
    /// By player: whoever has waited longer costs more than all together who have waited less.
    /// Nothing for those who have not waited.
    pub(super) prices: Vec<u64>,
    /// More than all of them together.
    pub(super) beyond: u64,
    /// Whether different waits cost differently.
    pub(super) are_told_apart: bool,
}

impl Waits {
    /// In steps of `unit`, fewer than so many together. Where there are too many different waits for
    /// that, the shortest ones count alike.
    pub(super) fn new(waited: &[u32], unit: u64, steps: u64) -> Self {
        let mut levels: BTreeMap<u32, u64> = BTreeMap::new();
        for rounds in waited.iter().filter(|rounds| **rounds > 0) {
            *levels.entry(*rounds).or_default() += 1;
        }
        let mut levels: Vec<(u32, u64)> = levels.into_iter().collect();
        let different = levels.len();
        let beyond = |levels: &[(u32, u64)], unit| {
            let product = levels.iter().map(|(_, players)| players + 1);
            product.fold(unit, u64::saturating_mul)
        };
        while levels.len() > 1 && beyond(&levels, 1) >= steps {
            // The two shortest become one, under the longer one's name.
            let (_, players) = levels.remove(0);
            levels[0].1 += players;
        }
        let price = |rounds: u32| {
            let shorter = levels.iter().filter(|(longest, _)| *longest < rounds);
            let price = shorter.fold(unit, |price, (_, players)| price * (players + 1));
            if rounds == 0 { 0 } else { price }
        };
        Self {
            prices: waited.iter().map(|rounds| price(*rounds)).collect(),
            beyond: beyond(&levels, unit),
            are_told_apart: levels.len() == different,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_waits_are_too_many_the_shortest_count_alike() {
        let waited: Vec<u32> = (0..=20).collect();
        let Waits {
            prices,
            beyond,
            are_told_apart,
        } = Waits::new(&waited, 3, 1 << 20);
        assert!(beyond < 3 << 20 && !are_told_apart);
        assert!(Waits::new(&waited[..5], 3, 1 << 20).are_told_apart);
        assert_eq!(prices[0], 0);
        assert_eq!(prices[1], prices[2]);
        assert!(prices[20] > prices[19..20].iter().sum());
        assert!(prices.is_sorted());
    }
}
