//! How far a pool's log had come at some moment.

use std::collections::HashMap;

use super::history::evenly_spaced;
use crate::domain::Timestamp;
use crate::service::Pool;
use crate::store::{RoundPlayed, StoreError, Tx};

/// How many places of the log one step looks at: four steps find one of sixteen million.
const PLACES_PROBED: u64 = 64;

/// How far a pool's log had come at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PastPosition {
    moment: Timestamp,
    /// The place of the last round of then; 0 for none.
    pub(super) last: u64,
    /// The place of the first round since; `None` where none has come.
    next: Option<u64>,
    /// Whether it goes by when rounds ended, since nothing had come by then.
    pub(super) by_end: bool,
}

impl PastPosition {
    /// Whether a round that stands at `position` and ended at that time was counted by then.
    pub(super) fn has_round(&self, position: u64, ended_at: Timestamp) -> bool {
        position <= self.last && (!self.by_end || ended_at <= self.moment)
    }

    /// Whether an admin's change that stands at `position` had been made by then. While no round came,
    /// the time of the change itself decides.
    pub(super) fn has_change(&self, position: u64, made_at: Timestamp) -> bool {
        let before_next = self.next.is_none_or(|next| position < next);
        position <= self.last || (before_next && made_at <= self.moment)
    }
}

/// How far the pool's log had come at `moment`.
///
/// # Design
/// What had come by then is what the service showed then, so a round that is sent or imported late
/// counts to the time since it came, whenever it was played. Where nothing had come by then, the
/// history was imported since, and has when each round was played: it had come as far as its last round
/// that had ended by then, whatever a first few rounds are that were played before it was imported. Rounds that are
/// pruned are older than any moment that is asked for. Each is searched for by steps: exact as far as rounds came in
/// the order played.
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

/// Looks between `known.last` and `end` for the last round that is not yet `is_since`.
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
    // The first round that stands here or behind, if there is one, is since then.
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
