//! Tables with the minimum cost of every state (partial split), and the integer types of costs.

use std::fmt::Debug;

use super::bound::{common, length};
use super::layout::{Layout, State};
use super::turn::Turn;
use crate::partition::limits::Pace;

/// Integer type of a cost, a sum of weights of wishes. Narrow types allow more comparisons per vector instruction.
pub(crate) trait Cost: Copy + Ord + Debug + TryFrom<u64> + TryInto<u64> {
    /// Cost of states (partial splits) that cannot be reached. Adding to this cost does not lower it.
    const UNREACHABLE: Self;

    fn plus(self, other: Self) -> Self;

    /// Converts the weight of an unserved wish to a cost, capped at [`Cost::UNREACHABLE`].
    fn of(weight: u64) -> Self {
        Self::try_from(weight).map_or(Self::UNREACHABLE, |weight| weight.min(Self::UNREACHABLE))
    }

    /// Returns the cost as a number, or `None` for [`Cost::UNREACHABLE`].
    #[inline]
    fn get(self) -> Option<u64> {
        (self < Self::UNREACHABLE).then(|| self.try_into().unwrap_or_default())
    }
}

/// Implements `Cost` (of unserved wishes) for a narrow signed type. Costs are never negative, but the oldest vector
/// instructions compare narrow numbers only as signed.
macro_rules! narrow {
    ($number:ty) => {
        impl Cost for $number {
            const UNREACHABLE: Self = Self::MAX;

            #[inline]
            fn plus(self, other: Self) -> Self {
                self.saturating_add(other)
            }
        }
    };
}

narrow!(i8);
narrow!(i16);

/// Implements [`Cost`] for 32 bits. Twice `UNREACHABLE` does not overflow, because 32-bit vector instructions cannot
/// saturate.
impl Cost for i32 {
    const UNREACHABLE: Self = 1 << 29;

    #[inline]
    fn plus(self, other: Self) -> Self {
        self + other
    }
}

/// Minimum cost of unserved wishes of every reachable partial split, for each frontier (remembered earlier seats).
#[derive(Debug, Default)]
pub(super) struct Table<C> {
    pub(super) frontiers: usize,
    /// Costs by cell (pair of team counts), then frontier (remembered seats), then difference of the teams' rating
    /// sums. Each is a sum of weights of unserved wishes. Empty if the costs were not kept.
    costs: Vec<C>,
}

impl<C: Cost> Table<C> {
    pub(super) fn nobody() -> Self {
        Self {
            frontiers: 1,
            costs: vec![C::of(0)],
        }
    }

    /// Computes the table of partial splits after one more player (`turn`) from the table `before`; `from` and `to` are
    /// their layouts. Reuses `memory` if it is large enough. The costs are incomplete if the computation is cancelled.
    pub(super) fn extended(
        before: &Self,
        turn: &Turn,
        [from, to]: [&Layout; 2],
        memory: Vec<C>,
        pace: &Pace<'_>,
    ) -> Self {
        Self {
            frontiers: turn.frontiers(),
            costs: least_costs(before, turn, [from, to], memory, pace),
        }
    }

    /// Moves the costs out of the table, so that another table can reuse their memory.
    pub(super) fn take_costs(&mut self) -> Vec<C> {
        std::mem::take(&mut self.costs)
    }

    /// Returns the costs of the partial splits in one table cell (pair of team counts) for one frontier (remembered
    /// seats), by difference of the teams' rating sums.
    pub(super) fn costs(&self, layout: &Layout, place: usize, frontier: usize) -> &[C] {
        let cell = &layout.cells[place];
        let length = length(&cell.differences);
        let start = cell.start * self.frontiers + frontier * length;
        &self.costs[start..start + length]
    }

    /// Returns the cost of a partial split, 0 if the costs were not kept, or `None` if it is unreachable.
    #[inline]
    pub(super) fn cost(&self, layout: &Layout, state: &State, frontier: usize) -> Option<u64> {
        let cell = &layout.cells[layout.place(state.counts)?];
        if !cell.differences.contains(&state.difference) {
            return None;
        }
        if self.costs.is_empty() {
            return Some(0);
        }
        let at = cell.start * self.frontiers + frontier * length(&cell.differences);
        self.costs[at + length(&(cell.differences.start..state.difference))].get()
    }
}

/// Computes the cost of every partial split in a table: the minimum over all ways to reach it.
#[multiversion::multiversion(targets("x86_64+avx2"))]
fn least_costs<C: Cost>(
    before: &Table<C>,
    turn: &Turn,
    [from, to]: [&Layout; 2],
    memory: Vec<C>,
    pace: &Pace<'_>,
) -> Vec<C> {
    let states = to.len() * turn.frontiers();
    let mut costs = if memory.capacity() >= states {
        memory
    } else {
        drop(memory);
        Vec::with_capacity(states)
    };
    costs.clear();
    for (place, cell) in to.cells.iter().enumerate() {
        let width = length(&cell.differences);
        if width == 0 {
            continue;
        }
        if !pace.goes_on((width * turn.frontiers() * size_of::<C>()) as u64) {
            break;
        }
        // Processing cell by cell keeps recently written costs in the processor's cache.
        let start = costs.len();
        costs.resize(start + width * turn.frontiers(), C::UNREACHABLE);
        let written = &mut costs[start..];
        let counts = to.counts(place);
        let sources = turn.steps.map(|step| {
            let (source, moved) = from.moved(counts, step)?;
            let both = common(&moved, &cell.differences);
            let skipped = length(&(moved.start..both.start));
            let at = length(&(cell.differences.start..both.start));
            (!both.is_empty()).then(|| (source, skipped, at, length(&both)))
        });
        for transition in turn.transitions.iter().flatten() {
            let Some((source, skipped, at, width_of_both)) = sources[transition.seat as usize]
            else {
                continue;
            };
            let read = &before.costs(from, source, transition.from)[skipped..][..width_of_both];
            let written = &mut written[transition.to * width + at..][..width_of_both];
            let price = C::of(turn.cost(transition, counts));
            for (to, from) in written.iter_mut().zip(read) {
                *to = (*to).min(from.plus(price));
            }
        }
    }
    costs
}
