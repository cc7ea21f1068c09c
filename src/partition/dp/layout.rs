//! Where everything stands in a table, which is known before any cost is.

use std::ops::Range;

use super::bound::{CompletionBound, Sign, common, hull, length};
use crate::partition::problem::seat::Seat;

/// What a player who takes a seat adds to a state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    a: usize,
    b: usize,
    difference: i64,
}

impl Step {
    /// What somebody with so many `points` adds on this seat to a table of that sign.
    pub(super) fn new(seat: Seat, points: i64, sign: Sign) -> Self {
        Self {
            a: usize::from(seat == Seat::A),
            b: usize::from(seat == Seat::B),
            difference: sign.of(seat.weight() * points),
        }
    }

    /// The state from which this leads to the one given; where that has nobody on the team, one that
    /// no layout has.
    pub(super) fn back(self, state: State) -> State {
        let (a, b) = state.counts;
        State {
            counts: (a.wrapping_sub(self.a), b.wrapping_sub(self.b)),
            difference: state.difference - self.difference,
        }
    }
}

/// How many of some players are on A and on B, and the difference that they make.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) counts: (usize, usize),
    /// As the table counts it.
    pub(super) difference: i64,
}

/// The states with one pair of counts: one for each difference from the least to the greatest.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) differences: Range<i64>,
    /// The states of all cells before.
    pub(super) start: usize,
}

/// The states that some of the players can reach, as far as they matter.
#[derive(Debug)]
pub(super) struct Layout {
    /// The most players of a team that have cells.
    side: usize,
    /// By count on A times (side + 1) plus count on B; without differences where there are no states.
    pub(super) cells: Vec<Cell>,
}

impl Layout {
    /// Nobody yet: no players, no difference.
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

    /// What one more player makes of these states by any of the `steps`, within the `bound`, in teams
    /// of up to `side`.
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

    /// How many states there are.
    pub(super) fn len(&self) -> usize {
        self.cells
            .last()
            .map_or(0, |last| last.start + length(&last.differences))
    }

    /// The number of the cell of these counts, if there is one.
    #[inline]
    pub(super) fn place(&self, (a, b): (usize, usize)) -> Option<usize> {
        (a <= self.side && b <= self.side).then(|| a * (self.side + 1) + b)
    }

    /// The counts of the cell with this number.
    pub(super) fn counts(&self, place: usize) -> (usize, usize) {
        (place / (self.side + 1), place % (self.side + 1))
    }

    /// The cell from which `step` leads to these counts, and the differences to which it leads.
    pub(super) fn moved(&self, (a, b): (usize, usize), step: Step) -> Option<(usize, Range<i64>)> {
        let from = self.place((a.checked_sub(step.a)?, b.checked_sub(step.b)?))?;
        let Range { start, end } = self.cells[from].differences;
        (start < end).then_some((from, start + step.difference..end + step.difference))
    }
}
