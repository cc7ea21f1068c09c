use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{Content, current};
use crate::domain::Probability;
use crate::random;
use crate::rating::{Challengers, EngineError, ModelName, RoundResult};
use crate::service::replay::lease::{begin, lease_cutoff, with_batch_timeout};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{
    ChallengerFigures, Generation, LoggedRound, PoolRecord, Store, StoreError, Tx, corrupt,
};

const PAGE: u32 = 100;
/// Pause after each page of rounds while challengers catch up with the log, as a multiple of the page's duration.
const CATCH_UP_PAUSE: u32 = 3;
/// Pause of the log follower after the last page, after an error, and between attempts to take the lease.
const PAUSE: Duration = Duration::from_secs(1);
const RENEW_EVERY: Duration = Duration::from_secs(5);
/// Minimum interval between writes of the challengers' scores, or [`WRITE_SHARE`] times their computing time if longer.
const WRITE_EVERY: Duration = Duration::from_secs(2);
const WRITE_SHARE: u32 = 50;

/// Follows the log of a pool and rates its rounds by the pool's challengers.
///
/// # Design
/// Recording a round does no work for challengers. A single instance reads new rounds of the log page by page,
/// in read-only transactions, and rates them in memory. Every few seconds the instance writes the models' scores, one
/// small row.
///
/// The state of the models is never stored. A restart, a new challenger, a void or a rebuild reads the log again from
/// its beginning. So the scores depend on the log and the settings alone. The stored scores stay until the new run has
/// passed their log position.
///
/// During catch-up, the follower pauses after each page for [`CATCH_UP_PAUSE`] times the duration of the page, which
/// leaves the processor to updates.
struct Follower {
    service: Service,
    store: Store,
    pool: Arc<Pool>,
    owner: String,
    /// Time at which this instance last renewed its lease on the pool's log. `None` while this instance has no lease.
    held_at: Option<Instant>,
    run: Option<Run>,
}

/// State of a pool's challengers after the rounds of the log that have been read so far.
struct Run {
    source: Source,
    /// Position in the pool's log of the last round that the challengers rated.
    position: u64,
    /// Number of the pool's counted rounds up to log position `position`.
    rounds: u64,
    /// Pool's own model, which rates its players.
    own: ModelName,
    challengers: Challengers,
    /// Log position up to which the challengers' stored scores count; `None` if they are of another log or other
    /// settings.
    stored: Option<u64>,
    has_written: bool,
    write_at: Instant,
}

/// Version of a pool's log on which the challengers' scores depend, besides the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Source {
    generation: Generation,
    pruned: u64,
}

/// Consecutive rounds of a pool's log, with the results of the pool's own model.
type Page = Vec<(LoggedRound, RoundResult)>;

impl Service {
    /// Starts a task for each pool with challengers, which rates the pool's rounds by them until the service closes.
    pub fn follow_logs(&self) -> Result<(), ServiceError> {
        for pool in self.pools.now().all() {
            if pool.settings.challengers.is_empty() {
                continue;
            }
            let follower = Follower {
                service: self.clone(),
                store: with_batch_timeout(&self.store),
                pool: Arc::clone(pool),
                owner: random::hex::<16>().map_err(ServiceError::internal)?,
                held_at: None,
                run: None,
            };
            self.rebuilds.spawn(follower.follow());
        }
        Ok(())
    }
}

impl Follower {
    async fn follow(mut self) {
        let mut is_failing = false;
        loop {
            let pause = match self.step().await {
                Ok(pause) => {
                    is_failing = false;
                    pause
                }
                Err(error) => {
                    if !is_failing {
                        tracing::warn!(
                            error = ?error, pool = %self.pool.name,
                            "Cannot predict the pool's rounds with its challengers (models on trial); retrying"
                        );
                    }
                    is_failing = true;
                    PAUSE
                }
            };
            if !self.service.rebuilds.pause(pause).await {
                break;
            }
        }
        if self.held_at.is_some() {
            let pool = Arc::clone(&self.pool);
            if let Err(error) = self.leave().await {
                tracing::debug!(
                    error = ?error, pool = %pool.name,
                    "Cannot release the lock on the pool's challengers (models on trial); another instance can run \
                     them once the lock expires"
                );
            }
        }
    }

    /// Rates the next page of the pool's log by the challengers. Returns the pause before the next page.
    async fn step(&mut self) -> Result<Duration, ServiceError> {
        if !self.hold().await? {
            self.run = None;
            return Ok(PAUSE);
        }
        let started = Instant::now();
        let page = self.read_page().await?;
        let is_last = page.len() < PAGE as usize;
        if !page.is_empty() {
            let rated = self.compute(move |run| run.rate(&page)).await?;
            rated.transpose().map_err(ServiceError::internal)?;
        }
        if self.run.as_ref().is_some_and(|run| run.is_due(is_last)) {
            self.write().await?;
        }
        Ok(if is_last {
            PAUSE
        } else {
            started.elapsed() * CATCH_UP_PAUSE
        })
    }

    /// Renews or takes the lease on the log of the pool. Returns `false` if another instance holds the lease.
    async fn hold(&mut self) -> Result<bool, ServiceError> {
        if self.held_at.is_some_and(|at| at.elapsed() < RENEW_EVERY) {
            return Ok(true);
        }
        self.held_at = None;
        let now = self.service.clock.now();
        let cutoff = lease_cutoff(now);
        let mut tx = self.store.begin_read().await?;
        let record = tx.challengers(self.pool.id).await?;
        drop(tx);
        let is_anothers =
            record.is_some_and(|found| found.owner != self.owner && found.renewed_at >= cutoff);
        if is_anothers {
            return Ok(false);
        }
        let mut tx = begin(&self.store).await?;
        let holds = tx
            .follow_log(self.pool.id, (&self.owner, now), cutoff)
            .await?;
        tx.commit().await?;
        self.held_at = holds.then(Instant::now);
        Ok(holds)
    }

    /// Releases the lease, so that another instance can follow the log at once.
    async fn leave(self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.store).await?;
        tx.leave_log(self.pool.id, &self.owner).await?;
        Ok(tx.commit().await?)
    }

    /// Returns the next page of rounds in the pool's log. Starts over if a rebuild or prune changed the pool's results.
    async fn read_page(&mut self) -> Result<Page, ServiceError> {
        let mut tx = self.store.begin_read().await?;
        let record = tx.pool(self.pool.id).await?;
        let source = Source {
            generation: record.generation,
            pruned: record.pruned,
        };
        let position = match &self.run {
            Some(run) if run.source == source => run.position,
            _ => {
                self.run = Some(Run::begin(&mut tx, &self.pool, &record, source).await?);
                record.pruned
            }
        };
        let rounds = tx.rounds_after(record.id, position, PAGE).await?;
        let results = tx.results_after(record.id, position, PAGE).await?;
        let of_rounds = rounds.iter().map(|round| round.position);
        if !of_rounds.eq(results.iter().map(|result| result.position)) {
            return Err(corrupt("results", "position").into());
        }
        Ok(rounds.into_iter().zip(results).collect())
    }

    /// Runs `work` on the challengers' state in a thread for blocking tasks. After a panic, the log is read from its
    /// start.
    async fn compute<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Run) -> T + Send + 'static,
    ) -> Result<Option<T>, ServiceError> {
        let Some(mut run) = self.run.take() else {
            return Ok(None);
        };
        let computing = tokio::task::spawn_blocking(move || {
            let done = work(&mut run);
            (run, done)
        });
        let (run, done) = computing.await.map_err(ServiceError::internal)?;
        self.run = Some(run);
        Ok(Some(done))
    }

    async fn write(&mut self) -> Result<(), ServiceError> {
        let window = self.pool.settings.parameters.window;
        let settings = self.pool.settings_id;
        let computed = self.compute(move |run| {
            let started = Instant::now();
            let content = serde_json::to_string(&Content::of(&run.challengers, run.own, window))?;
            let pause = WRITE_EVERY.max(started.elapsed() * WRITE_SHARE);
            let figures = ChallengerFigures {
                generation: run.source.generation,
                pruned: run.source.pruned,
                settings,
                position: run.position,
                rounds: run.rounds,
                content,
            };
            Ok::<_, serde_json::Error>((figures, pause))
        });
        let Some(computed) = computed.await? else {
            return Ok(());
        };
        let (figures, pause) = computed.map_err(ServiceError::internal)?;
        let now = self.service.clock.now();
        let mut tx = begin(&self.store).await?;
        let saved = tx
            .save_challengers(self.pool.id, (&self.owner, now), &figures)
            .await?;
        tx.commit().await?;
        self.held_at = saved.then(Instant::now);
        if let Some(run) = &mut self.run {
            run.stored = Some(figures.position);
            run.has_written = true;
            run.write_at = Instant::now() + pause;
        }
        Ok(())
    }
}

impl Run {
    /// Creates the initial state of the challengers, before the first round of the pool's log that is not pruned.
    async fn begin(
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        source: Source,
    ) -> Result<Self, StoreError> {
        let own = record.model;
        let stored = current(tx, pool, record).await?;
        let before = tx.predictions_before(pool.id, record.pruned + 1).await?;
        let settings = &pool.settings;
        Ok(Self {
            source,
            position: record.pruned,
            rounds: before.rounds,
            own,
            challengers: Challengers::new(&settings.challengers_of(own), &settings.parameters),
            stored: stored.map(|(stored, _)| stored.position),
            has_written: false,
            write_at: Instant::now() + WRITE_EVERY,
        })
    }

    fn rate(&mut self, page: &[(LoggedRound, RoundResult)]) -> Result<(), EngineError> {
        for (logged, result) in page {
            // A voided round leaves the count unchanged.
            if result.predictions.rounds > self.rounds {
                let own: Probability = result.win_probability;
                self.challengers.rate(&logged.round, own)?;
            }
            self.rounds = result.predictions.rounds;
            self.position = logged.position;
        }
        Ok(())
    }

    /// Returns `true` if the challengers' scores cover more rounds than the stored ones, and the write interval has
    /// passed. The first scores at the end of the log are due at once.
    fn is_due(&self, is_last: bool) -> bool {
        let is_news = self.stored.is_none_or(|stored| stored < self.position);
        let is_first = is_last && !self.has_written;
        is_news && (is_first || Instant::now() >= self.write_at)
    }
}
