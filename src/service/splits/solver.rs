use std::any::Any;
use std::cell::RefCell;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::memory::TableMemory;
use super::queue::{Asker, Caps};
use super::turns::{Turn, Turns};
use crate::domain::{Fingerprint, SplitMethod};
use crate::metrics::Metrics;
use crate::partition::{Host, Limits, Pool, SplitTable, Wishes, solve_sharing};
use crate::service::ServiceError;

/// Questions that may wait for each one that is being solved: as many as come at once where many
/// rounds end together. Almost all take a few milliseconds.
const WAITING_PER_RUNNING: usize = 64;
/// Computations that may have begun for each one that runs: each takes a thread and some megabytes of plans
/// besides its tables. Together they take half of the runtime's threads at most, since one that has begun
/// and has no thread would keep its place for ever.
const BEGUN_PER_RUNNING: usize = 16;
const MOST_BEGUN: usize = 256;
/// Of these one client may have a quarter, and one of its servers half of that.
const CLIENTS: usize = 4;
const SERVERS: usize = 2;
/// How long one waits for its first turn.
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
/// place among them. Those that solve and those that wait take turns by who asks ([`Turns`]), a few
/// milliseconds each, so that nobody has to wait until somebody else's long computation ends. Their tables
/// share one budget of memory ([`TableMemory`]). Where nobody waits for an answer any more, its computation
/// is given up.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    known: Arc<KnownTables>,
    turns: Turns,
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
            turns: turns(running),
            memory: TableMemory::new(Limits::default().memory),
            computed: Arc::default(),
            metrics,
            longest_wait: LONGEST_WAIT,
        }
    }

    /// A solver that knows the same answers and solves up to `running` questions at once.
    pub(crate) fn with_running(&self, running: usize) -> Self {
        Self {
            turns: turns(running),
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

    /// The splits that answer `question`, which `asker` asks.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] where they are not known and too many others wait.
    pub(crate) async fn solve(
        &self,
        question: Question,
        asker: Asker,
    ) -> Result<Arc<SplitTable>, ServiceError> {
        let question = Arc::new(question);
        let computing = self.compute(Arc::clone(&question), asker);
        self.known.get_or_insert_async(&question, computing).await
    }

    async fn compute(
        &self,
        question: Arc<Question>,
        asker: Asker,
    ) -> Result<Arc<SplitTable>, ServiceError> {
        let client = asker.client;
        let Ok(Ok(turn)) = timeout(self.longest_wait, self.turns.begin(asker)).await else {
            return Err(ServiceError::Busy);
        };
        self.computed.fetch_add(1, Ordering::Relaxed);
        let metrics = self.metrics.clone();
        let unwanted = CancellationToken::new();
        let _while_wanted = unwanted.clone().drop_guard();
        let limits = Limits {
            memory: self.memory.most(),
            ..Limits::default()
        };
        let host = SharedMachine {
            turn: RefCell::new(turn),
            memory: self.memory.clone(),
            client,
            unwanted,
            runtime: Handle::current(),
        };
        let solving = tokio::task::spawn_blocking(move || {
            let began = Instant::now();
            let table = solve_sharing(&question.pool, &question.wishes, &limits, &host);
            match &table {
                Some(table) => metrics.splits_computed(method(table), began.elapsed()),
                None => metrics.splits_abandoned(),
            }
            table
        });
        let solved = solving.await.map_err(ServiceError::internal)?;
        // Nobody reads this where they are no longer wanted.
        solved.map(Arc::new).ok_or(ServiceError::Busy)
    }
}

/// What a computation has of the machine, next to others.
struct SharedMachine {
    turn: RefCell<Turn>,
    memory: TableMemory,
    client: Fingerprint,
    /// Cancelled once nobody waits for the answer.
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

/// Turns for as many questions as may be solved or wait for that, where `running` are solved at once.
fn turns(running: usize) -> Turns {
    let begun = (running * BEGUN_PER_RUNNING).min(MOST_BEGUN);
    Turns::new(Caps {
        places: running,
        waiting: running * WAITING_PER_RUNNING,
        begun,
        begun_of_client: begun / CLIENTS,
        begun_of_server: begun / CLIENTS / SERVERS,
    })
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
    use crate::domain::{Fingerprint, PlayerId, Rating, Timestamp};
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
        Solver::new(Metrics::new("test", Timestamp::UNIX_EPOCH)).with_running(running)
    }

    fn asker(client: u8) -> Asker {
        Asker {
            client: Fingerprint::new([client; 4]),
            server: "s".parse().unwrap(),
        }
    }

    /// The only place to solve in.
    async fn hold(solver: &Solver) -> Turn {
        solver.turns.begin(asker(0)).await.unwrap()
    }

    #[tokio::test]
    async fn who_leaves_leaves_the_question_to_the_next() {
        let solver = solver(1);
        let held = hold(&solver).await;
        let ask = || Box::pin(solver.solve(question(1000), asker(1)));
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
    async fn beyond_the_places_of_its_client_nobody_is_let_in_but_for_what_is_known() {
        let solver = solver(1);
        solver.solve(question(1000), asker(1)).await.unwrap();
        let held = hold(&solver).await;
        let mut waiting: Vec<_> = (0..WAITING_PER_RUNNING)
            .map(|_| Box::pin(solver.turns.begin(asker(1))))
            .collect();
        for one in &mut waiting {
            assert!(timeout(Duration::ZERO, one).await.is_err());
        }
        let turned_away = solver.solve(question(1100), asker(1)).await;
        assert!(matches!(turned_away, Err(ServiceError::Busy)));
        let known = solver.solve(question(1000), asker(1)).await;
        assert_eq!(known.unwrap().splits.len(), 1);
        // Another client has its share of the places.
        let mut other = Box::pin(solver.solve(question(1100), asker(2)));
        assert!(timeout(Duration::ZERO, &mut other).await.is_err());
        assert_eq!(solver.computed(), 1);
        // What was refused is computed once there is room.
        drop((held, waiting));
        assert_eq!(other.await.unwrap().splits.len(), 1);
        let again = solver.solve(question(1200), asker(1)).await;
        assert_eq!(again.unwrap().splits.len(), 1);
        assert_eq!(solver.computed(), 3);
    }

    #[tokio::test]
    async fn who_waits_too_long_for_a_turn_is_refused() {
        let solver = Solver {
            longest_wait: Duration::from_millis(20),
            ..solver(1)
        };
        let held = hold(&solver).await;
        let turned_away = solver.solve(question(1000), asker(1)).await;
        assert!(matches!(turned_away, Err(ServiceError::Busy)));
        drop(held);
        let table = solver.solve(question(1000), asker(1)).await;
        assert_eq!(table.unwrap().splits.len(), 1);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_computation_that_waits_for_memory_holds_up_nobody_and_ends_when_it_is_unwanted() {
        let solver = solver(1);
        let bytes = solver.memory.most();
        let _all = solver.memory.try_reserve(bytes).unwrap();
        let unwanted = CancellationToken::new();
        let host = SharedMachine {
            turn: RefCell::new(hold(&solver).await),
            memory: solver.memory.clone(),
            client: asker(1).client,
            unwanted: unwanted.clone(),
            runtime: Handle::current(),
        };
        let waiting = tokio::task::spawn_blocking(move || {
            let _reserved = host.reserve(bytes);
            host.is_wanted()
        });
        let table = solver.solve(question(1000), asker(1)).await;
        assert_eq!(table.unwrap().splits.len(), 1);
        unwanted.cancel();
        assert!(!waiting.await.unwrap());
        drop(hold(&solver).await);
    }

    #[tokio::test]
    async fn a_new_table_is_cached_and_many_do_not_fill_the_memory() {
        let solver = solver(1);
        // Some of the others are asked for again and again.
        for points in 0..320 {
            for points in [points, points % 8] {
                let players = 4 + 8 * u64::try_from(points % 4).unwrap();
                solver
                    .solve(question_of(players, points), asker(1))
                    .await
                    .unwrap();
            }
        }
        let cached = solver.known.len();
        assert!((1..=MAX_TABLES).contains(&cached), "{cached} are cached");
        for players in [6, 64, 100, 128] {
            let before = solver.computed();
            for _ in 0..2 {
                solver
                    .solve(question_of(players, 999), asker(1))
                    .await
                    .unwrap();
            }
            assert_eq!(solver.computed() - before, 1, "{players} players");
        }
        assert!(solver.known.weight() <= MAX_SEATS);
    }
}
