use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use tokio::time::timeout;

use super::record_round::{OnRefusal, Outcomes, Recorded, record};
use super::{Pool, ServiceError};
use crate::clock::Clock;
use crate::domain::{PoolName, Round};
use crate::store::{Store, StoreError};

/// The most rounds that one transaction counts.
const MAX_BATCH: usize = 64;
/// The most rounds of one pool that wait; beyond it the service says that it is busy.
const MAX_WAITING: usize = 1024;

/// Counts rounds in groups: those that arrive while a pool's transaction runs wait and share the
/// next one.
///
/// # Design
/// A pool's rounds must follow one another, so each alone would pay for a whole commit. Sharing
/// transactions makes the cost of a commit shrink as load grows, and adds no wait when there is
/// none. A pool has one transaction at a time on each instance; between instances the lock on the
/// pool's row decides the order. A round is answered only after its transaction is committed.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    store: Store,
    clock: Clock,
    queues: Arc<Mutex<HashMap<PoolName, VecDeque<Waiting>>>>,
}

/// A round that waits, and who waits for it.
#[derive(Debug)]
struct Waiting {
    round: Round,
    answer: oneshot::Sender<Result<Recorded, ServiceError>>,
}

impl Recorder {
    pub(super) fn new(store: Store, clock: Clock) -> Self {
        Self {
            store,
            clock,
            queues: Arc::default(),
        }
    }

    pub(super) async fn record(
        &self,
        pool: Arc<Pool>,
        round: Round,
    ) -> Result<Recorded, ServiceError> {
        let (answer, answered) = oneshot::channel();
        let waiting = Waiting { round, answer };
        // A queue is there exactly while somebody works on it.
        let idle = {
            let mut queues = self.queues();
            match queues.get_mut(&pool.name) {
                Some(queue) if queue.len() >= MAX_WAITING => return Err(ServiceError::Busy),
                Some(queue) => {
                    queue.push_back(waiting);
                    false
                }
                None => {
                    queues.insert(pool.name.clone(), VecDeque::from([waiting]));
                    true
                }
            }
        };
        if idle {
            tokio::spawn(self.clone().work(pool));
        }
        let answered = async {
            // No answer means that the counting task died.
            answered
                .await
                .unwrap_or_else(|died| Err(ServiceError::internal(died)))
        };
        // The rounds ahead may use the patience up before this one has its turn.
        match self.store.patience() {
            Some(patience) => timeout(patience, answered)
                .await
                .unwrap_or_else(|_| Err(StoreError::TimedOut.into())),
            None => answered.await,
        }
    }

    /// Counts what waits for `pool` until nothing does.
    async fn work(self, pool: Arc<Pool>) {
        // Should this task die, the queue goes with it, so that the next round starts another.
        let _queue = Queue {
            recorder: &self,
            pool: &pool.name,
        };
        while let Some(batch) = self.next_batch(&pool.name) {
            let (rounds, answers): (Vec<_>, Vec<_>) = batch
                .into_iter()
                .map(|waiting| (waiting.round, waiting.answer))
                .unzip();
            let outcomes = self.count(&pool, &rounds).await;
            for (answer, outcome) in answers.into_iter().zip(outcomes) {
                // Who no longer waits will ask again and be told of a duplicate.
                let _gone = answer.send(outcome);
            }
        }
    }

    async fn count(&self, pool: &Pool, rounds: &[Round]) -> Outcomes {
        match self.count_together(pool, rounds).await {
            Ok(outcomes) => outcomes,
            // One round that cannot be counted must not take the others with it.
            Err(ServiceError::Internal(_)) if rounds.len() > 1 => {
                let mut outcomes = Vec::with_capacity(rounds.len());
                for round in rounds {
                    let alone = self.count_together(pool, std::slice::from_ref(round)).await;
                    match alone {
                        Ok(outcome) => outcomes.extend(outcome),
                        Err(error) => outcomes.push(Err(error)),
                    }
                }
                outcomes
            }
            Err(error) => rounds.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    async fn count_together(
        &self,
        pool: &Pool,
        rounds: &[Round],
    ) -> Result<Outcomes, ServiceError> {
        let now = self.clock.now();
        Ok(record(&self.store, pool, rounds, now, OnRefusal::GoOn).await?)
    }

    /// The rounds of the next transaction, without those that nobody waits for any more; `None`,
    /// and the queue gone, where there are none.
    fn next_batch(&self, pool: &PoolName) -> Option<Vec<Waiting>> {
        let mut queues = self.queues();
        let queue = queues.get_mut(pool)?;
        let mut batch = Vec::new();
        while batch.len() < MAX_BATCH
            && let Some(waiting) = queue.pop_front()
        {
            if !waiting.answer.is_closed() {
                batch.push(waiting);
            }
        }
        if batch.is_empty() {
            queues.remove(pool);
            return None;
        }
        Some(batch)
    }

    fn queues(&self) -> MutexGuard<'_, HashMap<PoolName, VecDeque<Waiting>>> {
        // No code that could panic runs under the lock.
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Removes a pool's queue when the task that works on it ends, however it ends.
struct Queue<'task> {
    recorder: &'task Recorder,
    pool: &'task PoolName,
}

impl Drop for Queue<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.recorder.queues().remove(self.pool);
        }
    }
}
