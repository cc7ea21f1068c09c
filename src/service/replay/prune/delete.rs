use std::time::Instant;

use super::Prune;
use crate::service::ServiceError;
use crate::service::replay::lease::{Lease, begin};
use crate::service::replay::load::rows_of_window;
use crate::store::Tx;

const ROUNDS: u32 = 2_000;
/// Number of rows that one transaction of a prune examines in other tables than `rounds`.
const LOOKED_AT: u32 = 10_000;

impl Prune {
    /// Deletes the rows of all pruned rounds in batches, including the rows that an interrupted prune left.
    ///
    /// # Errors
    /// Returns an error if another process took over the prune. The next prune deletes the rest.
    pub async fn delete_rows(&self) -> Result<(), ServiceError> {
        let pool = self.pool.id;
        let Some(prune) = self
            .lease
            .store
            .begin_read()
            .await?
            .last_prune(pool)
            .await?
        else {
            return Ok(());
        };
        let last = prune.position;
        let mut there = true;
        while there {
            let mut batch = Batch::begin(self).await?;
            there = batch.tx.delete_rounds(pool, last, ROUNDS).await?;
            batch.commit(&self.lease).await?;
        }
        let mut player = None;
        loop {
            let mut batch = Batch::begin(self).await?;
            let looked_at = batch
                .tx
                .delete_unrated_players(pool, player, last, LOOKED_AT);
            player = looked_at.await?;
            batch.commit(&self.lease).await?;
            if player.is_none() {
                break;
            }
        }
        // The quality window may reach back `kept_window` counted rounds before the first remaining round. A replay
        // begins with the sums of the last pruned round.
        let mut tx = self.lease.store.begin_read().await?;
        let counted = tx.predictions_before(pool, last + 1).await?.rounds;
        drop(tx);
        let first = counted.saturating_sub(prune.kept_window.into());
        let mut position = Some(0);
        while let Some(after) = position {
            let mut batch = Batch::begin(self).await?;
            let looked_at = batch
                .tx
                .delete_results(pool, (after, last), first, LOOKED_AT);
            position = looked_at.await?;
            batch.commit(&self.lease).await?;
        }
        let kept = rows_of_window(prune.kept_window);
        loop {
            let mut batch = Batch::begin(self).await?;
            let looked_at = batch
                .tx
                .delete_entries(pool, player, (last, kept), LOOKED_AT);
            player = looked_at.await?;
            batch.commit(&self.lease).await?;
            if player.is_none() {
                return Ok(());
            }
        }
    }
}

struct Batch {
    tx: Tx,
    began: Instant,
}

impl Batch {
    async fn begin(prune: &Prune) -> Result<Self, ServiceError> {
        let began = Instant::now();
        let mut tx = begin(&prune.lease.store).await?;
        prune.lease.renew(&mut tx, prune.progress()).await?;
        Ok(Self { tx, began })
    }

    async fn commit(self, lease: &Lease) -> Result<(), ServiceError> {
        self.tx.commit().await?;
        lease.pause(self.began).await;
        Ok(())
    }
}
