use std::collections::HashMap;

use super::end_time::Taken;
use super::kept_players::KeptPlayers;
use super::transaction::{ImportedRound, OnRefusal, Outcomes, Recorded, record};
use crate::service::{Pool, Service, ServiceError};
use crate::store::PoolId;

/// Rounds that are counted one batch after another, as from a file.
///
/// What the players are is kept from batch to batch, and read again only where somebody else wrote to the
/// pool meanwhile.
#[derive(Debug)]
pub struct RoundImport<'service> {
    service: &'service Service,
    pools: HashMap<PoolId, KeptPlayers>,
}

impl Service {
    /// An import of rounds into any of the pools.
    #[must_use]
    pub fn import(&self) -> RoundImport<'_> {
        RoundImport {
            service: self,
            pools: HashMap::new(),
        }
    }
}

impl RoundImport<'_> {
    /// Counts `rounds` of one pool, in their order, in one transaction: all or, where the database
    /// fails, none. Answers what became of each, up to the first refused one where that stops it.
    ///
    /// A round that is new is put into the log with what was made of it, and rated as that. What was
    /// made of one that was counted before is left, since it takes a rebuild: see
    /// [`Service::apply_round_change`].
    ///
    /// # Errors
    /// The database's; what concerns one round alone is in that round's outcome.
    pub async fn record(
        &mut self,
        pool: &Pool,
        rounds: &[ImportedRound],
        on_refusal: OnRefusal,
    ) -> Result<Vec<Result<Recorded, ServiceError>>, ServiceError> {
        let store = &self.service.store;
        let taken = Taken::FromFile(self.service.clock.now());
        let kept = self.pools.entry(pool.id).or_default();
        let outcomes: Outcomes = record(store, pool, rounds, taken, on_refusal, kept).await?;
        self.limit_memory();
        Ok(outcomes)
    }

    /// Forgets half of the players where they take too much memory.
    fn limit_memory(&mut self) {
        let size: usize = self.pools.values().map(KeptPlayers::size).sum();
        // The program does nothing else, and who is forgotten is read again a batch or two later.
        if size > 2 * self.service.rebuild_memory {
            self.pools.values_mut().for_each(KeptPlayers::forget_half);
        }
    }
}
