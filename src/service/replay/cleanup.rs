use std::time::Instant;

use super::lease::{begin, lease_cutoff, with_batch_timeout, yield_to_writers};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{PoolId, PoolRecord};

/// Rows of an old projection that one transaction deletes.
const DELETED: u32 = 5_000;

impl Service {
    /// Deletes what is left of the pool's former projections, a few rows at a time. Where that fails, the
    /// next rebuild finds what is left.
    pub(crate) async fn clear_retired(&self, pool: &PoolRecord) {
        if let Err(error) = self.try_to_clear_retired(pool.id).await {
            tracing::warn!(error = ?error, pool = %pool.name, "Former figures stay behind for now");
        }
    }

    async fn try_to_clear_retired(&self, pool: PoolId) -> Result<(), ServiceError> {
        let owner = random::hex::<16>().map_err(ServiceError::internal)?;
        let store = with_batch_timeout(&self.store);
        let mut tx = begin(&store).await?;
        // Whoever switches over holds the lock: under it there is no doubt which projection is active.
        tx.lock_pool(pool).await?;
        let now = self.clock.now();
        let retired = tx
            .claim_retired_projections(pool, &owner, lease_cutoff(now), now)
            .await?;
        tx.commit().await?;
        for projection in retired {
            loop {
                // What is left then, the next rebuild clears away.
                if self.rebuilds.are_stopped() {
                    return Ok(());
                }
                let started = Instant::now();
                let mut tx = begin(&store).await?;
                let is_ours = tx
                    .renew_projection(projection, &owner, self.clock.now())
                    .await?;
                let more = is_ours && tx.delete_some_of_projection(projection, DELETED).await?;
                tx.commit().await?;
                yield_to_writers(&store, started).await;
                if !more {
                    break;
                }
            }
        }
        Ok(())
    }
}
