use std::cell::Cell;
use std::ops::ControlFlow;

use super::cost::Cost;
use super::group::{Visit, Wanted, miss};
use super::linked::{Layer, Linked, Memory};
use super::rules::{Rules, Sign};
use super::split::Seat;
use super::table::Table;

/// The ways to seat one set of linked players, found from the last of them back to the first: the
/// tables say which seats lead to what is wanted.
pub(super) struct Seating<'search, C> {
    pub(super) rules: &'search Rules,
    pub(super) sign: Sign,
    pub(super) linked: &'search Linked,
    pub(super) layers: &'search [Layer<Table<C>>],
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
        let last = self.layers.last().into_iter().flat_map(Layer::keys);
        for memory in last {
            self.each_before(self.linked.players.len(), memory, 0, wanted, seats, visit)?;
        }
        ControlFlow::Continue(())
    }

    /// Seats the players before `position` so that `memory` is left; `spent` is what those from
    /// there on cost.
    fn each_before(
        &self,
        position: usize,
        memory: &Memory,
        spent: u64,
        wanted: Wanted,
        seats: &mut [Seat],
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(position) = position.checked_sub(1) else {
            return visit(spent, seats);
        };
        let player = self.linked.players[position];
        for (earlier, table) in &self.layers[position] {
            for &seat in self.rules.seats(player) {
                let seated = self
                    .linked
                    .seat(earlier, position, seat, self.rules.parties);
                let Some((_, price)) = seated.filter(|(after, _)| after == memory) else {
                    continue;
                };
                let step = self.rules.step(player, seat, self.sign);
                if step.a > wanted.a || step.b > wanted.b {
                    continue;
                }
                let rest = Wanted {
                    a: wanted.a - step.a,
                    b: wanted.b - step.b,
                    difference: wanted.difference - step.difference,
                    ..wanted
                };
                let Some(cost) = table.cost(rest.a, rest.b, rest.difference) else {
                    continue;
                };
                let spent = spent + step.price + price;
                if spent + cost.get() > wanted.budget {
                    miss(self.missed, spent + cost.get(), wanted.budget);
                    continue;
                }
                seats[player] = seat;
                self.each_before(position, earlier, spent, rest, seats, visit)?;
            }
        }
        ControlFlow::Continue(())
    }
}
