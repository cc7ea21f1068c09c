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

/// How much of the log is read at once, and held: more takes memory and saves no time.
pub(super) const PAGE: u32 = 500;

/// What a rebuild did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// How much of the log was computed: all of it, but for what is pruned.
    pub computed: u64,
    /// How long it took until the new projection was active.
    pub took: Duration,
}

/// Called from time to time with how much of the log is computed.
pub type Watch<'watch> = &'watch mut (dyn FnMut(Progress) + Send);

/// A pool that is computed again from its log, from some place on, while its former figures are active.
///
/// # Design
/// Every row that is computed has a generation, and nobody reads those above the pool's. So a rebuild
/// reads the log a page at a time outside of any lock, since nothing in it changes, and writes what it
/// makes of it while rounds go on being counted into the active generation. One task computes and another
/// writes, so that neither waits for the other as long as memory lasts, but while rounds come: then one
/// works at a time, and leaves a second processor to them. What stands before the round that changed is
/// neither computed nor written: those rows count on. Once the rebuild is close behind, it takes the pool's
/// lock, computes what is left, writes who the players are now, and makes its generation the active one,
/// all in one transaction: whoever reads sees all of the one or all of the other.
///
/// Sums over all rounds change by what the rounds from there on made before and what they make now, so
/// those are computed once as they were and once as they become. Where that is most of the log, all of it
/// is computed instead.
///
/// One rebuild of a pool runs at a time, on however many instances. Its row in `rebuilds` names its
/// owner and when that was last heard of; every transaction that writes renews it, says how far the rebuild
/// is, and fails where it is no longer the owner's or was called off. A rebuild whose process died is
/// therefore nothing but rows that nobody reads, which the next one deletes before it begins, and one that
/// was only thought dead cannot write any more.
/// Clocks that differ can make that happen too early, but not wrongly.
///
/// A round is voided, restored or corrected by a rebuild too, and the change of a player undone, which puts that
/// into the log in the transaction that switches over: it is there exactly if its ratings are.
pub(super) struct Rebuild {
    pub(super) lease: Lease,
    /// The one that is active while this is computed.
    pub(super) active: Generation,
    /// The one that is written.
    pub(super) generation: Generation,
    /// What it is computed by.
    pub(super) model: ModelName,
    /// How much of the log was there when it began.
    pub(super) total: u64,
    /// The place of the log that it is computed from.
    start: u64,
    /// The log, up to the transaction that switches over.
    pub(super) log: PrefetchedLog,
    /// What becomes of it.
    pub(super) replay: Replay,
    /// What was made of the same part of the log; `None` where it is computed from the first entry on.
    pub(super) before: Option<Replay>,
    pub(super) rows: Rows,
    /// The task that writes some of them, where one does.
    pub(super) writing: JoinSet<Result<(), ServiceError>>,
    /// Where that writes or has written all that there were: when it began, by the clock of the projection. Who was not
    /// rated since may be forgotten once it has ended.
    pub(super) writing_until: Option<u64>,
    /// The generation of players that is written; `None` where it is the one that is read.
    pub(super) players: Option<Generation>,
    /// Rounds of which something else is noted than what the log says, and what it says.
    pub(super) stale_marks: Vec<(u64, RoundMarks)>,
    /// The seasons that ended in what it computes.
    pub(super) ended_seasons: Vec<EndedSeason>,
    /// What it puts into the log.
    pub(super) change: Option<LogChange>,
}

impl Service {
    /// Computes a projection of `pool` by its model, or by another one `to` which it is switched, and makes it the
    /// active one, with `change` in the log where there is one; answers how far of the log that is and its
    /// generation, or `None` where all is as that has it already and nothing is done.
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
            // Where somebody else took over, what is read may be gone already: the one that writes knows better.
            if let Some(Ok(Err(first))) = rebuild.writing.try_join_next() {
                *error = first;
            }
            rebuild.writing.shutdown().await;
            // Nobody has to wait until it counts as dead. Where that fails too, somebody has.
            rebuild.lease.give_up().await;
        }
        let done = result.map(|()| Some((rebuild.replay.position, rebuild.generation)));
        // To free tens of thousands of players takes some 30 ms, in which this thread would keep rounds waiting.
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
            return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
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
        // Whatever follows what changes is computed twice. What is pruned is not computed any more.
        let middle = locked.pruned.midpoint(locked.log_length);
        let model = locked.model.resume(&ModelState::default());
        let from_anywhere = model.map_err(StoreError::from)?.follows_from_ratings();
        let behind_middle = first.filter(|position| from_anywhere && *position > middle);
        // The start of a season concerns everybody.
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

    /// Deletes what a rebuild that died has left, and reads what stands before this one.
    async fn prepare(&mut self, is_clean: bool, locked: &PoolRecord) -> Result<(), ServiceError> {
        let active = self.active;
        if !is_clean || locked.cleared < active {
            self.lease.clear_unfinished().await?;
        }
        let start = self.start;
        let mut tx = self.lease.store.begin_read().await?;
        let mut stored = Stored {
            active,
            written: None,
        };
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
        for (position, assumed) in self.change.iter().flat_map(LogChange::assumed) {
            self.replay.assume(position, assumed);
        }
        Ok(())
    }

    async fn run(&mut self, by: Author, watch: Watch<'_>) -> Result<(), ServiceError> {
        self.catch_up(watch).await?;
        self.write_players_ahead(watch).await?;
        self.switch_over(by).await?;
        watch(self.progress());
        Ok(())
    }

    /// How much of the log is computed, from where it began on.
    pub(super) fn progress(&self) -> Progress {
        let before = self.start - 1;
        let position = self.replay.position;
        Progress {
            done: position.saturating_sub(before),
            total: self.total.max(position) - before,
        }
    }

    /// Reads what it takes to apply a page of the log.
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
            // Whom nothing has happened to since the start is the same in both, and need not be read again.
            let mut loaded = before.take_loaded();
            loaded.retain(|chunk| !self.rows.is_touched(chunk.player));
            let players = loaded.iter().map(|chunk| chunk.player).collect();
            self.replay.engine.adopt(&players, &before.engine);
            self.rows.open(loaded);
        }
        self.replay.last_rows = self.rows.forgotten_rows(appearances.players())?;
        self.replay.model_states = self.rows.forgotten_states(appearances.players());
        self.replay.prepare(tx, self.lease.pool, page).await?;
        self.rows.open(self.replay.take_loaded());
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

    /// Applies the start of a season, or passes over one that is undone: either way everybody may be another.
    fn begin_season(&mut self, entry: LogEntry) -> Result<(), ReplayError> {
        let position = entry.position();
        // Of everybody who is neither held nor touched, what was written ahead would not be right any more.
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
        for mut ended in self.replay.take_ended_seasons() {
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
    /// Computes the pool of that name again from its log, while everything else goes on, and
    /// makes the result the active projection.
    ///
    /// # Errors
    /// A pool that the database does not have; another rebuild of it under way; a log that cannot
    /// be replayed. The ratings are then as they were.
    pub async fn rebuild(
        &self,
        pool: &PoolRecord,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Rebuilt, ServiceError> {
        self.compute_by(None, pool, by, watch).await
    }

    /// Rates the pool by another model from the first round of its log on, as if it had never been rated by the
    /// one before: its ratings are those of the other from one moment to the next. The same again undoes it.
    ///
    /// # Errors
    /// As of [`Service::rebuild`]; a pool that is rated by that model already, or whose rounds are pruned.
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
