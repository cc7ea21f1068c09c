use std::ops::Range;

use super::ranges::{common, hull};
use super::reach::Reach;

/// Which differences a [`Table`](super::table::Table) has room for.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How many players there are.
    players: usize,
    /// The most of them on one team.
    pub(super) side: usize,
    /// By count on A times (side + 1) plus count on B.
    pub(super) cells: Vec<Span>,
}

/// The differences of one pair of counts, and where their costs stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    /// The least difference.
    pub(super) first: i64,
    /// Where the cost of that stands.
    pub(super) start: usize,
    /// How many differences there are; 0 where the counts cannot be had.
    pub(super) length: usize,
    /// No difference costs less: what the cheapest seats with these counts cost, whatever difference
    /// they make. A step from one span to another costs at least what it adds to the base, so what
    /// is beyond the base never falls on the way to a split.
    pub(super) base: u64,
}

/// What somebody who takes a seat adds to a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// To the number of players on team A.
    pub(super) a: usize,
    /// On team B.
    pub(super) b: usize,
    /// To the difference.
    pub(super) difference: i64,
    /// To the cost.
    pub(super) price: u64,
}

impl Shape {
    /// Nobody yet: no players, no difference.
    pub(super) fn nobody() -> Self {
        Self {
            players: 0,
            side: 0,
            cells: vec![Span {
                length: 1,
                ..Span::default()
            }],
        }
    }

    /// Nothing can be had.
    pub(super) fn impossible() -> Self {
        Self {
            players: 0,
            side: 0,
            cells: vec![Span::default()],
        }
    }

    /// Room for whatever one of the `steps`, of one player more, makes of its shape, as far as it is
    /// within `reach`; teams have `most` players at most.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: &Reach<'_>) -> Self {
        let players = steps.iter().map(|(shape, _)| shape.players).max();
        let players = players.map_or(0, |players| players + 1);
        let side = players.min(most);
        let mut cells = vec![Span::default(); (side + 1) * (side + 1)];
        let mut start = 0;
        for a in 0..=side {
            for b in 0..=side.min(players - a) {
                let mut range: Option<Range<i64>> = None;
                let mut base = u64::MAX;
                for (shape, step) in steps {
                    if let Some(before) = shape.before(a, b, step) {
                        base = base.min(before.base + step.price);
                        let (first, end) = (
                            before.first + step.difference,
                            before.end() + step.difference,
                        );
                        let reached = first..end;
                        range = Some(range.map_or(reached.clone(), |range| hull(&range, &reached)));
                    }
                }
                let range = range.map(|range| common(&range, &reach.differences(a, b)));
                if let Some(range) = range.filter(|range| !range.is_empty()) {
                    let length = usize::try_from(range.end - range.start).unwrap_or(usize::MAX);
                    cells[a * (side + 1) + b] = Span {
                        first: range.start,
                        start,
                        length,
                        base,
                    };
                    start = start.saturating_add(length);
                }
            }
        }
        Self {
            players,
            side,
            cells,
        }
    }

    /// Gives every pair of counts a place of its own, with room for what any of the `shapes` has
    /// there, and makes all of them stand in it. Answers how many costs that takes.
    pub(super) fn share_room(shapes: &mut [Self]) -> usize {
        let side = shapes.iter().map(|shape| shape.side).max();
        let side = side.unwrap_or_default();
        let mut all: Vec<Range<i64>> = vec![0..0; (side + 1) * (side + 1)];
        for shape in &*shapes {
            for (a, b) in shape.counts() {
                if let Some(span) = shape.span(a, b) {
                    let all = &mut all[a * (side + 1) + b];
                    *all = hull(all, &span.differences());
                }
            }
        }
        let mut room = 0_usize;
        let starts = all.iter().map(|all| {
            let start = room;
            room += places(all.start, all).end;
            start
        });
        let starts: Vec<usize> = starts.collect();
        for shape in shapes {
            for (a, b) in shape.counts() {
                if let Some(span) = shape.span_mut(a, b) {
                    let place = a * (side + 1) + b;
                    span.start =
                        starts[place] + places(all[place].start, &span.differences()).start;
                }
            }
        }
        room
    }

    /// The counts on A and B that there may be, ascending.
    pub(super) fn counts(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        let (players, side) = (self.players, self.side);
        (0..=side).flat_map(move |a| (0..=side.min(players - a)).map(move |b| (a, b)))
    }

    fn span_mut(&mut self, a: usize, b: usize) -> Option<&mut Span> {
        if a > self.side || b > self.side {
            return None;
        }
        let span = &mut self.cells[a * (self.side + 1) + b];
        (span.length > 0).then_some(span)
    }

    /// The span from which `step` leads to counts `a` and `b`.
    pub(super) fn before(&self, a: usize, b: usize, step: &Step) -> Option<Span> {
        self.span(a.checked_sub(step.a)?, b.checked_sub(step.b)?)
    }

    /// The span of these counts, if they can be had.
    pub(super) fn span(&self, a: usize, b: usize) -> Option<Span> {
        if a > self.side || b > self.side {
            return None;
        }
        let span = self.cells[a * (self.side + 1) + b];
        (span.length > 0).then_some(span)
    }

    /// How many pairs of counts it tells of.
    pub(super) fn counts_told(&self) -> usize {
        self.cells.len()
    }

    /// How many costs there are room for.
    pub(super) fn len(&self) -> usize {
        let ends = self
            .cells
            .iter()
            .map(|span| span.start.saturating_add(span.length));
        ends.max().unwrap_or_default()
    }
}

impl Span {
    /// The differences from the least to one past the greatest.
    pub(super) fn differences(&self) -> Range<i64> {
        self.first..self.end()
    }

    /// Where its costs stand.
    pub(super) fn places(&self) -> Range<usize> {
        self.start..self.start + self.length
    }

    pub(super) fn end(&self) -> i64 {
        let length = i64::try_from(self.length).unwrap_or(i64::MAX);
        self.first.saturating_add(length)
    }
}

/// Where `differences` stand in a list that begins with `first`, which is none of the greater.
pub(super) fn places(first: i64, differences: &Range<i64>) -> Range<usize> {
    let place = |difference: i64| usize::try_from(difference - first).unwrap_or_default();
    if differences.is_empty() {
        return 0..0;
    }
    place(differences.start)..place(differences.end)
}
