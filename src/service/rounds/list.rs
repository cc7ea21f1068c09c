use std::collections::HashMap;

use super::void::find;
use crate::domain::{PoolName, RoundId, ServerName, Timestamp};
use crate::service::replay::lease::lease_cutoff;
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Changed, PoolId, RecordedRound, RoundFilter, StoreError, Tx};

/// A round as an admin sees it.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundView {
    /// The pool that it was counted in.
    pub pool: PoolName,
    /// The round, and what it made of its participants.
    pub round: RecordedRound,
    /// Where it does not count, why.
    pub void: Option<VoidView>,
}

/// A round that is looked at for itself.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeRoundView {
    /// As in a list.
    pub round: RoundView,
    /// Whether it is being voided (`true`) or restored at the moment.
    pub under_way: Option<bool>,
}

/// Why a round does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VoidView {
    /// The admin's words.
    pub reason: Option<String>,
    /// Since when.
    pub at: Timestamp,
}

/// A place in a list of rounds: behind the one that ended then and stands there in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundPlace(pub Timestamp, pub u64);

/// A page of rounds, the latest first, and where the next begins.
#[derive(Clone, Debug, PartialEq)]
pub struct RoundPage {
    /// The rounds.
    pub rounds: Vec<RoundView>,
    /// Where to go on; `None` at the end.
    pub next: Option<RoundPlace>,
}

impl Service {
    /// Up to `limit` of the pool's rounds that the filter lets pass, those that ended last first,
    /// from behind `after` on.
    pub async fn list_rounds(
        &self,
        pool: &Pool,
        filter: &RoundFilter,
        after: Option<RoundPlace>,
        limit: u32,
    ) -> Result<RoundPage, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let before = after.map(|RoundPlace(time, position)| (time, position));
        // One more than is shown tells whether there is a next page.
        let mut found = tx.list_rounds(pool.id, filter, before, limit + 1).await?;
        let is_last = found.len() <= limit as usize;
        found.truncate(limit as usize);
        let last = found.last().filter(|_| !is_last);
        let next = last.map(|last| RoundPlace(last.logged.ended_at, last.logged.position));
        let rounds = views(&mut tx, pool.id, &pool.name, found).await?;
        Ok(RoundPage { rounds, next })
    }

    /// The round of that name, in whichever pool.
    ///
    /// # Errors
    /// A round that is not there.
    pub async fn get_round(
        &self,
        server: ServerName,
        round_id: RoundId,
    ) -> Result<WholeRoundView, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let names = (server, round_id);
        let found = find(&mut tx, &names).await?;
        let pool = found.pool;
        let position = found.round.logged.position;
        let lease_cutoff = lease_cutoff(self.clock.now());
        let under_way = tx.mark_under_way(pool.id, position, lease_cutoff).await?;
        let mut views = views(&mut tx, pool.id, &pool.name, vec![found.round]).await?;
        let (server, round_id) = names;
        views
            .pop()
            .map(|round| WholeRoundView { round, under_way })
            .ok_or(ServiceError::NoSuchRound { server, round_id })
    }
}

async fn views(
    tx: &mut Tx,
    pool: PoolId,
    name: &PoolName,
    rounds: Vec<RecordedRound>,
) -> Result<Vec<RoundView>, StoreError> {
    let positions = rounds
        .iter()
        .filter(|round| round.logged.voided_at.is_some())
        .map(|round| round.logged.position);
    let mut voids = HashMap::new();
    if let (Some(first), Some(last)) = (positions.clone().min(), positions.max()) {
        for change in tx.changes_of_rounds(pool, first, last).await? {
            if let Changed::Round { .. } = change.changed {
                let void = VoidView {
                    reason: change.reason,
                    at: change.made_at,
                };
                voids.insert(change.position, void);
            }
        }
    }
    let view = |round: RecordedRound| RoundView {
        pool: name.clone(),
        void: round
            .logged
            .voided_at
            .and_then(|place| voids.remove(&place)),
        round,
    };
    Ok(rounds.into_iter().map(view).collect())
}
