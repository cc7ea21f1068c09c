use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quick_cache::sync::{Cache, DefaultLifecycle};
use quick_cache::{DefaultHashBuilder, OptionsBuilder, Weighter};
use tokio::time::Instant;

use crate::domain::SplitMethod;
use crate::metrics::Metrics;
use crate::partition::{Limits, Pool, SplitTable, Wishes, solve_sharing};
use crate::service::ServiceError;
use crate::service::processors::Processors;
use crate::turns::Requester;

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
/// Questions whose answers are not cached take turns with all other computations ([`Processors`]).
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    known: Arc<KnownTables>,
    processors: Processors,
    computed: Arc<AtomicU64>,
    metrics: Metrics,
}

impl Solver {
    /// A solver on these processors. It knows no answers yet: they depend on how much memory there is.
    pub(crate) fn new(processors: Processors, metrics: Metrics) -> Self {
        Self {
            known: Arc::new(empty_cache()),
            processors,
            computed: Arc::default(),
            metrics,
        }
    }

    /// A solver on other processors that knows the same answers.
    pub(crate) fn on(&self, processors: Processors) -> Self {
        Self {
            processors,
            ..self.clone()
        }
    }

    /// How many tables have been computed.
    pub(crate) fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// The splits that answer `question`, which `requester` asks.
    ///
    /// # Errors
    /// [`ServiceError::Busy`] where they are not known and too many others wait.
    pub(crate) async fn solve(
        &self,
        question: Question,
        requester: Requester,
    ) -> Result<Arc<SplitTable>, ServiceError> {
        let question = Arc::new(question);
        let computing = self.compute(Arc::clone(&question), requester);
        self.known.get_or_insert_async(&question, computing).await
    }

    async fn compute(
        &self,
        question: Arc<Question>,
        requester: Requester,
    ) -> Result<Arc<SplitTable>, ServiceError> {
        let (computed, metrics) = (Arc::clone(&self.computed), self.metrics.clone());
        let limits = Limits {
            memory: self.processors.most_memory(),
            ..Limits::default()
        };
        let solving = self.processors.compute(requester, move |host| {
            computed.fetch_add(1, Ordering::Relaxed);
            let began = Instant::now();
            let table = solve_sharing(&question.pool, &question.wishes, &limits, host);
            match &table {
                Some(table) => metrics.splits_computed(method(table), began.elapsed()),
                None => metrics.splits_abandoned(),
            }
            table
        });
        // Nobody reads this where they are no longer wanted.
        solving.await?.map(Arc::new).ok_or(ServiceError::Busy)
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
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;
    use crate::domain::{PlayerId, Rating, Timestamp};
    use crate::partition::Candidate;
    use crate::service::processors::tests::{held, requester};

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

    /// A solver that solves one question at a time.
    fn solver() -> Solver {
        let metrics = Metrics::new("test", Timestamp::UNIX_EPOCH);
        Solver::new(Processors::new().with_running(1), metrics)
    }

    #[tokio::test]
    async fn who_leaves_leaves_the_question_to_the_next() {
        let solver = solver();
        let held = held(&solver.processors).await;
        let ask = || Box::pin(solver.solve(question(1000), requester(1)));
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
    async fn what_is_known_needs_no_place() {
        let solver = solver();
        solver.solve(question(1000), requester(1)).await.unwrap();
        let held = held(&solver.processors).await;
        let known = solver.solve(question(1000), requester(1)).await;
        assert_eq!(known.unwrap().splits.len(), 1);
        let mut unknown = Box::pin(solver.solve(question(1100), requester(2)));
        assert!(timeout(Duration::ZERO, &mut unknown).await.is_err());
        assert_eq!(solver.computed(), 1);
        drop(held);
        assert_eq!(unknown.await.unwrap().splits.len(), 1);
        assert_eq!(solver.computed(), 2);
    }

    #[tokio::test]
    async fn a_new_table_is_cached_and_many_do_not_fill_the_memory() {
        let solver = solver();
        // Some of the others are asked for again and again.
        for points in 0..320 {
            for points in [points, points % 8] {
                let players = 4 + 8 * u64::try_from(points % 4).unwrap();
                solver
                    .solve(question_of(players, points), requester(1))
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
                    .solve(question_of(players, 999), requester(1))
                    .await
                    .unwrap();
            }
            assert_eq!(solver.computed() - before, 1, "{players} players");
        }
        assert!(solver.known.weight() <= MAX_SEATS);
    }
}
