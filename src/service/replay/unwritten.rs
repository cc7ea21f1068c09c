//! Rows that will not change any more are written, a few in each transaction, while the rebuild goes on.

use std::collections::VecDeque;
use std::time::Instant;

use super::lease::{Lease, yield_to_writers};
use crate::domain::Progress;
use crate::service::ServiceError;
use crate::store::{Generation, PoolId, RoundResult, StoreError, StoredChunk, Tx};

/// Rows that one transaction writes.
pub(super) const ROWS: usize = 200;

/// Rows that a rebuild has made.
#[derive(Debug)]
pub(crate) struct UnwrittenRows {
    pub(super) generation: Generation,
    pub(super) results: VecDeque<RoundResult>,
    pub(super) chunks: VecDeque<StoredChunk>,
}

impl UnwrittenRows {
    pub(super) fn is_empty(&self) -> bool {
        self.results.is_empty() && self.chunks.is_empty()
    }

    /// Writes the first [`ROWS`] of them.
    pub(super) async fn write_some(&mut self, tx: &mut Tx, pool: PoolId) -> Result<(), StoreError> {
        let results = ..self.results.len().min(ROWS);
        let results: Vec<RoundResult> = self.results.drain(results).collect();
        if !results.is_empty() {
            let results: Vec<&RoundResult> = results.iter().collect();
            tx.insert_results(pool, self.generation, &results).await?;
        }
        let chunks = ..self.chunks.len().min(ROWS - results.len());
        let chunks: Vec<StoredChunk> = self.chunks.drain(chunks).collect();
        if !chunks.is_empty() {
            tx.save_stored_chunks(pool, &chunks).await?;
        }
        Ok(())
    }
}

impl Lease {
    /// Writes rows of the rebuild; `progress` is how far that was when they were made.
    pub(super) async fn write(
        self,
        mut rows: UnwrittenRows,
        progress: Progress,
    ) -> Result<(), ServiceError> {
        loop {
            let started = Instant::now();
            // Also where there is nothing to write: the rebuild is alive.
            let mut tx = self.begin_ahead(progress).await?;
            rows.write_some(&mut tx, self.pool).await?;
            tx.commit().await?;
            yield_to_writers(&self.store, started).await;
            if rows.is_empty() {
                return Ok(());
            }
        }
    }
}
