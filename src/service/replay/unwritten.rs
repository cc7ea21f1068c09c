//! Rows that will not change any more are written, a few in each transaction, by a task beside the rebuild.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::lease::Lease;
use crate::domain::Progress;
use crate::rating::{PlayerState, RoundResult};
use crate::service::ServiceError;
use crate::store::{EntryChunk, Generation, LastRow, PoolId, StoreError, StoredChunk, Tx};

/// Players that one transaction writes. They stand next to one another in the table.
const PLAYERS: usize = 400;
/// Into how many transactions the rows of one are divided where others have waited for those before.
const PARTS: usize = 4;

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

    /// Writes up to `rows` of them.
    pub(super) async fn write_some(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        rows: usize,
    ) -> Result<(), StoreError> {
        let results = ..self.results.len().min(rows);
        let results: Vec<RoundResult> = self.results.drain(results).collect();
        if !results.is_empty() {
            let results: Vec<&RoundResult> = results.iter().collect();
            tx.insert_results(pool, self.generation, &results).await?;
        }
        let chunks = ..self.chunks.len().min(rows - results.len());
        let chunks: Vec<StoredChunk> = self.chunks.drain(chunks).collect();
        if !chunks.is_empty() {
            tx.save_stored_chunks(pool, &chunks).await?;
        }
        Ok(())
    }
}

/// A player who has changed, with the last row of entries where there is one.
pub(crate) type UnwrittenPlayer = (PlayerState, Option<EntryChunk>);

/// Writes players, into that generation of players or, without, into the one that is read.
pub(super) async fn write_players(
    tx: &mut Tx,
    (pool, generation): (PoolId, Option<Generation>),
    players: &[UnwrittenPlayer],
) -> Result<(), StoreError> {
    let players: Vec<(&PlayerState, LastRow<'_>)> = players
        .iter()
        .map(|(player, last)| (player, last.as_ref()))
        .collect();
    tx.save_players_with_last_rows(pool, generation, &players)
        .await
}

impl Lease {
    /// Writes players of the rebuild into that generation of players.
    pub(super) async fn write_players(
        self,
        generation: Generation,
        players: Vec<UnwrittenPlayer>,
        progress: Progress,
    ) -> Result<(), ServiceError> {
        for players in players.chunks(PLAYERS) {
            let started = Instant::now();
            let mut tx = self.begin_ahead(progress).await?;
            write_players(&mut tx, (self.pool, Some(generation)), players).await?;
            tx.commit().await?;
            self.pause(started).await;
        }
        Ok(())
    }

    /// Writes rows of the rebuild; `progress` is how far that was when they were made.
    pub(super) async fn write(
        self,
        mut rows: UnwrittenRows,
        progress: Progress,
    ) -> Result<(), ServiceError> {
        // Smaller transactions take more time in all, which is lost where nobody waits.
        let at_once = if self.was_awaited.swap(false, Ordering::Relaxed) {
            self.service.rebuild_rows / PARTS
        } else {
            self.service.rebuild_rows
        };
        loop {
            let started = Instant::now();
            // Also where there is nothing to write: the rebuild is alive.
            let mut tx = self.begin_ahead(progress).await?;
            rows.write_some(&mut tx, self.pool, at_once).await?;
            if self.store.is_awaited() {
                self.was_awaited.store(true, Ordering::Relaxed);
            }
            tx.commit().await?;
            self.pause(started).await;
            if rows.is_empty() {
                return Ok(());
            }
        }
    }
}
