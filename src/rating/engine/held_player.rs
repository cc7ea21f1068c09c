use std::collections::VecDeque;

use super::past_totals::PastTotals;
use super::{EngineError, Entry, PlayerState};
use crate::domain::Timestamp;
use crate::rating::{Parameters, TotalsStep, Window, boundaries, rounds_since_return};

#[derive(Debug)]
pub(super) struct HeldPlayer {
    pub(super) record: PlayerState,
    pub(super) totals: PastTotals,
    /// End times of the player's last rated rounds, in the order of the log.
    pub(super) ended: VecDeque<Timestamp>,
    /// Time at which the engine of ratings last loaded, rated or changed the player, as a count of its
    /// [`clock`](super::Engine::clock).
    pub(super) used: u64,
}

impl HeldPlayer {
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.totals.size() + self.ended.capacity() * size_of::<Timestamp>()
    }

    pub(super) fn window(&mut self, parameters: &Parameters) -> Result<Window, EngineError> {
        self.record
            .window(parameters, |number| self.totals.at(number))
    }

    /// Returns the number of rounds since the player's return, for a round that ended at `at`. Rounds before a reset do
    /// not count.
    pub(super) fn since_return(&self, at: Timestamp, parameters: &Parameters) -> Option<u32> {
        let since_reset = usize::try_from(self.record.rounds).unwrap_or(usize::MAX);
        let before = self.ended.len().saturating_sub(since_reset);
        rounds_since_return(self.ended.range(before..).copied(), at, parameters)
    }

    /// Appends a rated round that ended at `at`. `after` is the player after this round. Keeps the end times of the
    /// player's last `times` rounds.
    pub(super) fn take(
        &mut self,
        after: PlayerState,
        step: TotalsStep,
        at: Timestamp,
        times: usize,
    ) {
        self.ended.push_back(at);
        while self.ended.len() > times {
            self.ended.pop_front();
        }
        self.totals.push(step);
        self.record = after;
    }

    /// Returns the numbers of the player's earlier rated rounds that are not in memory, but needed to rate the player's
    /// next `rated` rounds. `window` is the length of the player's window in rounds, and `times` the number of needed
    /// end times.
    pub(super) fn missing_entries(
        &self,
        rated: u32,
        window: u32,
        times: usize,
    ) -> impl Iterator<Item = u64> + '_ {
        let ends = |later: u32| {
            let (entries, rounds) = (self.record.entries, self.record.rounds);
            boundaries(
                entries + u64::from(later),
                rounds.saturating_add(later),
                window,
            )
        };
        // Each round leaves a boundary in place or advances the boundary by one entry.
        let (first, last) = (ends(0), ends(rated.saturating_sub(1)));
        let totals = (first.start..=last.start)
            .chain(first.old_end..=last.old_end)
            .chain(first.new_start..=last.new_start)
            .filter(|number| *number > 0 && !self.totals.holds(*number));
        let entries = self.record.entries;
        let since_reset = usize::try_from(self.record.rounds).unwrap_or(usize::MAX);
        let oldest = entries.saturating_sub(times.min(since_reset) as u64) + 1;
        let ended = oldest..=entries.saturating_sub(self.ended.len() as u64);
        totals.chain(ended).filter(move |_| rated > 0)
    }

    /// Prepends consecutive rated rounds that are older than the player's rounds in memory. Of consecutive runs, the
    /// later run must be added first.
    pub(super) fn add_older(&mut self, run: &[Entry], times: usize) {
        for entry in run.iter().rev() {
            let held = self.ended.len();
            if held < times && entry.number + held as u64 == self.record.entries {
                self.ended.push_front(entry.ended_at);
            }
        }
        self.totals.add_older(run);
    }
}
