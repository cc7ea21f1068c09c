use super::subset_sums::{Item, TableBudget};

/// Items as they are counted in tables: in units above the least value of a player, so that sums of
/// as many players lie as densely as they can.
#[derive(Debug)]
pub(super) struct Scale {
    base: i64,
    step: i64,
    players: Vec<usize>,
    above: Vec<i64>,
    /// What all items from one on are above the base.
    totals: Vec<i64>,
    /// The most that one player is above the base.
    dearest: i64,
}

/// How many words of a bitset take as long as one listed sum.
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

    /// The sum of so many players that has this place in a table.
    pub(super) fn sum(&self, players: usize, place: i64) -> i64 {
        self.base * whole(players) + self.step * place
    }

    /// The last place in a table whose sum of so many players is no more than this one.
    pub(super) fn place(&self, players: usize, sum: i64) -> i64 {
        (sum - self.base * whole(players)).div_euclid(self.step)
    }

    /// How many items there are.
    pub(super) fn items(&self) -> usize {
        self.above.len()
    }

    /// How many players an item is, and by how many places it moves a sum up.
    pub(super) fn item(&self, item: usize) -> (usize, i64) {
        (self.players[item], self.above[item])
    }

    /// The items, the lightest first.
    pub(super) fn ascending(&self) -> Vec<usize> {
        let mut items: Vec<usize> = (0..self.items()).collect();
        items.sort_unstable_by_key(|item| self.above[*item]);
        items
    }

    /// Whether sums of at most `most` players are to be bitsets, or lists; `None` where neither is
    /// within the budget.
    pub(super) fn with_bits(&self, most: usize, budget: TableBudget) -> Option<bool> {
        let words = self.words(most);
        let lists_fit = self.listed(most, budget.listed);
        if words <= budget.words && lists_fit.is_none_or(|listed| words <= listed * WORDS_A_SUM) {
            return Some(true);
        }
        lists_fit.map(|_| false)
    }

    /// The words that bitsets of at most `most` players take, over all suffixes of the items: a sum of
    /// n players is at most n times the most for one, and at most that of the whole suffix.
    fn words(&self, most: usize) -> u64 {
        // Those of up to 0, 1, 2, ... players by the first of these limits.
        let mut by_dearest = Vec::with_capacity(most + 1);
        let mut sum = 0_u64;
        for players in 0..=most {
            let words = words_for(self.dearest.saturating_mul(whole(players)));
            sum = sum.saturating_add(words);
            by_dearest.push(sum);
        }
        let words = self.totals.iter().map(|total| {
            // For up to so many players the first limit is the lower one.
            let few = total.checked_div(self.dearest);
            let few = few
                .and_then(|few| usize::try_from(few).ok())
                .unwrap_or(most)
                .min(most);
            let rest = words_for(*total).saturating_mul((most - few) as u64);
            by_dearest[few].saturating_add(rest)
        });
        words.fold(0, u64::saturating_add)
    }

    /// The sums that lists of at most `most` players hold, over all suffixes of the items; `None` where
    /// they are more than `limit`.
    fn listed(&self, most: usize, limit: u64) -> Option<u64> {
        (0..=self.items()).rev().try_fold(0_u64, |listed, items| {
            let listed = listed.saturating_add(ways(items, most));
            (listed <= limit).then_some(listed)
        })
    }
}

/// Rounded up, for what is not negative.
fn div_ceil(value: i64, by: i64) -> i64 {
    (value + by - 1) / by
}

/// The words that bits of the places up to this one take.
fn words_for(highest: i64) -> u64 {
    u64::try_from(highest / 64 + 1).unwrap_or(u64::MAX)
}

fn whole(players: usize) -> i64 {
    i64::try_from(players).unwrap_or(i64::MAX)
}

/// In how many ways at most `most` of `items` are chosen.
fn ways(items: usize, most: usize) -> u64 {
    let mut sum = 1_u64;
    let mut ways = 1_u64;
    for chosen in 1..=most.min(items) {
        // Exact: the product of neighbouring numbers is divided by the first so many.
        ways = ways.saturating_mul((items - chosen + 1) as u64) / chosen as u64;
        sum = sum.saturating_add(ways);
        if sum > u64::from(u32::MAX) {
            return u64::MAX;
        }
    }
    sum
}

fn gcd(one: i64, other: i64) -> i64 {
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
