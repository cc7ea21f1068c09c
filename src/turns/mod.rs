//! Fair scheduling: clients take turns on a limited number of places, such as processors or database connections.

mod queue;
mod request;

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use queue::FairQueue;
pub(crate) use queue::{QueueLimits, Requester};

/// Time slice after which a computation gives up its processor or connection if others wait.
const SLICE: Duration = Duration::from_millis(20);

/// Longest time for which work waits for its first turn on a processor or connection.
const MAX_WAIT: Duration = Duration::from_secs(2);

/// Fair scheduler for a limited number of places, such as processors or connections. Neither long work nor many
/// requests of one client delay other clients for long.
#[derive(Clone, Debug)]
pub(crate) struct Scheduler {
    queue: Arc<Mutex<FairQueue<oneshot::Sender<()>>>>,
    longest_wait: Duration,
}

/// Right of one piece of work to take turns on a processor or connection, until this guard is dropped.
#[derive(Debug)]
pub(crate) struct Turn {
    turns: Scheduler,
    requester: Requester,
    number: u64,
    since: Instant,
}

/// Error for work that got no turn: the wait timed out, or the queue was full and this client had the most waiting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Crowded;

impl Scheduler {
    pub(crate) fn new(limits: QueueLimits) -> Self {
        Self {
            queue: Arc::new(Mutex::new(FairQueue::new(limits))),
            longest_wait: MAX_WAIT,
        }
    }

    /// Waits for the first turn of a piece of work on a processor or connection. Dropping the future leaves the queue.
    pub(crate) async fn begin(&self, requester: Requester) -> Result<Turn, Crowded> {
        let (wake, woken) = oneshot::channel();
        let number = self.queue.lock().enter(&requester, wake);
        let mut turn = Turn {
            turns: self.clone(),
            requester,
            number,
            since: Instant::now(),
        };
        self.wake_next();
        let Ok(Ok(())) = timeout(self.longest_wait, woken).await else {
            // Either the wait timed out, or the queue dropped the sender to make room.
            return Err(Crowded);
        };
        turn.since = Instant::now();
        Ok(turn)
    }

    fn wake_next(&self) {
        let mut queue = self.queue.lock();
        while let Some(wake) = queue.next() {
            // A receiver that is gone belongs to a dropped turn, which returns the place itself.
            let _gone = wake.send(());
        }
    }
}

impl Turn {
    /// Gives up the processor or connection if the time slice is used up and others wait. Blocks until the next turn.
    pub(crate) fn make_way(&mut self) {
        if self.since.elapsed() >= SLICE && self.turns.queue.lock().is_waited_for() {
            self.come_back();
        }
    }

    /// Frees the processor or connection for other work while `wait` runs, then blocks until this work gets its next
    /// turn on one.
    pub(crate) fn away<T>(&mut self, wait: impl FnOnce() -> T) -> T {
        self.turns.queue.lock().release(self.number);
        self.turns.wake_next();
        let done = wait();
        self.come_back();
        done
    }

    fn come_back(&mut self) {
        let (wake, woken) = oneshot::channel();
        let mut queue = self.turns.queue.lock();
        queue.come_back(&self.requester, self.number, wake);
        drop(queue);
        self.turns.wake_next();
        // Work that has begun is never evicted from the queue, so the wake-up always comes.
        let _woken = woken.blocking_recv();
        self.since = Instant::now();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.turns.queue.lock().leave(&self.requester, self.number);
        self.turns.wake_next();
    }
}

#[cfg(test)]
mod tests {
    use tokio::task::spawn_blocking;

    use super::*;
    use crate::domain::Fingerprint;

    const LIMITS: QueueLimits = QueueLimits {
        places: 1,
        waiting: 4,
        begun: 4,
        begun_of_client: 2,
        begun_of_lane: 2,
    };

    fn requester(client: u8) -> Requester {
        Requester::new(Fingerprint::new([client; 4]), "lane")
    }

    #[tokio::test]
    async fn a_place_comes_back_however_its_computation_ends() {
        let turns = Scheduler::new(LIMITS);
        let turn = turns.begin(requester(1)).await.unwrap();
        let waits = tokio::spawn({
            let turns = turns.clone();
            async move { turns.begin(requester(2)).await }
        });
        tokio::task::yield_now().await;
        waits.abort();
        assert!(waits.await.unwrap_err().is_cancelled());
        let panics = spawn_blocking(move || {
            let _turn = turn;
            panic!("as a computation could");
        });
        assert!(panics.await.unwrap_err().is_panic());
        drop(turns.begin(requester(3)).await.unwrap());
        assert!(turns.begin(requester(1)).await.is_ok());
    }

    #[tokio::test]
    async fn who_waits_too_long_is_refused_and_leaves_the_queue() {
        let turns = Scheduler {
            longest_wait: Duration::ZERO,
            ..Scheduler::new(LIMITS)
        };
        let held = turns.begin(requester(1)).await.unwrap();
        assert_eq!(turns.begin(requester(2)).await.unwrap_err(), Crowded);
        drop(held);
        assert!(turns.begin(requester(3)).await.is_ok());
    }

    #[tokio::test]
    async fn a_computation_makes_way_for_another_client_and_goes_on_behind_it() {
        let turns = Scheduler::new(LIMITS);
        let mut long = turns.begin(requester(1)).await.unwrap();
        let next = tokio::spawn({
            let turns = turns.clone();
            async move { turns.begin(requester(2)).await }
        });
        tokio::task::yield_now().await;
        let long = spawn_blocking(move || {
            long.since = Instant::now().checked_sub(SLICE).unwrap();
            long.make_way();
            long
        });
        let next = next.await.unwrap().unwrap();
        assert!(!long.is_finished(), "the only place is taken");
        drop(next);
        drop(long.await.unwrap());
        assert!(turns.begin(requester(3)).await.is_ok());
    }
}
