//! Catch-up of a rebuild: computes most of the pool's log and writes the results while new rounds are recorded.

use super::ReplayError;
use super::rebuild::{PAGE, Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::LogEntry;

/// Initial limit for the number of log entries that a rebuild leaves to its final transaction.
const REMAINDER: usize = 8;
/// Maximum number of computed rounds whose results wait for the writer, about 6 MB. The writer may hold as many again.
const UNWRITTEN: usize = 5_000;
/// Number of buffered rows of players' rounds at which a rebuild starts to write them, about 6 MB.
const CHUNKS: usize = 15_000;
/// Number of buffered rows of players' rounds at which a rebuild that computes the log twice starts to write them.
const CHUNKS_WHERE_TWICE: usize = 5_000;
/// Number of players that a rebuild evicts from memory between two yields to the async runtime.
const EVICTED_AT_ONCE: usize = 500;
/// Number of log entries that a rebuild computes between two yields to the async runtime.
const TURN: usize = 16;

fn is_season(entry: &LogEntry) -> bool {
    matches!(entry, LogEntry::Change(change) if change.season().is_some())
}

impl Rebuild {
    /// Computes the pool's log except for its last few entries, and writes the results.
    pub(super) async fn catch_up(&mut self, watch: Watch<'_>) -> Result<(), ServiceError> {
        // If rounds arrive faster than rows are written, the limit grows. The switch-over then holds the lock a little
        // longer, but the rebuild ends.
        let mut remainder = REMAINDER;
        loop {
            self.lease.check_running()?;
            let ahead = !self.lease.is_serving_rounds();
            let (log, before) = (&mut self.log, self.before.as_mut());
            let page = log.page((self.replay.position, ahead), before).await?;
            let mut tx = self.lease.store.begin_read().await?;
            self.prepare_page(&mut tx, &page).await?;
            drop(tx);
            // Players with only pruned rounds are written after this step, as the last season start left them. So the
            // switch-over must not contain a season start.
            let starts_season = page.iter().any(is_season);
            if page.len() > remainder || starts_season {
                if page.len() < PAGE as usize && page.len() > remainder {
                    remainder *= 2;
                }
                self.apply_in_turns(page).await?;
                self.write_meanwhile().await?;
                self.limit_memory_of_before().await;
                watch(self.progress());
            } else {
                return self.write_rows().await;
            }
        }
    }

    /// Computes a page of log entries in slices, and yields to the async runtime after each slice.
    async fn apply_in_turns(&mut self, mut page: Vec<LogEntry>) -> Result<(), ReplayError> {
        while !page.is_empty() {
            let rest = page.split_off(page.len().min(TURN));
            self.apply(std::mem::replace(&mut page, rest))?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Writes the rebuild's rows in the background. Waits for the writer if the writer falls far behind or rounds
    /// arrive. If the replay takes too much memory, writes all rows and then evicts players.
    async fn write_meanwhile(&mut self) -> Result<(), ServiceError> {
        let memory = self.lease.service.rebuild_memory;
        // Evicting only the players not rated during the write would free too little memory.
        if self.size() > memory + memory / 4 {
            self.write_rows().await?;
            self.writing_until = Some(self.replay.engine.clock());
            return self.evict_written().await;
        }
        if self.rows.results.len() > UNWRITTEN {
            self.finish_writing().await?;
        } else if let Some(written) = self.writing.try_join_next() {
            written.map_err(ServiceError::internal)??;
        }
        if self.writing.is_empty() {
            self.evict_written().await?;
            let least_chunks = if self.size() > memory {
                self.writing_until = Some(self.replay.engine.clock());
                0
            } else if self.before.is_some() {
                CHUNKS_WHERE_TWICE
            } else {
                CHUNKS
            };
            self.begin_writing(least_chunks);
        }
        self.leave_room_for_rounds().await
    }

    /// Returns the approximate memory use of the rebuild's replay and its unwritten rows, in bytes.
    fn size(&self) -> usize {
        self.replay.engine.size() + self.rows.size()
    }

    /// Evicts half of the players in the replay without the rebuild's change, if that replay exceeds the memory limit.
    async fn limit_memory_of_before(&mut self) {
        if let Some(before) = &mut self.before
            && before.engine.size() > self.lease.service.rebuild_memory
        {
            let mut evicted = before.engine.evict_half();
            while evicted.by_ref().take(EVICTED_AT_ONCE).count() > 0 {
                tokio::task::yield_now().await;
            }
        }
    }

    async fn write_rows(&mut self) -> Result<(), ServiceError> {
        self.finish_writing().await?;
        self.begin_writing(0);
        self.finish_writing().await
    }

    /// Waits for the rebuild's writer if rounds have arrived recently. Computing and writing in parallel would occupy a
    /// second processor that the rounds need. Then evicts the players that were waiting for the write.
    pub(super) async fn leave_room_for_rounds(&mut self) -> Result<(), ServiceError> {
        if self.lease.is_serving_rounds() {
            self.finish_writing().await?;
            self.evict_written().await?;
        }
        Ok(())
    }

    fn begin_writing(&mut self, least_chunks: usize) {
        let rows = self.rows.take_unwritten(least_chunks);
        let lease = self.lease.clone();
        self.writing.spawn(lease.write(rows, self.progress()));
    }

    pub(super) async fn finish_writing(&mut self) -> Result<(), ServiceError> {
        match self.writing.join_next().await {
            Some(written) => written.map_err(ServiceError::internal)?,
            None => Ok(()),
        }
    }

    /// Evicts half of the players from memory if a write was started for that purpose and has ended. Keeps the players
    /// rated since. Evicted players are read again from the written rows.
    async fn evict_written(&mut self) -> Result<(), ServiceError> {
        let Some(until) = self.writing_until.take() else {
            return Ok(());
        };
        let mut evicted = self.replay.engine.evict_half_until(until);
        while evicted.len() > 0 {
            self.rows.evict(evicted.by_ref().take(EVICTED_AT_ONCE))?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}
