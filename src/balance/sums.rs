use super::scale::Scale;
use super::sum_table::Table;
use super::tails::Tails;

/// Something that is chosen or not: a player, or friends together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Item {
    /// How many players it is, at least 1.
    pub(super) players: usize,
    /// What they weigh.
    pub(super) value: i64,
}

/// Every sum that some of the items have, by how many players they are, and who makes it up.
///
/// The sums of the items from the n-th on come from those from the next on, with or without the
/// n-th. So whether a sum can be had with an item is looked up, and the first choice in the order
/// of the items is read off without trying.
///
/// # Design
/// Values are counted from the least for each player, in their greatest common step, which makes
/// most tables small enough to be a bit for every sum. Where they would be large all the same, the
/// sums are listed, as long as there are few ways to choose. What has neither has no table.
///
/// Which sums there are needs one table for every number of players, which the items are added to one
/// by one; those are small and stay near the processor. Only who makes a sum up needs them as they
/// were before each item. That is many times as much, and done only when somebody asks.
#[derive(Debug)]
pub(super) struct Sums {
    scale: Scale,
    with_bits: bool,
    /// The sums of all items, by players.
    tables: Vec<Table>,
    /// The sums after each item, of as many players as have been asked for.
    tails: Option<Tails>,
}

/// How large tables may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The most words that the bits of all tables may take, those of the tails counted.
    pub(super) words: u64,
    /// The most sums that all lists may hold, counted so too.
    pub(super) listed: u64,
}

impl Room {
    /// For exact sums: 4 MiB of bits.
    pub(super) const EXACT: Self = Self {
        words: 1 << 19,
        listed: 1 << 17,
    };
    /// For rounded sums.
    pub(super) const ROUNDED: Self = Self {
        words: 1 << 17,
        listed: 0,
    };
}

impl Sums {
    /// The sums of at most `most` players of `items`; `None` where there is no room for them.
    pub(super) fn of(items: &[Item], most: usize, room: Room) -> Option<Self> {
        let scale = Scale::of(items);
        let with_bits = scale.with_bits(most, room)?;
        let mut tables = Table::of_nobody(with_bits, most);
        // The lightest first: so the least sum of so many players stays the least.
        for item in scale.ascending() {
            let (players, above) = scale.item(item);
            // From the most on, so that no item is counted twice.
            for count in (players..=most).rev() {
                let (fewer, here) = tables.split_at_mut(count);
                here[0].add_moved(&fewer[count - players], above);
            }
        }
        Some(Self {
            scale,
            with_bits,
            tables,
            tails: None,
        })
    }

    /// For how many of `items`, each a player, there is room.
    pub(super) fn room_for(items: &[Item], room: Room) -> usize {
        let scale = Scale::of(items);
        let (mut fits, mut too_many) = (0, items.len() + 1);
        while too_many - fits > 1 {
            let middle = usize::midpoint(fits, too_many);
            if scale.with_bits(middle, room).is_some() {
                fits = middle;
            } else {
                too_many = middle;
            }
        }
        fits
    }

    /// Every sum of exactly `count` players, ascending.
    pub(super) fn all(&self, count: usize) -> Vec<i64> {
        let places = self.tables.get(count).map(Table::sums);
        let places = places.unwrap_or_default().into_iter();
        places.map(|place| self.scale.sum(count, place)).collect()
    }

    /// How many sums there are of exactly `count` players.
    pub(super) fn how_many(&self, count: usize) -> usize {
        self.tables.get(count).map_or(0, Table::how_many)
    }

    /// Of the sums of exactly `count` players the nearest to `target`, ascending: `most` on either
    /// side of it, or as many as there are.
    pub(super) fn around(&self, count: usize, target: i64, most: usize) -> Vec<i64> {
        let place = self.scale.place(count, target);
        let table = self.tables.get(count);
        let places = table.map(|table| table.around(place, most));
        let places = places.unwrap_or_default().into_iter();
        places.map(|place| self.scale.sum(count, place)).collect()
    }

    /// The first choices of items, by their places, that are `count` players and have this sum; at
    /// most so many.
    ///
    /// Of two choices the one comes first that has the first item in which they differ.
    pub(super) fn firsts(&mut self, count: usize, sum: i64, most: usize) -> Vec<Vec<usize>> {
        let place = self.scale.place(count, sum);
        let table = self.tables.get(count);
        if self.scale.sum(count, place) != sum || !table.is_some_and(|table| table.has(place)) {
            return Vec::new();
        }
        self.prepare(count);
        let tails = self.tails.as_ref();
        let firsts = tails.map(|tails| tails.firsts(&self.scale, count, place, most));
        firsts.unwrap_or_default()
    }

    /// Makes ready to tell who makes up the sums of up to so many players; from the second time on of
    /// more, so that asking for ever more of them makes few tables.
    ///
    /// It is done when somebody asks. Whoever knows the most that will be asked for says so first.
    pub(super) fn prepare(&mut self, count: usize) {
        let reached = self.tails.as_ref().map(Tails::most);
        if reached.is_some_and(|most| count <= most) {
            return;
        }
        let most = match reached {
            Some(_) => (2 * count).min(self.tables.len() - 1),
            None => count,
        };
        // Those of fewer make room first.
        self.tails = None;
        self.tails = Some(Tails::of(&self.scale, self.with_bits, most));
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
            let sums = Sums::of(&items, most, Room::EXACT).unwrap();
            let all = choices(&items);
            for count in 0..=most {
                let expected: Vec<i64> =
                    all.keys().filter(|(players, _)| *players == count).map(|(_, sum)| *sum).collect();
                prop_assert_eq!(sums.how_many(count), expected.len());
                for target in [-1_000_000_000, -60, 0, 17, 1150, 90_000_000, 10_000_000_000] {
                    let split = expected.partition_point(|sum| *sum <= target);
                    let near = &expected[split.saturating_sub(3)..(split + 3).min(expected.len())];
                    prop_assert_eq!(&sums.around(count, target, 3)[..], near);
                }
                prop_assert_eq!(sums.all(count), expected);
            }
        }

        #[test]
        fn the_choices_are_those_whose_places_come_first(items in items(), most in 1_usize..5) {
            let mut sums = Sums::of(&items, 40, Room::EXACT).unwrap();
            for ((count, sum), mut choices) in choices(&items) {
                let taken = |places: &Vec<usize>| -> Vec<bool> {
                    (0..items.len()).map(|place| !places.contains(&place)).collect()
                };
                choices.sort_by_key(taken);
                choices.truncate(most);
                prop_assert_eq!(sums.firsts(count, sum, most), choices);
                prop_assert!(sums.firsts(count + 50, sum, most).is_empty());
            }
        }
    }

    #[test]
    fn what_would_be_too_much_work_has_no_table() {
        let items: Vec<Item> = (1..=64)
            .map(|n: i64| Item {
                players: 1,
                value: n * n * n * n * 7919 + n,
            })
            .collect();
        assert!(Sums::of(&items, 16, Room::EXACT).is_none());
        assert!(Sums::of(&items, 2, Room::EXACT).is_some());
    }
}
