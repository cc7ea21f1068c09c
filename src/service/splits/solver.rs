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

/// Maximum number of cached tables of splits.
const MAX_TABLES: usize = 256;
/// Maximum number of player places in all cached tables of splits. Suffices for [`MAX_TABLES`] tables of 40 players.
const MAX_SEATS: u64 = 1 << 18;

/// Input on which a table of splits depends.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Question {
    /// Players to split, each with the rating or power that counts.
    pub(crate) pool: Pool,
    pub(crate) wishes: Wishes,
}

/// Solver for splits. Computes the table of splits for each [`Question`] once, and caches the latest tables.
///
/// # Design
/// A table depends only on its question, which includes the ratings. So cached tables never become stale: a changed
/// rating makes another question. Requests with equal questions share one computation. If that computation fails or its
/// request is cancelled, the next waiting request computes the table.
///
/// Questions that are not cached take turns with all other computations ([`Processors`]).
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    known: Arc<KnownTables>,
    processors: Processors,
    computed: Arc<AtomicU64>,
    metrics: Metrics,
}

impl Solver {
    /// Creates a solver of splits with an empty cache, since tables may depend on the memory limit of `processors`.
    pub(crate) fn new(processors: Processors, metrics: Metrics) -> Self {
        Self {
            known: Arc::new(empty_cache()),
            processors,
            computed: Arc::default(),
            metrics,
        }
    }

    /// Returns a solver of splits on other processors that shares this solver's cache.
    pub(crate) fn on(&self, processors: Processors) -> Self {
        Self {
            processors,
            ..self.clone()
        }
    }

    pub(crate) fn computed(&self) -> u64 {
        self.computed.load(Ordering::Relaxed)
    }

    /// Returns the table of splits for `question`, or [`ServiceError::Busy`] if too many computations wait.
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
        // A computation is abandoned only if nobody waits for it, so nobody reads this error.
        solving.await?.map(Arc::new).ok_or(ServiceError::Busy)
    }
}

type KnownTables = Cache<Arc<Question>, Arc<SplitTable>, Seats>;

/// Creates a cache for tables of splits that admits every new table, and evicts the oldest table requested only once.
///
/// The cache has one shard. Several shards would divide the capacity, and a large table would exceed the share of its
/// shard. Tables that were requested again get at most half of the capacity. The default share would leave less room
/// than one table needs, so a new table would be evicted at once.
fn empty_cache() -> KnownTables {
    let mut builder = OptionsBuilder::new();
    builder
        .shards(1)
        .hot_allocation(0.5)
        .estimated_items_capacity(MAX_TABLES)
        .weight_capacity(MAX_SEATS);
    #[expect(clippy::expect_used, reason = "only a missing capacity is an error")]
    let options = builder.build().expect("both capacities are set");
    let (hasher, lifecycle) = (DefaultHashBuilder::default(), DefaultLifecycle::default());
    Cache::with_options(options, Seats, hasher, lifecycle)
}

/// Returns the method that found the splits of `table`: exact only if all of them are exact.
fn method(table: &SplitTable) -> SplitMethod {
    let mut splits = table.splits.iter().chain(&table.alternatives);
    if splits.all(|split| split.method == SplitMethod::Exact) {
        SplitMethod::Exact
    } else {
        SplitMethod::Greedy
    }
}

/// Cache weight of a table of splits: the number of player places in its splits. A minimum weight limits the cache to
/// [`MAX_TABLES`] tables.
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

    fn question(points: i32) -> Question {
        question_of(4, points)
    }

    /// Creates input for the solver: `players` players, of whom the first has `points` rating points and all others
    /// have 1000.
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
    async fn a_new_table_is_cached_and_many_do_not_fill_the_memory() {
        let solver = solver();
        // Some questions are repeated again and again.
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
