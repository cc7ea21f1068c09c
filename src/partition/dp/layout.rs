//! Layout of a table of partial splits: the index of each partial split's costs, known before any cost is computed.

use std::ops::Range;

use super::bound::{CompletionBound, Sign, common, hull, length};
use crate::partition::problem::seat::Seat;

/// Change of a partial split (team counts and difference of the teams' rating sums) by a player who takes a seat.
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

    /// Returns `state`, a partial split, as it was before the player of this step took a seat. Impossible team counts
    /// wrap around to huge values, which no table contains.
    pub(super) fn back(self, state: State) -> State {
        let (a, b) = state.counts;
        State {
            counts: (a.wrapping_sub(self.a), b.wrapping_sub(self.b)),
            difference: state.difference - self.difference,
        }
    }
}

/// State of a partial split: the numbers of players on A and on B, and the difference of their rating sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) counts: (usize, usize),
    /// Difference of the rating sums: A's minus B's with [`Sign::Plus`], B's minus A's with [`Sign::Minus`].
    pub(super) difference: i64,
}

/// Table cell for one pair of team counts: a range of differences of the teams' rating sums, each a partial split.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) differences: Range<i64>,
    /// Number of partial splits in all preceding cells of its table, which is the index of the first one in this cell.
    pub(super) start: usize,
}

/// Layout of the reachable partial splits of a half that can still lead to teams of a wanted size.
#[derive(Debug)]
pub(super) struct Layout {
    side: usize,
    /// Table cells by team counts, at the index players on A · (`side` + 1) + players on B, with `side` the largest
    /// team size. Cells without partial splits have an empty range of differences.
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

    /// Returns the layout of the next table, in which one more player has taken a seat by any of the `steps`. Leaves
    /// out partial splits outside of `bound` and teams of more than `side` players.
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

    /// Returns the index of the table cell for these numbers of players on A and on B, if there is one.
    #[inline]
    pub(super) fn place(&self, (a, b): (usize, usize)) -> Option<usize> {
        (a <= self.side && b <= self.side).then(|| a * (self.side + 1) + b)
    }

    pub(super) fn counts(&self, place: usize) -> (usize, usize) {
        (place / (self.side + 1), place % (self.side + 1))
    }

    /// Returns the index of the table cell from which `step` leads to `a` players on team A and `b` on B. Also returns
    /// the cell's differences of the teams' rating sums after the step.
    pub(super) fn moved(&self, (a, b): (usize, usize), step: Step) -> Option<(usize, Range<i64>)> {
        let from = self.place((a.checked_sub(step.a)?, b.checked_sub(step.b)?))?;
        let Range { start, end } = self.cells[from].differences;
        (start < end).then_some((from, start + step.difference..end + step.difference))
    }
}
