//! A rebuild comes close to the end of the log, and writes what it makes of it, while rounds go on being counted.

use super::ReplayError;
use super::rebuild::{PAGE, Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::LogEntry;

/// As little of the log as the transaction that switches over may be left with.
const REMAINDER: usize = 8;
/// Rounds whose results wait while others are written, three megabytes of them. As many may be on their way.
const UNWRITTEN: usize = 2_500;
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
            let (log, before) = (&mut self.log, self.before.as_mut());
            let page = log.page(self.replay.position, before).await?;
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
                let takes_much = self.size() > self.lease.service.rebuild_memory;
                if takes_much {
                    self.write_rows().await?;
                } else {
                    self.write_meanwhile().await?;
                }
                self.limit_memory(takes_much).await?;
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

    /// Has what is computed written while more is; where that falls far behind, waits for it.
    async fn write_meanwhile(&mut self) -> Result<(), ServiceError> {
        if self.rows.unwritten_rounds() > UNWRITTEN {
            self.finish_writing().await?;
        } else if let Some(written) = self.writing.try_join_next() {
            written.map_err(ServiceError::internal)??;
        }
        if self.writing.is_empty() {
            self.begin_writing(false);
        }
        Ok(())
    }

    /// Writes all that is computed.
    async fn write_rows(&mut self) -> Result<(), ServiceError> {
        self.finish_writing().await?;
        self.begin_writing(true);
        self.finish_writing().await
    }

    fn begin_writing(&mut self, all: bool) {
        let rows = self.rows.take_unwritten(all);
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

    /// How many bytes it takes what becomes of the log, about.
    fn size(&self) -> usize {
        self.replay.projection.size() + self.rows.size()
    }

    /// Where the players who are held take too much memory, forgets half of them, all of whose full rows are
    /// written.
    async fn limit_memory(&mut self, takes_much: bool) -> Result<(), ServiceError> {
        if let Some(before) = &mut self.before
            && before.projection.size() > self.lease.service.rebuild_memory
        {
            before.projection.forget_half();
        }
        if takes_much {
            let mut forgotten = self.replay.projection.forget_half().into_iter();
            while forgotten.len() > 0 {
                self.rows.forget(forgotten.by_ref().take(FORGOTTEN))?;
                tokio::task::yield_now().await;
            }
        }
        Ok(())
    }
}
