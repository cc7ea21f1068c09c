use std::collections::HashMap;

use super::history::evenly_spaced;
use crate::domain::Timestamp;
use crate::service::Pool;
use crate::store::{RoundPlayed, StoreError, Tx};

/// Number of log positions that one step of a search in the log reads. Four steps search sixteen million rounds.
const PLACES_PROBED: u64 = 64;

/// Position in a pool's log that belongs to a requested time in the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PastPosition {
    moment: Timestamp,
    /// Log position of the last round up to the requested time; 0 for none.
    pub(super) last: u64,
    /// Log position of the first round after the requested time; `None` if no round came.
    next: Option<u64>,
    /// `true` if rounds count as past by their ending times instead of their arrival, because no round had arrived by
    /// the requested time.
    pub(super) by_end: bool,
}

impl PastPosition {
    /// Returns `true` if the round at log position `position`, which ended at `ended_at`, counts as played by the
    /// requested time in the past.
    pub(super) fn has_round(&self, position: u64, ended_at: Timestamp) -> bool {
        position <= self.last && (!self.by_end || ended_at <= self.moment)
    }

    /// Returns `true` if the admin's change at log position `position` was made by the requested time in the past.
    /// Between two rounds, the time of the change decides.
    pub(super) fn has_change(&self, position: u64, made_at: Timestamp) -> bool {
        let before_next = self.next.is_none_or(|next| position < next);
        position <= self.last || (before_next && made_at <= self.moment)
    }
}

/// Finds the position of the pool's log at `moment`.
///
/// # Design
/// Normally, rounds count from their arrival, because the service showed them from then on, even if they were sent or
/// imported late. If no round had arrived by `moment`, the history was imported later, and rounds count by their ending
/// times. The position is then that of the last round that had ended by `moment`. Pruned rounds are older than any
/// requested moment. The search is exact as far as the log is in order of arrival, or of ending times.
pub(super) async fn place_at(
    tx: &mut Tx,
    pool: &Pool,
    moment: Timestamp,
) -> Result<PastPosition, StoreError> {
    let pruned = tx.last_prune(pool.id).await?;
    let whole = PastPosition {
        moment,
        last: pruned.as_ref().map_or(0, |prune| prune.position),
        next: None,
        by_end: false,
    };
    let end = tx.pool(pool.id).await?.log_length + 1;
    let came = narrow(tx, pool, whole, end, |round| round.received_at > moment).await?;
    if came.last > whole.last || pruned.is_some_and(|prune| prune.last_received_at <= moment) {
        return Ok(came);
    }
    let by_end = PastPosition {
        by_end: true,
        ..came
    };
    narrow(tx, pool, by_end, end, |round| round.ended_at > moment).await
}

/// Searches the pool's log between positions `known.last` and `end` for the last round up to a requested time in the
/// past. The predicate `is_since` accepts exactly the rounds after this time.
async fn narrow(
    tx: &mut Tx,
    pool: &Pool,
    known: PastPosition,
    end: u64,
    is_since: impl Fn(&RoundPlayed) -> bool,
) -> Result<PastPosition, StoreError> {
    let mut found = PastPosition {
        next: None,
        ..known
    };
    // The first round at or behind this position, if there is one, is later than the moment.
    let mut high = end;
    loop {
        let probes = evenly_spaced(found.last + 1, high - 1, PLACES_PROBED);
        if probes.is_empty() {
            return Ok(found);
        }
        let rounds: HashMap<u64, RoundPlayed> = tx
            .rounds_from(pool.id, &probes)
            .await?
            .into_iter()
            .collect();
        let behind = (high, found.next);
        let mut first_since = None;
        for probe in probes {
            match rounds.get(&probe) {
                Some(round) if !is_since(round) => {
                    found.last = round.position;
                    first_since = None;
                }
                since_or_none => {
                    let next = since_or_none.map(|round| round.position);
                    first_since = first_since.or(Some((probe, next)));
                }
            }
        }
        (high, found.next) = first_since.unwrap_or(behind);
        high = high.max(found.last + 1);
    }
}
