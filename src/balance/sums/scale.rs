use super::subset_sums::{Item, TableBudget};

/// Conversion of weight sums of players to indices in a table of sums. Indices count steps above the smallest weight of
/// a player, so that the sums of a number of players are as dense as possible.
#[derive(Debug)]
pub(super) struct Scale {
    /// Lowest weight among all players, in billionths of a point.
    base: i64,
    /// Difference in weight between neighbouring indices of the table of weight sums, in billionths of a point.
    step: i64,
    players: Vec<usize>,
    /// Weight of each item (party or player) beyond `base` for each of its players, in units of `step`.
    above: Vec<i64>,
    /// Total of `above` (weights beyond the minimum, in units of `step`) over the items from each index to the last.
    totals: Vec<i64>,
    /// Largest weight of any player minus the smallest weight `base`, in units of `step`. A party's members count with
    /// their mean weight, rounded up.
    dearest: i64,
}

/// Number of 64-bit words of a bitset that are processed in the time of one weight sum in a list.
const WORDS_A_SUM: u64 = 8;

impl Scale {
    pub(super) fn of(items: &[Item]) -> Self {
        let base = items
            .iter()
            .map(|item| item.value.div_euclid(whole(item.players)))
            .min()
            .unwrap_or(0);
        let above: Vec<i64> = items
            .iter()
            .map(|item| item.value - base * whole(item.players))
            .collect();
        let step = above.iter().copied().fold(0, gcd).max(1);
        let above: Vec<i64> = above.into_iter().map(|value| value / step).collect();
        let dearest = items
            .iter()
            .zip(&above)
            .map(|(item, value)| div_ceil(*value, whole(item.players)));
        Self {
            base,
            step,
            players: items.iter().map(|item| item.players).collect(),
            dearest: dearest.max().unwrap_or(0),
            totals: (0..=above.len())
                .map(|from| above[from..].iter().sum())
                .collect(),
            above,
        }
    }

    /// Converts an index in the table of weight sums of `players` players to the sum, in billionths of a point.
    pub(super) fn sum(&self, players: usize, place: i64) -> i64 {
        self.base * whole(players) + self.step * place
    }

    /// Converts a weight sum of `players` players, in billionths of a point, to its index in their table, rounded down.
    pub(super) fn place(&self, players: usize, sum: i64) -> i64 {
        (sum - self.base * whole(players)).div_euclid(self.step)
    }

    pub(super) fn items(&self) -> usize {
        self.above.len()
    }

    /// Returns an item's number of players, and the number of indices by which it raises a weight sum in the table.
    pub(super) fn item(&self, item: usize) -> (usize, i64) {
        (self.players[item], self.above[item])
    }

    /// Returns the indices of the items (parties or players), the lightest first.
    pub(super) fn ascending(&self) -> Vec<usize> {
        let mut items: Vec<usize> = (0..self.items()).collect();
        items.sort_unstable_by_key(|item| self.above[*item]);
        items
    }

    /// Chooses the format of tables of weight sums for at most `most` players: `true` for bitsets, `false` for lists.
    /// `None` if both exceed the memory budget.
    pub(super) fn with_bits(&self, most: usize, budget: TableBudget) -> Option<bool> {
        let words = self.words(most);
        let lists_fit = self.listed(most, budget.listed);
        if words <= budget.words && lists_fit.is_none_or(|listed| words <= listed * WORDS_A_SUM) {
            return Some(true);
        }
        lists_fit.map(|_| false)
    }

    /// Returns the number of 64-bit words in all bitsets of weight sums: one bitset for each number of players up to
    /// `most`, and each suffix of the items (those from an index on). A sum is at most the number of players times
    /// `dearest`, and at most the sum of the suffix.
    fn words(&self, most: usize) -> u64 {
        // Words for up to 0, 1, 2, ... players, by the first of these limits.
        let mut by_dearest = Vec::with_capacity(most + 1);
        let mut sum = 0_u64;
        for players in 0..=most {
            let words = words_for(self.dearest.saturating_mul(whole(players)));
            sum = sum.saturating_add(words);
            by_dearest.push(sum);
        }
        let words = self.totals.iter().map(|total| {
            // Up to this number of players, the first limit is the lower one.
            let few = total
                .checked_div(self.dearest)
                .and_then(|few| usize::try_from(few).ok())
                .unwrap_or(most)
                .min(most);
            let rest = words_for(*total).saturating_mul((most - few) as u64);
            by_dearest[few].saturating_add(rest)
        });
        words.fold(0, u64::saturating_add)
    }

    /// Returns an upper bound of the number of weight sums in all lists: one list for each number of players up to
    /// `most`, and each suffix of the items (those from an index on). `None` above `limit`.
    fn listed(&self, most: usize, limit: u64) -> Option<u64> {
        (0..=self.items()).rev().try_fold(0_u64, |listed, items| {
            let listed = listed.saturating_add(ways(items, most));
            (listed <= limit).then_some(listed)
        })
    }
}

fn div_ceil(value: i64, by: i64) -> i64 {
    (value + by - 1) / by
}

/// Returns the number of 64-bit words for a bitset with bits 0 to `highest`.
fn words_for(highest: i64) -> u64 {
    u64::try_from(highest / 64 + 1).unwrap_or(u64::MAX)
}

fn whole(players: usize) -> i64 {
    i64::try_from(players).unwrap_or(i64::MAX)
}

/// Returns the number of ways to choose at most `most` of `items`, or [`u64::MAX`] above [`u32::MAX`].
fn ways(items: usize, most: usize) -> u64 {
    let mut sum = 1_u64;
    let mut ways = 1_u64;
    for chosen in 1..=most.min(items) {
        // This division is exact: a product of n consecutive numbers is divisible by n!.
        ways = ways.saturating_mul((items - chosen + 1) as u64) / chosen as u64;
        sum = sum.saturating_add(ways);
        if sum > u64::from(u32::MAX) {
            return u64::MAX;
        }
    }
    sum
}

/// Returns the greatest common divisor of two numbers, of which the first is not negative; of 0 and 0, returns 0.
pub(crate) fn gcd(one: i64, other: i64) -> i64 {
    let (mut one, mut other) = (one, other);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn sizes_are_those_of_every_table_added_up(
            values in proptest::collection::vec(prop_oneof![0_i64..5, 0_i64..9000], 0..12), most in 0_usize..15,
        ) {
            let items: Vec<Item> = values.into_iter().map(|value| Item { players: 1, value }).collect();
            let scale = Scale::of(&items);
            let mut words = 0;
            for from in 0..=items.len() {
                let rest: Vec<i64> = (from..items.len()).map(|item| scale.item(item).1).collect();
                let dearest = (0..items.len()).map(|item| scale.item(item).1).max().unwrap_or(0);
                for players in 0..=most {
                    words += words_for((whole(players) * dearest).min(rest.iter().sum()));
                }
            }
            prop_assert_eq!(scale.words(most), words);
            let choices = |items: usize| {
                (0..1_u64 << items).filter(|mask| mask.count_ones() as usize <= most).count() as u64
            };
            let choices: u64 = (0..=items.len()).map(choices).sum();
            prop_assert_eq!(scale.listed(most, choices), Some(choices));
            prop_assert_eq!(scale.listed(most, choices - 1), None);
        }
    }
}
