use std::ops::{ControlFlow, Range};

use super::bit_row::{Row, rows};
use super::bits::add;
use super::ranges::{common, hull};
use super::reach::{Reach, take};
use super::rules::Sign;
use super::slack::Slack;
use super::split::Seat;

/// Counted from the last block, what those before can make is kept every so many blocks: their seats are
/// soon tried out when somebody goes back.
const TRIED: usize = 3;

/// Players who take one seat together, or one alone.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Who they are.
    pub(super) players: Vec<usize>,
    /// Their ratings, in units.
    pub(super) points: Vec<i64>,
    /// The seats that are open to all of them, and what each adds, with the sign of [`Sign::Plus`].
    pub(super) open: Vec<(Seat, Made)>,
}

/// What players who have their seats make together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Made {
    /// How many of them are on team A.
    pub(super) a: usize,
    /// On team B.
    pub(super) b: usize,
    /// The difference, in units, with the sign of the table.
    pub(super) difference: i64,
}

/// Which differences some of the players can make, whatever they cost.
///
/// That is found as the costs are (see the module), but a bit says whether a difference can be had, so
/// that a word does what 64 costs would.
#[derive(Debug)]
pub(super) struct BitTable {
    blocks: Vec<Block>,
    sign: Sign,
    /// The most players of a team.
    most: usize,
    /// By count on A times (most + 1) plus count on B.
    rows: Vec<Row>,
    words: Vec<u64>,
    /// By how many blocks have a seat: what these can make, where that was kept.
    kept: Vec<Option<Kept>>,
}

/// What the first few blocks can make.
#[derive(Debug)]
struct Kept {
    /// The most of their players on a team.
    most: usize,
    /// By count on A times (most + 1) plus count on B.
    rows: Vec<Row>,
    words: Vec<u64>,
}

impl BitTable {
    /// Of these blocks, for teams of up to `most` players, in the sizes and up to the differences of the
    /// `slack`, or all; the ratings of all who may be on them, ascending, are those of `everybody`. Whether
    /// somebody `goes_back`, for [`BitTable::ways`], must be known.
    pub(super) fn new(
        blocks: Vec<Block>,
        everybody: &[i64],
        sign: Sign,
        most: usize,
        slack: Option<&Slack>,
        goes_back: bool,
    ) -> Self {
        let (rows, words) = rows(points_of(&blocks), sign, most);
        let mut table = Self {
            kept: Vec::with_capacity(blocks.len()),
            blocks: Vec::new(),
            sign,
            most,
            rows,
            words: vec![0; words],
        };
        table.rows[0].range = 0..1;
        let at = usize::try_from(-table.rows[0].first).unwrap_or_default();
        table.words[table.rows[0].start + at / 64] = 1 << (at % 64);
        let (mut rest, mut seated) = (everybody.to_vec(), 0);
        for (number, block) in blocks.iter().enumerate() {
            let is_kept = goes_back && (blocks.len() - number).is_multiple_of(TRIED);
            let kept = is_kept.then(|| table.at_present(seated));
            table.kept.push(kept);
            seated += block.points.len();
            let reach = slack.map(|slack| {
                for points in &block.points {
                    take(&mut rest, *points);
                }
                Reach::new(&rest, slack, sign)
            });
            table.seat(block, seated, reach.as_ref());
        }
        Self { blocks, ..table }
    }

    /// How many words [`BitTable::new`] computes at most, all of them once for each block.
    pub(super) fn words(blocks: &[Block], most: usize) -> u64 {
        let (_, words) = rows(points_of(blocks), Sign::Plus, most);
        (words as u64).saturating_mul(blocks.len() as u64)
    }

    /// Seats one block more, after which `seated` players have seats.
    ///
    /// What a seat starts from has fewer players on a team, or is what it leads to, so from the
    /// greatest counts to the least nothing is lost before it is used.
    fn seat(&mut self, block: &Block, seated: usize, reach: Option<&Reach<'_>>) {
        let plays = || block.open.iter().filter(|(seat, _)| *seat != Seat::Waiting);
        let waits = block.open.iter().any(|(seat, _)| *seat == Seat::Waiting);
        let (most, sign) = (self.most.min(seated), self.sign);
        let counts = (0..=most).rev().flat_map(|a| {
            let most = most.min(seated - a);
            (0..=most).rev().map(move |b| (a, b))
        });
        for (a, b) in counts {
            let place = a * (self.most + 1) + b;
            let (before, target) = (&self.rows[..place], &self.rows[place]);
            let source = |(_, adds): &(Seat, Made)| {
                let (a, b) = (a.checked_sub(adds.a)?, b.checked_sub(adds.b)?);
                let from = a * (self.most + 1) + b;
                let row = if from == place {
                    target
                } else {
                    before.get(from)?
                };
                (!row.range.is_empty()).then(|| (row, sign.of(adds.difference)))
            };
            let reached = block.open.iter().filter_map(source);
            let reached = reached.map(|(row, more)| row.range.start + more..row.range.end + more);
            let mut range = reached.fold(0..0, |one, other| hull(&one, &other));
            if range.is_empty() && target.range.is_empty() {
                continue;
            }
            if let Some(reach) = reach {
                range = common(&range, &reach.differences(a, b));
            }
            // The word before the row is the last one behind those of lower counts.
            let (lower, words) = self.words.split_at_mut(target.start);
            let touched = target.words(&hull(&range, &target.range));
            if range.is_empty() || !waits {
                words[touched.clone()].fill(0);
            }
            if !range.is_empty() {
                let written = target.words(&range);
                for (source, more) in plays().filter_map(source) {
                    let (first, from) = source.bits(&source.range, lower);
                    let shift = first + more - target.first;
                    add(&mut words[written.clone()], written.start, from, shift);
                }
                words[touched.start..written.start].fill(0);
                words[written.end..touched.end].fill(0);
                for word in [written.start, written.end - 1] {
                    words[word] &= target.bits_of(word, &range);
                }
            }
            self.rows[place].range = range;
        }
    }

    /// What the blocks that have a seat, `seated` players together, can make.
    fn at_present(&self, seated: usize) -> Kept {
        let most = self.most.min(seated);
        let mut rows = Vec::with_capacity((most + 1) * (most + 1));
        let mut words = Vec::new();
        for a in 0..=most {
            let from = a * (self.most + 1);
            for row in &self.rows[from..=from + most] {
                let told = row.words(&row.range);
                rows.push(Row {
                    first: row.first_of(told.start),
                    start: words.len(),
                    range: row.range.clone(),
                });
                words.extend_from_slice(&self.words[row.start + told.start..row.start + told.end]);
            }
        }
        Kept { most, rows, words }
    }

    /// The row of these counts, if they can be had.
    pub(super) fn row(&self, a: usize, b: usize) -> Option<usize> {
        let row = a * (self.most + 1) + b;
        (a <= self.most && b <= self.most && !self.rows[row].range.is_empty()).then_some(row)
    }

    /// Where the differences of a row are.
    pub(super) fn range(&self, row: usize) -> &Range<i64> {
        &self.rows[row].range
    }

    /// The bits of a row that tell of these differences, and of others beside them, and the difference that
    /// the first bit tells of.
    pub(super) fn bits(&self, row: usize, range: &Range<i64>) -> (i64, &[u64]) {
        self.rows[row].bits(range, &self.words)
    }

    /// The ways to seat the blocks so that they make what is `wanted`, as the seats of so many `players`, of
    /// whom all others wait; if there are more than `most`, one more than that.
    pub(super) fn ways(&self, wanted: Made, players: usize, most: usize) -> Vec<Vec<Seat>> {
        let mut ways = Vec::new();
        let mut seats = vec![Seat::Waiting; players];
        let _ = self.each_before(self.blocks.len(), wanted, &mut seats, &mut |seats| {
            ways.push(seats.to_vec());
            if ways.len() > most {
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        });
        ways
    }

    /// Visits every way to seat the first `count` blocks so, until a visit breaks.
    fn each_before(
        &self,
        count: usize,
        wanted: Made,
        seats: &mut [Seat],
        visit: &mut dyn FnMut(&[Seat]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Some(before) = count.checked_sub(1) else {
            if wanted == Made::default() {
                return visit(seats);
            }
            return ControlFlow::Continue(());
        };
        let block = &self.blocks[before];
        for (seat, adds) in &block.open {
            let counts = (wanted.a.checked_sub(adds.a), wanted.b.checked_sub(adds.b));
            let (Some(a), Some(b)) = counts else {
                continue;
            };
            let difference = wanted.difference - self.sign.of(adds.difference);
            let rest = Made { a, b, difference };
            let kept = self.kept[before].as_ref();
            if kept.is_none_or(|kept| kept.has(&rest)) {
                for &player in &block.players {
                    seats[player] = *seat;
                }
                self.each_before(before, rest, seats, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl Kept {
    /// Whether that can be made.
    fn has(&self, made: &Made) -> bool {
        let Made { a, b, difference } = *made;
        a.max(b) <= self.most && self.rows[a * (self.most + 1) + b].has(difference, &self.words)
    }
}

/// The ratings of all players of the blocks.
fn points_of(blocks: &[Block]) -> Vec<i64> {
    let points = blocks.iter().map(|block| &block.points[..]);
    points.collect::<Vec<&[i64]>>().concat()
}

#[cfg(test)]
pub(super) mod generators {
    use proptest::prelude::*;

    use super::{Block, Made, Seat};

    /// The ratings of some blocks of one or two players, each with the number of the seat that is closed.
    pub(in super::super) fn ratings() -> impl Strategy<Value = Vec<(Vec<i64>, usize)>> {
        let block = (prop::collection::vec(0..200_i64, 1..=2), 0..6_usize);
        prop::collection::vec(block, 0..5)
    }

    /// The blocks with these ratings, of players who are numbered from `first` on.
    pub(in super::super) fn blocks(ratings: &[(Vec<i64>, usize)], first: usize) -> Vec<Block> {
        let mut next = first;
        let blocks = ratings.iter().map(|(points, closed)| {
            let (count, sum) = (points.len(), points.iter().sum::<i64>());
            let players = (next..next + count).collect();
            next += count;
            let open = [Seat::A, Seat::B, Seat::Waiting].map(|seat| {
                let made = Made {
                    a: if seat == Seat::A { count } else { 0 },
                    b: if seat == Seat::B { count } else { 0 },
                    difference: seat.weight() * sum,
                };
                (seat, made)
            });
            let mut open = open.to_vec();
            if *closed < open.len() {
                open.remove(*closed);
            }
            Block {
                players,
                points: points.clone(),
                open,
            }
        });
        blocks.collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::generators::{blocks, ratings};
    use super::*;

    /// Whether no bit is set but those of differences that may be had at present.
    fn is_tidy(table: &BitTable) -> bool {
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
        let rows = table.rows.iter().filter(|row| !row.range.is_empty());
        let told = rows.map(|row| {
            let words = row.words(&row.range);
            let told =
                words.map(|word| table.words[row.start + word] & row.bits_of(word, &row.range));
            ones(&told.collect::<Vec<u64>>())
        });
        told.sum::<u32>() == ones(&table.words)
    }

    proptest! {
        #[test]
        fn all_ways_to_make_something_are_found_by_going_back(
            ratings in ratings(), is_minus in any::<bool>(), most in 1..5_usize, slack in 0..300_i64,
        ) {
            let blocks = blocks(&ratings, 0);
            let players = blocks.iter().map(|block| block.players.len()).sum();
            let sign = if is_minus { Sign::Minus } else { Sign::Plus };
            let table = BitTable::new(blocks.clone(), &[], sign, most, None, true);
            let mut points = points_of(&blocks);
            points.sort_unstable();
            let slack = Slack::new([(most, slack)]);
            let near = BitTable::new(blocks.clone(), &points, sign, most, Some(&slack), false);
            prop_assert!(is_tidy(&table) && is_tidy(&near));
            let mut all = vec![(Made::default(), vec![Seat::Waiting; players])];
            for block in &blocks {
                let seated = all.iter().flat_map(|(made, seats)| block.open.iter().map(|(seat, adds)| {
                    let mut seats = seats.clone();
                    block.players.iter().for_each(|&player| seats[player] = *seat);
                    let difference = made.difference + sign.of(adds.difference);
                    (Made { a: made.a + adds.a, b: made.b + adds.b, difference }, seats)
                }));
                all = seated.collect();
            }
            all.retain(|(made, _)| made.a.max(made.b) <= most);
            for (made, _) in &all {
                let row = table.row(made.a, made.b);
                prop_assert!(row.is_some_and(|row| table.range(row).contains(&made.difference)));
                let expected = all.iter().filter(|(other, _)| other == made);
                let mut expected: Vec<&Vec<Seat>> = expected.map(|(_, seats)| seats).collect();
                let mut ways = table.ways(*made, players, expected.len());
                prop_assert_eq!(table.ways(*made, players, 0).len(), 1, "one more than wanted");
                expected.sort();
                ways.sort();
                prop_assert!(ways.iter().eq(expected), "{:?}", made);
            }
        }
    }
}
