use std::cell::Cell;
use std::ops::ControlFlow;

use super::chain::Chain;
use super::cost::Cost;
use super::group::{Visit, Wanted, miss};
use super::rules::Sign;
use super::split::Seat;
use super::table::Table;

/// The ways to seat one set of linked players, found from the last of them back to the first: the
/// tables say which seats lead to what is wanted.
pub(super) struct Seating<'search, C> {
    pub(super) sign: Sign,
    pub(super) chain: &'search Chain,
    pub(super) layers: &'search [Vec<Table<C>>],
    pub(super) missed: &'search Cell<u64>,
}

impl<C: Cost> Seating<'_, C> {
    /// Visits all of them, as [`Group::each`](super::group::Group::each) does.
    pub(super) fn each(
        &self,
        wanted: Wanted,
        seats: &mut [Seat],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let players = self.chain.players.len();
        for memory in 0..self.layers.last().map_or(0, Vec::len) {
            self.each_before(players, memory, 0, wanted, seats, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Seats the players before `position` so that what is numbered `memory` is left; `spent` is what those from
    /// there on cost.
    fn each_before(
        &self,
        position: usize,
        memory: usize,
        spent: u64,
        wanted: Wanted,
        seats: &mut [Seat],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(position) = position.checked_sub(1) else {
            return visit(spent, seats);
        };
        let player = self.chain.players[position];
        for way in &self.chain.ways[position][memory] {
            let step = way.step(self.sign);
            if step.a > wanted.a || step.b > wanted.b {
                continue;
            }
            let rest = Wanted {
                a: wanted.a - step.a,
                b: wanted.b - step.b,
                difference: wanted.difference - step.difference,
                ..wanted
            };
            let table = &self.layers[position][way.from];
            let Some(cost) = table.cost(rest.a, rest.b, rest.difference) else {
                continue;
            };
            let spent = spent + step.price;
            if spent + cost.get() > wanted.budget {
                miss(self.missed, spent + cost.get(), wanted.budget);
                continue;
            }
            seats[player] = way.seat;
            self.each_before(position, way.from, spent, rest, seats, visit)?;
        }
        ControlFlow::Continue(())
    }
}
