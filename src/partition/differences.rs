use std::ops::Range;

use super::bits::{BITS, add, meet, widened};
use super::ranges::{common, hull, sums};
use super::reach::{Reach, take};
use super::rules::Sign;
use super::slack::Slack;

/// Players who take one seat together, or one alone.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Their ratings, in units.
    pub(super) points: Vec<i64>,
    /// What each of the open seats adds to the players of team A, to those of team B and to the
    /// difference Σ_A - Σ_B.
    pub(super) steps: Vec<(usize, usize, i64)>,
}

/// Which differences the splits of a pool can have, whatever they cost.
///
/// They are found as the costs are (see the module), by a table for each half of the players; but
/// a bit says whether a difference can be had, so that a word does what 64 costs would.
#[derive(Debug)]
pub(super) struct Differences {
    left: Half,
    right: Half,
}

/// The differences that some of the players can make, by count on A times (most + 1) plus count
/// on B.
#[derive(Debug)]
struct Half {
    rows: Vec<Row>,
    words: Vec<u64>,
    most: usize,
}

/// The differences of one pair of counts.
#[derive(Clone, Debug, Default)]
struct Row {
    /// The difference that the first bit tells of.
    first: i64,
    /// Where its words begin; there is one that is always zero before them, and one behind.
    start: usize,
    /// Those that may be had at present.
    range: Range<i64>,
}

impl Differences {
    /// Of teams of up to `most` players of both halves, for the sizes and up to the differences of
    /// the `slack`, or all of them.
    pub(super) fn new(halves: [&[Block]; 2], most: usize, slack: Option<&Slack>) -> Self {
        let [left, right] = halves;
        Self {
            left: Half::new(left, right, Sign::Plus, most, slack),
            right: Half::new(right, left, Sign::Minus, most, slack),
        }
    }

    /// How many words [`Differences::new`] computes at most, each layer of the tables counted.
    pub(super) fn words(halves: [&[Block]; 2], most: usize) -> u64 {
        let words = halves.map(|blocks| {
            let (_, words) = rows(blocks, Sign::Plus, most);
            (words as u64).saturating_mul(blocks.len() as u64)
        });
        words[0].saturating_add(words[1])
    }

    /// The least difference from `floor` on, either way round, that a split of `size` can have, if it
    /// is below `known`; else that.
    pub(super) fn next(&self, size: usize, floor: i64, known: Option<i64>) -> Option<i64> {
        let mut best = known;
        for (gap, left, right) in self.pairs(size) {
            // Those that follow have wider gaps still.
            if best.is_some_and(|best| gap >= best || best == floor) {
                break;
            }
            let from = floor.max(gap);
            let end = self.end(left, right);
            let end = best.map_or(end, |best| best.min(end));
            // Below what is known one look tells whether there is anything.
            if best.is_none() || from < end && self.have_between(left, right, from, end) {
                best = self.least(left, right, from, end).or(best);
            }
        }
        best
    }

    /// The rows of the halves that make teams of `size`, and by how much their ranges miss each other,
    /// those first that overlap the most.
    fn pairs(&self, size: usize) -> Vec<(i64, usize, usize)> {
        let mut pairs = Vec::with_capacity((size + 1) * (size + 1));
        let counts = (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b)));
        pairs.extend(counts.filter_map(|(a, b)| {
            let left = self.left.row(a, b)?;
            let right = self.right.row(size - a, size - b)?;
            let (one, other) = (&self.left.rows[left].range, &self.right.rows[right].range);
            let gap = (one.start - (other.end - 1)).max(other.start - (one.end - 1));
            Some((gap, left, right))
        }));
        pairs.sort_by_key(|(gap, _, _)| *gap);
        pairs
    }

    /// One more than all differences that the rows can have together.
    fn end(&self, left: usize, right: usize) -> i64 {
        let (left, right) = (&self.left.rows[left].range, &self.right.rows[right].range);
        (left.end - right.start).max(right.end - left.start)
    }

    /// Whether the rows can have a difference from `floor` on that is below `end`, either way round.
    fn have_between(&self, left: usize, right: usize, floor: i64, end: i64) -> bool {
        let (first, words) = self.left.bits(left);
        let (other, others) = self.right.bits(right);
        let width = end - 1 - floor;
        let wide = widened(others, width);
        let apart = first - other;
        // Of 0 alone, both ways round are the same.
        meet(words, &wide, apart - floor) || (end > 1 && meet(words, &wide, apart + floor + width))
    }

    /// The least difference that the rows can have together, either way round, of those from `floor` on
    /// that are below `end`.
    fn least(&self, left: usize, right: usize, floor: i64, end: i64) -> Option<i64> {
        let have_between = |floor, end| self.have_between(left, right, floor, end);
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

impl Half {
    fn new(
        blocks: &[Block],
        others: &[Block],
        sign: Sign,
        most: usize,
        slack: Option<&Slack>,
    ) -> Self {
        let (rows, words) = rows(blocks, sign, most);
        let mut half = Self {
            words: vec![0; words],
            rows,
            most,
        };
        half.rows[0].range = 0..1;
        let at = usize::try_from(-half.rows[0].first).unwrap_or_default();
        half.words[half.rows[0].start + at / 64] = 1 << (at % 64);
        let everybody = others.iter().chain(blocks).flat_map(|block| &block.points);
        let mut rest: Vec<i64> = everybody.copied().collect();
        rest.sort_unstable();
        let mut seated = 0;
        for block in blocks {
            seated += block.points.len();
            let reach = slack.map(|slack| {
                for points in &block.points {
                    take(&mut rest, *points);
                }
                Reach::new(&rest, slack, sign)
            });
            half.seat(block, seated, sign, reach.as_ref());
        }
        half
    }

    /// Seats one block more, after which `seated` players have seats.
    ///
    /// What a seat starts from has fewer players on a team, or is what it leads to, so from the
    /// greatest counts to the least nothing is lost before it is used.
    fn seat(&mut self, block: &Block, seated: usize, sign: Sign, reach: Option<&Reach<'_>>) {
        let stays = |step: &(usize, usize, i64)| (step.0, step.1) == (0, 0);
        let most = self.most.min(seated);
        let counts = (0..=most).rev().flat_map(|a| {
            let most = most.min(seated - a);
            (0..=most).rev().map(move |b| (a, b))
        });
        for (a, b) in counts {
            let place = a * (self.most + 1) + b;
            let (before, target) = (&self.rows[..place], &self.rows[place]);
            let source = |&(to_a, to_b, difference): &(usize, usize, i64)| {
                let (a, b) = (a.checked_sub(to_a)?, b.checked_sub(to_b)?);
                let from = a * (self.most + 1) + b;
                let row = if from == place {
                    target
                } else {
                    before.get(from)?
                };
                (!row.range.is_empty()).then(|| (row, sign.of(difference)))
            };
            let reached = block.steps.iter().filter_map(source);
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
            if range.is_empty() || !block.steps.iter().any(stays) {
                words[touched.clone()].fill(0);
            }
            if !range.is_empty() {
                let written = target.words(&range);
                for (source, more) in block
                    .steps
                    .iter()
                    .filter(|step| !stays(step))
                    .filter_map(source)
                {
                    let (first, from) = source.bits(lower);
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

    fn row(&self, a: usize, b: usize) -> Option<usize> {
        let row = a * (self.most + 1) + b;
        (a <= self.most && b <= self.most && !self.rows[row].range.is_empty()).then_some(row)
    }

    /// The first difference that the bits of a row tell of, and these.
    fn bits(&self, row: usize) -> (i64, &[u64]) {
        self.rows[row].bits(&self.words)
    }
}

impl Row {
    /// The first difference that its bits tell of, and these out of those of all rows.
    fn bits<'words>(&self, words: &'words [u64]) -> (i64, &'words [u64]) {
        let told = self.words(&self.range);
        let first = self.first + BITS * i64::try_from(told.start).unwrap_or_default();
        (
            first,
            &words[self.start + told.start - 1..=self.start + told.end],
        )
    }

    /// The words, counted from its first, that tell of these differences.
    fn words(&self, range: &Range<i64>) -> Range<usize> {
        if range.is_empty() {
            return 0..0;
        }
        let word = |difference: i64| usize::try_from((difference - self.first) / BITS);
        word(range.start).unwrap_or_default()..word(range.end - 1).map_or(0, |last| last + 1)
    }

    /// The bits of a word that tell of these differences.
    fn bits_of(&self, word: usize, range: &Range<i64>) -> u64 {
        let from = self.first + BITS * i64::try_from(word).unwrap_or(i64::MAX / BITS);
        let below = (range.start - from).clamp(0, BITS - 1);
        let above = (from + BITS - range.end).clamp(0, BITS - 1);
        u64::MAX << below & u64::MAX >> above
    }
}

/// Rows with room for whatever the blocks can make, and how many words they take.
fn rows(blocks: &[Block], sign: Sign, most: usize) -> (Vec<Row>, usize) {
    let mut points: Vec<i64> = blocks
        .iter()
        .flat_map(|block| block.points.clone())
        .collect();
    points.sort_unstable();
    let sums = sums(&points);
    // What is zero stands before each row, and behind the last.
    let mut start = 1;
    let counts = (0..=most).flat_map(|a| (0..=most).map(move |b| (a, b)));
    let rows = counts.map(|(a, b)| {
        if a + b > points.len() {
            return Row {
                start,
                ..Row::default()
            };
        }
        let (to_a, to_b) = (sums[a], sums[b]);
        let (least, greatest) = (to_a.lowest - to_b.highest, to_a.highest - to_b.lowest);
        let range = match sign {
            Sign::Plus => least..greatest + 1,
            Sign::Minus => -greatest..-least + 1,
        };
        let row = Row {
            first: range.start,
            start,
            range: 0..0,
        };
        start += row.words(&range).end + 1;
        row
    });
    (rows.collect(), start)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    const MOST: usize = 4;
    const SEATS: [(usize, usize, i64); 3] = [(1, 0, 1), (0, 1, -1), (0, 0, 0)];

    /// Blocks of one or two players; a number for each of the seats that is closed.
    fn blocks() -> impl Strategy<Value = Vec<Block>> {
        let block = (prop::collection::vec(0..200_i64, 1..=2), 0..6_usize);
        let block = block.prop_map(|(points, closed)| {
            let (count, sum) = (points.len(), points.iter().sum::<i64>());
            let mut steps = SEATS
                .map(|(a, b, sign)| (a * count, b * count, sign * sum))
                .to_vec();
            if closed < 3 {
                steps.remove(closed);
            }
            Block { points, steps }
        });
        prop::collection::vec(block, 0..5)
    }

    /// Everything that the blocks can make, one after another.
    fn all(blocks: &[Block]) -> BTreeSet<(usize, usize, i64)> {
        blocks
            .iter()
            .fold(BTreeSet::from([(0, 0, 0)]), |all, block| {
                let next = all.iter().flat_map(|(a, b, difference)| {
                    let steps = block.steps.iter();
                    steps.map(move |step| (a + step.0, b + step.1, difference + step.2))
                });
                next.collect()
            })
    }

    /// Whether no bit is set but those of differences that may be had at present.
    fn is_tidy(half: &Half) -> bool {
        let ones = |words: &[u64]| words.iter().map(|word| word.count_ones()).sum::<u32>();
        let rows = half.rows.iter().filter(|row| !row.range.is_empty());
        let told = rows.map(|row| {
            let words = row.words(&row.range);
            let told =
                words.map(|word| half.words[row.start + word] & row.bits_of(word, &row.range));
            ones(&told.collect::<Vec<u64>>())
        });
        told.sum::<u32>() == ones(&half.words)
    }

    proptest! {
        #[test]
        fn the_next_difference_is_that_of_some_split(
            upper in blocks(), lower in blocks(), size in 0..=MOST,
            floor in 0..150_i64, slack in prop::option::of(0..300_i64),
        ) {
            let both = [upper.clone(), lower.clone()].concat();
            let splits = all(&both).into_iter();
            let differences = splits
                .filter(|(a, b, _)| (*a, *b) == (size, size))
                .map(|(_, _, difference)| difference.abs());
            let expected = differences.filter(|difference| *difference >= floor).min();
            let of_sizes = slack.map(|slack| Slack::new((0..=MOST).map(|size| (size, slack))));
            let differences = Differences::new([&upper, &lower], MOST, of_sizes.as_ref());
            prop_assert!(is_tidy(&differences.left) && is_tidy(&differences.right));
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
    }
}
