use std::time::{Duration, Instant};

use super::lease::{Pauses, begin, begin_deferred, lease_cutoff, with_batch_timeout};
use crate::domain::{PlayerId, Timestamp};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{Generation, PoolId, PoolRecord, Store};

/// Maximum number of rows that one transaction examines while it deletes outdated ratings and results.
const LOOKED_AT: u32 = 2_000;
/// Interval between checks of a pool that another process is rebuilding.
const PAUSE: Duration = Duration::from_secs(1);

/// Point at which the deletion of outdated computed rows continues. The tables are cleared in this order.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    /// Deletion of results of rounds continues after this log position.
    Results(u64),
    /// Deletion of players' rated rounds continues after this player, by id.
    Entries(Option<PlayerId>),
    /// Deletion of outdated rows of the table `players` continues, in any order.
    Players,
    End,
}

/// Computed rows of a pool to delete, in addition to rows that the pool's active generation (version of computed rows)
/// has replaced.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CleanupScope<'owner> {
    /// Rows of earlier computations of the pool: those of generations (row versions) before `below`.
    Replaced { below: Generation },
    /// Rows of an unfinished rebuild: those of generations (row versions) later than the pool's active one. `owner`
    /// holds the lease of the rebuild.
    Unfinished { owner: &'owner str },
}

impl Service {
    /// Deletes, in batches, computed rows that the pool's active generation has replaced, and all rows of generations
    /// before `below`. If this fails, the next rebuild deletes the rest.
    ///
    /// A caller that recomputed the whole pool passes the generation it wrote as `below`. A later rebuild that shares
    /// these rows may be active already.
    pub(crate) async fn clear_retired(&self, pool: &PoolRecord, below: Generation) {
        let store = with_batch_timeout(&self.store);
        let cleared = self.clear(&store, pool.id, CleanupScope::Replaced { below });
        if let Err(error) = cleared.await {
            tracing::warn!(error = ?error, pool = %pool.name, "Cannot delete the rows of outdated ratings; the next rebuild deletes them");
        }
    }

    /// Refreshes the statistics of the database's query planner after many rows have changed. A failure is only logged,
    /// since the database refreshes them later by itself.
    pub(crate) async fn refresh_statistics(&self) {
        let store = with_batch_timeout(&self.store);
        if let Err(error) = store.refresh_statistics().await {
            tracing::warn!(
                error = ?error,
                "Cannot refresh the statistics that keep queries fast; queries may be slow until the database does so"
            );
        }
    }

    /// Ends the rebuild of a pool if all rows that it had to delete are deleted (`is_cleared`). Otherwise expires the
    /// lease at once, so that the next owner deletes the rest.
    pub(crate) async fn end_rebuild(
        &self,
        store: &Store,
        (pool, owner): (PoolId, &str),
        is_cleared: bool,
    ) -> Result<(), ServiceError> {
        let mut tx = begin(store).await?;
        if is_cleared {
            tx.finish_rebuild(pool, owner).await?;
        } else {
            tx.renew_rebuild(pool, (owner, Timestamp::UNIX_EPOCH))
                .await?;
        }
        Ok(tx.commit().await?)
    }

    /// Deletes the pool's computed rows in `scope`, in batches. Returns `false` if rows are left because the service
    /// stops or because another owner took over the rebuild.
    pub(crate) async fn clear(
        &self,
        store: &Store,
        pool: PoolId,
        scope: CleanupScope<'_>,
    ) -> Result<bool, ServiceError> {
        let before = store.begin_read().await?.pool(pool).await?;
        let active = before.generation;
        let some = match scope {
            // Rows of higher generations may belong to the next rebuild.
            CleanupScope::Replaced { below } => (LOOKED_AT, Generation::LAST, below),
            CleanupScope::Unfinished { .. } => (LOOKED_AT, active, Generation::default()),
        };
        let is_owner = matches!(scope, CleanupScope::Unfinished { .. });
        let mut cursor = Cursor::Results(0);
        let pauses = Pauses::default();
        loop {
            if self.rebuilds.are_stopped() {
                return Ok(false);
            }
            let started = Instant::now();
            let mut tx = begin_deferred(store).await?;
            if let CleanupScope::Unfinished { owner } = scope
                && !tx.renew_rebuild(pool, (owner, self.clock.now())).await?
            {
                return Ok(false);
            }
            cursor = match cursor {
                Cursor::Results(after) => {
                    // Rounds recorded meanwhile have no rows to replace.
                    let last = tx.clear_results(pool, after, some).await?;
                    last.filter(|last| *last < before.log_length)
                        .map_or(Cursor::Entries(None), Cursor::Results)
                }
                Cursor::Entries(after) => {
                    let last = tx.clear_entries(pool, after, some).await?;
                    last.map_or(Cursor::Players, |last| Cursor::Entries(Some(last)))
                }
                Cursor::Players => {
                    let deleted = tx.clear_players(pool, is_owner, LOOKED_AT).await?;
                    if deleted > 0 {
                        Cursor::Players
                    } else {
                        Cursor::End
                    }
                }
                Cursor::End => {
                    tx.set_cleared(pool, active).await?;
                    tx.commit().await?;
                    return Ok(true);
                }
            };
            tx.commit().await?;
            pauses.pause(store, started).await;
        }
    }

    /// Starts background tasks that delete the rows left by killed processes. A rebuild or a prune deletes such rows of
    /// its pool itself, and cannot start while one of these tasks holds the lease.
    pub async fn clear_left_overs(&self) -> Result<(), ServiceError> {
        for pool in self.stored_pools().await? {
            let has_rebuild = self.store.begin_read().await?.has_rebuild(pool.id).await?;
            if has_rebuild || pool.generation > pool.cleared {
                let service = self.clone();
                self.rebuilds.spawn(async move {
                    if let Err(error) = service.clear_left_over(&pool).await {
                        tracing::warn!(error = ?error, pool = %pool.name, "Cannot delete rows that are no longer needed; the next rebuild deletes them");
                    }
                });
            }
        }
        Ok(())
    }

    /// Deletes the rows of a dead rebuild after its lease has expired, or the rest of the rows that a rebuild replaced.
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
            let scope = CleanupScope::Unfinished { owner: &owner };
            let is_done = self.clear(&self.store, pool.id, scope).await?;
            return self
                .end_rebuild(&self.store, (pool.id, &owner), is_done)
                .await;
        }
    }
}
