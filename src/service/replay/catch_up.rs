//! A rebuild comes close to the end of the log, and writes what it makes of it, while rounds go on being counted.

use std::time::Instant;

use super::ReplayError;
use super::lease::yield_to_writers;
use super::rebuild::{PAGE, Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::LogEntry;

/// As little of the log as the transaction that switches over may be left with.
const REMAINDER: usize = 32;
/// Rows that one transaction writes.
pub(super) const ROWS: usize = 200;
/// How much of the log is computed before others have their turn on the same thread.
const TURN: usize = 64;

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
            let mut tx = self.lease.store.begin_read().await?;
            let page = self.next_page(&mut tx).await?;
            drop(tx);
            // Whom only pruned rounds concern is written behind this, as the last start of a season has left them.
            let starts_season = page.iter().any(is_season);
            if page.len() > remainder || starts_season {
                if page.len() < PAGE as usize && page.len() > remainder {
                    remainder *= 2;
                }
                self.apply_in_turns(page).await?;
                let takes_much = self.size() > self.lease.service.rebuild_memory;
                self.write_rows(takes_much || self.rows.has_many_chunks())
                    .await?;
                self.limit_memory(takes_much)?;
                watch(self.progress());
            } else {
                return self.write_rows(true).await;
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

    /// Writes the rows that will not change any more.
    async fn write_rows(&mut self, with_entries: bool) -> Result<(), ServiceError> {
        loop {
            let started = Instant::now();
            // Also where there is nothing to write: the rebuild is alive.
            let mut tx = self.lease.begin_ahead(self.progress()).await?;
            self.rows
                .write(&mut tx, self.lease.pool, (with_entries, ROWS))
                .await?;
            tx.commit().await?;
            if self.rows.unwritten_rows(with_entries) == 0 {
                // While the next page is computed, others can write.
                return Ok(());
            }
            yield_to_writers(&self.lease.store, started).await;
        }
    }

    /// How many bytes it takes what becomes of the log, about.
    fn size(&self) -> usize {
        self.replay.projection.size() + self.rows.size()
    }

    /// Where the players who are held take too much memory, forgets half of them, all of whose full rows are
    /// written.
    fn limit_memory(&mut self, takes_much: bool) -> Result<(), ServiceError> {
        if let Some(before) = &mut self.before
            && before.projection.size() > self.lease.service.rebuild_memory
        {
            before.projection.forget_half();
        }
        if takes_much {
            let forgotten = self.replay.projection.forget_half();
            self.rows.forget(forgotten)?;
        }
        Ok(())
    }
}
