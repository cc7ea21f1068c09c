//! Old rounds are taken out of the database, once a file has them.

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

/// How much of the log is read at a time.
const PAGE: u32 = 1_000;

/// A pool whose oldest rounds are taken out of the database.
///
/// # Design
/// What is pruned is the beginning of the log: every place of it up to a round. It is computed once more, and what it
/// ends at is kept, so that a rebuild, a void or a check begins there in place of at the first round. Of what it made,
/// the rows stay that a window looks back on. While it is read, it is written into a file as an export. Only when that
/// is on the disk, one small transaction notes the place and the sums there ([`Prune::take_effect`]), and only then
/// rows are deleted, some at a time ([`Prune::delete_rows`]). Where that is interrupted, the next prune goes on with it,
/// and meanwhile nobody misses anything: each row is needed by nothing any more.
///
/// It owns the pool's row in `rebuilds`, as a rebuild does, so that no void changes what it has read, and can be
/// called off like one.
#[derive(Debug)]
pub struct Prune {
    lease: Lease,
    /// As it was when it began.
    pool: PoolRecord,
    /// The place of the last round that is pruned, and when it was received; `None` where there is none besides those
    /// that are pruned already.
    end: Option<(u64, Timestamp)>,
    replay: Replay,
    reader: LogReader,
    /// Rounds that were read.
    rounds: u64,
}

impl Service {
    /// Begins to prune the rounds of `pool` that ended `before` a moment, up to the first in its log that did not.
    ///
    /// # Errors
    /// A moment of the last days; a rebuild or a prune of the pool under way.
    pub async fn begin_prune(
        &self,
        pool: &PoolRecord,
        before: Timestamp,
    ) -> Result<Prune, ServiceError> {
        // The future is large, and whoever awaits it would be as large.
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
            return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
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
}

impl Service {
    /// The longest window that the pool of that name can be rated by; `None` where nothing of it is pruned, and
    /// any can.
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
    /// Deletes what a rebuild that died has left, and finds where the prune ends.
    async fn prepare(&mut self, is_clean: bool, before: Timestamp) -> Result<(), ServiceError> {
        let active = self.pool.generation;
        if !is_clean || self.pool.cleared < active {
            self.lease.clear_unfinished().await?;
        }
        let mut tx = self.lease.store.begin_read().await?;
        let end = tx.end_of_rounds_before(self.pool.id, before).await?;
        self.end = end.filter(|(position, _)| *position > self.pool.pruned);
        let stored = Some(Stored {
            active,
            written: None,
        });
        let overrides = Overrides::default();
        self.replay = Replay::open_behind_pruned(&mut tx, &self.pool, overrides, stored).await?;
        Ok(())
    }

    /// The first and the last place of the log that are pruned; `None` where nothing is.
    #[must_use]
    pub fn places(&self) -> Option<(u64, u64)> {
        self.end.map(|(end, _)| (self.pool.pruned + 1, end))
    }

    /// The pool.
    #[must_use]
    pub fn pool(&self) -> &PoolName {
        &self.pool.name
    }

    /// How many rounds were read.
    #[must_use]
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How much was read of what is pruned.
    #[must_use]
    pub fn progress(&self) -> Progress {
        let end = self.end.map_or(self.pool.pruned, |(end, _)| end);
        Progress {
            done: self.replay.position - self.pool.pruned,
            total: end - self.pool.pruned,
        }
    }

    /// Lines for what stands next in the log, as an export has them; `None` behind the last that is pruned.
    ///
    /// # Errors
    /// A result that is not what the log gives; a prune that somebody else took over.
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
        self.replay.forget_loaded();
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
            drop(self.replay.engine.forget_half());
        }
        Ok(Some(lines))
    }

    /// Checks that what is stored of a round is what the log gives: behind it the log can no longer be asked.
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

    /// Has everything count as pruned that was read, which the file of that name has by now, on the disk. From here on
    /// its rows may be deleted.
    ///
    /// # Errors
    /// Where it was not read to its end.
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
        // Rounds may be rated by a longer window since this was read.
        let settings = tx.settings().await?;
        if settings.iter().any(|(_, known)| known.window > longest) {
            return Err(ReplayError::WindowRaised.into());
        }
        let engine = &mut self.replay.engine;
        let prune = PruneRecord {
            position,
            pruned_at: self.lease.service.clock.now(),
            file: file.to_owned(),
            // Windows that became longer since then need rows that are gone.
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

    /// Ends the prune where it failed. Where that fails too, it ends once its owner counts as dead.
    pub async fn give_up(&self) {
        if let Err(error) = self.finish().await {
            tracing::warn!(
                error = ?error, pool = %self.pool.name,
                "Voids and rebuilds of the pool have to wait for a quarter of a minute"
            );
        }
    }

    /// Ends the prune, and lets others compute the pool.
    pub async fn finish(&self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.lease.store).await?;
        tx.finish_rebuild(self.pool.id, &self.lease.owner).await?;
        Ok(tx.commit().await?)
    }

    /// Shows that the prune is alive: who is silent for a quarter of a minute counts as dead.
    ///
    /// # Errors
    /// A prune that somebody else took over.
    pub async fn renew(&self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.lease.store).await?;
        self.lease.renew(&mut tx, self.progress()).await?;
        Ok(tx.commit().await?)
    }
}
