use std::collections::HashMap;

use super::end_time::RoundSource;
use super::player_cache::PlayerCache;
use super::transaction::{ImportedRound, OnRefusal, Outcomes, Recorded, record};
use crate::service::{Pool, Service, ServiceError};
use crate::store::PoolId;

/// Import of rounds in batches, for example from a file.
///
/// Players are cached between batches, and read again only if another writer changed the pool.
#[derive(Debug)]
pub struct RoundImport<'service> {
    service: &'service Service,
    pools: HashMap<PoolId, PlayerCache>,
}

impl Service {
    /// Creates an import of rounds. Each batch goes into one pool; different batches may use different pools.
    #[must_use]
    pub fn import(&self) -> RoundImport<'_> {
        RoundImport {
            service: self,
            pools: HashMap::new(),
        }
    }
}

impl RoundImport<'_> {
    /// Records `rounds` of one pool, in their order and in one transaction. Returns the outcome of each round, up to
    /// the first refused round if `on_refusal` stops there.
    ///
    /// The voids and corrections of a new round are added to the log, and the round is rated with them. Changes to
    /// rounds that were recorded before are left out, because they need a rebuild: see [`Service::apply_round_change`].
    ///
    /// # Errors
    /// Returns an error if the database fails, and records no round then. The error of a single round is in the outcome
    /// of that round.
    pub async fn record(
        &mut self,
        pool: &Pool,
        rounds: &[ImportedRound],
        on_refusal: OnRefusal,
    ) -> Result<Vec<Result<Recorded, ServiceError>>, ServiceError> {
        let store = &self.service.store;
        let source = RoundSource::FromFile(self.service.clock.now());
        let kept = self.pools.entry(pool.id).or_default();
        let outcomes: Outcomes = record(store, pool, rounds, source, on_refusal, kept).await?;
        let size: usize = self.pools.values().map(PlayerCache::size).sum();
        // An import has the process to itself, so it may use more memory than a rebuild.
        if size > 2 * self.service.rebuild_memory {
            self.pools.values_mut().for_each(PlayerCache::evict_half);
        }
        Ok(outcomes)
    }
}
