use std::cell::OnceCell;
use std::ops::Range;

use super::bits::{BITS, add, meet, widened};
use super::gaps::{near, next_gap};
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
    /// The differences of a row, ascending.
    listed: Vec<OnceCell<Vec<i64>>>,
    most: usize,
}

/// The differences of one pair of counts.
#[derive(Clone, Debug, Default)]
struct Row {
    /// The difference that the first bit tells of.
    first: i64,
    /// Where its words begin.
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
        let pairs = self.pairs(size);
        let can_be_had = |difference: i64| {
            let mut pairs = pairs.iter();
            pairs.any(|&(left, right)| self.have(left, right, difference))
        };
        // Where many can be had, one of these can.
        if let Some(near) = [floor, floor + 1]
            .into_iter()
            .find(|near| can_be_had(*near))
        {
            return Some(near);
        }
        let floor = floor + 2;
        if known.is_some_and(|known| known <= floor) {
            return known;
        }
        // Those first that come nearest if all between their ends could be had.
        let mut nearest: Vec<(i64, usize, usize)> = pairs
            .iter()
            .map(|&(left, right)| (self.gap(left, right), left, right))
            .collect();
        nearest.sort_by_key(|(gap, _, _)| *gap);
        let mut best = known;
        for (gap, left, right) in nearest {
            if best.is_some_and(|best| gap >= best) {
                break;
            }
            if gap >= floor && self.have(left, right, gap) {
                best = Some(gap);
                continue;
            }
            if best.is_some_and(|best| !self.have_between(left, right, floor, best)) {
                continue;
            }
            let (lefts, rights) = (self.left.list(left), self.right.list(right));
            let (lefts, rights) = (near(lefts, rights, best), near(rights, lefts, best));
            for (one, other) in [(lefts, rights), (rights, lefts)] {
                best = next_gap(one, other, floor, best);
            }
        }
        best
    }

    /// The rows of the halves that make teams of `size`, those first that put equally many players
    /// of a half on each team, because most splits are there.
    fn pairs(&self, size: usize) -> Vec<(usize, usize)> {
        let mut pairs = Vec::with_capacity((size + 1) * (size + 1));
        let counts = (0..=size).flat_map(|a| (0..=size).map(move |b| (a, b)));
        pairs.extend(counts.filter_map(|(a, b)| {
            let left = self.left.row(a, b)?;
            let right = self.right.row(size - a, size - b)?;
            Some((a.abs_diff(b), left, right))
        }));
        pairs.sort_by_key(|(apart, _, _)| *apart);
        pairs
            .into_iter()
            .map(|(_, left, right)| (left, right))
            .collect()
    }

    /// Whether the rows can have `difference` together, either way round.
    fn have(&self, left: usize, right: usize, difference: i64) -> bool {
        let (one, other) = (&self.left.rows[left], &self.right.rows[right]);
        let words = (self.left.words(one), self.right.words(other));
        meet(words.0, words.1, one.first - other.first - difference)
            || (difference > 0 && meet(words.0, words.1, one.first - other.first + difference))
    }

    /// Whether the rows can have a difference from `floor` on that is below `end`, either way round.
    fn have_between(&self, left: usize, right: usize, floor: i64, end: i64) -> bool {
        let (one, other) = (&self.left.rows[left], &self.right.rows[right]);
        let width = end - 1 - floor;
        let words = self.left.words(one);
        let wide = widened(self.right.words(other), width);
        let apart = one.first - other.first;
        meet(words, &wide, apart - floor) || meet(words, &wide, apart + floor + width)
    }

    /// By how much the ranges of the rows miss each other; 0 or less where they overlap.
    fn gap(&self, left: usize, right: usize) -> i64 {
        let (left, right) = (&self.left.rows[left].range, &self.right.rows[right].range);
        (left.start - (right.end - 1)).max(right.start - (left.end - 1))
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
            listed: vec![OnceCell::new(); rows.len()],
            words: vec![0; words],
            rows,
            most,
        };
        half.rows[0].range = 0..1;
        let at = usize::try_from(-half.rows[0].first).unwrap_or_default();
        half.words[at / 64] = 1 << (at % 64);
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
                    let from = &lower[source.start..][..source.words(&source.range).end];
                    let shift = source.first + more - target.first;
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

    fn words(&self, row: &Row) -> &[u64] {
        &self.words[row.start..][..row.words(&row.range).end]
    }

    fn list(&self, row: usize) -> &[i64] {
        self.listed[row].get_or_init(|| {
            let row = &self.rows[row];
            let mut list = Vec::new();
            for (place, word) in (0..).zip(self.words(row)) {
                let mut left = *word;
                while left != 0 {
                    list.push(row.first + BITS * place + i64::from(left.trailing_zeros()));
                    left &= left - 1;
                }
            }
            list
        })
    }
}

impl Row {
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
    let (lowest, highest) = (sums(&points), sums(points.iter().rev()));
    let mut start = 0;
    let counts = (0..=most).flat_map(|a| (0..=most).map(move |b| (a, b)));
    let rows = counts.map(|(a, b)| {
        if a + b > points.len() {
            return Row {
                start,
                ..Row::default()
            };
        }
        let (least, greatest) = (lowest[a] - highest[b], highest[a] - lowest[b]);
        let range = match sign {
            Sign::Plus => least..greatest + 1,
            Sign::Minus => -greatest..-least + 1,
        };
        let row = Row {
            first: range.start,
            start,
            range: 0..0,
        };
        start += row.words(&range).end;
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
