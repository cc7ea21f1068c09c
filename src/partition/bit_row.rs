use std::ops::Range;

use super::bits::BITS;
use super::ranges::sums;
use super::rules::Sign;

/// The differences that players can make of one pair of counts, a bit for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Row {
    /// The difference that the first bit tells of.
    pub(super) first: i64,
    /// Where its words begin; in the table there is one that is always zero before them, and one behind.
    pub(super) start: usize,
    /// Those that may be had at present.
    pub(super) range: Range<i64>,
}

impl Row {
    /// The difference that the first bit of a word tells of, the words counted from its first.
    pub(super) fn first_of(&self, word: usize) -> i64 {
        self.first + BITS * i64::try_from(word).unwrap_or(i64::MAX / BITS)
    }

    /// The row of bits that tell of these differences, out of the words of all rows, and the difference that its
    /// first bit tells of.
    pub(super) fn bits<'words>(
        &self,
        range: &Range<i64>,
        words: &'words [u64],
    ) -> (i64, &'words [u64]) {
        let told = self.words(range);
        let words = &words[self.start + told.start - 1..=self.start + told.end];
        (self.first_of(told.start), words)
    }

    /// Whether that difference can be had, by the words of all rows.
    pub(super) fn has(&self, difference: i64, words: &[u64]) -> bool {
        let place = usize::try_from(difference - self.first).unwrap_or_default();
        let bit = || words[self.start + place / 64] >> (place % 64) & 1;
        self.range.contains(&difference) && bit() == 1
    }

    /// The words, counted from its first, that tell of these differences.
    pub(super) fn words(&self, range: &Range<i64>) -> Range<usize> {
        if range.is_empty() {
            return 0..0;
        }
        let word = |difference: i64| usize::try_from((difference - self.first) / BITS);
        word(range.start).unwrap_or_default()..word(range.end - 1).map_or(0, |last| last + 1)
    }

    /// The bits of a word that tell of these differences.
    pub(super) fn bits_of(&self, word: usize, range: &Range<i64>) -> u64 {
        let from = self.first_of(word);
        let below = (range.start - from).clamp(0, BITS - 1);
        let above = (from + BITS - range.end).clamp(0, BITS - 1);
        u64::MAX << below & u64::MAX >> above
    }
}

/// By count on A times (most + 1) plus count on B: rows with room for whatever players with these ratings can
/// make with the `sign`, and how many words all of them take.
pub(super) fn rows(mut points: Vec<i64>, sign: Sign, most: usize) -> (Vec<Row>, usize) {
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
