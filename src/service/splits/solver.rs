use std::any::Any;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::memory::TableMemory;
use crate::domain::SplitMethod;
use crate::metrics::Metrics;
use crate::partition::{Host, Limits, Pool, SplitTable, Wishes, solve_sharing};
use crate::service::ServiceError;

/// Questions that may wait for each one that is being solved: as many as come at once where many
/// rounds end together. Almost all take a few milliseconds.
const WAITING_PER_RUNNING: usize = 64;
/// How long one waits for its turn, where those before it are of the few that take long.
const LONGEST_WAIT: Duration = Duration::from_secs(2);
/// The most tables that are cached.
const MAX_TABLES: usize = 256;
/// The most seats that the cached tables have together, some megabytes: enough for as many tables as
/// may be cached of 40 players each.
const MAX_SEATS: u64 = 1 << 18;

/// Everything that a table of splits depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// The players, each with the rating that counts.
    pub(crate) pool: Pool,
    /// What is wished.
    pub(crate) wishes: Wishes,
}

/// Answers questions for splits, each computed once and cached while there is room.
///
/// # Design
/// A table is a function of its question alone, and the question holds the ratings: so nothing
/// ever needs to be thrown away because it is out of date, and a changed rating is another
/// question. Whoever asks while an equal question is being solved waits for that answer; should it
/// fail or its request be cancelled, the next one in line solves it.
///
/// Solving is all computation, so it stays off the threads that answer requests, and is bounded:
/// some solve, a few wait, the rest are refused. A question whose answer is cached needs no
/// place among them. The tables of those that solve share one budget of memory. A computation that
/// waits for its part of it keeps its place among those that solve, so that at most as many threads wait
/// as may solve.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    known: Arc<KnownTables>,
    admitted: Arc<Semaphore>,
    running: Arc<Semaphore>,
    memory: TableMemory,
    computed: Arc<AtomicU64>,
    metrics: Metrics,
    longest_wait: Duration,
}

impl Solver {
    /// A solver that uses half of the processors, and as much memory as a computation may by default.
    pub(crate) fn new(metrics: Metrics) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, NonZero::get);
        let running = (processors / 2).max(1);
        Self {
            known: Arc::new(empty_cache()),
            admitted: admitted(running),
            running: Arc::new(Semaphore::new(running)),
            memory: TableMemory::new(Limits::default().memory),
            computed: Arc::default(),
            metrics,
            longest_wait: LONGEST_WAIT,
        }
    }

    /// A solver that knows the same answers and solves up to `running` questions at once.
    pub(crate) fn with_running(&self, running: usize) -> Self {
        Self {
            admitted: admitted(running),
            running: Arc::new(Semaphore::new(running)),
            ..self.clone()
        }
    }

    /// A solver whose computations take up to `bytes` of tables together. It knows no answers yet, because
    /// they depend on that.
    pub(crate) fn with_memory(&self, bytes: u64) -> Self {
        Self {
            known: Arc::new(empty_cache()),
            memory: TableMemory::new(bytes),
            ..self.clone()
        }
    }

    /// How many tables have been computed.
    pub(crate) fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// The splits that answer `question`.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] where they are not known and too many others wait.
    pub(crate) async fn solve(&self, question: Question) -> Result<Arc<SplitTable>, ServiceError> {
        let question = Arc::new(question);
        let computing = self.compute(Arc::clone(&question));
        self.known.get_or_insert_async(&question, computing).await
    }

    async fn compute(&self, question: Arc<Question>) -> Result<Arc<SplitTable>, ServiceError> {
        let _admitted = self
            .admitted
            .try_acquire()
            .map_err(|_| ServiceError::Busy)?;
        let turn = Arc::clone(&self.running).acquire_owned();
        // Too late, or never, since there are no places.
        let Ok(Ok(running)) = timeout(self.longest_wait, turn).await else {
            return Err(ServiceError::Busy);
        };
        self.computed.fetch_add(1, Ordering::Relaxed);
        let metrics = self.metrics.clone();
        let unwanted = CancellationToken::new();
        let _while_wanted = unwanted.clone().drop_guard();
        let limits = Limits {
            memory: self.memory.capacity,
            ..Limits::default()
        };
        let host = SharedMachine {
            memory: self.memory.clone(),
            unwanted,
            runtime: Handle::current(),
        };
        let solving = tokio::task::spawn_blocking(move || {
            // Held here, because the computation goes on for a moment where nobody waits for it any more.
            let _running = running;
            let began = Instant::now();
            let table = solve_sharing(&question.pool, &question.wishes, &limits, &host)?;
            metrics.splits_computed(method(&table), began.elapsed());
            Some(table)
        });
        let solved = solving.await.map_err(ServiceError::internal)?;
        // Nobody reads this where they are no longer wanted.
        solved.map(Arc::new).ok_or(ServiceError::Busy)
    }
}

/// What a computation has of the machine, next to others.
struct SharedMachine {
    memory: TableMemory,
    /// Cancelled once nobody waits for the answer.
    unwanted: CancellationToken,
    runtime: Handle,
}

impl Host for SharedMachine {
    fn reserve(&self, bytes: u64) -> Box<dyn Any> {
        let reserving = self
            .unwanted
            .run_until_cancelled(self.memory.reserve(bytes));
        Box::new(self.runtime.block_on(reserving))
    }

    fn is_wanted(&self) -> bool {
        !self.unwanted.is_cancelled()
    }
}

/// The cache of tables.
type KnownTables = Cache<Arc<Question>, Arc<SplitTable>, Seats>;

/// A cache that admits every new table, and for it evicts the oldest of those that were asked for once.
///
/// There is one shard, because the capacity is divided among the shards, and a large table exceeds the
/// share of one of many. Tables that were asked for again get at most half of the capacity: the default
/// share is so large that what is left is less than one table, and a new one would be evicted at once.
fn empty_cache() -> KnownTables {
    let mut options = OptionsBuilder::new();
    options
        .shards(1)
        .hot_allocation(0.5)
        .estimated_items_capacity(MAX_TABLES)
        .weight_capacity(MAX_SEATS);
    #[expect(clippy::expect_used, reason = "only a missing capacity is an error")]
    let options = options.build().expect("both capacities are set");
    let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
    Cache::with_options(options, Seats, hasher, lifecycle)
}

/// Places for as many questions as may be solved or wait for that, where `running` are solved at once.
fn admitted(running: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(running * (1 + WAITING_PER_RUNNING)))
}

/// How the whole of `table` was found.
fn method(table: &SplitTable) -> SplitMethod {
    let mut splits = table.splits.iter().chain(&table.alternatives);
    if splits.all(|split| split.method == SplitMethod::Exact) {
        SplitMethod::Exact
    } else {
        SplitMethod::Greedy
    }
}

/// Weighs a table by the seats that it gives out, and so that no more than so many have room.
#[derive(Clone, Copy, Debug)]
struct Seats;

impl Weighter<Arc<Question>, Arc<SplitTable>> for Seats {
    fn weight(&self, question: &Arc<Question>, table: &Arc<SplitTable>) -> u64 {
        let splits = table.splits.len() + table.alternatives.len();
        let seats = (splits * question.pool.len()) as u64;
        seats.max(MAX_SEATS / MAX_TABLES as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{PlayerId, Rating};
    use crate::partition::Candidate;

    /// A question about four players, the first of them with `points`.
    fn question(points: i32) -> Question {
        question_of(4, points)
    }

    /// A question about `players`, the first of them with `points` and all others with 1000.
    fn question_of(players: u64, points: i32) -> Question {
        let candidate = |account: u64| Candidate {
            id: PlayerId::from_steam_id64(76_561_197_960_265_728 + account).unwrap(),
            rating: Rating::new(if account == 1 { points } else { 1000 }).unwrap(),
        };
        Question {
            pool: Pool::new((1..=players).map(candidate)).unwrap(),
            wishes: Wishes::default(),
        }
    }

    fn solver(running: usize) -> Solver {
        Solver::new(Metrics::new("test")).with_running(running)
    }

    #[tokio::test]
    async fn who_leaves_leaves_the_question_to_the_next() {
        let solver = solver(1);
        let held = Arc::clone(&solver.running).try_acquire_owned().unwrap();
        let ask = || Box::pin(solver.solve(question(1000)));
        let (mut leaves, mut next) = (ask(), ask());
        for asked in [&mut leaves, &mut next] {
            let polled = timeout(Duration::ZERO, asked).await;
            assert!(polled.is_err(), "there is no place to solve in");
        }
        drop((leaves, held));
        assert_eq!(next.await.unwrap().splits.len(), 1);
        assert_eq!(solver.computed(), 1);
    }

    #[tokio::test]
    async fn beyond_the_places_nobody_is_let_in_but_for_what_is_known() {
        let solver = solver(2);
        solver.solve(question(1000)).await.unwrap();
        let places = u32::try_from(2 * (1 + WAITING_PER_RUNNING)).unwrap();
        let taken = solver.admitted.try_acquire_many(places).unwrap();
        let turned_away = solver.solve(question(1100)).await;
        assert!(matches!(turned_away, Err(ServiceError::Busy)));
        assert_eq!(solver.solve(question(1000)).await.unwrap().splits.len(), 1);
        assert_eq!(solver.computed(), 1);
        // What was refused is computed once there is room.
        drop(taken);
        assert_eq!(solver.solve(question(1100)).await.unwrap().splits.len(), 1);
        assert_eq!(solver.computed(), 2);
    }

    #[tokio::test]
    async fn who_waits_too_long_for_a_turn_is_refused() {
        let solver = Solver {
            longest_wait: Duration::from_millis(20),
            ..solver(1)
        };
        let held = Arc::clone(&solver.running).try_acquire_owned().unwrap();
        let turned_away = solver.solve(question(1000)).await;
        assert!(matches!(turned_away, Err(ServiceError::Busy)));
        drop(held);
        assert_eq!(solver.solve(question(1000)).await.unwrap().splits.len(), 1);
    }

    #[tokio::test]
    async fn a_new_table_is_cached_and_many_do_not_fill_the_memory() {
        let solver = solver(1);
        // Some of the others are asked for again and again.
        for points in 0..320 {
            for points in [points, points % 8] {
                let players = 4 + 8 * u64::try_from(points % 4).unwrap();
                solver.solve(question_of(players, points)).await.unwrap();
            }
        }
        let cached = solver.known.len();
        assert!((1..=MAX_TABLES).contains(&cached), "{cached} are cached");
        for players in [6, 64, 100, 128] {
            let before = solver.computed();
            for _ in 0..2 {
                solver.solve(question_of(players, 999)).await.unwrap();
            }
            assert_eq!(solver.computed() - before, 1, "{players} players");
        }
        assert!(solver.known.weight() <= MAX_SEATS);
    }
}
