use super::bit_table::{BitTable, Block, Made};
use super::bits::{Widened, meet, meeting};
use super::ranges::common;
use super::rules::Sign;
use super::slack::Slack;
use super::split::Seat;

/// Where the splits that were found so far let expect more than this many times as many as are wanted, the others
/// are not looked for. They are not spread evenly, so that once as many would be too early.
const TOO_MANY: usize = 4;

/// Which differences the splits of a pool can have, whatever they cost, by a table for each half of the
/// players.
#[derive(Debug)]
pub(super) struct Differences {
    /// Of these sizes.
    sizes: Vec<usize>,
    left: BitTable,
    right: BitTable,
    /// How many players there are.
    players: usize,
}

/// A row of each half that make teams of some size together.
#[derive(Clone, Copy, Debug)]
struct Pair {
    left: usize,
    right: usize,
    /// The players of the left half on team A and on team B.
    counts: (usize, usize),
    /// By how much the differences of the one miss those of the other: no split is closer.
    gap: i64,
}

impl Differences {
    /// Of teams of these sizes, of players of both halves, up to the differences of the `slack`, or all of them.
    /// Whether somebody `goes_back`, for [`Differences::few`], must be known.
    pub(super) fn new(
        halves: [Vec<Block>; 2],
        sizes: &[usize],
        slack: Option<&Slack>,
        goes_back: bool,
    ) -> Self {
        let most = sizes.iter().copied().max().unwrap_or_default();
        let blocks = halves.iter().flatten();
        let mut points: Vec<i64> = blocks.flat_map(|block| block.points.clone()).collect();
        points.sort_unstable();
        let [left, right] = halves;
        Self {
            sizes: sizes.to_vec(),
            left: BitTable::new(left, &points, Sign::Plus, most, slack, goes_back),
            right: BitTable::new(right, &points, Sign::Minus, most, slack, goes_back),
            players: points.len(),
        }
    }

    /// How many words [`Differences::new`] computes at most for teams of up to so many players.
    pub(super) fn words(halves: &[Vec<Block>; 2], most: usize) -> u64 {
        let words = halves.iter().map(|blocks| BitTable::words(blocks, most));
        words.fold(0, u64::saturating_add)
    }

    /// Whether it tells of teams of `size`.
    pub(super) fn tells(&self, size: usize) -> bool {
        self.sizes.contains(&size)
    }

    /// The least difference from `floor` on, either way round, that a split of `size` can have, if it
    /// is below `known`; else that.
    pub(super) fn next(&self, size: usize, floor: i64, known: Option<i64>) -> Option<i64> {
        let is_near = |pair: &Pair| known.is_none_or(|known| pair.gap < known);
        let mut pairs: Vec<Pair> = self.pairs(size).filter(is_near).collect();
        // Those first that overlap the most.
        pairs.sort_unstable_by_key(|pair| (pair.gap, pair.counts));
        let (mut best, mut widened) = (known, Widened::default());
        for pair in pairs {
            // Those that follow have wider gaps still.
            if best.is_some_and(|best| pair.gap >= best || best == floor) {
                break;
            }
            let from = floor.max(pair.gap);
            let end = self.end(&pair);
            let end = best.map_or(end, |best| best.min(end));
            // Below what is known one look tells whether there is anything.
            if best.is_none() || from < end && self.have_between(&pair, from, end, &mut widened) {
                best = self.least(&pair, from, end, &mut widened).or(best);
            }
        }
        best
    }

    /// The splits of `size` with this difference, each one way round at least, if there seem to be no more
    /// than `most`.
    pub(super) fn few(&self, size: usize, difference: i64, most: usize) -> Option<Vec<Vec<Seat>>> {
        let made = self.made(size, difference, most)?;
        let mut splits = Vec::new();
        for (number, (left, right)) in (1..).zip(&made) {
            let enough = most.min(TOO_MANY * most * number / made.len());
            let room = enough - splits.len();
            let lefts = self.left.ways(*left, self.players, room);
            let rights = self
                .right
                .ways(*right, self.players, room / lefts.len().max(1));
            if lefts.len() * rights.len() > room {
                return None;
            }
            let of_both = |(left, right): (&Seat, &Seat)| match left {
                Seat::Waiting => *right,
                seat => *seat,
            };
            let pairs = lefts
                .iter()
                .flat_map(|left| rights.iter().map(move |right| (left, right)));
            splits.extend(pairs.map(|(left, right)| left.iter().zip(right).map(of_both).collect()));
        }
        Some(splits)
    }

    /// What the halves make of splits of `size` with this difference, if that is no more than `most`.
    fn made(&self, size: usize, difference: i64, most: usize) -> Option<Vec<(Made, Made)>> {
        let both = [difference, -difference];
        let both = &both[..if difference == 0 { 1 } else { 2 }];
        let mut made = Vec::new();
        for pair in self.pairs(size).filter(|pair| pair.gap <= difference) {
            let (left, right) = (self.left.range(pair.left), self.right.range(pair.right));
            let (first, words) = self.left.bits(pair.left, left);
            let (other, others) = self.right.bits(pair.right, right);
            let (a, b) = pair.counts;
            for difference in both {
                let offset = first - other - difference;
                // Most often there are none, which is seen sooner.
                if !meet(words, others, offset) {
                    continue;
                }
                let room = most + 1 - made.len();
                made.extend(meeting(words, others, offset).take(room).map(|bit| {
                    let left = Made {
                        a,
                        b,
                        difference: first + bit,
                    };
                    let right = Made {
                        a: size - a,
                        b: size - b,
                        difference: first + bit - difference,
                    };
                    (left, right)
                }));
                if made.len() > most {
                    return None;
                }
            }
        }
        Some(made)
    }

    /// The rows of the halves that make teams of `size`.
    fn pairs(&self, size: usize) -> impl Iterator<Item = Pair> {
        let counts = (0..=size).flat_map(move |a| (0..=size).map(move |b| (a, b)));
        counts.filter_map(move |(a, b)| {
            let left = self.left.row(a, b)?;
            let right = self.right.row(size - a, size - b)?;
            let (one, other) = (self.left.range(left), self.right.range(right));
            Some(Pair {
                left,
                right,
                counts: (a, b),
                gap: (one.start - (other.end - 1)).max(other.start - (one.end - 1)),
            })
        })
    }

    /// One more than all differences that the rows can have together.
    fn end(&self, pair: &Pair) -> i64 {
        let (left, right) = (self.left.range(pair.left), self.right.range(pair.right));
        (left.end - right.start).max(right.end - left.start)
    }

    /// Whether the rows can have a difference from `floor` on that is below `end`, either way round.
    fn have_between(&self, pair: &Pair, floor: i64, end: i64, widened: &mut Widened) -> bool {
        let left = self.left.range(pair.left);
        let near = left.start - (end - 1)..left.end + (end - 1);
        let near = common(self.right.range(pair.right), &near);
        let (first, words) = self.left.bits(pair.left, left);
        let (other, others) = self.right.bits(pair.right, &near);
        let width = end - 1 - floor;
        let wide = widened.of(others, width);
        let apart = first - other;
        // Of 0 alone, both ways round are the same.
        meet(words, wide, apart - floor) || (end > 1 && meet(words, wide, apart + floor + width))
    }

    /// The least difference that the rows can have together, either way round, of those from `floor` on
    /// that are below `end`.
    fn least(&self, pair: &Pair, floor: i64, end: i64, widened: &mut Widened) -> Option<i64> {
        let mut have_between = |floor, end| self.have_between(pair, floor, end, widened);
        let (mut floor, mut step) = (floor, 1);
        // Most often it is near the floor, so the steps double.
        while floor < end && !have_between(floor, end.min(floor + step)) {
            floor += step;
            step *= 2;
        }
        let mut until = end.min(floor + step);
        while until - floor > 1 {
            let middle = floor + (until - floor) / 2;
            if have_between(floor, middle) {
                until = middle;
            } else {
                floor = middle;
            }
        }
        (floor < end).then_some(floor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bit_table::generators::{blocks, ratings};
    use super::*;

    const MOST: usize = 4;
    const SIZES: [usize; MOST + 1] = [0, 1, 2, 3, 4];

    /// Everything that blocks can make, one after another, of players who are numbered so.
    fn all(blocks: &[Block]) -> Vec<(Made, Vec<Seat>)> {
        let players = blocks.iter().map(|block| block.players.len()).sum();
        let nobody = vec![(Made::default(), vec![Seat::Waiting; players])];
        blocks.iter().fold(nobody, |all, block| {
            let next = all.iter().flat_map(|(made, seats)| {
                block.open.iter().map(move |(seat, adds)| {
                    let mut seats = seats.clone();
                    for &player in &block.players {
                        seats[player] = *seat;
                    }
                    let made = Made {
                        a: made.a + adds.a,
                        b: made.b + adds.b,
                        difference: made.difference + adds.difference,
                    };
                    (made, seats)
                })
            });
            next.collect()
        })
    }

    proptest! {
        #[test]
        fn the_next_difference_is_that_of_some_split(
            upper in ratings(), lower in ratings(), size in 0..=MOST,
            floor in 0..150_i64, slack in prop::option::of(0..300_i64),
        ) {
            let halves = [blocks(&upper, 0), blocks(&lower, 0)];
            let splits = all(&blocks(&[upper, lower].concat(), 0)).into_iter();
            let differences = splits
                .filter(|(made, _)| (made.a, made.b) == (size, size))
                .map(|(made, _)| made.difference.abs());
            let expected = differences.filter(|difference| *difference >= floor).min();
            let of_sizes = slack.map(|slack| Slack::new((0..=MOST).map(|size| (size, slack))));
            let differences = Differences::new(halves, &SIZES, of_sizes.as_ref(), false);
            let found = differences.next(size, floor, None);
            let known = differences.next(size, floor, Some(floor + 9));
            prop_assert_eq!(known, Some(found.unwrap_or(floor + 9).min(floor + 9)));
            match slack {
                Some(slack) if expected.is_none_or(|expected| expected > slack) => {
                    prop_assert!(found.is_none_or(|found| Some(found) >= expected && expected.is_some()));
                }
                _ => prop_assert_eq!(found, expected),
            }
        }

        #[test]
        fn few_splits_of_a_difference_are_found_or_none_is(
            upper in ratings(), lower in ratings(), size in 0..=MOST, slack in 0..300_i64,
            most in 0..9_usize,
        ) {
            let players: usize = upper.iter().map(|(points, _)| points.len()).sum();
            let halves = [blocks(&upper, 0), blocks(&lower, players)];
            let mut splits = all(&halves.concat());
            splits.retain(|(made, _)| (made.a, made.b) == (size, size));
            let of_sizes = Slack::new((0..=MOST).map(|size| (size, slack)));
            let differences = Differences::new(halves, &SIZES, Some(&of_sizes), true);
            for difference in 0..=slack {
                let with = splits.iter().filter(|(made, _)| made.difference.abs() == difference);
                let mut expected: Vec<&Vec<Seat>> = with.map(|(_, seats)| seats).collect();
                expected.sort();
                let all_of_them = differences.few(size, difference, 1 << 20);
                let mut all_of_them = all_of_them.unwrap_or_default();
                all_of_them.sort();
                prop_assert!(all_of_them.iter().eq(expected.iter().copied()));
                let few = differences.few(size, difference, most);
                prop_assert!(few.is_none_or(|few| few.len() == expected.len()));
                prop_assert!(expected.len() <= most || differences.few(size, difference, most).is_none());
            }
        }
    }
}
