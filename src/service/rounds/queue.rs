use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::end_time::Taken;
use super::transaction::{ImportedRound, OnRefusal, Outcomes, record};
use crate::clock::Clock;
use crate::domain::{Fingerprint, PoolName, Report};
use crate::metrics::Metrics;
use crate::service::pools::CurrentPools;
use crate::service::{Pool, ServiceError};
use crate::store::{Store, StoreError};

/// The most rounds that one transaction counts, and the most that wait together.
pub(crate) const MAX_BATCH: usize = 64;
/// The most rounds of one pool that wait; beyond it the service is busy.
const MAX_WAITING: usize = 1024;
/// What the players of a pool may come to take who are kept from one transaction to the next, in bytes, about.
const KEPT_MEMORY: u64 = 32 << 20;

/// Counts rounds in groups: those that arrive while a pool's transaction runs wait and share the
/// next one.
///
/// # Design
/// A pool's rounds must follow one another, so each alone would pay for a whole commit. Two ways
/// lead out: to lock only the players concerned, or to group what waits into one transaction.
/// Grouping was chosen: sharing transactions makes the cost of a commit shrink as load grows, and
/// adds no wait when there is none, while rounds of one pool do meet in their players, and always
/// in the pool's figures.
///
/// It equals a serial order, that of the log: a transaction locks the pool's row before it reads
/// anything, so that one is committed before the next of that pool reads, on whichever instance;
/// within it each round is rated in memory by what the one before it left. What a transaction leaves in memory
/// serves the next only while the pool's row is as it was left. Rounds of one request stay together and in their order.
/// A round is answered only after its transaction is committed.
#[derive(Clone, Debug)]
pub(crate) struct RoundQueue {
    store: Store,
    clock: Clock,
    pools: CurrentPools,
    metrics: Metrics,
    queues: Arc<Mutex<HashMap<PoolName, Queue>>>,
    traffic: Traffic,
}

/// What waits for one pool's next transactions.
type Queue = VecDeque<Waiting>;

/// Rounds that wait to be counted in one transaction, in their order, and who waits for them.
#[derive(Debug)]
struct Waiting {
    rounds: Vec<Report>,
    secret: Option<Fingerprint>,
    answer: oneshot::Sender<Outcomes>,
}

/// How many rounds wait in `queue`.
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
            traffic: Traffic::default(),
        }
    }

    /// Whether rounds came lately.
    pub(crate) fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// How many rounds of `pool` wait for a transaction.
    pub(crate) fn waiting(&self, pool: &PoolName) -> usize {
        self.queues().get(pool).map_or(0, count_rounds)
    }

    /// Counts `rounds` of `pool`, 1 to [`MAX_BATCH`], in their order and in one transaction, as sent with `secret`,
    /// and answers what became of each.
    ///
    /// # Errors
    /// What concerns all of them: too many rounds wait.
    pub(crate) async fn record_together(
        &self,
        pool: Arc<Pool>,
        rounds: Vec<Report>,
        secret: Option<Fingerprint>,
    ) -> Result<Outcomes, ServiceError> {
        self.traffic.note(Instant::now());
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting {
            rounds,
            secret,
            answer,
        };
        // A queue is there exactly while somebody works on it.
        let idle = {
            let mut queues = self.queues();
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
        // No answer means that the counting task died.
        let answered = async { answered.await.map_err(ServiceError::internal) };
        // The rounds ahead may use the timeout up before this one has its turn.
        match self.store.timeout() {
            Some(limit) => timeout(limit, answered)
                .await
                .unwrap_or_else(|_| Err(StoreError::TimedOut.into())),
            None => answered.await,
        }
    }

    /// Counts what waits for `pool` until nothing does.
    async fn work(self, pool: Arc<Pool>) {
        // Should this task die, the queue goes with it, so that the next round starts another.
        let _task = Task {
            queue: &self,
            pool: &pool.name,
        };
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
                // A client that no longer waits will send again, and get a duplicate.
                let _gone = answer.send(outcomes.by_ref().take(count).collect());
            }
        }
    }

    async fn count(&self, pool: &Pool, rounds: &[ImportedRound]) -> Outcomes {
        match self.count_together(pool, rounds).await {
            Ok(outcomes) => outcomes,
            // One round that cannot be counted must not take the others with it.
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
                // What stands behind a round that will be sent again must not overtake it.
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
        let taken = Taken::FromGameServer {
            at: self.clock.now(),
            steady: self.clock.steady(),
            max_age: self.pools.now().max_round_age,
        };
        // Nobody else waits for it: the rounds of a pool have one task.
        let mut kept = pool.kept_players.lock().await;
        let recorded = record(&self.store, pool, rounds, taken, OnRefusal::GoOn, &mut kept);
        let outcomes = recorded.await?;
        kept.limit(KEPT_MEMORY);
        drop(kept);
        for recorded in outcomes.iter().flatten() {
            self.metrics.round_recorded(&pool.name, recorded.duplicate);
        }
        Ok(outcomes)
    }

    /// The rounds of the next transaction, without those that nobody waits for any more; `None`,
    /// and the queue gone, where there are none.
    fn next_batch(&self, pool: &PoolName) -> Option<Vec<Waiting>> {
        let mut queues = self.queues();
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

    fn queues(&self) -> MutexGuard<'_, HashMap<PoolName, Queue>> {
        // No code that could panic runs under the lock.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a pool's queue when the task that works on it ends, however it ends.
struct Task<'task> {
    queue: &'task RoundQueue,
    pool: &'task PoolName,
}

impl Drop for Task<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.queue.queues().remove(self.pool);
        }
    }
}

/// For how long after a round others are expected: one server plays few, many servers play one after the other.
const EXPECTED: Duration = Duration::from_secs(10);

/// Whether rounds are sent to this process, of whichever pool.
#[derive(Clone, Debug, Default)]
pub(crate) struct Traffic {
    /// When the last round came.
    last: Arc<Mutex<Option<Instant>>>,
}

impl Traffic {
    /// Notes that a round came at `now`.
    pub(crate) fn note(&self, now: Instant) {
        // No code that could panic runs under the lock.
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
    }

    /// Whether a round came within the ten seconds before `now`.
    pub(crate) fn is_recent(&self, now: Instant) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.is_some_and(|last| now.saturating_duration_since(last) < EXPECTED)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_are_expected_for_ten_seconds_after_a_round() {
        let traffic = Traffic::default();
        let came = Instant::now();
        assert!(!traffic.is_recent(came), "none has come");
        traffic.note(came);
        assert!(traffic.is_recent(came));
        let end = came + Duration::from_secs(10);
        assert!(traffic.is_recent(end.checked_sub(Duration::from_micros(1)).unwrap()));
        assert!(!traffic.is_recent(end));
    }
}
