use super::sum_table::{Table, words_for};

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
#[derive(Debug)]
pub(super) struct Sums {
    items: Vec<Item>,
    base: i64,
    step: i64,
    /// By item, then by players.
    tables: Vec<Vec<Table>>,
}

/// How large tables may become.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The most words that the bits of all tables take.
    words: u64,
    /// The most sums that all lists hold.
    listed: u64,
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

/// Words that take as long as one listed sum.
const WORDS_A_SUM: u64 = 8;

impl Sums {
    /// The sums of at most `most` players of `items`; `None` where there is no room for them.
    pub(super) fn of(items: &[Item], most: usize, room: Room) -> Option<Self> {
        let scale = Scale::of(items);
        let with_bits = scale.with_bits(most, room)?;
        let nothing = |count: usize, highest: i64| {
            let mut table = Table::empty(with_bits, highest);
            if count == 0 {
                table.add(0);
            }
            table
        };
        let last = (0..=most).map(|count| nothing(count, 0)).collect();
        let mut tables: Vec<Vec<Table>> = vec![last];
        for from in (0..items.len()).rev() {
            let next = tables.last().map_or(&[][..], Vec::as_slice);
            let here = (0..=most).map(|count| {
                let with = count
                    .checked_sub(items[from].players)
                    .map(|rest| &next[rest]);
                next[count].joined(with, scale.above[from], scale.highest(from, count))
            });
            let here = here.collect();
            tables.push(here);
        }
        tables.reverse();
        Some(Self {
            items: items.to_vec(),
            base: scale.base,
            step: scale.step,
            tables,
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
        let table = self.tables.first().and_then(|tables| tables.get(count));
        let sums = table.map(Table::sums).unwrap_or_default();
        let base = self.base * i64::try_from(count).unwrap_or(0);
        sums.into_iter().map(|sum| base + self.step * sum).collect()
    }

    /// How many sums there are of exactly `count` players.
    pub(super) fn how_many(&self, count: usize) -> usize {
        let table = self.tables.first().and_then(|tables| tables.get(count));
        match table {
            Some(Table::Bits(words)) => words.iter().map(|word| word.count_ones() as usize).sum(),
            Some(Table::List(sums)) => sums.len(),
            None => 0,
        }
    }

    /// Of the sums of exactly `count` players the nearest to `target`, ascending: `most` on either
    /// side of it, or as many as there are.
    pub(super) fn around(&self, count: usize, target: i64, most: usize) -> Vec<i64> {
        let base = self.base * i64::try_from(count).unwrap_or(0);
        let table = self.tables.first().and_then(|tables| tables.get(count));
        let place = (target - base).div_euclid(self.step);
        let sums = table.map(|table| table.around(place, most));
        let sums = sums.unwrap_or_default().into_iter();
        sums.map(|sum| base + self.step * sum).collect()
    }

    /// The first choices of items, by their places, that are `count` players and have this sum; at
    /// most so many.
    ///
    /// Of two choices the one comes first that has the first item in which they differ.
    pub(super) fn firsts(&self, count: usize, sum: i64, most: usize) -> Vec<Vec<usize>> {
        let mut found = Vec::new();
        if self.has(0, count, sum) {
            self.descend((0, count, sum), &mut Vec::new(), most, &mut found);
        }
        found
    }

    /// Goes on from a place where players and a sum are left that the items from there on have, so
    /// that no way down is in vain.
    fn descend(
        &self,
        (place, count, sum): (usize, usize, i64),
        chosen: &mut Vec<usize>,
        most: usize,
        found: &mut Vec<Vec<usize>>,
    ) {
        if found.len() == most {
            return;
        }
        let Some(item) = self.items.get(place) else {
            found.push(chosen.clone());
            return;
        };
        if let Some(rest) = count.checked_sub(item.players)
            && self.has(place + 1, rest, sum - item.value)
        {
            chosen.push(place);
            self.descend((place + 1, rest, sum - item.value), chosen, most, found);
            chosen.pop();
        }
        if self.has(place + 1, count, sum) {
            self.descend((place + 1, count, sum), chosen, most, found);
        }
    }

    fn has(&self, from: usize, count: usize, sum: i64) -> bool {
        let above = sum - self.base * i64::try_from(count).unwrap_or(0);
        let table = self.tables.get(from).and_then(|tables| tables.get(count));
        above % self.step == 0 && table.is_some_and(|table| table.has(above / self.step))
    }
}

/// Items as they are counted in tables: in steps above the least for each player.
#[derive(Debug)]
struct Scale {
    base: i64,
    step: i64,
    above: Vec<i64>,
    /// What all items from one on are above the base.
    totals: Vec<i64>,
    /// The most that one player is above the base.
    dearest: i64,
}

impl Scale {
    fn of(items: &[Item]) -> Self {
        let base = items
            .iter()
            .map(|item| item.value.div_euclid(players(item)))
            .min()
            .unwrap_or(0);
        let above: Vec<i64> = items
            .iter()
            .map(|item| item.value - base * players(item))
            .collect();
        let step = above.iter().copied().fold(0, gcd).max(1);
        let above: Vec<i64> = above.into_iter().map(|value| value / step).collect();
        let dearest = items
            .iter()
            .zip(&above)
            .map(|(item, value)| value.div_ceil_by(players(item)));
        Self {
            base,
            step,
            dearest: dearest.max().unwrap_or(0),
            totals: (0..=above.len())
                .map(|from| above[from..].iter().sum())
                .collect(),
            above,
        }
    }

    /// The most that so many players of the items from one on are above the base: no more than as
    /// many times the most for one.
    fn highest(&self, from: usize, players: usize) -> i64 {
        self.dearest
            .saturating_mul(i64::try_from(players).unwrap_or(i64::MAX))
            .min(self.totals[from])
    }

    /// Whether sums of at most `most` players are to be bits, or lists; `None` where there is no room
    /// for either.
    fn with_bits(&self, most: usize, room: Room) -> Option<bool> {
        let items = self.above.len();
        let cells = (0..=items).flat_map(|from| (0..=most).map(move |count| (from, count)));
        let words: u64 = cells
            .map(|(from, count)| words_for(self.highest(from, count)))
            .fold(0, u64::saturating_add);
        let listed: u64 = (0..=items)
            .map(|from| ways(items - from, most))
            .fold(0, u64::saturating_add);
        let lists_fit = listed <= room.listed;
        if words <= room.words && (!lists_fit || words <= listed * WORDS_A_SUM) {
            return Some(true);
        }
        lists_fit.then_some(false)
    }
}

/// Rounded up, for what is not negative.
trait DivCeil {
    fn div_ceil_by(self, by: Self) -> Self;
}

impl DivCeil for i64 {
    fn div_ceil_by(self, by: Self) -> Self {
        (self + by - 1) / by
    }
}

fn players(item: &Item) -> i64 {
    i64::try_from(item.players).unwrap_or(i64::MAX)
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
            let sums = Sums::of(&items, 40, Room::EXACT).unwrap();
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
