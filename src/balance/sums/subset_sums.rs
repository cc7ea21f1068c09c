use super::scale::Scale;
use super::sum_set::SumSet;

/// Something that is chosen or not: a player, or friends together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::balance) struct Item {
    /// How many players it is, at least 1.
    pub(in crate::balance) players: usize,
    /// What they weigh.
    pub(in crate::balance) value: i64,
}

/// How large tables may become.
#[derive(Clone, Copy, Debug)]
pub(in crate::balance) struct TableBudget {
    /// The most words that all bitsets may take, those of the suffix sums included.
    pub(super) words: u64,
    /// The most sums that all lists may hold, those of the suffix sums included.
    pub(super) listed: u64,
}

impl TableBudget {
    /// What one team's, or one placement's, tables may take: 16 MiB of bitsets.
    pub(in crate::balance) const STANDARD: Self = Self {
        words: 1 << 21,
        listed: 1 << 17,
    };
}

/// Every sum that subsets of the items have, by number of players, and which subsets have it.
///
/// # Design
/// Values are counted from the least for each player, in units of their greatest common divisor,
/// which makes most tables small enough for bitsets. Where they would be large all the same, the
/// sums are listed, as long as there are few subsets. Otherwise there is no table.
///
/// Which sums there are takes one set for each number of players, to which the items are added one
/// by one; those stay in the processor's cache. Which subsets have a sum takes the sets of every
/// suffix of the items: many times as much, and made only on demand.
#[derive(Debug)]
pub(in crate::balance) struct SubsetSums {
    scale: Scale,
    with_bits: bool,
    /// The sums of all items, by players.
    tables: Vec<SumSet>,
    /// The sums of every suffix, of as many players as have been asked for.
    suffixes: Option<SuffixSums>,
}

impl SubsetSums {
    /// The sums of at most `most` players of `items`; `None` where they exceed the budget.
    pub(in crate::balance) fn of(items: &[Item], most: usize, budget: TableBudget) -> Option<Self> {
        let scale = Scale::of(items);
        let with_bits = scale.with_bits(most, budget)?;
        let mut tables = SumSet::of_empty_subset(with_bits, most);
        // In ascending order the least sum of each number of players is final from the first on.
        for item in scale.ascending() {
            let (players, above) = scale.item(item);
            // Descending, so that no item is counted twice.
            for count in (players..=most).rev() {
                let (fewer, here) = tables.split_at_mut(count);
                here[0].add_shifted(&fewer[count - players], above);
            }
        }
        Some(Self {
            scale,
            with_bits,
            tables,
            suffixes: None,
        })
    }

    /// The most of `items`, each a player, whose sums are within the budget.
    pub(super) fn most_within(items: &[Item], budget: TableBudget) -> usize {
        let scale = Scale::of(items);
        let (mut fits, mut too_many) = (0, items.len() + 1);
        while too_many - fits > 1 {
            let middle = usize::midpoint(fits, too_many);
            if scale.with_bits(middle, budget).is_some() {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        fits
    }

    /// Every sum of exactly `count` players, ascending.
    pub(super) fn all(&self, count: usize) -> Vec<i64> {
        self.tables
            .get(count)
            .map(SumSet::sums)
            .unwrap_or_default()
            .into_iter()
            .map(|place| self.scale.sum(count, place))
            .collect()
    }

    /// How many sums there are of exactly `count` players.
    pub(super) fn count(&self, count: usize) -> usize {
        self.tables.get(count).map_or(0, SumSet::count)
    }

    /// Of the sums of exactly `count` players the nearest to `target`, ascending: `most` on either
    /// side of it, or as many as there are.
    pub(in crate::balance) fn around(&self, count: usize, target: i64, most: usize) -> Vec<i64> {
        let place = self.scale.place(count, target);
        let table = self.tables.get(count);
        table
            .map(|table| table.around(place, most))
            .unwrap_or_default()
            .into_iter()
            .map(|place| self.scale.sum(count, place))
            .collect()
    }

    /// The lexicographically first subsets of exactly `count` players and this sum, as indices of
    /// items; at most `most` of them.
    pub(in crate::balance) fn first_subsets(
        &mut self,
        count: usize,
        sum: i64,
        most: usize,
    ) -> Vec<Vec<usize>> {
        let place = self.scale.place(count, sum);
        let table = self.tables.get(count);
        if self.scale.sum(count, place) != sum || !table.is_some_and(|table| table.has(place)) {
            return Vec::new();
        }
        self.prepare(count);
        let suffixes = self.suffixes.as_ref();
        let subsets = suffixes.map(|sums| sums.first_subsets(&self.scale, count, place, most));
        subsets.unwrap_or_default()
    }

    /// Makes the suffix sums of up to `count` players; from the second time on of up to twice as
    /// many, so that growing requests make few tables. A caller that knows the largest request
    /// prepares for it first.
    pub(in crate::balance) fn prepare(&mut self, count: usize) {
        let reached = self.suffixes.as_ref().map(|sums| sums.most);
        if reached.is_some_and(|most| count <= most) {
            return;
        }
        let most = match reached {
            Some(_) => (2 * count).min(self.tables.len() - 1),
            None => count,
        };
        // The smaller tables are freed before the larger ones are made.
        self.suffixes = None;
        self.suffixes = Some(SuffixSums::of(&self.scale, self.with_bits, most));
    }
}

/// The sums of the items after each one, by number of players: whether the rest of a partly chosen
/// subset can still be completed.
#[derive(Debug)]
struct SuffixSums {
    most: usize,
    /// By item, then by players.
    after: Vec<Vec<SumSet>>,
}

impl SuffixSums {
    /// Those of at most `most` players.
    fn of(scale: &Scale, with_bits: bool, most: usize) -> Self {
        let mut after = vec![SumSet::of_empty_subset(with_bits, most)];
        for item in (1..scale.items()).rev() {
            let next = after.last().map_or(&[][..], Vec::as_slice);
            let (players, above) = scale.item(item);
            let here = (0..=most)
                .map(|count| {
                    let without = &next[count];
                    match count.checked_sub(players) {
                        Some(rest) => without.union_shifted(&next[rest], above),
                        None => without.clone(),
                    }
                })
                .collect();
            after.push(here);
        }
        after.reverse();
        Self { most, after }
    }

    /// The lexicographically first subsets of `count` players whose sum has this place, which must be
    /// one of the sums; at most so many.
    fn first_subsets(
        &self,
        scale: &Scale,
        count: usize,
        place: i64,
        most: usize,
    ) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        self.descend(scale, (0, count, place), &mut Vec::new(), most, &mut found);
        found
    }

    /// Completes a subset from `item` on by players and a place that the items from there on have, so
    /// that there is no dead end.
    fn descend(
        &self,
        scale: &Scale,
        (item, count, place): (usize, usize, i64),
        chosen: &mut Vec<usize>,
        most: usize,
        found: &mut Vec<Vec<usize>>,
    ) {
        if found.len() == most {
            return;
        }
        if item == scale.items() {
            found.push(chosen.clone());
            return;
        }
        let (players, above) = scale.item(item);
        if let Some(rest) = count.checked_sub(players)
            && self.has(item, rest, place - above)
        {
            chosen.push(item);
            self.descend(scale, (item + 1, rest, place - above), chosen, most, found);
            chosen.pop();
        }
        if self.has(item, count, place) {
            self.descend(scale, (item + 1, count, place), chosen, most, found);
        }
    }

    /// Whether the items after this one have the sum of `count` players that has this place.
    fn has(&self, after: usize, count: usize, place: i64) -> bool {
        let table = self.after.get(after).and_then(|tables| tables.get(count));
        table.is_some_and(|table| table.has(place))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let values = prop_oneof![
            -50_i64..50,
            -3_000_000_i64..300_000_000,
            (0_i64..9).prop_map(|n| n * 1150)
        ];
        let item = (1_usize..4, values).prop_map(|(players, value)| Item { players, value });
        proptest::collection::vec(item, 0..10)
    }

    /// The places of every choice, the first choice first, by players and sum.
    fn choices(items: &[Item]) -> BTreeMap<(usize, i64), Vec<Vec<usize>>> {
        let mut all: BTreeMap<_, Vec<Vec<usize>>> = BTreeMap::new();
        for mask in 0..1_u32 << items.len() {
            let places: Vec<usize> = (0..items.len())
                .filter(|place| mask >> place & 1 == 1)
                .collect();
            let players = places.iter().map(|place| items[*place].players).sum();
            let sum = places.iter().map(|place| items[*place].value).sum();
            all.entry((players, sum)).or_default().push(places);
        }
        all
    }

    proptest! {
        #[test]
        fn every_sum_is_there_and_no_other(items in items(), most in 0_usize..20) {
            let sums = SubsetSums::of(&items, most, TableBudget::STANDARD).unwrap();
            let all = choices(&items);
            for count in 0..=most {
                let expected: Vec<i64> =
                    all.keys().filter(|(players, _)| *players == count).map(|(_, sum)| *sum).collect();
                prop_assert_eq!(sums.count(count), expected.len());
                for target in [-1_000_000_000, -60, 0, 17, 1150, 90_000_000, 10_000_000_000] {
                    let split = expected.partition_point(|sum| *sum <= target);
                    let near = &expected[split.saturating_sub(3)..(split + 3).min(expected.len())];
                    prop_assert_eq!(&sums.around(count, target, 3)[..], near);
                }
                prop_assert_eq!(sums.all(count), expected);
            }
        }

        #[test]
        fn the_subsets_are_the_lexicographically_first(items in items(), most in 1_usize..5) {
            let mut sums = SubsetSums::of(&items, 40, TableBudget::STANDARD).unwrap();
            for ((count, sum), mut choices) in choices(&items) {
                let taken = |places: &Vec<usize>| -> Vec<bool> {
                    (0..items.len()).map(|place| !places.contains(&place)).collect()
                };
                choices.sort_by_key(taken);
                choices.truncate(most);
                prop_assert_eq!(sums.first_subsets(count, sum, most), choices);
                prop_assert!(sums.first_subsets(count + 50, sum, most).is_empty());
            }
        }
    }

    #[test]
    fn sums_beyond_the_budget_have_no_table() {
        let items: Vec<Item> = (1..=64)
            .map(|n: i64| Item {
                players: 1,
                value: n * n * n * n * 7919 + n,
            })
            .collect();
        assert!(SubsetSums::of(&items, 16, TableBudget::STANDARD).is_none());
        assert!(SubsetSums::of(&items, 2, TableBudget::STANDARD).is_some());
    }
}
