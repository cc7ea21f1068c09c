use std::ops::Range;

use super::cell::{Cell, Span, total_length};
use super::ranges::{common, length};
use super::reach::Reach;
use super::stretches::Stretches;

/// Which differences a [`Table`](super::table::Table) has room for.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// How many players there are.
    players: usize,
    /// The most of them on one team.
    side: usize,
    /// By [`place`] of the counts on A and B.
    cells: Vec<Known>,
    /// Of all cells in turn, ascending within each.
    spans: Vec<Span>,
}

/// What is known of one pair of counts.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    base: u64,
    untold: u64,
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
    /// To what is not told of the cost, see [`Prices::times`](super::prices::Prices::times).
    pub(super) untold: u64,
}

impl Shape {
    /// Nobody yet: no players, no difference.
    pub(super) fn nobody() -> Self {
        let mut shape = Self::impossible();
        shape.spans.push(Span {
            first: 0,
            end: 1,
            start: 0,
        });
        shape.cells[0].spans = (0, 1);
        shape
    }

    /// Nothing can be had.
    pub(super) fn impossible() -> Self {
        Self {
            players: 0,
            side: 0,
            cells: vec![Known::default()],
            spans: Vec::new(),
        }
    }

    /// Room for whatever one of the `steps`, of one player more, makes of its shape, as far as it is
    /// within `reach`; teams have `most` players at most.
    pub(super) fn after(most: usize, steps: &[(&Self, Step)], reach: &Reach<'_>) -> Self {
        let players = steps.iter().map(|(shape, _)| shape.players).max();
        let players = players.map_or(0, |players| players + 1);
        let side = players.min(most);
        let cells = place(players.min(2 * side) + 1, 0);
        let mut after = Self {
            players,
            side,
            cells: Vec::with_capacity(cells),
            spans: Vec::with_capacity(cells),
        };
        let (mut stretches, mut room) = (Stretches::default(), 0);
        for total in 0..=after.total() {
            let reach = reach.row(total);
            // With more than `most` on a team nothing is within reach, since no size has more.
            for a in 0..=total {
                let b = total - a;
                let mut base = u64::MAX;
                for (shape, step) in steps {
                    if let Some(before) = shape.before(a, b, step) {
                        base = base.min(before.base + step.price);
                        for span in before.spans {
                            let more = step.difference;
                            stretches.add(span.first + more..span.end + more);
                        }
                    }
                }
                let known = if base < u64::MAX {
                    after.lay_out(base, &mut stretches, &reach.differences(a, b), &mut room)
                } else {
                    Known::default()
                };
                after.cells.push(known);
            }
        }
        after
    }

    /// Takes the bases that the `steps` make, and what they do not tell, from the shapes of which it was made but
    /// for the prices.
    pub(super) fn price(&mut self, steps: &[(&Self, Step)]) {
        for (a, b) in self.counts() {
            let known = &mut self.cells[place(a + b, a)];
            (known.base, known.untold) = (u64::MAX, u64::MAX);
            for (shape, step) in steps {
                if let Some(before) = shape.before(a, b, step) {
                    known.base = known.base.min(before.base + step.price);
                    known.untold = known.untold.min(before.untold + step.untold);
                }
            }
        }
    }

    /// Takes the bases of another shape of the same counts.
    pub(super) fn cost_as(&mut self, other: &Self) {
        for (own, other) in self.cells.iter_mut().zip(&other.cells) {
            (own.base, own.untold) = (other.base, other.untold);
        }
    }

    /// Gives the next cell spans of these stretches, as far as they are within what is `reached`; none
    /// of them is left. Their costs stand behind the `room` that is taken so far.
    fn lay_out(
        &mut self,
        base: u64,
        stretches: &mut Stretches,
        reached: &Range<i64>,
        room: &mut usize,
    ) -> Known {
        let begin = self.spans.len();
        stretches.take(|stretch| {
            let stretch = common(&stretch, reached);
            if !stretch.is_empty() {
                let span = Span {
                    first: stretch.start,
                    end: stretch.end,
                    start: *room,
                };
                self.spans.push(span);
                *room = span.places().end;
            }
        });
        Known {
            base,
            untold: 0,
            spans: (begin, self.spans.len()),
        }
    }

    /// Gives every pair of counts a place of its own, with room for what any of the `shapes` has
    /// there, and makes all of them stand in it. Each has more players than the one before, all of whom have
    /// a seat, so none has counts that those behind it have no place for. Answers how many costs that takes.
    pub(super) fn share_room(shapes: &mut [Self]) -> usize {
        debug_assert!(shapes.is_sorted_by_key(|shape| shape.cells.len()));
        let cells = shapes.last().map_or(0, |last| last.cells.len());
        let mut room = 0_usize;
        let mut stretches = Stretches::default();
        let mut all = Vec::new();
        for place in 0..cells {
            // Those of fewer players have no such counts.
            let fewer = shapes.partition_point(|shape| shape.cells.len() <= place);
            let shapes = &mut shapes[fewer..];
            for shape in &*shapes {
                for span in shape.spans_at(place) {
                    stretches.add(span.differences());
                }
            }
            all.clear();
            stretches.take(|stretch| {
                let start = room;
                room += length(&stretch);
                all.push((stretch, start));
            });
            for shape in shapes {
                for span in shape.spans_at_mut(place) {
                    let at = all.partition_point(|(stretch, _)| stretch.end <= span.first);
                    if let Some((stretch, start)) = all.get(at) {
                        span.start = start + length(&(stretch.start..span.first));
                    }
                }
            }
        }
        room
    }

    /// Every two cells, of these players and of the `others`, that make teams of `size` together, and the
    /// counts of the former, in the order of [`Shape::counts`].
    pub(super) fn joined<'both>(
        &'both self,
        others: &'both Self,
        size: usize,
    ) -> impl Iterator<Item = ((usize, usize), Cell<'both>, Cell<'both>)> {
        // The other half has no more than its side on a team; the rest comes from here.
        let (fewest, most) = (size.saturating_sub(others.side), size.min(self.side));
        let totals = (2 * size).saturating_sub(others.total())..=self.total().min(2 * most);
        totals.flat_map(move |total| {
            let of_a =
                fewest.max(total.saturating_sub(most))..=most.min(total.saturating_sub(fewest));
            of_a.filter_map(move |a| {
                let one = self.known(self.cells[place(total, a)])?;
                let other = others.known(others.cells[place(2 * size - total, size - a)])?;
                Some(((a, total - a), one, other))
            })
        })
    }

    /// The counts on A and B that have a place: those of fewer players first, then those with fewer on A.
    /// Where that matters there are two loops instead: rows in rows are slow to ask for one item after another.
    pub(super) fn counts(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let totals = 0..=self.total();
        totals.flat_map(|total| (0..=total).map(move |a| (a, total - a)))
    }

    /// The cell from which `step` leads to counts `a` and `b`.
    pub(super) fn before(&self, a: usize, b: usize, step: &Step) -> Option<Cell<'_>> {
        self.cell(a.checked_sub(step.a)?, b.checked_sub(step.b)?)
    }

    /// What is known of these counts, if they can be had.
    pub(super) fn cell(&self, a: usize, b: usize) -> Option<Cell<'_>> {
        self.known(*self.cells.get(place(a + b, a))?)
    }

    fn known(&self, known: Known) -> Option<Cell<'_>> {
        let Known {
            base,
            untold,
            spans,
        } = known;
        (spans.0 < spans.1).then(|| Cell {
            base,
            untold,
            spans: &self.spans[spans.0..spans.1],
        })
    }

    /// The spans of the cell there.
    fn spans_at(&self, place: usize) -> &[Span] {
        let (begin, end) = self.cells[place].spans;
        &self.spans[begin..end]
    }

    fn spans_at_mut(&mut self, place: usize) -> &mut [Span] {
        let (begin, end) = self.cells[place].spans;
        &mut self.spans[begin..end]
    }

    /// The most players on both teams.
    pub(super) fn total(&self) -> usize {
        self.players.min(2 * self.side)
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
        cells.filter(|known| self.known(**known).is_some()).count()
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

/// Where the cell of these counts stands, in every shape: behind those of fewer players, then behind those
/// with fewer on A.
fn place(players: usize, of_a: usize) -> usize {
    players * (players + 1) / 2 + of_a
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
                untold: 0,
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
            let expected: Vec<(usize, usize)> = expected.collect();
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
