//! What RBS does, one folder a noun. Nothing here knows HTTP or SQL. What goes out leaves as the types
//! of [`api`](crate::api).

mod audit;
mod backups;
mod balance;
mod bot_levels;
mod convert;
mod diagnosis;
mod error;
mod hello;
mod imports;
mod interventions;
mod leaderboard;
mod matches;
mod models;
mod notices;
mod phrases;
mod players;
mod pools;
mod powers;
mod processors;
mod public_cache;
mod quality;
mod readiness;
mod replay;
mod rounds;
mod seasons;
mod servers;
mod sessions;
mod settings;
mod splits;
mod tasks;
mod unknown_servers;
mod warm_up;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::config::PoolSettings;
use crate::domain::{PoolName, ServerName, Timestamp};
use crate::metrics::Metrics;
use crate::store::{Store, StoreError};

pub use audit::Author;
pub use diagnosis::{Diagnosis, PoolDiagnosis};
pub use error::ServiceError;
pub use imports::ImportUnderWay;
pub use leaderboard::{PageStart, PublicLeaderboard, PublicPlayer};
pub use players::adjust::ChangeNote;
pub use players::imported_ratings::{BroughtRatings, Effect, RatingsChange};
pub use pools::{Declared, Pool};
pub use replay::ReplayError;
pub use replay::alternative::Alternative;
pub use replay::comparison::{Comparison, RoundOdds};
pub use replay::export::LogReader;
pub use replay::prune::Prune;
pub use replay::rebuild::{Rebuilt, Watch};
pub use replay::verify::Checked;
pub use rounds::change::{RoundCommand, RoundOutcome};
pub use rounds::import::RoundImport;
pub use rounds::transaction::{ImportedRound, OnRefusal, Recorded};
pub use rounds::void_all::VoidRounds;
pub use servers::MIN_PLUGIN;
pub use splits::answer::DescribedSplits;
pub use splits::last::LastTable;
pub use splits::offline::split_offline;

use pools::{CurrentPools, Pools};
use processors::Processors;
use quality::metrics::FiguresRead;
use readiness::LastCheck;
use rounds::queue::RoundQueue;
use servers::ServersSeen;
use splits::last::LastSplits;
use splits::solver::Solver;
use tasks::Tasks;

/// How long the running service waits for the database: short enough that whoever asks learns
/// within two seconds that it does not answer.
pub const TIMEOUT: Duration = Duration::from_millis(1500);

/// Longest wait of a change of a pool for a rebuild whose process may have died. It exceeds the lease of a rebuild.
const LEASE_WAIT: Duration = Duration::from_secs(20);

/// How many bytes the players take that a rebuild or a prune holds; an import's may take twice as many.
const REBUILD_MEMORY: usize = 48 << 20;

/// How many rows one transaction of a rebuild writes: few, since rounds wait for it on SQLite. Where they
/// have waited, it writes fewer still.
const REBUILD_ROWS: usize = 200;
/// The same where the process does nothing else: a transaction costs as much as a hundred rows.
const BULK_ROWS: usize = 1_000;

/// The service: everything that RBS can be asked, over one database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Service {
    store: Store,
    clock: Clock,
    pools: CurrentPools,
    backup_folder: Option<Arc<Path>>,
    queue: RoundQueue,
    processors: Processors,
    solver: Solver,
    last_splits: LastSplits,
    last_check: LastCheck,
    rebuilds: Tasks,
    rebuild_memory: usize,
    /// Longest wait of a change of a pool for the lease of a rebuild that shows no sign of life.
    lease_wait: Duration,
    /// How many rows one transaction of a rebuild writes.
    rebuild_rows: usize,
    metrics: Metrics,
    figures_read: FiguresRead,
    servers_seen: ServersSeen,
}

impl Service {
    /// The service over a migrated `store`, with these pools, and every server that the configuration names with
    /// its pool.
    pub async fn open(
        store: Store,
        clock: Clock,
        pools: &BTreeMap<PoolName, PoolSettings>,
        servers: &BTreeMap<ServerName, PoolName>,
    ) -> Result<Self, StoreError> {
        let metrics = Metrics::new(env!("CARGO_PKG_VERSION"), clock.now());
        metrics.begin_splits();
        for (pool, settings) in pools {
            let policy = &settings.balance.policy;
            metrics.begin_pool(pool, policy, &balance::RESULTS, &balance::reason::RULES);
        }
        let pools = CurrentPools::new(Pools::open(&store, pools, servers).await?);
        let of_queue = (clock.clone(), pools.clone());
        let processors = Processors::new();
        Ok(Self {
            queue: RoundQueue::new(store.clone(), of_queue, metrics.clone()),
            solver: Solver::new(processors.clone(), metrics.clone()),
            processors,
            last_splits: LastSplits::new(),
            last_check: LastCheck::default(),
            rebuilds: Tasks::default(),
            rebuild_memory: REBUILD_MEMORY,
            lease_wait: LEASE_WAIT,
            rebuild_rows: REBUILD_ROWS,
            servers_seen: ServersSeen::new(clock.now()),
            store,
            clock,
            pools,
            backup_folder: None,
            metrics,
            figures_read: FiguresRead::default(),
        })
    }

    /// This service where up to `count` splits, verdicts and queues are computed at once, in place of one for
    /// every two processors. With 0 only splits that are known already are answered.
    #[must_use]
    pub fn with_solvers(mut self, count: usize) -> Self {
        self.processors = self.processors.with_running(count);
        self.solver = self.solver.on(self.processors.clone());
        self
    }

    /// This service where the tables of all computations of splits take up to `bytes` together, in
    /// place of as many as [`Limits`](crate::partition::Limits) allow one.
    #[must_use]
    pub fn with_solver_memory(mut self, bytes: u64) -> Self {
        self.processors = self.processors.with_memory(bytes);
        self.solver = Solver::new(self.processors.clone(), self.metrics.clone());
        self
    }

    /// Prepares a process that does nothing but import rounds or compute ratings again.
    ///
    /// # Errors
    /// The database's.
    pub async fn prepare_for_bulk(&mut self) -> Result<(), ServiceError> {
        self.rebuild_rows = BULK_ROWS;
        Ok(self.store.prepare_for_bulk().await?)
    }

    /// Pauses behind a transaction that took as long as `written`, where others could write at no other time: on SQLite.
    pub async fn let_others_write(&self, written: Duration) {
        self.store.let_others_write(written).await;
    }

    /// This service where the players that a rebuild holds take about `bytes`, in place of 48 MiB, and a quarter
    /// more for a while, but for those of the part of the log that it is at.
    #[must_use]
    pub fn with_rebuild_memory(mut self, bytes: usize) -> Self {
        self.rebuild_memory = bytes;
        self
    }

    /// This service where a database that has not done a unit of work after `timeout` counts as not
    /// answering, and so it is for a round that waits for its turn; without, neither has a limit.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        let store = self.store.with_timeout(timeout);
        let of_queue = (self.clock.clone(), self.pools.clone());
        Self {
            queue: RoundQueue::new(store.clone(), of_queue, self.metrics.clone()),
            store,
            ..self
        }
    }

    /// This service where a game server may void a round of its own for so long after it arrived, in place of not at
    /// all.
    #[must_use]
    pub fn with_own_voids(self, within: Duration) -> Self {
        self.pools.change(|pools| pools.void_own_within = within);
        self
    }

    /// This service where a change of a pool waits at most `wait` for the end of a rebuild whose process may have died,
    /// in place of 20 seconds.
    #[must_use]
    pub fn with_lease_wait(self, wait: Duration) -> Self {
        Self {
            lease_wait: wait,
            ..self
        }
    }

    /// This service with a maximum age of rounds from game servers, from their end to their arrival. Zero allows any
    /// age.
    #[must_use]
    pub fn with_max_round_age(self, max_age: Duration) -> Self {
        self.pools.change(|pools| pools.max_round_age = max_age);
        self
    }

    /// What this instance counts and measures of itself.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The time, by the service's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The time that the service's clock would show if nobody had set it since the service started.
    #[must_use]
    pub fn steady_time(&self) -> Timestamp {
        self.clock.steady()
    }

    /// How many tables of splits this instance has computed.
    #[must_use]
    pub fn tables_computed(&self) -> u64 {
        self.solver.computed()
    }

    /// Has every rebuild that this instance is at give up, which leaves everything as it was.
    pub fn stop_rebuilds(&self) {
        self.rebuilds.stop();
    }

    /// Closes the database once everything that runs has ended.
    pub async fn close(&self) {
        self.rebuilds.stopped().await;
        self.store.close().await;
    }
}
