use std::collections::HashSet;
use std::time::{Duration, Instant};

use serde_json::json;

use super::lease::{begin, lease_cutoff, with_batch_timeout, yield_to_writers};
use super::void_change::VoidChange;
use super::{Applied, Replay, ReplayError, is_void};
use crate::config::Overrides;
use crate::domain::{PlayerId, PoolName};
use crate::random;
use crate::service::audit;
use crate::service::audit::Author;
use crate::service::{Service, ServiceError};
use crate::store::{
    AuditEntry, Changed, LogEntry, PlayerRecord, PoolId, PoolRecord, ProjectionId, Store,
    StoreError, Tx,
};

/// How much of the log one transaction computes.
const PAGE: u32 = 256;
/// As little of the log as the transaction that switches over may be left with.
const REMAINDER: usize = 32;
/// Players that one transaction writes.
const PLAYERS: usize = 2_000;

/// How far a rebuild, a check or a trial is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Of the log, computed.
    pub done: u64,
    /// Of the log, when it began.
    pub total: u64,
}

/// What a rebuild did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rebuilt {
    /// How much of the log was computed: all of it.
    pub computed: u64,
    /// How long it took until the new projection was active.
    pub took: Duration,
}

/// Called with the progress from time to time.
pub type Watch<'watch> = &'watch mut (dyn FnMut(Progress) + Send);

/// A projection of a pool that is computed from its log while another is active.
///
/// # Design
/// What a projection says of the log is in rows of its own, which nobody reads until `pools.book` names
/// it. So a rebuild reads the log a page at a time outside of any lock, since nothing in it changes,
/// and writes what it makes of it while rounds go on being counted into the active projection. Once it
/// is close behind, it takes the pool's lock, computes what is left, and makes its projection the one in
/// force, all in one transaction: whoever reads sees all of the one projection or all of the other.
///
/// One rebuild of a pool runs at a time, on however many instances. Its row in `books` names its
/// owner and when that was last heard of; every transaction that writes to the projection renews it and
/// fails where it is no longer the owner's. A rebuild whose process died is therefore nothing but
/// rows that nobody reads, which the next one clears away, and one that was only thought dead cannot
/// write any more. Clocks that differ can make that happen too early, but not wrongly.
///
/// A round is voided or restored by a rebuild too, which puts that into the log in the transaction
/// that switches over: the void is there exactly if its ratings are.
struct Rebuild<'service> {
    service: &'service Service,
    store: &'service Store,
    pool: PoolId,
    name: PoolName,
    owner: String,
    projection: ProjectionId,
    replay: Replay,
    /// Players who are not written as they are by now.
    unwritten: HashSet<PlayerId>,
    /// Rounds whose `voided_at` is not what the log says, and what it says.
    stale_void_flag: Vec<(u64, Option<u64>)>,
    void: Option<VoidChange>,
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
        let started = Instant::now();
        let done = Box::pin(self.rebuild_with(pool, None, by, watch)).await?;
        let took = started.elapsed();
        self.clear_retired(pool).await;
        Ok(Rebuilt {
            computed: done.unwrap_or(0),
            took,
        })
    }

    /// Computes a projection of `pool` and makes it the active one, with a round voided or restored where
    /// one is to be; answers how much of the log that was, or `None` where the round is what it is to be already
    /// and nothing is done.
    pub(crate) async fn rebuild_with(
        &self,
        pool: &PoolRecord,
        void: Option<VoidChange>,
        by: Author,
        watch: Watch<'_>,
    ) -> Result<Option<u64>, ServiceError> {
        let store = with_batch_timeout(&self.store);
        let Some(mut rebuild) = Rebuild::begin(self, &store, pool, void).await? else {
            return Ok(None);
        };
        let result = rebuild.run(by, watch).await;
        if result.is_err() {
            // Nobody has to wait until it counts as dead. Where that fails too, somebody has.
            if let Err(error) = rebuild.abandon().await {
                tracing::warn!(error = ?error, pool = %pool.name, "A failed rebuild stays behind for now");
            }
        }
        result.map(|()| Some(rebuild.replay.position))
    }
}

impl<'service> Rebuild<'service> {
    async fn begin(
        service: &'service Service,
        store: &'service Store,
        pool: &PoolRecord,
        void: Option<VoidChange>,
    ) -> Result<Option<Self>, ServiceError> {
        let owner = random::hex::<16>().map_err(ServiceError::internal)?;
        let mut tx = begin(store).await?;
        tx.lock_pool(pool.id).await?;
        let now = service.clock.now();
        if tx.is_computed(pool.id, lease_cutoff(now)).await? {
            return Err(ServiceError::RebuildUnderWay(pool.name.clone()));
        }
        // One that counts as dead must not wake and end what it began.
        tx.disown_projections(pool.id).await?;
        let voided = void.as_ref().map(|void| (void.position, void.line.change));
        let projection = tx.begin_projection(pool.id, (&owner, now), voided).await?;
        let mut replay = Replay::open(&mut tx, Overrides::default()).await?;
        if let Some(void) = &void {
            let becomes_void = void.line.change.is_void();
            // From here on nobody else can void this round, or any other that is counted.
            if is_void(&mut tx, pool.id, void.position).await? == becomes_void {
                return Ok(None);
            }
            // Which place of the log it takes is known when it takes it.
            replay = replay.with_round(void.position, becomes_void.then_some(0));
        }
        tx.commit().await?;
        Ok(Some(Self {
            store,
            service,
            pool: pool.id,
            name: pool.name.clone(),
            owner,
            projection,
            replay,
            unwritten: HashSet::new(),
            stale_void_flag: Vec::new(),
            void,
        }))
    }

    async fn run(&mut self, by: Author, watch: Watch<'_>) -> Result<(), ServiceError> {
        let total = self
            .store
            .begin_read()
            .await?
            .pool(self.pool)
            .await?
            .log_length;
        // Where rounds arrive faster than players can be written, the lock is held a little longer
        // rather than never taken.
        let mut remainder = REMAINDER;
        loop {
            if self.service.rebuilds.are_stopped() {
                return Err(ServiceError::RebuildStopped(self.name.clone()));
            }
            let page = self.next_page().await?;
            if page.len() > remainder {
                self.write_page(page).await?;
                let done = self.replay.position;
                watch(Progress {
                    done,
                    total: total.max(done),
                });
            } else if self.unwritten.len() > remainder {
                self.write_players().await?;
                remainder *= 2;
            } else {
                break;
            }
        }
        self.switch_over(by).await
    }

    async fn next_page(&mut self) -> Result<Vec<LogEntry>, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        Ok(self.replay.next_page(&mut tx, self.pool, PAGE).await?)
    }

    async fn write_page(&mut self, page: Vec<LogEntry>) -> Result<(), ServiceError> {
        let applied = self.apply(page)?;
        let started = Instant::now();
        let mut tx = self.begin_write().await?;
        self.write(&mut tx, &applied).await?;
        tx.commit().await?;
        yield_to_writers(self.store, started).await;
        Ok(())
    }

    async fn write_players(&mut self) -> Result<(), ServiceError> {
        let unwritten: Vec<PlayerRecord> = self.take_unwritten();
        for players in unwritten.chunks(PLAYERS) {
            let started = Instant::now();
            let mut tx = self.begin_write().await?;
            tx.save_players(self.projection, players).await?;
            tx.commit().await?;
            yield_to_writers(self.store, started).await;
        }
        Ok(())
    }

    async fn switch_over(&mut self, by: Author) -> Result<(), ServiceError> {
        let mut tx = begin(self.store).await?;
        let mut locked = tx.lock_pool(self.pool).await?;
        if !tx.finish_projection(self.projection, &self.owner).await? {
            return Err(self.lost());
        }
        loop {
            let page = self.replay.next_page(&mut tx, self.pool, PAGE).await?;
            if page.is_empty() {
                break;
            }
            let applied = self.apply(page)?;
            self.write(&mut tx, &applied).await?;
        }
        if self.replay.position != locked.log_length {
            return Err(ReplayError::Gap(self.replay.position + 1).into());
        }
        let players = self.take_unwritten();
        for players in players.chunks(PLAYERS) {
            tx.save_players(self.projection, players).await?;
        }
        let before = locked.clone();
        locked.projection = self.projection;
        locked.predictions = self.replay.projection.predictions;
        locked.calibration = self.replay.projection.calibration;
        locked.experience = self.replay.projection.experience;
        let void = self.void.take();
        for (position, voided_at) in self.stale_void_flag.drain(..) {
            if void.as_ref().is_none_or(|void| void.position != position) {
                tx.set_voided_at(self.pool, position, voided_at).await?;
            }
        }
        let audited = match void {
            Some(void) => {
                let change_id = void.line.change_id.clone();
                let written = void.write(&mut tx, &mut locked, &self.replay.projection, by);
                written.await.map_err(|error| match error {
                    // Another change took the name meanwhile.
                    StoreError::Duplicate(_) => ServiceError::ChangeIdTaken(change_id),
                    error => error.into(),
                })?
            }
            None => self.audited(&before, &locked, by)?,
        };
        tx.insert_audit(&audited).await?;
        tx.save_pool(&locked).await?;
        Ok(tx.commit().await?)
    }

    /// Gives up, so that what was written is cleared away and another may begin.
    async fn abandon(&self) -> Result<(), StoreError> {
        let mut tx = begin(self.store).await?;
        tx.finish_projection(self.projection, &self.owner).await?;
        tx.commit().await
    }

    async fn begin_write(&self) -> Result<Tx, ServiceError> {
        let mut tx = begin(self.store).await?;
        let now = self.service.clock.now();
        if tx
            .renew_projection(self.projection, &self.owner, now)
            .await?
        {
            Ok(tx)
        } else {
            Err(self.lost())
        }
    }

    fn lost(&self) -> ServiceError {
        ServiceError::RebuildLost(self.name.clone())
    }

    fn apply(&mut self, page: Vec<LogEntry>) -> Result<Vec<Applied>, ServiceError> {
        let mut applied = Vec::with_capacity(page.len());
        for entry in page {
            if let LogEntry::Change(change) = &entry
                && let Changed::Player(player, _) = change.changed
            {
                self.unwritten.insert(player);
            }
            let Some(round) = self.replay.apply(entry)? else {
                continue;
            };
            let rated = round.rated.entries.iter().map(|entry| entry.player);
            self.unwritten.extend(rated);
            if round.has_stale_void_flag {
                let voided = (round.round.position, round.round.voided_at);
                self.stale_void_flag.push(voided);
            }
            applied.push(round);
        }
        Ok(applied)
    }

    async fn write(&mut self, tx: &mut Tx, applied: &[Applied]) -> Result<(), StoreError> {
        let results: Vec<_> = applied.iter().map(|round| &round.rated.result).collect();
        let entries: Vec<_> = applied
            .iter()
            .flat_map(|round| &round.rated.entries)
            .copied()
            .collect();
        tx.insert_results(self.projection, &results).await?;
        tx.insert_entries(self.projection, &entries).await?;
        tx.add_to_groups(self.projection, &self.replay.projection.take_groups())
            .await
    }

    fn take_unwritten(&mut self) -> Vec<PlayerRecord> {
        let projection = &self.replay.projection;
        let known = self.unwritten.drain();
        known
            .filter_map(|player| projection.known(player).cloned())
            .collect()
    }

    fn audited(
        &self,
        before: &PoolRecord,
        after: &PoolRecord,
        by: Author,
    ) -> Result<AuditEntry, ServiceError> {
        let id = random::hex::<16>().map_err(ServiceError::internal)?;
        let figures = |pool: &PoolRecord| {
            let (rounds, brier) = (pool.predictions.rounds, pool.predictions.scores().brier);
            json!({"rounds": rounds, "brier": brier}).to_string()
        };
        let figures = (figures(before), figures(after));
        Ok(audit::entry(
            ("rebuild", &id),
            by,
            self.service.clock.now(),
            self.pool,
            figures,
        ))
    }
}
