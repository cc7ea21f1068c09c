use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::timeout;

use super::end_time::RoundSource;
use super::transaction::{ImportedRound, OnRefusal, Outcomes, record};
use crate::clock::Clock;
use crate::domain::{Fingerprint, PoolName, Report};
use crate::metrics::Metrics;
use crate::service::pools::CurrentPools;
use crate::service::{Pool, ServiceError};
use crate::store::{Store, StoreError};

/// Maximum number of rounds that one transaction records, and of rounds in one group of the queue, which stays
/// together.
pub(crate) const MAX_BATCH: usize = 64;
/// Maximum number of a pool's rounds that wait to be recorded. Beyond this number, further rounds are refused as busy.
const MAX_WAITING: usize = 1024;
/// Time after the arrival of a round during which this process counts as receiving rounds.
const EXPECTED: Duration = Duration::from_secs(10);
/// Approximate memory limit of the cached players of a pool, in bytes.
const KEPT_MEMORY: u64 = 32 << 20;

/// Queue that records rounds in batches: rounds that arrive during a transaction of their pool share the next one.
///
/// # Design
/// Rounds of a pool must be rated one after another, so a transaction per round would cost a full commit each. Instead,
/// all waiting rounds share a transaction. The commit per round becomes cheaper as load grows, and an idle service adds
/// no wait. Locking only the players of a round would help little: rounds of one pool often share players, and always
/// share the pool's figures.
///
/// The result equals a serial order, which is the order of the log. A transaction locks the pool's row before it reads
/// anything. So each transaction of a pool commits before the next one reads, on all instances. Within a transaction,
/// each round is rated in memory from the results of the round before. Cached players serve the next transaction only
/// while the pool's row is unchanged.
///
/// Rounds of one request stay together and in their order. A round is answered only after its transaction has
/// committed.
#[derive(Clone, Debug)]
pub(crate) struct RoundQueue {
    pub(in crate::service) store: Store,
    clock: Clock,
    pools: CurrentPools,
    metrics: Metrics,
    queues: Arc<Mutex<HashMap<PoolName, Queue>>>,
    /// Time at which this process last received a round of any pool.
    last_received: Arc<Mutex<Option<Instant>>>,
}

type Queue = VecDeque<Waiting>;

/// Group of rounds to record in one transaction, in their order, with the channel for their outcomes.
#[derive(Debug)]
struct Waiting {
    rounds: Vec<Report>,
    secret: Option<Fingerprint>,
    answer: oneshot::Sender<Outcomes>,
}

fn count_rounds(queue: &Queue) -> usize {
    queue.iter().map(|waiting| waiting.rounds.len()).sum()
}

impl RoundQueue {
    pub(crate) fn new(
        store: Store,
        (clock, pools): (Clock, CurrentPools),
        metrics: Metrics,
    ) -> Self {
        Self {
            store,
            clock,
            pools,
            metrics,
            queues: Arc::default(),
            last_received: Arc::default(),
        }
    }

    /// Returns `true` if this process received a round within the last ten seconds, so that more are expected.
    pub(crate) fn has_recent_rounds(&self) -> bool {
        let last = *self.last_received.lock();
        last.is_some_and(|last| last.elapsed() < EXPECTED)
    }

    pub(crate) fn waiting(&self, pool: &PoolName) -> usize {
        self.queues.lock().get(pool).map_or(0, count_rounds)
    }

    /// Records `rounds` of `pool`, from 1 to [`MAX_BATCH`], in their order and in one transaction. Returns one outcome
    /// per round. Returns an error for all of them if too many rounds wait.
    pub(crate) async fn record_together(
        &self,
        pool: Arc<Pool>,
        rounds: Vec<Report>,
        secret: Option<Fingerprint>,
    ) -> Result<Outcomes, ServiceError> {
        *self.last_received.lock() = Some(Instant::now());
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting {
            rounds,
            secret,
            answer,
        };
        // A queue exists exactly while a task works on it.
        let idle = {
            let mut queues = self.queues.lock();
            let idle = !queues.contains_key(&pool.name);
            let queue = queues.entry(pool.name.clone()).or_default();
            if count_rounds(queue) + waiting.rounds.len() > MAX_WAITING {
                return Err(ServiceError::Busy);
            }
            queue.push_back(waiting);
            idle
        };
        if idle {
            tokio::spawn(self.clone().work(pool));
        }
        // A missing answer means that the recording task died.
        let answered = async { answered.await.map_err(ServiceError::internal) };
        // The rounds ahead may use up the timeout.
        match self.store.timeout() {
            Some(limit) => timeout(limit, answered)
                .await
                .unwrap_or_else(|_| Err(StoreError::TimedOut.into())),
            None => answered.await,
        }
    }

    async fn work(self, pool: Arc<Pool>) {
        // If this task panics, its queue is removed, so that the next round starts a new task.
        let remove = |()| drop(self.queues.lock().remove(&pool.name));
        let _task = scopeguard::guard_on_unwind((), remove);
        while let Some(batch) = self.next_batch(&pool.name) {
            let mut rounds = Vec::new();
            let mut waiting = Vec::with_capacity(batch.len());
            for group in batch {
                waiting.push((group.answer, group.rounds.len()));
                rounds.extend(group.rounds.into_iter().map(|report| ImportedRound {
                    secret: group.secret,
                    ..ImportedRound::from(report)
                }));
            }
            let mut outcomes = self.count(&pool, &rounds).await.into_iter();
            for (answer, count) in waiting {
                // A client that no longer waits will send the round again, and get a duplicate.
                let _gone = answer.send(outcomes.by_ref().take(count).collect());
            }
        }
    }

    async fn count(&self, pool: &Pool, rounds: &[ImportedRound]) -> Outcomes {
        match self.count_together(pool, rounds).await {
            Ok(outcomes) => outcomes,
            // A round that cannot be recorded must not fail the others.
            Err(ServiceError::Internal(_)) if rounds.len() > 1 => {
                self.count_one_by_one(pool, rounds).await
            }
            Err(error) => rounds.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    async fn count_one_by_one(&self, pool: &Pool, rounds: &[ImportedRound]) -> Outcomes {
        let mut outcomes = Outcomes::with_capacity(rounds.len());
        for round in rounds {
            match self.count_together(pool, std::slice::from_ref(round)).await {
                Ok(outcome) => outcomes.extend(outcome),
                Err(error @ ServiceError::Internal(_)) => outcomes.push(Err(error)),
                // Later rounds must not overtake a round that will be sent again.
                Err(error) => outcomes.resize_with(rounds.len(), || Err(error.clone())),
            }
            if outcomes.len() == rounds.len() {
                break;
            }
        }
        outcomes
    }

    async fn count_together(
        &self,
        pool: &Pool,
        rounds: &[ImportedRound],
    ) -> Result<Outcomes, ServiceError> {
        let source = RoundSource::FromGameServer {
            at: self.clock.now(),
            steady: self.clock.steady(),
            max_age: self.pools.now().max_round_age,
        };
        // The lock is free, because each pool has only one recording task.
        let mut kept = pool.player_cache.lock().await;
        let recorded = record(
            &self.store,
            pool,
            rounds,
            source,
            OnRefusal::GoOn,
            &mut kept,
        );
        let outcomes = recorded.await?;
        kept.limit(KEPT_MEMORY);
        drop(kept);
        for recorded in outcomes.iter().flatten() {
            self.metrics.round_recorded(&pool.name, recorded.duplicate);
        }
        Ok(outcomes)
    }

    /// Returns the groups of rounds for the pool's next transaction, without groups that nobody waits for. Returns
    /// `None` and removes the pool's queue if no group is left.
    fn next_batch(&self, pool: &PoolName) -> Option<Vec<Waiting>> {
        let mut queues = self.queues.lock();
        let queue = queues.get_mut(pool)?;
        let mut batch = Vec::new();
        let mut room = MAX_BATCH;
        while let Some(waiting) = queue.pop_front_if(|first| first.rounds.len() <= room) {
            if !waiting.answer.is_closed() {
                room -= waiting.rounds.len();
                batch.push(waiting);
            }
        }
        if batch.is_empty() {
            queues.remove(pool);
            return None;
        }
        Some(batch)
    }
}
