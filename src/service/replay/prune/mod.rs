//! Removal of old rounds from the database, after a file has saved them.

mod delete;

use serde_json::json;

use super::export::LogReader;
use super::lease::{Lease, begin, lease_cutoff};
use super::load::Stored;
use super::verify::difference;
use super::{Applied, Replay, ReplayError};
use crate::api::LogLine;
use crate::config::Overrides;
use crate::domain::{PoolName, Progress, Timestamp};
use crate::rating::RoundResult;
use crate::service::audit::{self, Author};
use crate::service::leaderboard::CHANGE_DAYS;
use crate::service::{Service, ServiceError};
use crate::store::{PoolRecord, PruneRecord, StoreError};

const PAGE: u32 = 1_000;

/// Prune of a pool: the removal of its oldest rounds from the database.
///
/// # Design
/// A prune removes the beginning of the log, up to and including a round. First it replays this part and keeps the sums
/// at its end. Later rebuilds, voids and checks begin there instead of at the first round. Rows that windows still need
/// are kept.
///
/// The replayed entries are written into a file, in the format of an export. Once the file is on disk, one small
/// transaction records the log position and the sums ([`Prune::take_effect`]). Only then are rows deleted, in batches
/// ([`Prune::delete_rows`]). If a prune is interrupted, the next prune deletes the rest. Until then, nothing reads the
/// remaining rows.
///
/// A prune holds the pool's row in `rebuilds`, like a rebuild. So no void can change the entries that were read, and a
/// prune can be cancelled like a rebuild.
#[derive(Debug)]
pub struct Prune {
    lease: Lease,
    pool: PoolRecord,
    /// Log position and time of receipt of the last round to prune. `None` if there is nothing to prune.
    end: Option<(u64, Timestamp)>,
    replay: Replay,
    reader: LogReader,
    /// Number of rounds that the prune has read so far.
    pub rounds: u64,
}

impl Service {
    /// Begins to prune the rounds of `pool` that ended before `before`, up to the first round of the log that did not.
    pub async fn begin_prune(
        &self,
        pool: &PoolRecord,
        before: Timestamp,
    ) -> Result<Prune, ServiceError> {
        // Boxed, because the future is large and would enlarge its callers.
        Box::pin(self.try_to_begin_prune(pool, before)).await
    }

    async fn try_to_begin_prune(
        &self,
        pool: &PoolRecord,
        before: Timestamp,
    ) -> Result<Prune, ServiceError> {
        if before > self.clock.now().days_earlier(CHANGE_DAYS) {
            return Err(ServiceError::PruneTooRecent(CHANGE_DAYS));
        }
        self.outwait_dead_rebuild(pool.id).await?;
        let lease = Lease::new(self, pool)?;
        let mut tx = begin(&lease.store).await?;
        let locked = tx.lock_pool(pool.id).await?;
        let model = locked.model.resume(&locked.model_state);
        if !model.map_err(StoreError::from)?.follows_from_ratings() {
            return Err(ServiceError::NeedsWholeLog(locked.name, locked.model));
        }
        let now = self.clock.now();
        if tx.rebuild(pool.id, lease_cutoff(now)).await?.is_some() {
            return Err(ServiceError::RebuildInProgress(pool.name.clone()));
        }
        let is_clean = !tx.has_rebuild(pool.id).await?;
        let left = locked.log_length - locked.pruned;
        tx.begin_rebuild(pool.id, (&lease.owner, now), None, left)
            .await?;
        let replay = Replay::open(&mut tx, Overrides::default()).await?;
        tx.commit().await?;
        let mut prune = Prune {
            lease,
            reader: LogReader::behind(locked.pruned),
            pool: locked,
            end: None,
            replay,
            rounds: 0,
        };
        match prune.prepare(is_clean, before).await {
            Ok(()) => Ok(prune),
            Err(error) => {
                prune.give_up().await;
                Err(error)
            }
        }
    }

    /// Returns the longest window, in rounds, by which the named pool can be rated. Returns `None` for any window, if
    /// no rounds of the pool are pruned.
    pub async fn kept_window(&self, pool: &PoolName) -> Result<Option<u32>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let pools = tx.pools().await?.into_iter();
        let mut named = pools.filter(|stored| stored.name == *pool && stored.pruned > 0);
        let Some(named) = named.next() else {
            return Ok(None);
        };
        let prune = tx.last_prune(named.id).await?;
        Ok(prune.map(|prune| prune.kept_window))
    }
}

impl Prune {
    /// Deletes the rows of a dead rebuild of the pool, and finds the last round to prune.
    async fn prepare(&mut self, is_clean: bool, before: Timestamp) -> Result<(), ServiceError> {
        let active = self.pool.generation;
        if !is_clean || self.pool.cleared < active {
            self.lease.clear_unfinished().await?;
        }
        let mut tx = self.lease.store.begin_read().await?;
        let end = tx.end_of_rounds_before(self.pool.id, before).await?;
        self.end = end.filter(|(position, _)| *position > self.pool.pruned);
        let stored = Some(Stored::of(active));
        let overrides = Overrides::default();
        self.replay = Replay::open_behind_pruned(&mut tx, &self.pool, overrides, stored).await?;
        Ok(())
    }

    /// Returns the first and the last log position to prune, or `None` if there is nothing to prune.
    #[must_use]
    pub fn places(&self) -> Option<(u64, u64)> {
        self.end.map(|(end, _)| (self.pool.pruned + 1, end))
    }

    /// Returns the name of the pool that is pruned.
    #[must_use]
    pub fn pool(&self) -> &PoolName {
        &self.pool.name
    }

    /// Returns the progress of the prune's reading, in log entries.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let end = self.end.map_or(self.pool.pruned, |(end, _)| end);
        Progress {
            done: self.replay.position - self.pool.pruned,
            total: end - self.pool.pruned,
        }
    }

    /// Returns export lines for the next page of the log, or `None` after the last entry to prune.
    ///
    /// # Errors
    /// Returns an error if a stored result differs from the replay, or if another process took over the prune.
    pub async fn read_lines(&mut self) -> Result<Option<Vec<LogLine>>, ServiceError> {
        Box::pin(self.read_next_lines()).await
    }

    async fn read_next_lines(&mut self) -> Result<Option<Vec<LogLine>>, ServiceError> {
        let position = self.replay.position;
        let left = self.end.map_or(0, |(end, _)| end.saturating_sub(position));
        let limit = u32::try_from(left).unwrap_or(u32::MAX).min(PAGE);
        if limit == 0 {
            return Ok(None);
        }
        self.renew().await?;
        let mut tx = self.lease.store.begin_read().await?;
        let page = self.replay.next_page(&mut tx, self.pool.id, limit).await?;
        self.replay.loaded.clear();
        let results = tx.results_after(self.pool.id, position, limit).await?;
        let lines = self
            .reader
            .take_lines(&mut tx, &self.pool, page.clone())
            .await?;
        drop(tx);
        let mut results = results.into_iter();
        for entry in page {
            if let Some(applied) = self.replay.apply(entry)? {
                self.compare(&applied, results.next().as_ref())?;
            }
        }
        if self.replay.engine.size() > self.lease.service.rebuild_memory {
            drop(self.replay.engine.evict_half());
        }
        Ok(Some(lines))
    }

    /// Compares the stored result of a round with the replay, for the last time before the log is pruned.
    fn compare(
        &mut self,
        applied: &Applied,
        stored: Option<&RoundResult>,
    ) -> Result<(), ServiceError> {
        self.rounds += 1;
        let position = applied.round.position;
        let is_same = stored.is_some_and(|stored| {
            stored.position == position && difference(stored, &applied.rated.result).is_none()
        });
        if is_same && !applied.has_stale_marks {
            return Ok(());
        }
        Err(ServiceError::FiguresDiffer {
            pool: self.pool.name.clone(),
            position,
        })
    }

    /// Marks the entries that were read as pruned. From then on their rows may be deleted. `file` names the file that
    /// contains the entries, and must be on disk.
    ///
    /// # Errors
    /// Returns an error if some of the entries were not read, or if the setting `window` was raised meanwhile.
    pub async fn take_effect(&mut self, file: &str) -> Result<(), ServiceError> {
        let Some((position, last_received_at)) = self.end else {
            return Ok(());
        };
        if self.replay.position != position {
            return Err(ReplayError::Gap(self.replay.position + 1).into());
        }
        let mut tx = begin(&self.lease.store).await?;
        tx.lock_pool(self.pool.id).await?;
        self.lease.renew(&mut tx, self.progress()).await?;
        let before = tx.last_prune(self.pool.id).await?;
        let longest = self.replay.longest_window;
        // A longer window may have been configured since the replay began.
        let settings = tx.settings().await?;
        if settings.iter().any(|(_, known)| known.window > longest) {
            return Err(ReplayError::WindowRaised.into());
        }
        let engine = &mut self.replay.engine;
        let prune = PruneRecord {
            position,
            pruned_at: self.lease.service.clock.now(),
            file: file.to_owned(),
            // Windows longer than those kept by an earlier prune would need deleted rows.
            kept_window: before.map_or(longest, |before| before.kept_window.min(longest)),
            last_received_at,
            calibration: engine.sums().calibration,
            experience: engine.sums().experience,
            groups: engine.take_groups(),
        };
        tx.insert_prune(self.pool.id, &prune).await?;
        let figures = (
            json!({"pruned": self.pool.pruned}).to_string(),
            json!({"pruned": position, "file": file}).to_string(),
        );
        let by = Author::CommandLine;
        let action = ("prune", self.lease.owner.as_str());
        let audited = audit::entry(action, by, prune.pruned_at, self.pool.id, figures);
        tx.insert_audit(&audited).await?;
        tx.commit().await?;
        self.pool.pruned = position;
        Ok(())
    }

    /// Ends a failed prune. If this fails too, the lease expires on its own.
    pub async fn give_up(&self) {
        if let Err(error) = self.finish().await {
            tracing::warn!(
                error = ?error, pool = %self.pool.name,
                "Cannot unlock the pool after a failed prune; its voids and rebuilds have to wait for 15 seconds"
            );
        }
    }

    /// Ends the prune and releases its lease, so that the pool can be rebuilt.
    pub async fn finish(&self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.lease.store).await?;
        tx.finish_rebuild(self.pool.id, &self.lease.owner).await?;
        Ok(tx.commit().await?)
    }

    /// Renews the lease of the prune, which expires after 15 seconds without a renewal.
    pub async fn renew(&self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.lease.store).await?;
        self.lease.renew(&mut tx, self.progress()).await?;
        Ok(tx.commit().await?)
    }
}
