use std::mem;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::lease::{Lease, begin, lease_cutoff};
use super::load::Stored;
use super::prefetched_log::PrefetchedLog;
use super::round_change::LogChange;
use super::rows::Rows;
use super::seasons::EndedSeason;
use super::{Replay, ReplayError, settings_of};
use crate::config::Overrides;
use crate::domain::Progress;
use crate::rating::{ModelName, ModelState, PlayerState};
use crate::service::audit::Author;
use crate::service::{Service, ServiceError};
use crate::store::{Changed, Generation, LogEntry, PoolRecord, RoundMarks, StoreError, Tx};

/// Number of log entries that a rebuild reads and holds at once. Larger pages take more memory and save no time.
pub(super) const PAGE: u32 = 500;

/// Result of a rebuild, which computes a pool's log again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// Number of log entries that the rebuild computed: the length of the log without its pruned part.
    pub computed: u64,
    /// Duration of the rebuild until its figures were active.
    pub took: Duration,
}

/// Callback that receives the progress of a long task from time to time.
pub type Watch<'watch> = &'watch mut (dyn FnMut(Progress) + Send);

/// Rebuild of a pool: computes its log again, from some entry on, while the current figures stay active.
///
/// # Design
/// Each computed row has a generation, and readers ignore generations above the pool's active one. So a rebuild reads
/// the log page by page without a lock, since log entries never change. The rebuild writes rows of the next generation,
/// while new rounds are rated into the active one. One task computes and another writes. While rounds arrive, the two
/// tasks take turns and leave a second processor to the rounds.
///
/// Rows before the first changed entry stay valid and are neither computed nor written. Near the end of the log, the
/// rebuild locks the pool. In a single transaction it computes the last entries, writes the players and activates its
/// generation. Readers see either the old figures or the new ones.
///
/// Sums over all rounds change by the difference between the old and the new results of the replayed rounds. So these
/// rounds are computed twice: unchanged and changed. If they make up most of the log, the whole log is computed once
/// instead.
///
/// Each pool has at most one rebuild at a time, across all instances. A row in `rebuilds` names the owner and the time
/// of the last renewal. Each write transaction renews the row and records the progress. The transaction fails if the
/// rebuild was cancelled or has another owner. So a dead process leaves only rows that nobody reads, and the next
/// rebuild deletes them. A rebuild that was wrongly considered dead cannot write any more. Clock differences may cause
/// an early takeover, but no wrong result.
///
/// Voids, restorations and corrections of rounds, and undos of changes, are rebuilds too. The switch-over transaction
/// adds the change to the log, so the change and its ratings appear together.
pub(super) struct Rebuild {
    pub(super) lease: Lease,
    pub(super) active: Generation,
    /// Generation (version) of the rows that the rebuild writes.
    pub(super) generation: Generation,
    pub(super) model: ModelName,
    /// Length of the pool's log when the rebuild began, in entries.
    pub(super) total: u64,
    /// Log position of the first entry that the rebuild computes.
    start: u64,
    pub(super) log: PrefetchedLog,
    /// Replay of the log with the change that the rebuild adds to it.
    pub(super) replay: Replay,
    /// Replay of the log without the rebuild's change. `None` if the rebuild begins at the first entry.
    pub(super) before: Option<Replay>,
    pub(super) rows: Rows,
    /// Background task that writes the rebuild's rows, if one is running.
    pub(super) writing: JoinSet<Result<(), ServiceError>>,
    /// Number of log entries that were applied when a write of all rows began. Players not rated since may be evicted
    /// from memory once the write has ended.
    pub(super) writing_until: Option<u64>,
    /// Generation in which the rebuild writes all players of the pool. `None` if it writes players into the active one.
    pub(super) players: Option<Generation>,
    /// Log positions of rounds whose stored voids and corrections differ from the log, with those of the log.
    pub(super) stale_marks: Vec<(u64, RoundMarks)>,
    pub(super) ended_seasons: Vec<EndedSeason>,
    pub(super) change: Option<LogChange>,
}

impl Service {
    /// Rebuilds `pool` by its model or by the model `to`, with `change` added to the log, and activates the result.
    /// Returns the reached log position and the new generation. Returns `None` if the log has the change already, and
    /// nothing is done.
    pub(crate) async fn rebuild_with(
        &self,
        pool: &PoolRecord,
        (to, change): (Option<ModelName>, Option<LogChange>),
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Option<(u64, Generation)>, ServiceError> {
        let Some(mut rebuild) = Box::pin(Rebuild::begin(self, pool, (to, change))).await? else {
            return Ok(None);
        };
        let mut result = rebuild.run(by, watch).await;
        if let Err(error) = &mut result {
            // After a takeover, rows may be missing and cause a misleading error. The writer's error names the cause.
            if let Some(Ok(Err(first))) = rebuild.writing.try_join_next() {
                *error = first;
            }
            rebuild.writing.shutdown().await;
            // Releases the lease, so that nobody has to wait for its expiry.
            rebuild.lease.give_up().await;
        }
        let done = result.map(|()| Some((rebuild.replay.position, rebuild.generation)));
        // Dropping tens of thousands of players takes about 30 ms, in which this thread would delay rounds.
        tokio::task::spawn_blocking(move || drop(rebuild));
        done
    }
}

impl Rebuild {
    async fn begin(
        service: &Service,
        pool: &PoolRecord,
        (to, change): (Option<ModelName>, Option<LogChange>),
    ) -> Result<Option<Self>, ServiceError> {
        service.outwait_dead_rebuild(pool.id).await?;
        let lease = Lease::new(service, pool)?;
        let mut tx = begin(&lease.store).await?;
        let mut locked = tx.lock_pool(pool.id).await?;
        locked.model = to.unwrap_or(locked.model);
        let now = service.clock.now();
        if tx.rebuild(pool.id, lease_cutoff(now)).await?.is_some() {
            return Err(ServiceError::RebuildInProgress(pool.name.clone()));
        }
        let mut change = change;
        if let Some(change) = &mut change
            && !change.check(&mut tx, &locked).await?
        {
            return Ok(None);
        }
        let first = change.as_ref().map(LogChange::first);
        let shown = change.as_ref().and_then(LogChange::shown);
        let is_clean = !tx.has_rebuild(pool.id).await?;
        let active = locked.generation;
        // Entries after the change are computed twice. Pruned entries cannot be computed.
        let middle = locked.pruned.midpoint(locked.log_length);
        let model = locked.model.resume(&ModelState::default());
        let from_anywhere = model.map_err(StoreError::from)?.follows_from_ratings();
        let behind_middle = first.filter(|position| from_anywhere && *position > middle);
        // A season start changes every player.
        let starts = tx.season_starts(pool.id).await?;
        let last_start = starts.last().map_or(0, |start| start.position);
        let start = behind_middle
            .filter(|position| *position > last_start)
            .unwrap_or(locked.pruned + 1);
        let left = locked.log_length - (start - 1);
        tx.begin_rebuild(pool.id, (&lease.owner, now), shown, left)
            .await?;
        let replay = Replay::open(&mut tx, Overrides::default()).await?;
        tx.commit().await?;
        let mut rebuild = Self {
            log: PrefetchedLog::new(&lease.store, pool.id, PAGE),
            lease,
            active,
            generation: active.next(),
            model: locked.model,
            total: locked.log_length,
            start,
            replay,
            before: None,
            rows: Rows::new(active.next()),
            writing: JoinSet::new(),
            writing_until: None,
            players: None,
            stale_marks: Vec::new(),
            ended_seasons: Vec::new(),
            change,
        };
        if let Err(error) = rebuild.prepare(is_clean, &locked).await {
            rebuild.lease.give_up().await;
            return Err(error);
        }
        Ok(Some(rebuild))
    }

    /// Deletes the rows of a dead rebuild of the pool, and opens the replays of the log.
    async fn prepare(&mut self, is_clean: bool, locked: &PoolRecord) -> Result<(), ServiceError> {
        let active = self.active;
        if !is_clean || locked.cleared < active {
            self.lease.clear_unfinished().await?;
        }
        let start = self.start;
        let mut tx = self.lease.store.begin_read().await?;
        let mut stored = Stored::of(active);
        if start > locked.pruned + 1 {
            let before = Replay::open_behind(&mut tx, locked, start - 1, stored).await?;
            self.before = Some(before);
            let reader = Replay::open_behind(&mut tx, locked, start - 1, stored).await?;
            self.log.read_players_by(reader);
        }
        stored.written = Some((start, self.generation));
        self.replay = if self.before.is_some() {
            Replay::open_behind(&mut tx, locked, start - 1, stored).await?
        } else {
            let overrides = Overrides::default();
            Replay::open_behind_pruned(&mut tx, locked, overrides, Some(stored)).await?
        };
        let assumed = self.change.iter().flat_map(LogChange::assumed);
        self.replay.assumed.extend(assumed);
        Ok(())
    }

    async fn run(&mut self, by: Author, watch: Watch<'_>) -> Result<(), ServiceError> {
        self.catch_up(watch).await?;
        self.write_players_ahead(watch).await?;
        self.switch_over(by).await?;
        watch(self.progress());
        Ok(())
    }

    /// Returns the rebuild's progress in log entries, counted from the first computed entry.
    pub(super) fn progress(&self) -> Progress {
        let before = self.start - 1;
        let position = self.replay.position;
        Progress {
            done: position.saturating_sub(before),
            total: self.total.max(position) - before,
        }
    }

    pub(super) async fn prepare_page(
        &mut self,
        tx: &mut Tx,
        page: &[LogEntry],
    ) -> Result<(), ReplayError> {
        let appearances = self.replay.appearances(page);
        if let Some(before) = &mut self.before {
            before.prepare(tx, self.lease.pool, page).await?;
            let (players, engine) = (appearances.players(), &before.engine);
            self.replay.engine.share_older(players, engine, self.start);
            // Players without a change since the start are equal in both replays, and are read once.
            let mut loaded = mem::take(&mut before.loaded);
            loaded.retain(|chunk| !self.rows.touched.contains(&chunk.player));
            let players = loaded.iter().map(|chunk| chunk.player).collect();
            self.replay.engine.adopt(&players, &before.engine);
            self.rows.open(loaded);
        }
        self.replay.replaced = self.rows.evicted(appearances.players())?;
        self.replay.prepare(tx, self.lease.pool, page).await?;
        self.rows.open(mem::take(&mut self.replay.loaded));
        Ok(())
    }

    pub(super) fn apply(&mut self, page: Vec<LogEntry>) -> Result<(), ReplayError> {
        for entry in page {
            if let Some(before) = &mut self.before {
                before.apply(entry.clone())?;
            }
            if let LogEntry::Change(change) = &entry {
                if let Changed::Player(player, _) = change.changed {
                    self.rows.touch(player);
                } else if change.season().is_some() {
                    self.begin_season(entry)?;
                    continue;
                }
            }
            let Some(applied) = self.replay.apply(entry)? else {
                continue;
            };
            if applied.has_stale_marks {
                let round = &applied.round;
                self.stale_marks.push((round.position, round.marks()));
            }
            self.rows.add(applied)?;
        }
        Ok(())
    }

    /// Applies a season start to the rebuild, or skips an undone one. Either way every player may change.
    fn begin_season(&mut self, entry: LogEntry) -> Result<(), ReplayError> {
        let position = entry.position();
        // The season would invalidate players written ahead who are neither in memory nor marked as changed.
        if position > self.total {
            return Err(ReplayError::SeasonStarted);
        }
        let settings = settings_of(&entry);
        self.replay.apply(entry)?;
        let parameters = self
            .replay
            .settings
            .get(&settings)
            .ok_or(ReplayError::NoSettings(position))?
            .clone();
        for player in self.replay.engine.ids() {
            self.rows.touch(player);
        }
        for mut ended in mem::take(&mut self.replay.ended_seasons) {
            let engine = &self.replay.engine;
            let keep = ended.keep;
            let change =
                |record: &PlayerState| record.in_new_season(engine.model(), keep, &parameters);
            self.rows.begin_season(engine, &mut ended.players, change)?;
            self.ended_seasons.push(ended);
        }
        Ok(())
    }
}

impl Service {
    /// Computes the log of `pool` again while the service keeps running, and activates the result.
    ///
    /// # Errors
    /// Returns an error if the database has no such pool, if another rebuild of the pool is in progress, or if the log
    /// cannot be replayed. The ratings are unchanged then.
    pub async fn rebuild(
        &self,
        pool: &PoolRecord,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        self.compute_by(None, pool, by, watch).await
    }

    /// Rates the pool by another model, from the first round of its log. All ratings change at one moment. Switching
    /// back to the former model restores the former ratings.
    pub async fn switch_model(
        &self,
        pool: &PoolRecord,
        to: ModelName,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        if pool.model == to {
            return Err(ServiceError::ModelInForce(pool.name.clone(), to));
        }
        if pool.pruned > 0 {
            return Err(ServiceError::PrunedPool(pool.name.clone()));
        }
        self.compute_by(Some(to), pool, by, watch).await
    }

    async fn compute_by(
        &self,
        to: Option<ModelName>,
        pool: &PoolRecord,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        let started = Instant::now();
        let done = Box::pin(self.rebuild_with(pool, (to, None), by, watch)).await?;
        let took = started.elapsed();
        let (mut position, pruned) = (0, pool.pruned);
        if let Some((reached, generation)) = done {
            position = reached;
            self.clear_retired(pool, generation).await;
            self.refresh_statistics().await;
        }
        Ok(Rebuilt {
            computed: position.saturating_sub(pruned),
            took,
        })
    }
}
