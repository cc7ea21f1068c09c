use std::time::{Duration, Instant};

use super::lease::{Pauses, begin, begin_ahead, lease_cutoff, with_batch_timeout};
use crate::domain::{PlayerId, Timestamp};
use crate::random;
use crate::service::{Service, ServiceError};
use crate::store::{Generation, PoolId, PoolRecord, Store};

/// Rows that one transaction looks at.
const LOOKED_AT: u32 = 2_000;

/// Where the rows stand that are looked at next, in the order in which tables are.
#[derive(Clone, Copy, Debug)]
enum Cursor {
    /// Behind that place of the log.
    Results(u64),
    /// Behind that player.
    Entries(Option<PlayerId>),
    /// The players who are not deleted yet.
    Players,
    /// All were looked at.
    End,
}

/// Rows that nobody needs: besides those that the active generation has replaced,
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unneeded<'owner> {
    /// all below a generation;
    Replaced {
        /// The generation.
        below: Generation,
    },
    /// all above the active one, as the owner of the pool's rebuild.
    Unfinished {
        /// The owner.
        owner: &'owner str,
    },
}

impl Service {
    /// Deletes the rows of the pool that the active generation has replaced, and all below the generation
    /// `below`, some at a time. Where that fails, the next rebuild finds what is left.
    ///
    /// Whoever has computed all of a pool names the generation, which another rebuild that shares its rows
    /// may have followed meanwhile.
    pub(crate) async fn clear_retired(&self, pool: &PoolRecord, below: Generation) {
        let store = with_batch_timeout(&self.store);
        let cleared = self.clear(&store, pool.id, Unneeded::Replaced { below });
        if let Err(error) = cleared.await {
            tracing::warn!(error = ?error, pool = %pool.name, "Former figures stay until the next rebuild");
        }
    }

    /// Has the database count anew what it plans queries by, where so many rows have changed that the next ones
    /// would be planned badly. Where that fails, it does so by itself later.
    pub(crate) async fn refresh_statistics(&self) {
        let store = with_batch_timeout(&self.store);
        if let Err(error) = store.refresh_statistics().await {
            tracing::warn!(error = ?error, "The database's statistics are as they were");
        }
    }

    /// Ends the rebuild of a pool by its owner, where all is deleted that it has left. Else it counts as dead
    /// at once, so that whoever comes next deletes the rest.
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

    /// Deletes rows of the pool, some at a time; `false` where some are left, because the service stops or
    /// somebody else owns the rebuild that they are of.
    pub(crate) async fn clear(
        &self,
        store: &Store,
        pool: PoolId,
        unneeded: Unneeded<'_>,
    ) -> Result<bool, ServiceError> {
        let before = store.begin_read().await?.pool(pool).await?;
        let active = before.generation;
        let some = match unneeded {
            // The next rebuild may have begun.
            Unneeded::Replaced { below } => (LOOKED_AT, Generation::LAST, below),
            Unneeded::Unfinished { .. } => (LOOKED_AT, active, Generation::default()),
        };
        let is_owner = matches!(unneeded, Unneeded::Unfinished { .. });
        let mut place = Cursor::Results(0);
        let pauses = Pauses::default();
        loop {
            // What is left then, the next rebuild clears away.
            if self.rebuilds.are_stopped() {
                return Ok(false);
            }
            let started = Instant::now();
            let mut tx = begin_ahead(store).await?;
            if let Unneeded::Unfinished { owner } = unneeded
                && !tx.renew_rebuild(pool, (owner, self.clock.now())).await?
            {
                return Ok(false);
            }
            place = match place {
                Cursor::Results(after) => {
                    // Rounds that come meanwhile have nothing that could be replaced.
                    let last = tx.clear_results(pool, after, some).await?;
                    let last = last.filter(|last| *last < before.log_length);
                    last.map_or(Cursor::Entries(None), Cursor::Results)
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
}

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
