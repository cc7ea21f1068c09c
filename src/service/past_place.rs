use std::collections::HashMap;

use super::Pool;
use super::evenly::evenly;
use crate::domain::Timestamp;
use crate::store::{RoundTimes, StoreError, Tx};

/// How many places of the log one step looks at: four steps find one of sixteen million.
const PROBES: u64 = 64;

/// How far a pool's log had come at some moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PastPlace {
    moment: Timestamp,
    /// The place of the last round of then; 0 for none.
    last: u64,
    /// The place of the first round since; `None` where none has come.
    next: Option<u64>,
}

impl PastPlace {
    /// Whether a round that stands at `position` was counted by then.
    pub(super) fn has_round(&self, position: u64) -> bool {
        position <= self.last
    }

    /// Whether an admin's change that stands at `position` had been made by then. While no round came,
    /// the time of the change itself tells.
    pub(super) fn has_change(&self, position: u64, made_at: Timestamp) -> bool {
        let before_next = self.next.is_none_or(|next| position < next);
        position <= self.last || (before_next && made_at <= self.moment)
    }
}

/// How far the pool's log had come at `moment`.
///
/// # Design
/// What had come by then is what the service showed then, so a round that is sent or imported late
/// counts to the time since it came, whenever it was played. Where nothing had come by then, the whole
/// history was imported since, and says when each round was played: what it begins with is passed over
/// for as long as it is of rounds that had ended by then. Each is searched for by steps: exact as far as
/// rounds came in the order played.
pub(super) async fn place_at(
    tx: &mut Tx,
    pool: &Pool,
    moment: Timestamp,
) -> Result<PastPlace, StoreError> {
    let whole = PastPlace {
        moment,
        last: 0,
        next: None,
    };
    let end = tx.pool(pool.id).await?.log_length + 1;
    let came = narrow(tx, pool, whole, end, |round| round.received_at > moment).await?;
    if came.last > 0 {
        return Ok(came);
    }
    narrow(tx, pool, came, end, |round| round.ended_at > moment).await
}

/// Looks between `known.last` and `end` for the first round that `is_since`.
async fn narrow(
    tx: &mut Tx,
    pool: &Pool,
    known: PastPlace,
    end: u64,
    is_since: impl Fn(&RoundTimes) -> bool,
) -> Result<PastPlace, StoreError> {
    let mut found = PastPlace {
        next: None,
        ..known
    };
    // The first round that stands here or behind, if there is one, is since then.
    let mut high = end;
    loop {
        let probes = evenly(found.last + 1, high - 1, PROBES);
        if probes.is_empty() {
            return Ok(found);
        }
        let rounds: HashMap<u64, RoundTimes> = tx
            .rounds_from(pool.id, &probes)
            .await?
            .into_iter()
            .collect();
        for probe in probes {
            match rounds.get(&probe) {
                Some(round) if !is_since(round) => found.last = round.position,
                since_or_none => {
                    found.next = since_or_none.map(|round| round.position);
                    high = probe;
                    break;
                }
            }
        }
        high = high.max(found.last + 1);
    }
}
