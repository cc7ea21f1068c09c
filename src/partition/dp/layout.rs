//! Positions of states in a table, which are known before any cost.

use std::ops::Range;

use super::bound::{CompletionBound, Sign, common, hull, length};
use crate::partition::problem::seat::Seat;

/// Change of a state by a player who takes a seat.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    a: usize,
    b: usize,
    difference: i64,
}

impl Step {
    pub(super) fn new(seat: Seat, points: i64, sign: Sign) -> Self {
        Self {
            a: usize::from(seat == Seat::A),
            b: usize::from(seat == Seat::B),
            difference: sign.of(seat.weight() * points),
        }
    }

    /// Returns the state before the step. If there is no such state, the counts wrap around to values that no
    /// layout contains.
    pub(super) fn back(self, state: State) -> State {
        let (a, b) = state.counts;
        State {
            counts: (a.wrapping_sub(self.a), b.wrapping_sub(self.b)),
            difference: state.difference - self.difference,
        }
    }
}

/// Number of players on A and on B among the seated players, and their difference.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) counts: (usize, usize),
    /// Difference with the sign of the table.
    pub(super) difference: i64,
}

/// States with one pair of counts: one for each difference in a range.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) differences: Range<i64>,
    /// Number of states in all preceding cells.
    pub(super) start: usize,
}

/// Reachable states of the first players of a half, as far as they can lead to a wanted split.
#[derive(Debug)]
pub(super) struct Layout {
    side: usize,
    /// Cells by index: count on A times (side + 1) plus count on B. Cells without states have an empty range.
    pub(super) cells: Vec<Cell>,
}

impl Layout {
    pub(super) fn nobody() -> Self {
        let cell = Cell {
            differences: 0..1,
            start: 0,
        };
        Self {
            side: 0,
            cells: vec![cell],
        }
    }

    /// Returns the layout after one more player takes any of the `steps`, within the `bound`, for teams of up to
    /// `side` players.
    pub(super) fn extended(
        &self,
        steps: &[Step],
        side: usize,
        bound: &CompletionBound<'_>,
    ) -> Self {
        let mut cells = Vec::with_capacity((side + 1) * (side + 1));
        let mut start = 0;
        for (a, b) in (0..=side).flat_map(|a| (0..=side).map(move |b| (a, b))) {
            let reached = steps.iter().filter_map(|step| self.moved((a, b), *step));
            let all = reached.fold(0..0, |all, (_, moved)| hull(&all, &moved));
            let differences = if all.is_empty() {
                all
            } else {
                common(&all, &bound.differences(a, b))
            };
            let states = length(&differences);
            cells.push(Cell { differences, start });
            start += states;
        }
        Self { side, cells }
    }

    pub(super) fn len(&self) -> usize {
        self.cells
            .last()
            .map_or(0, |last| last.start + length(&last.differences))
    }

    /// Returns the index of the cell with these counts, if there is one.
    #[inline]
    pub(super) fn place(&self, (a, b): (usize, usize)) -> Option<usize> {
        (a <= self.side && b <= self.side).then(|| a * (self.side + 1) + b)
    }

    pub(super) fn counts(&self, place: usize) -> (usize, usize) {
        (place / (self.side + 1), place % (self.side + 1))
    }

    /// Returns the cell from which `step` leads to these counts, and the range of differences after the step.
    pub(super) fn moved(&self, (a, b): (usize, usize), step: Step) -> Option<(usize, Range<i64>)> {
        let from = self.place((a.checked_sub(step.a)?, b.checked_sub(step.b)?))?;
        let Range { start, end } = self.cells[from].differences;
        (start < end).then_some((from, start + step.difference..end + step.difference))
    }
}
