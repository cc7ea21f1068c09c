use std::sync::Arc;
use std::time::{Duration, Instant};

use super::report::Content;
use crate::domain::Probability;
use crate::random;
use crate::rating::{Challengers, EngineError, ModelName, RoundResult};
use crate::service::replay::lease::{begin, lease_cutoff, with_batch_timeout};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{ChallengerFigures, Generation, LoggedRound, PoolRecord, Store, StoreError, Tx};

/// How many rounds are read and rated at once.
const PAGE: u32 = 100;
/// For how many times as long as a page takes it pauses while it catches up.
const CATCH_UP_PAUSE: u32 = 3;
/// How often a follower that has caught up looks for rounds, and one that is none whether it is needed.
const PAUSE: Duration = Duration::from_secs(1);
/// How often it says that it is there.
const RENEW_EVERY: Duration = Duration::from_secs(5);
/// How often it writes how well the models did, at most: and never so often that computing it takes more than
/// one part in so many of the time.
const WRITE_EVERY: Duration = Duration::from_secs(2);
const WRITE_SHARE: u32 = 50;

/// Follows the log of a pool for its challengers.
///
/// # Design
/// Updates do nothing for challengers. One instance of all reads the log behind what it has rated, a page at a
/// time in transactions that only read, rates it in memory, and now and then writes the figures, one small row.
/// What the models know of players is not written: a start reads the log from its beginning, which is also
/// how a challenger that is new catches up, and what a void or a rebuild takes, after which the pool's own
/// predictions are others. So the figures follow from nothing but the log and the settings. Until a start has
/// come as far as before, the figures that are stored stay.
///
/// While it catches up it pauses after each page for three times as long as that took, so that updates find the
/// processor free.
struct Follower {
    service: Service,
    store: Store,
    pool: Arc<Pool>,
    owner: String,
    /// When it last said that it is there, unless another follows the log.
    held_at: Option<Instant>,
    run: Option<Run>,
}

/// What the models have made of the log so far.
struct Run {
    source: Source,
    /// The last place of the log that was read.
    position: u64,
    /// How many of the pool's rounds counted up to there.
    rounds: u64,
    /// The model that rates the pool.
    own: ModelName,
    challengers: Challengers,
    /// The place of the log up to which the stored figures reach that are of the same log and settings.
    stored: Option<u64>,
    has_written: bool,
    write_at: Instant,
}

/// What the figures follow from, besides the settings.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Source {
    generation: Generation,
    pruned: u64,
}

/// Rounds as they stand next in the log, with what the pool's own model made of them.
struct Page {
    rounds: Vec<(LoggedRound, RoundResult)>,
    is_last: bool,
}

impl Service {
    /// Has the challengers of every pool follow its log from now on, until the service is closed.
    ///
    /// # Errors
    /// An operating system without random numbers.
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
                            "The challengers of the pool cannot follow its log; trying again until they can"
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
                    error = ?error, pool = %pool.name, "Another instance has to wait until the lease has ended"
                );
            }
        }
    }

    /// Rates what stands next in the log; answers how long to pause.
    async fn step(&mut self) -> Result<Duration, ServiceError> {
        if !self.hold().await? {
            self.run = None;
            return Ok(PAUSE);
        }
        let started = Instant::now();
        let page = self.read_page().await?;
        let is_last = page.is_last;
        if !page.rounds.is_empty() {
            let rated = self.compute(move |run| run.rate(&page.rounds)).await?;
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

    /// Whether this one follows the log; it begins to where nobody else does.
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

    /// Lets another follow the log at once.
    async fn leave(self) -> Result<(), ServiceError> {
        let mut tx = begin(&self.store).await?;
        tx.leave_log(self.pool.id, &self.owner).await?;
        Ok(tx.commit().await?)
    }

    /// Returns the rounds that stand next in the log. Begins anew if a rebuild or a prune changed the pool's results.
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
        let are_the_same = rounds.len() == results.len()
            && rounds
                .iter()
                .zip(&results)
                .all(|(round, result)| round.position == result.position);
        if !are_the_same {
            return Err(StoreError::Corrupt {
                table: "results",
                column: "position",
            }
            .into());
        }
        let is_last = rounds.len() < usize::try_from(PAGE).unwrap_or(usize::MAX);
        Ok(Page {
            rounds: rounds.into_iter().zip(results).collect(),
            is_last,
        })
    }

    /// Does what takes long on a thread where nobody waits. Where that breaks off, the log is read from its
    /// beginning.
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

    /// Writes how well the models did so far.
    async fn write(&mut self) -> Result<(), ServiceError> {
        let window = self.pool.settings.parameters.window;
        let settings = self.pool.settings_id;
        let computed = self.compute(move |run| {
            let started = Instant::now();
            let content = Content::of(&run.challengers, run.own, window).written()?;
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
    /// Before the first round that is not pruned.
    async fn begin(
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        source: Source,
    ) -> Result<Self, StoreError> {
        let own = record.model;
        let stored = tx.challengers(pool.id).await?;
        let stored = stored.and_then(|stored| stored.figures);
        let stored = stored.filter(|stored| {
            stored.generation == source.generation
                && stored.pruned == source.pruned
                && stored.settings == pool.settings_id
                && Content::read(&stored.content)
                    .is_some_and(|content| content.is_of(own, &pool.settings))
        });
        let before = tx.predictions_before(pool.id, record.pruned + 1).await?;
        let settings = &pool.settings;
        Ok(Self {
            source,
            position: record.pruned,
            rounds: before.rounds,
            own,
            challengers: Challengers::new(&settings.challengers_of(own), &settings.parameters),
            stored: stored.map(|stored| stored.position),
            has_written: false,
            write_at: Instant::now() + WRITE_EVERY,
        })
    }

    fn rate(&mut self, page: &[(LoggedRound, RoundResult)]) -> Result<(), EngineError> {
        for (logged, result) in page {
            // A void round leaves the count as it was.
            if result.predictions.rounds > self.rounds {
                let own: Probability = result.win_probability;
                self.challengers.rate(&logged.round, own)?;
            }
            self.rounds = result.predictions.rounds;
            self.position = logged.position;
        }
        Ok(())
    }

    /// Whether the figures are to be written: they reach further than those that are stored, and those are old
    /// enough or the first of all.
    fn is_due(&self, is_last: bool) -> bool {
        let is_news = self.stored.is_none_or(|stored| stored < self.position);
        let is_first = is_last && !self.has_written;
        is_news && (is_first || Instant::now() >= self.write_at)
    }
}
