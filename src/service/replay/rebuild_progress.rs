//! Progress and cancellation of rebuilds, in whichever process they run.

use super::lease::{begin, lease_cutoff, with_batch_timeout};
use crate::api::{ProgressAnswer, RebuildAnswer, RebuiltRoundAnswer, RunningRebuildAnswer};
use crate::domain::PoolName;
use crate::service::audit::Author;
use crate::service::{Service, ServiceError};
use crate::store::{PoolRecord, RebuildRecord, StoreError, Tx, corrupt};

impl Service {
    /// Returns the rebuild of the named pool that is in progress, if there is one.
    pub async fn get_rebuild(&self, pool: &PoolName) -> Result<RebuildAnswer, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pool = find(&mut tx, pool).await?;
        self.rebuild_of(&mut tx, &pool).await
    }

    /// Cancels the rebuild of the named pool, in whichever process it runs. The owner gives up at its next write, and
    /// the ratings stay unchanged. Returns the cancelled rebuild.
    pub async fn cancel_rebuild(
        &self,
        pool: &PoolName,
        by: Author,
    ) -> Result<RebuildAnswer, ServiceError> {
        // This transaction may have to wait for a write of the owner.
        let store = with_batch_timeout(&self.store);
        let mut tx = begin(&store).await?;
        let pool = find(&mut tx, pool).await?;
        let cutoff = lease_cutoff(self.clock.now());
        if !tx.cancel_rebuild(pool.id, cutoff).await? {
            return Err(ServiceError::NoRebuild(pool.name));
        }
        let answer = self.rebuild_of(&mut tx, &pool).await?;
        tx.commit().await?;
        tracing::info!(pool = %pool.name, ?by, "A rebuild was cancelled");
        Ok(answer)
    }

    async fn rebuild_of(
        &self,
        tx: &mut Tx,
        pool: &PoolRecord,
    ) -> Result<RebuildAnswer, ServiceError> {
        let rebuild = tx.rebuild(pool.id, lease_cutoff(self.clock.now())).await?;
        let rebuild = match rebuild {
            Some(record) => Some(answer(tx, pool, &record).await?),
            None => None,
        };
        Ok(RebuildAnswer {
            pool: pool.name.clone(),
            rebuild,
        })
    }
}

async fn find(tx: &mut Tx, name: &PoolName) -> Result<PoolRecord, ServiceError> {
    let mut pools = tx.pools().await?.into_iter();
    let found = pools.find(|pool| pool.name == *name);
    found.ok_or_else(|| ServiceError::NoSuchPool(name.clone()))
}

async fn answer(
    tx: &mut Tx,
    pool: &PoolRecord,
    record: &RebuildRecord,
) -> Result<RunningRebuildAnswer, StoreError> {
    let round = match record.change {
        Some(change) => {
            let found = tx.round_names(pool.id, &[change.position]).await?.pop();
            let round = found.ok_or_else(|| corrupt("rebuilds", "round_position"))?;
            Some(RebuiltRoundAnswer {
                server: round.server,
                round_id: round.round_id,
                action: change.action.name(),
                rounds: change.rounds,
            })
        }
        None => None,
    };
    Ok(RunningRebuildAnswer {
        round,
        cancelled: record.is_cancelled,
        progress: progress(record),
    })
}

/// Returns the progress of a rebuild in log entries, or `None` if its owner reports none or has nothing to compute.
pub(crate) fn progress(record: &RebuildRecord) -> Option<ProgressAnswer> {
    let started_at = record.started_at.filter(|_| record.progress.total > 0)?;
    let (progress, at) = (record.progress, record.renewed_at);
    Some(ProgressAnswer::new(progress, started_at, at))
}
