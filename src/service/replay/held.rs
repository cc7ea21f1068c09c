use std::collections::VecDeque;

use super::past_totals::PastTotals;
use crate::domain::Timestamp;
use crate::rating::{Parameters, Step, rounds_since_return};
use crate::store::PlayerRecord;

/// A player whom a projection holds, and as much of the earlier entries as is needed.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) record: PlayerRecord,
    /// The totals after earlier entries.
    pub(super) totals: PastTotals,
    /// When the last entries ended, in their order.
    pub(super) ended: VecDeque<Timestamp>,
    /// When the player was last of use, by the projection's own clock.
    pub(super) used: u64,
}

impl Held {
    /// How many bytes it takes, about.
    pub(super) fn size(&self) -> usize {
        size_of::<Self>() + self.totals.size() + self.ended.capacity() * size_of::<Timestamp>()
    }

    /// By how many rounds the player is back before one that ended then; of those before a reset nothing counts.
    pub(super) fn since_return(&self, at: Timestamp, parameters: &Parameters) -> Option<u32> {
        let since_reset = usize::try_from(self.record.rounds).unwrap_or(usize::MAX);
        let before = self.ended.len().saturating_sub(since_reset);
        rounds_since_return(self.ended.range(before..).copied(), at, parameters)
    }

    /// Takes in the entry that made `after` of the player, by a round that ended then. Of the last `times` entries it
    /// is remembered when they ended.
    pub(super) fn take(&mut self, after: PlayerRecord, step: Step, at: Timestamp, times: usize) {
        self.ended.push_back(at);
        while self.ended.len() > times {
            self.ended.pop_front();
        }
        self.totals.push(after.entries, after.totals, step);
        self.record = after;
    }
}
