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

/// A set of sums, in steps above the base.
#[derive(Clone, Debug)]
enum Table {
    Bits(Vec<u64>),
    List(Vec<i64>),
}

/// The most words that the bits of all tables may take: 4 MiB.
const MOST_WORDS: u64 = 1 << 19;
/// The most sums that all lists may hold.
const MOST_LISTED: u64 = 1 << 17;
/// Words that take as long as one listed sum.
const WORDS_A_SUM: u64 = 8;

impl Sums {
    /// The sums of at most `most` players of `items`; `None` where that would be too much work.
    pub(super) fn of(items: &[Item], most: usize) -> Option<Self> {
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
        // No sum of some players is more than as many times the most for one.
        let dearest = items
            .iter()
            .zip(&above)
            .map(|(item, value)| value.div_ceil_by(players(item)));
        let dearest = dearest.max().unwrap_or(0);
        let totals: Vec<i64> = (0..=items.len())
            .map(|from| above[from..].iter().sum())
            .collect();
        let highest = |from: usize, players: usize| {
            dearest
                .saturating_mul(i64::try_from(players).unwrap_or(i64::MAX))
                .min(totals[from])
        };

        let cells =
            || (0..=items.len()).flat_map(|from| (0..=most).map(move |count| (from, count)));
        let words: u64 = cells()
            .map(|(from, count)| words_for(highest(from, count)))
            .fold(0, u64::saturating_add);
        let listed: u64 = (0..=items.len())
            .map(|from| ways(items.len() - from, most))
            .fold(0, u64::saturating_add);
        let with_bits = words <= MOST_WORDS && words <= listed.saturating_mul(WORDS_A_SUM);
        if !with_bits && listed > MOST_LISTED {
            return None;
        }

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
                next[count].joined(with, above[from], highest(from, count))
            });
            let here = here.collect();
            tables.push(here);
        }
        tables.reverse();
        Some(Self {
            items: items.to_vec(),
            base,
            step,
            tables,
        })
    }

    /// Every sum of exactly `count` players, ascending.
    pub(super) fn all(&self, count: usize) -> Vec<i64> {
        let table = self.tables.first().and_then(|tables| tables.get(count));
        let sums = table.map(Table::sums).unwrap_or_default();
        let base = self.base * i64::try_from(count).unwrap_or(0);
        sums.into_iter().map(|sum| base + self.step * sum).collect()
    }

    /// The first items, by their places, that are `count` players and have this sum.
    pub(super) fn first(&self, count: usize, sum: i64) -> Vec<usize> {
        let (mut players_left, mut left) = (count, sum);
        let mut chosen = Vec::new();
        for (place, item) in self.items.iter().enumerate() {
            let Some(rest) = players_left.checked_sub(item.players) else {
                continue;
            };
            if self.has(place + 1, rest, left - item.value) {
                chosen.push(place);
                (players_left, left) = (rest, left - item.value);
            }
        }
        chosen
    }

    fn has(&self, from: usize, count: usize, sum: i64) -> bool {
        let above = sum - self.base * i64::try_from(count).unwrap_or(0);
        let table = self.tables.get(from).and_then(|tables| tables.get(count));
        above % self.step == 0 && table.is_some_and(|table| table.has(above / self.step))
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

fn words_for(highest: i64) -> u64 {
    u64::try_from(highest / 64 + 1).unwrap_or(u64::MAX)
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

impl Table {
    fn empty(with_bits: bool, highest: i64) -> Self {
        if with_bits {
            Self::Bits(vec![0; usize::try_from(words_for(highest)).unwrap_or(0)])
        } else {
            Self::List(Vec::new())
        }
    }

    fn add(&mut self, sum: i64) {
        match self {
            Self::Bits(words) => {
                let place = usize::try_from(sum).unwrap_or(usize::MAX);
                if let Some(word) = words.get_mut(place / 64) {
                    *word |= 1 << (place % 64);
                }
            }
            Self::List(sums) => sums.push(sum),
        }
    }

    fn has(&self, sum: i64) -> bool {
        match (self, usize::try_from(sum)) {
            (Self::Bits(words), Ok(place)) => words
                .get(place / 64)
                .is_some_and(|word| word >> (place % 64) & 1 == 1),
            (Self::List(sums), Ok(_)) => sums.binary_search(&sum).is_ok(),
            (_, Err(_)) => false,
        }
    }

    fn sums(&self) -> Vec<i64> {
        match self {
            Self::Bits(words) => {
                let mut sums = Vec::new();
                for (word, start) in words.iter().zip((0_i64..).step_by(64)) {
                    let mut left = *word;
                    while left != 0 {
                        sums.push(start + i64::from(left.trailing_zeros()));
                        left &= left - 1;
                    }
                }
                sums
            }
            Self::List(sums) => sums.clone(),
        }
    }

    /// The sums without an item, and, where there is room for it, those of `with` moved up by its
    /// `value`; none is above `highest`.
    fn joined(&self, with: Option<&Self>, value: i64, highest: i64) -> Self {
        let mut joined = Self::empty(matches!(self, Self::Bits(_)), highest);
        match (&mut joined, self, with) {
            (Self::Bits(words), Self::Bits(without), with) => {
                for (word, from) in words.iter_mut().zip(without) {
                    *word = *from;
                }
                if let Some(Self::Bits(with)) = with {
                    or_shifted(words, with, usize::try_from(value).unwrap_or(usize::MAX));
                }
            }
            (Self::List(sums), Self::List(without), with) => {
                sums.extend(without);
                if let Some(Self::List(with)) = with {
                    sums.extend(with.iter().map(|sum| sum + value));
                }
                #[expect(
                    clippy::stable_sort_primitive,
                    reason = "it merges two ascending runs in one go"
                )]
                sums.sort();
                sums.dedup();
            }
            // All tables are of one kind.
            _ => {}
        }
        joined
    }
}

/// Adds the bits of `from`, moved up by `by` places, to `words`; what has no room is none of a sum.
fn or_shifted(words: &mut [u64], from: &[u64], by: usize) {
    let (whole, rest) = (by / 64, by % 64);
    let Some(words) = words.get_mut(whole..) else {
        return;
    };
    if rest == 0 {
        for (word, from) in words.iter_mut().zip(from) {
            *word |= from;
        }
        return;
    }
    let mut carried = 0;
    for (word, from) in words.iter_mut().zip(from.iter().chain(&[0])) {
        *word |= from << rest | carried;
        carried = from >> (64 - rest);
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
            let sums = Sums::of(&items, most).unwrap();
            let all = choices(&items);
            for count in 0..=most {
                let expected: Vec<i64> =
                    all.keys().filter(|(players, _)| *players == count).map(|(_, sum)| *sum).collect();
                prop_assert_eq!(sums.all(count), expected);
            }
        }

        #[test]
        fn the_choice_is_the_one_whose_places_come_first(items in items()) {
            let sums = Sums::of(&items, 40).unwrap();
            for ((count, sum), choices) in choices(&items) {
                let taken = |places: &Vec<usize>| -> Vec<bool> {
                    (0..items.len()).map(|place| !places.contains(&place)).collect()
                };
                let first = choices.iter().min_by_key(|places| taken(places));
                prop_assert_eq!(Some(&sums.first(count, sum)), first);
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
        assert!(Sums::of(&items, 16).is_none());
        assert!(Sums::of(&items, 2).is_some());
    }
}
