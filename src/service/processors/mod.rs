//! Processors and memory shared by the computations of all clients: splits, balance and matches.

mod memory;

use std::any::Any;
use std::cell::RefCell;
use std::num::NonZero;

use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;

use crate::domain::Fingerprint;
use crate::partition::{Host, Limits};
use crate::service::ServiceError;
use crate::turns::{QueueLimits, Requester, Scheduler, Turn};
use memory::TableMemory;

/// Maximum number of waiting computations (of splits, balance and matches) per running one: enough if many rounds end
/// together. Almost all computations take a few milliseconds.
const WAITING_PER_RUNNING: usize = 64;
/// Maximum number of begun computations of splits, balance and matches, per computation that may run at once. Begun
/// ones run or are interrupted. Each takes a thread and some megabytes of memory besides its tables. Together they take
/// at most half of the runtime's threads, because a begun computation without a thread would block its processor
/// forever.
const BEGUN_PER_RUNNING: usize = 16;
const MAX_BEGUN: usize = 256;
/// Divisors: one client may have a quarter of the begun computations, and one of its lanes (servers) half of that.
const CLIENTS: usize = 4;
const LANES: usize = 2;

/// Runs the computations of splits, balance and matches for all clients, off the threads that answer requests.
///
/// # Design
/// Some computations run, a few wait, and further ones are refused. Clients take turns of a few milliseconds each
/// ([`Scheduler`]), so nobody waits for the end of another client's long computation. All tables share one memory
/// budget ([`TableMemory`]). A computation is cancelled if nobody waits for its result any longer.
#[derive(Clone, Debug)]
pub(crate) struct Processors {
    turns: Scheduler,
    memory: TableMemory,
}

impl Processors {
    /// Creates a scheduler of computations for half of the processors (at least one) with the default memory budget.
    pub(crate) fn new() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            turns: turns((processors / 2).max(1)),
            memory: TableMemory::new(Limits::default().memory),
        }
    }

    pub(crate) fn with_running(mut self, running: usize) -> Self {
        self.turns = turns(running);
        self
    }

    pub(crate) fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = TableMemory::new(bytes);
        self
    }

    pub(crate) fn most_memory(&self) -> u64 {
        self.memory.most()
    }

    /// Runs `computation` in the turns (time slices) of the client `requester`. The computation should regularly ask
    /// its host whether to continue: dropping the future cancels it.
    ///
    /// # Errors
    /// Returns [`ServiceError::Busy`] if too many computations wait, or this one has waited for too long.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        requester: Requester,
        computation: impl FnOnce(&dyn Host) -> T + Send + 'static,
    ) -> Result<T, ServiceError> {
        let client = requester.client;
        let turn = self.turns.begin(requester).await?;
        let unwanted = CancellationToken::new();
        let _while_wanted = unwanted.clone().drop_guard();
        let host = SharedMachine {
            turn: RefCell::new(turn),
            memory: self.memory.clone(),
            client,
            unwanted,
            runtime: Handle::current(),
        };
        let computing = tokio::task::spawn_blocking(move || computation(&host));
        computing.await.map_err(ServiceError::internal)
    }
}

struct SharedMachine {
    turn: RefCell<Turn>,
    memory: TableMemory,
    client: Fingerprint,
    /// Token that is cancelled once nobody waits for the result of the computation.
    unwanted: CancellationToken,
    runtime: Handle,
}

impl Host for SharedMachine {
    fn reserve(&self, bytes: u64) -> Box<dyn Any> {
        if let Some(reserved) = self.memory.try_reserve(bytes) {
            return Box::new(reserved);
        }
        let reserving = self
            .unwanted
            .run_until_cancelled(self.memory.reserve(bytes, self.client));
        let mut turn = self.turn.borrow_mut();
        Box::new(turn.away(|| self.runtime.block_on(reserving)))
    }

    fn is_wanted(&self) -> bool {
        if !self.unwanted.is_cancelled() {
            self.turn.borrow_mut().make_way();
        }
        !self.unwanted.is_cancelled()
    }
}

fn turns(running: usize) -> Scheduler {
    let begun = (running * BEGUN_PER_RUNNING).min(MAX_BEGUN);
    Scheduler::new(QueueLimits {
        places: running,
        waiting: running * WAITING_PER_RUNNING,
        begun,
        begun_of_client: begun / CLIENTS,
        begun_of_lane: begun / CLIENTS / LANES,
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    pub(crate) fn requester(client: u8) -> Requester {
        Requester::new(Fingerprint::new([client; 4]), "lane")
    }

    /// Occupies the place of one running computation until the result is dropped.
    pub(crate) async fn held(processors: &Processors) -> Turn {
        processors.turns.begin(requester(0)).await.unwrap()
    }

    #[tokio::test]
    async fn beyond_the_places_of_its_client_nobody_is_let_in() {
        let processors = Processors::new().with_running(1);
        let held = held(&processors).await;
        let mut waiting: Vec<_> = (0..WAITING_PER_RUNNING)
            .map(|_| Box::pin(processors.compute(requester(1), |_| ())))
            .collect();
        for one in &mut waiting {
            assert!(timeout(Duration::ZERO, one).await.is_err());
        }
        let turned_away = processors.compute(requester(1), |_| ()).await;
        assert!(matches!(turned_away, Err(ServiceError::Busy)));
        // Another client gets its share of the places before the waiting computations of the first one.
        let mut other = Box::pin(processors.compute(requester(2), |_| ()));
        assert!(timeout(Duration::ZERO, &mut other).await.is_err());
        let first = waiting.remove(0);
        drop(held);
        first.await.unwrap();
        other.await.unwrap();
        drop(waiting);
        processors.compute(requester(1), |_| ()).await.unwrap();
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_computation_that_waits_for_memory_holds_up_nobody_and_ends_when_it_is_unwanted() {
        let processors = Processors::new().with_running(1);
        let bytes = processors.most_memory();
        let _all = processors.memory.try_reserve(bytes).unwrap();
        let unwanted = CancellationToken::new();
        let host = SharedMachine {
            turn: RefCell::new(held(&processors).await),
            memory: processors.memory.clone(),
            client: requester(1).client,
            unwanted: unwanted.clone(),
            runtime: Handle::current(),
        };
        let waiting = tokio::task::spawn_blocking(move || {
            let _reserved = host.reserve(bytes);
            host.is_wanted()
        });
        processors.compute(requester(1), |_| ()).await.unwrap();
        unwanted.cancel();
        assert!(!waiting.await.unwrap());
        drop(held(&processors).await);
    }
}
