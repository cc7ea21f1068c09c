use std::ops::Range;

use super::cell::{Cell, Span, total_length};
use super::ranges::{common, length, places};
use super::reach::Reach;
use super::stretches::Stretches;

/// Which differences a [`Table`](super::table::Table) has room for.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How many players there are.
    players: usize,
    /// The most of them on one team.
    side: usize,
    /// By count on A times (side + 1) plus count on B.
    cells: Vec<Known>,
    /// Of all cells in turn, ascending within each.
    spans: Vec<Span>,
}

/// What is known of one pair of counts.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    base: u64,
    /// Where its spans begin and end; nowhere if the counts cannot be had.
    spans: (usize, usize),
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
        let mut shape = Self::of(0, 0);
        shape.spans.push(Span {
            first: 0,
            start: 0,
            length: 1,
        });
        shape.cells[0].spans = (0, 1);
        shape
    }

    /// Nothing can be had.
    pub(super) fn impossible() -> Self {
        Self::of(0, 0)
    }

    /// Of so many players, up to `side` of them on a team, who can do nothing yet.
    fn of(players: usize, side: usize) -> Self {
        Self {
            players,
            side,
            cells: vec![Known::default(); (side + 1) * (side + 1)],
            spans: Vec::new(),
        }
    }

    /// Room for whatever one of the `steps`, of one player more, makes of its shape, as far as it is
    /// within `reach`; teams have `most` players at most.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: &Reach<'_>) -> Self {
        let players = steps.iter().map(|(shape, _)| shape.players).max();
        let players = players.map_or(0, |players| players + 1);
        let mut after = Self::of(players, players.min(most));
        after.spans.reserve(after.cells.len());
        let mut stretches = Stretches::default();
        for (a, b) in after.counts() {
            let reached = reach.differences(a, b);
            if reached.is_empty() {
                continue;
            }
            let mut base = u64::MAX;
            for (shape, step) in steps {
                if let Some(before) = shape.before(a, b, step) {
                    base = base.min(before.base + step.price);
                    for span in before.spans {
                        let (first, end) = (span.first, span.end());
                        stretches.add(first + step.difference..end + step.difference);
                    }
                }
            }
            if base < u64::MAX {
                after.lay_out(a, b, base, &mut stretches, &reached);
            }
        }
        after
    }

    /// Takes the bases that the `steps` make, from the shapes of which it was made but for the prices.
    pub(super) fn price(&mut self, steps: &[(&Self, Step)]) {
        for (a, b) in self.counts() {
            let bases = steps.iter().filter_map(|(shape, step)| {
                let before = shape.before(a, b, step)?;
                Some(before.base + step.price)
            });
            if let (Some(base), Some(place)) = (bases.min(), self.place(a, b)) {
                self.cells[place].base = base;
            }
        }
    }

    /// Takes the bases of another shape of the same counts.
    pub(super) fn cost_as(&mut self, other: &Self) {
        for (own, other) in self.cells.iter_mut().zip(&other.cells) {
            own.base = other.base;
        }
    }

    /// Gives the next cell spans of these stretches, as far as they are within what is `reached`; none
    /// of them is left.
    fn lay_out(
        &mut self,
        a: usize,
        b: usize,
        base: u64,
        stretches: &mut Stretches,
        reached: &Range<i64>,
    ) {
        let begin = self.spans.len();
        let mut start = self.end();
        stretches.take(|stretch| {
            let stretch = common(&stretch, reached);
            if !stretch.is_empty() {
                let span = Span {
                    first: stretch.start,
                    start,
                    length: length(&stretch),
                };
                self.spans.push(span);
                start = span.places().end;
            }
        });
        if let Some(place) = self.place(a, b) {
            self.cells[place] = Known {
                base,
                spans: (begin, self.spans.len()),
            };
        }
    }

    /// Gives every pair of counts a place of its own, with room for what any of the `shapes` has
    /// there, and makes all of them stand in it. Each has more players than the one before, all of whom have
    /// a seat. Answers how many costs that takes.
    pub(super) fn share_room(shapes: &mut [Self]) -> usize {
        debug_assert!(shapes.is_sorted_by_key(|shape| shape.players));
        let last = shapes.last();
        let (players, side) = last.map_or((0, 0), |last| (last.players, last.side));
        let mut room = 0_usize;
        let mut stretches = Stretches::default();
        let mut all = Vec::new();
        for (a, b) in counts(players, side) {
            // Those of fewer players have no such counts.
            let fewer = shapes.partition_point(|shape| shape.players < a + b);
            let shapes = &mut shapes[fewer..];
            for cell in shapes.iter().filter_map(|shape| shape.cell(a, b)) {
                for span in cell.spans {
                    stretches.add(span.differences());
                }
            }
            all.clear();
            stretches.take(|stretch| {
                let start = room;
                room += length(&stretch);
                all.push((stretch, start));
            });
            for span in shapes.iter_mut().flat_map(|shape| shape.spans_mut(a, b)) {
                let at = all.partition_point(|(stretch, _)| stretch.end <= span.first);
                if let Some((stretch, start)) = all.get(at) {
                    span.start = start + places(stretch.start, &span.differences()).start;
                }
            }
        }
        room
    }

    /// Every two cells, of these players and of the `others`, that make teams of `size` together, and the
    /// counts of the former, ascending.
    pub(super) fn joined<'both>(
        &'both self,
        others: &'both Self,
        size: usize,
    ) -> impl Iterator<Item = ((usize, usize), Cell<'both>, Cell<'both>)> {
        // The other half has no more than its side on a team; the rest comes from here.
        let fewest = size.saturating_sub(others.side);
        (fewest..=self.side.min(size)).flat_map(move |a| {
            let ones = (fewest..).zip(&self.row(a)[fewest..]);
            let fill_up = others.row(size - a)[..=size - fewest].iter().rev();
            ones.zip(fill_up).filter_map(move |((b, one), other)| {
                Some(((a, b), self.known(one)?, others.known(other)?))
            })
        })
    }

    /// The counts on A and B that there may be: those of fewer players first, then those with fewer on A.
    pub(super) fn counts(&self) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
        counts(self.players, self.side)
    }

    /// The cell from which `step` leads to counts `a` and `b`.
    pub(super) fn before(&self, a: usize, b: usize, step: &Step) -> Option<Cell<'_>> {
        self.cell(a.checked_sub(step.a)?, b.checked_sub(step.b)?)
    }

    /// What is known of these counts, if they can be had.
    pub(super) fn cell(&self, a: usize, b: usize) -> Option<Cell<'_>> {
        self.known(&self.cells[self.place(a, b)?])
    }

    fn known(&self, known: &Known) -> Option<Cell<'_>> {
        let Known { base, spans } = *known;
        (spans.0 < spans.1).then(|| Cell {
            base,
            spans: &self.spans[spans.0..spans.1],
        })
    }

    /// By count on B: what is known with `a` players on A.
    fn row(&self, a: usize) -> &[Known] {
        &self.cells[a * (self.side + 1)..][..=self.side]
    }

    fn spans_mut(&mut self, a: usize, b: usize) -> &mut [Span] {
        let Some(place) = self.place(a, b) else {
            return &mut [];
        };
        let (begin, end) = self.cells[place].spans;
        &mut self.spans[begin..end]
    }

    /// Where the cell of these counts stands, if there may be so many.
    fn place(&self, a: usize, b: usize) -> Option<usize> {
        (a <= self.side && b <= self.side).then_some(a * (self.side + 1) + b)
    }

    /// One past where the last of the costs stands, which is how many there are in a room of its own.
    pub(super) fn end(&self) -> usize {
        self.spans.last().map_or(0, |span| span.places().end)
    }

    /// Of all cells in turn.
    pub(super) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// How many pairs of counts can be had.
    pub(super) fn counts_had(&self) -> usize {
        let cells = self.cells.iter();
        cells.filter(|known| self.known(known).is_some()).count()
    }

    /// How many pairs of counts it has a place for.
    pub(super) fn counts_told(&self) -> usize {
        self.cells.len()
    }

    /// How many costs there are.
    pub(super) fn len(&self) -> usize {
        total_length(&self.spans)
    }
}

/// The counts on A and B of up to so many `players`, with up to `side` on a team: those of fewer players
/// first, so that each stands behind all that lead to it, then those with fewer on A.
fn counts(players: usize, side: usize) -> impl DoubleEndedIterator<Item = (usize, usize)> + use<> {
    let totals = 0..=players.min(2 * side);
    totals.flat_map(move |total| {
        let of_a = total.saturating_sub(side)..=total.min(side);
        of_a.map(move |a| (a, total - a))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::slack::Slack;
    use super::*;

    /// Of the first of these players, up to three on a team: nobody, one, two and so on.
    fn shapes_of(points: &[i64]) -> Vec<Shape> {
        let mut shapes = vec![Shape::nobody()];
        let slack = Slack::new([(3, 1000)]);
        let reach = Reach::new(&[0; 12], &slack, super::super::rules::Sign::Plus);
        for points in points {
            let steps = [(1, 0, *points), (0, 1, -points), (0, 0, 0)];
            let steps = steps.map(|(a, b, difference)| Step {
                a,
                b,
                difference,
                price: 0,
            });
            let steps = steps.map(|step| (&shapes[shapes.len() - 1], step));
            let after = Shape::after(3, &steps, &reach);
            shapes.push(after);
        }
        shapes
    }

    fn points() -> impl Strategy<Value = Vec<i64>> {
        prop::collection::vec(prop::sample::select(vec![0, 1, 2, 30, 31, 300]), 1..7)
    }

    proptest! {
        #[test]
        fn cells_are_joined_that_make_teams(one in points(), other in points(), size in 0..8_usize) {
            let [one, other] = [one, other].map(|points| shapes_of(&points));
            let (one, other) = (&one[one.len() - 1], &other[other.len() - 1]);
            let joined: Vec<_> = one.joined(other, size).map(|(counts, _, _)| counts).collect();
            let expected = one.counts().filter(|&(a, b)| {
                let rest = size.checked_sub(a).zip(size.checked_sub(b));
                let rest = rest.and_then(|(a, b)| other.cell(a, b));
                one.cell(a, b).is_some() && rest.is_some()
            });
            let mut expected: Vec<(usize, usize)> = expected.collect();
            expected.sort_unstable();
            prop_assert_eq!(joined, expected);
        }

        #[test]
        fn all_stand_in_a_shared_room_as_they_did(points in points()) {
            let mut shapes = shapes_of(&points);
            let apart = shapes.clone();
            let room = Shape::share_room(&mut shapes);
            // By place: the counts and the difference that stand there.
            let mut places = vec![None; room];
            for (shape, before) in shapes.iter().zip(&apart) {
                for (a, b) in shape.counts() {
                    let spans = shape.cell(a, b).map_or(&[][..], |cell| cell.spans);
                    let differences = |spans: &[Span]| -> Vec<_> { spans.iter().map(Span::differences).collect() };
                    let before = before.cell(a, b).map_or(&[][..], |cell| cell.spans);
                    prop_assert_eq!(differences(spans), differences(before));
                    for span in spans {
                        for (place, difference) in span.places().zip(span.differences()) {
                            let here = *places[place].get_or_insert((a, b, difference));
                            prop_assert_eq!(here, (a, b, difference));
                        }
                    }
                }
            }
        }
    }
}
