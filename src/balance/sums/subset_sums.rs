use super::scale::Scale;
use super::sum_set::SumSet;

/// Party or single player: one item of the set whose subsets' weight sums are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Number of players in the item (party or single player), at least 1.
    pub(crate) players: usize,
    /// Sum of the weights of the item's players, in billionths of a point.
    pub(crate) value: i64,
}

/// Limits on the memory of tables of weight sums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableBudget {
    /// Maximum number of 64-bit words in all bitsets of sums, including those of suffixes (items from an index on).
    pub(super) words: u64,
    /// Maximum number of weight sums in all lists, including the sums of suffixes (items from an index on). Lists
    /// replace bitsets that would be too large.
    pub(super) listed: u64,
}

impl TableBudget {
    /// Memory budget for the tables of sums of one team or one placement: 16 MiB of bitsets.
    pub(crate) const STANDARD: Self = Self {
        words: 1 << 21,
        listed: 1 << 17,
    };
}

/// Weight sums of all subsets of players or parties (items) by number of players, and the subsets that have each sum.
///
/// # Design
/// Values are counted above the smallest value of a player, in units of their greatest common divisor. Most tables are
/// then small enough for bitsets. Larger tables are lists, if there are few subsets; else there is no table.
///
/// The existing sums need one set for each number of players. Items are added to these sets one by one, and the sets
/// stay in the processor's cache. The subsets of a sum need the sets of every suffix of the items. These sets take many
/// times as much memory, and are made only on demand.
#[derive(Debug)]
pub(crate) struct SubsetSums {
    scale: Scale,
    with_bits: bool,
    /// Weight sums of all subsets of the items (parties or players), one set for each number of players.
    tables: Vec<SumSet>,
    /// Weight sums of every suffix (items from an index on), up to the number of players requested so far.
    suffixes: Option<SuffixSums>,
}

impl SubsetSums {
    /// Computes the weight sums of all subsets of at most `most` players; `None` if they exceed the memory budget.
    pub(crate) fn of(items: &[Item], most: usize, budget: TableBudget) -> Option<Self> {
        let scale = Scale::of(items);
        let with_bits = scale.with_bits(most, budget)?;
        let mut tables = SumSet::of_empty_subset(with_bits, most);
        // In ascending order, the smallest sum of each number of players is final from its first item on.
        for item in scale.ascending() {
            let (players, above) = scale.item(item);
            // Descending order counts each item once.
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

    /// Returns the maximum number of players in a subset with which the tables of weight sums fit the memory budget.
    /// Each item must be one player.
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

    /// Returns the weight sums of all subsets with exactly `count` players, ascending, in billionths of a point.
    pub(crate) fn all(&self, count: usize) -> Vec<i64> {
        self.tables
            .get(count)
            .map(SumSet::sums)
            .unwrap_or_default()
            .into_iter()
            .map(|place| self.scale.sum(count, place))
            .collect()
    }

    pub(crate) fn count(&self, count: usize) -> usize {
        self.tables.get(count).map_or(0, SumSet::count)
    }

    /// Returns the weight sums of exactly `count` players that are nearest to `target`, in billionths of a point,
    /// ascending: up to `most` at or below the target, and up to `most` above it.
    pub(crate) fn around(&self, count: usize, target: i64, most: usize) -> Vec<i64> {
        let place = self.scale.place(count, target);
        let table = self.tables.get(count);
        table
            .map(|table| table.around(place, most))
            .unwrap_or_default()
            .into_iter()
            .map(|place| self.scale.sum(count, place))
            .collect()
    }

    /// Returns the lexicographically first subsets of exactly `count` players whose weights add up to `sum`, at most
    /// `most`. Each subset is a list of indices of items (parties or players).
    pub(crate) fn first_subsets(&mut self, count: usize, sum: i64, most: usize) -> Vec<Vec<usize>> {
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

    /// Computes the weight sums of every suffix (items from an index on) for up to `count` players. Later calls compute
    /// up to twice as many, so that growing requests rebuild few tables. A caller that knows the largest request should
    /// prepare for that request first.
    pub(crate) fn prepare(&mut self, count: usize) {
        let reached = self.suffixes.as_ref().map(|sums| sums.most);
        if reached.is_some_and(|most| count <= most) {
            return;
        }
        let most = match reached {
            Some(_) => (2 * count).min(self.tables.len() - 1),
            None => count,
        };
        // Frees the smaller tables before the larger ones are made.
        self.suffixes = None;
        self.suffixes = Some(SuffixSums::of(&self.scale, self.with_bits, most));
    }
}

/// Sets of all weight sums that the parties or players (items) after each item can form, by number of players. The
/// search for subsets with a given sum uses the sets to skip partial subsets that cannot reach it.
#[derive(Debug)]
struct SuffixSums {
    most: usize,
    /// Weight sums of the items (parties or players) after each item, by item index, then by number of players.
    after: Vec<Vec<SumSet>>,
}

impl SuffixSums {
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

    /// Returns the lexicographically first subsets of `count` players whose weight sum has the index `place` in the
    /// table, at most `most`. The table must contain this sum.
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

    /// Completes the subset `chosen` (indices of items) with items from index `item` on, in every way. The added items
    /// must hold `count` players, and their weight sum must have the index `place` in the table. At least one way must
    /// exist, so that every branch succeeds.
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

    /// Returns `true` if some items after index `after` hold `count` players with the weight sum at index `place`.
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

    /// Returns every subset of the items as indices, by number of players and sum.
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
}
