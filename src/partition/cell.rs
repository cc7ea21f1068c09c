use std::ops::Range;

use super::ranges::length;

/// One pair of counts that can be had.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell<'shape> {
    /// No difference costs less: what the cheapest seats with these counts cost, whatever difference
    /// they make. A step from one cell to another costs at least what it adds to the base, so what
    /// is beyond the base never falls on the way to a split.
    pub(super) base: u64,
    /// The least that is not told of what seats with these counts cost, whatever difference they make.
    pub(super) untold: u64,
    /// All differences that can be had, and some that cannot; one span at least.
    pub(super) spans: &'shape [Span],
}

/// Successive differences, and where their costs stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The least difference.
    pub(super) first: i64,
    /// One past the greatest difference: there is one at least.
    pub(super) end: i64,
    /// Where the cost of the least stands.
    pub(super) start: usize,
}

impl Cell<'_> {
    /// The span with this difference.
    pub(super) fn span(&self, difference: i64) -> Option<&Span> {
        let span = self.spans.iter().find(|span| difference < span.end);
        span.filter(|span| span.first <= difference)
    }

    /// The spans that have some of these differences.
    pub(super) fn spans_with(&self, differences: &Range<i64>) -> &[Span] {
        let spans = self.spans;
        let begin = spans.partition_point(|span| span.end <= differences.start);
        let end = spans.partition_point(|span| span.first < differences.end);
        &spans[begin..end.max(begin)]
    }

    /// Where the costs of one of its spans stand among those from its first on.
    pub(super) fn places(&self, span: &Span) -> Range<usize> {
        let start = span.start - self.spans[0].start;
        start..start + span.length()
    }

    /// How many differences there are.
    pub(super) fn len(&self) -> usize {
        total_length(self.spans)
    }
}

impl Span {
    /// The differences from the least to one past the greatest.
    pub(super) fn differences(&self) -> Range<i64> {
        self.first..self.end
    }

    /// Where its costs stand.
    pub(super) fn places(&self) -> Range<usize> {
        self.start..self.start.saturating_add(self.length())
    }

    /// How many differences there are.
    pub(super) fn length(&self) -> usize {
        length(&self.differences())
    }
}

/// How many differences all of these have.
pub(super) fn total_length(spans: &[Span]) -> usize {
    let lengths = spans.iter().map(Span::length);
    lengths.fold(0, usize::saturating_add)
}
