use std::cell::Cell;
use std::ops::{ControlFlow, RangeInclusive};

use super::cost::Cost;
use super::half::{Aside, Dearest};
use super::join::Teams;
use super::run::Run;
use super::search::Entries;
use super::split::Seat;

/// What its prices do not tell, a run looks up split by split, but no more than so many differences and entries of
/// the tables for one size, nor are more seats tried for all: wider tables, which tell it, take as long.
const MANY_DIFFERENCES: usize = 4;
const MANY_ENTRIES: usize = if cfg!(test) { 4 } else { 64 };
pub(super) const MANY_SEATS: u64 = if cfg!(test) { 1 << 8 } else { 1 << 15 };

impl Run<'_> {
    /// The best seats, by prices that tell all wishes apart, of those with these `differences` for `budget`
    /// at most, of which the `first` cost the least by the prices of the tables; nothing where that takes looking
    /// at many, or more than the `patience` that is left.
    pub(super) fn best_within<C: Cost>(
        &self,
        teams: &Teams<'_, C>,
        at: usize,
        differences: RangeInclusive<i64>,
        budget: u64,
        first: Vec<Seat>,
        patience: &Cell<u64>,
    ) -> Option<Vec<Seat>> {
        if !teams.tell(budget) || patience.get() == 0 {
            return None;
        }
        let prices = &self.rules.prices;
        let least = prices.of_seats(self.brief, &first);
        let mut best = (self.exact.rank(self.brief, &first), first);
        // Whatever cannot be better than the best so far is passed over.
        let dearest = Dearest {
            exact: Cell::new(most_of_better(&best.0)),
            told: least..=budget,
            times: prices.times,
        };
        let aside = Aside {
            patience: Some(patience),
            dearest: Some(&dearest),
            ..Aside::default()
        };
        // First those of which the seats are looked for: whether they are many is soon known.
        let mut entries = Vec::new();
        let mut add = |found: &Entries| {
            entries.push(*found);
            if entries.len() <= MANY_ENTRIES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        };
        for (number, difference) in teams.affordable(differences, budget).enumerate() {
            if number == MANY_DIFFERENCES {
                return None;
            }
            let flow = teams.each_entries(at, difference, budget, aside, &mut add);
            if flow.is_break() {
                return None;
            }
        }
        let mut seats = vec![Seat::Waiting; self.players()];
        let mut visit = |_, seats: &mut [Seat]| {
            let rank = self.exact.rank(self.brief, seats);
            if rank < best.0 {
                dearest.exact.set(most_of_better(&rank));
                best = (rank, seats.to_vec());
            }
            ControlFlow::Continue(())
        };
        for found in entries {
            let flow = teams.join.each(&found, &mut seats, aside, &mut visit);
            if flow.is_break() {
                return None;
            }
        }
        Some(best.1)
    }
}

/// The most that seats cost which come before those of this rank, see [`Prices::rank`](super::prices::Prices::rank).
fn most_of_better(&(as_good, repeats, cost): &(u64, bool, u64)) -> u64 {
    if repeats {
        as_good
    } else {
        cost.saturating_sub(1)
    }
}
