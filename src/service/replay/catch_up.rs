//! A rebuild comes close to the end of the log, and writes what it makes of it, while rounds go on being counted.

use super::ReplayError;
use super::rebuild::{PAGE, Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::LogEntry;

/// As little of the log as the transaction that switches over may be left with.
const REMAINDER: usize = 8;
/// Rounds whose results wait while others are written, six megabytes of them. As many may be on their way.
const UNWRITTEN: usize = 5_000;
/// Rows of entries are written once there are so many, six megabytes of them.
const CHUNKS: usize = 15_000;
/// The same where all is computed twice: there is time to write more often, and what is left at the end is waited for.
const CHUNKS_WHERE_TWICE: usize = 5_000;
/// Players who are forgotten before others have their turn on the same thread.
const FORGOTTEN: usize = 500;
/// How much of the log is computed before others have their turn on the same thread.
const TURN: usize = 16;

/// Whether a season starts there.
fn is_season(entry: &LogEntry) -> bool {
    matches!(entry, LogEntry::Change(change) if change.season().is_some())
}

impl Rebuild {
    /// Computes the log up to a few rounds, and writes what it makes of it.
    pub(super) async fn catch_up(&mut self, watch: Watch<'_>) -> Result<(), ServiceError> {
        // Where rounds arrive faster than rows can be written, the lock is held a little longer rather
        // than never taken.
        let mut remainder = REMAINDER;
        loop {
            self.lease.check_running()?;
            let ahead = !self.lease.is_beside_rounds();
            let (log, before) = (&mut self.log, self.before.as_mut());
            let page = log.page((self.replay.position, ahead), before).await?;
            let mut tx = self.lease.store.begin_read().await?;
            self.prepare_page(&mut tx, &page).await?;
            drop(tx);
            // Whom only pruned rounds concern is written behind this, as the last start of a season has left them.
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

    /// Computes a page, and lets others compute now and then.
    async fn apply_in_turns(&mut self, mut page: Vec<LogEntry>) -> Result<(), ReplayError> {
        while !page.is_empty() {
            let rest = page.split_off(page.len().min(TURN));
            self.apply(std::mem::replace(&mut page, rest))?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    /// Has what is computed written while more is; where that falls far behind, or rounds come, waits for it. Where
    /// what becomes of the log takes too much memory, all of it is written, and then players are forgotten.
    async fn write_meanwhile(&mut self) -> Result<(), ServiceError> {
        let memory = self.lease.service.rebuild_memory;
        // Too few could be forgotten who were not rated while the rows were written.
        if self.size() > memory + memory / 4 {
            self.write_rows().await?;
            self.writing_until = Some(self.replay.engine.clock());
            return self.forget_written().await;
        }
        if self.rows.unwritten_rounds() > UNWRITTEN {
            self.finish_writing().await?;
        } else if let Some(written) = self.writing.try_join_next() {
            written.map_err(ServiceError::internal)??;
        }
        if self.writing.is_empty() {
            self.forget_written().await?;
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

    /// How many bytes it takes what becomes of the log, about.
    fn size(&self) -> usize {
        self.replay.engine.size() + self.rows.size()
    }

    /// Forgets half of the players as they were where they take too much memory.
    async fn limit_memory_of_before(&mut self) {
        if let Some(before) = &mut self.before
            && before.engine.size() > self.lease.service.rebuild_memory
        {
            let mut forgotten = before.engine.forget_half();
            while forgotten.by_ref().take(FORGOTTEN).count() > 0 {
                tokio::task::yield_now().await;
            }
        }
    }

    /// Writes all that is computed.
    async fn write_rows(&mut self) -> Result<(), ServiceError> {
        self.finish_writing().await?;
        self.begin_writing(0);
        self.finish_writing().await
    }

    /// Where rounds come meanwhile, waits for what is being written: to compute and to write at once would keep a
    /// second processor busy that they could have. Players who were to be forgotten behind that are forgotten.
    pub(super) async fn leave_room_for_rounds(&mut self) -> Result<(), ServiceError> {
        if self.lease.is_beside_rounds() {
            self.finish_writing().await?;
            self.forget_written().await?;
        }
        Ok(())
    }

    fn begin_writing(&mut self, least_chunks: usize) {
        let rows = self.rows.take_unwritten(least_chunks);
        let lease = self.lease.clone();
        self.writing.spawn(lease.write(rows, self.progress()));
    }

    /// Waits until that is written which is being written.
    pub(super) async fn finish_writing(&mut self) -> Result<(), ServiceError> {
        match self.writing.join_next().await {
            Some(written) => written.map_err(ServiceError::internal)?,
            None => Ok(()),
        }
    }

    /// Where all rows that there were have been written, forgets half of the players, but for those who were rated
    /// since: who is forgotten is read again from what is written.
    async fn forget_written(&mut self) -> Result<(), ServiceError> {
        let Some(until) = self.writing_until.take() else {
            return Ok(());
        };
        let mut forgotten = self.replay.engine.forget_half_until(until);
        while forgotten.len() > 0 {
            self.rows.forget(forgotten.by_ref().take(FORGOTTEN))?;
            tokio::task::yield_now().await;
        }
        Ok(())
    }
}
