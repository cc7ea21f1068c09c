use std::time::Instant;

use super::lease::{begin, with_batch_timeout, yield_to_writers};
use crate::service::{Service, ServiceError};
use crate::store::{Generation, PoolId, PoolRecord, Store};

/// Rows that one transaction looks at.
const LOOKED_AT: u32 = 10_000;

/// Which rows a rebuild has replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Replaced {
    /// Those that have another with the same key.
    Some,
    /// All.
    All,
}

impl Service {
    /// Deletes the rows of the pool that the active generation has replaced, some at a time. Where that
    /// fails, the next rebuild finds what is left.
    pub(crate) async fn clear_retired(&self, pool: &PoolRecord, replaced: Replaced) {
        if let Err(error) = self.try_to_clear_retired(pool.id, replaced).await {
            tracing::warn!(error = ?error, pool = %pool.name, "Former figures stay behind for now");
        }
    }

    async fn try_to_clear_retired(
        &self,
        pool: PoolId,
        replaced: Replaced,
    ) -> Result<(), ServiceError> {
        let store = with_batch_timeout(&self.store);
        let Some(active) = store.begin_read().await?.pool(pool).await?.generation else {
            return Ok(());
        };
        let all = match replaced {
            Replaced::Some => Generation::default(),
            Replaced::All => active,
        };
        // The next rebuild may have begun.
        self.clear(&store, pool, active.next(), all).await
    }

    /// Deletes the rows of the pool that others have replaced, those above the generation `keep`, and all
    /// before the generation `all`.
    pub(crate) async fn clear(
        &self,
        store: &Store,
        pool: PoolId,
        keep: Generation,
        all: Generation,
    ) -> Result<(), ServiceError> {
        let before = store.begin_read().await?.pool(pool).await?;
        let some = (LOOKED_AT, keep, all);
        let (mut position, mut player) = (Some(0), None);
        loop {
            // What is left then, the next rebuild clears away.
            if self.rebuilds.are_stopped() {
                return Ok(());
            }
            let started = Instant::now();
            let mut tx = begin(store).await?;
            if let Some(after) = position {
                // Rounds that come meanwhile have nothing that could be replaced.
                let last = tx.clear_results(pool, after, some).await?;
                position = last.filter(|last| *last < before.log_length);
            } else {
                player = tx.clear_entries(pool, player, some).await?;
                if player.is_none() {
                    tx.set_cleared(pool, before.generation.unwrap_or_default())
                        .await?;
                    return Ok(tx.commit().await?);
                }
            }
            tx.commit().await?;
            yield_to_writers(store, started).await;
        }
    }
}
