use std::time::Instant;

use super::Prune;
use crate::service::ServiceError;
use crate::service::replay::lease::begin;
use crate::service::replay::load::rows_of_window;
use crate::store::{StoreError, Tx};

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
        let mut tx = self.lease.store.begin_read().await?;
        let Some(prune) = tx.last_prune(pool).await? else {
            return Ok(());
        };
        let last = prune.position;
        let counted = tx.predictions_before(pool, last + 1).await?.rounds;
        drop(tx);
        self.in_batches((), async |tx, ()| {
            let has_deleted = tx.delete_rounds(pool, last, ROUNDS).await?;
            Ok(has_deleted.then_some(()))
        })
        .await?;
        self.in_batches(None, async |tx, after| {
            let looked_at = tx.delete_unrated_players(pool, after, last, LOOKED_AT);
            Ok(looked_at.await?.map(Some))
        })
        .await?;
        // The quality window may reach back `kept_window` counted rounds before the first remaining round. A replay
        // begins with the sums of the last pruned round.
        let first = counted.saturating_sub(prune.kept_window.into());
        self.in_batches(0, async |tx, after| {
            let looked_at = tx.delete_results(pool, (after, last), first, LOOKED_AT);
            looked_at.await
        })
        .await?;
        let kept = rows_of_window(prune.kept_window);
        self.in_batches(None, async |tx, after| {
            let looked_at = tx.delete_entries(pool, after, (last, kept), LOOKED_AT);
            Ok(looked_at.await?.map(Some))
        })
        .await
    }

    /// Calls `delete` in one transaction after another: first with `place`, and then with the place at which it stopped,
    /// until it returns none.
    async fn in_batches<Place>(
        &self,
        place: Place,
        delete: impl AsyncFn(&mut Tx, Place) -> Result<Option<Place>, StoreError>,
    ) -> Result<(), ServiceError> {
        let mut next = Some(place);
        while let Some(place) = next {
            let began = Instant::now();
            let mut tx = begin(&self.lease.store).await?;
            self.lease.renew(&mut tx, self.progress()).await?;
            next = delete(&mut tx, place).await?;
            tx.commit().await?;
            self.lease.pause(began).await;
        }
        Ok(())
    }
}
