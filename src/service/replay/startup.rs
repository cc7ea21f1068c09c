//! Deletes, when a program opens the database, the rows that another left when it was killed.

use std::time::Duration;

use super::cleanup::Unneeded;
use super::lease::{begin, lease_cutoff};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{Generation, PoolRecord};

/// How often a pool that another program computes is looked at.
const PAUSE: Duration = Duration::from_secs(1);

impl Service {
    /// Has the rows deleted, meanwhile, that a program has left that was killed. A rebuild or a prune does
    /// that for its pool by itself, and would be kept out as long as another does.
    pub async fn clear_left_overs(&self) -> Result<(), ServiceError> {
        for pool in self.stored_pools().await? {
            let has_rebuild = self.store.begin_read().await?.has_rebuild(pool.id).await?;
            if has_rebuild || pool.generation > pool.cleared {
                let service = self.clone();
                self.rebuilds.spawn(async move {
                    if let Err(error) = service.clear_left_over(&pool).await {
                        tracing::warn!(error = ?error, pool = %pool.name, "Rows that nobody needs stay until the next rebuild");
                    }
                });
            }
        }
        Ok(())
    }

    /// Deletes the rows of a rebuild that died, once that is certain, or what is left of those that one
    /// has replaced.
    async fn clear_left_over(&self, pool: &PoolRecord) -> Result<(), ServiceError> {
        let owner = random::hex::<16>().map_err(ServiceError::internal)?;
        loop {
            if self.rebuilds.are_stopped() {
                return Ok(());
            }
            let mut tx = begin(&self.store).await?;
            tx.lock_pool(pool.id).await?;
            let now = self.clock.now();
            if tx.rebuild(pool.id, lease_cutoff(now)).await?.is_some() {
                drop(tx);
                tokio::time::sleep(PAUSE).await;
                continue;
            }
            if !tx.has_rebuild(pool.id).await? {
                drop(tx);
                self.clear_retired(pool, Generation::default()).await;
                return Ok(());
            }
            tx.begin_rebuild(pool.id, (&owner, now), None, 0).await?;
            tx.commit().await?;
            let unneeded = Unneeded::Unfinished { owner: &owner };
            let is_done = self.clear(&self.store, pool.id, unneeded).await?;
            return self
                .end_rebuild(&self.store, (pool.id, &owner), is_done)
                .await;
        }
    }
}
