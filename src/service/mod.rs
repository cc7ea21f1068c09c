//! Operations of RBS, with one folder for each noun. This module knows neither HTTP nor SQL, and returns the types of
//! [`api`](crate::api).

mod audit;
mod background_tasks;
mod backups;
mod balance;
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
mod public_match;
mod quality;
mod refusals;
mod replay;
mod rounds;
mod seasons;
mod servers;
mod sessions;
mod settings;
mod sides;
mod splits;
mod unknown_servers;
mod warm_up;
mod webhooks;

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
pub use imports::ImportInProgress;
pub use leaderboard::{PageStart, PublicLeaderboard, PublicPlayer};
pub use players::adjust::ChangeNote;
pub use players::imported_ratings::{RatingsChange, RatingsImport, RunMode};
pub use pools::{Declared, Pool};
pub use public_match::PublicMatch;
pub(crate) use refusals::RefusalRecord;
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
pub use splits::propose::split_offline;

use background_tasks::BackgroundTasks;
use diagnosis::LastCheck;
use pools::{CurrentPools, Pools};
use processors::Processors;
use quality::metrics::FiguresRead;
use rounds::queue::RoundQueue;
use servers::ServersSeen;
use splits::last::LastSplits;
use splits::solver::Solver;

/// Database timeout of the running service. Keeps the time until a client learns of an unreachable database below two
/// seconds.
pub const TIMEOUT: Duration = Duration::from_millis(1500);

/// Maximum time that a change of a pool, such as a void, waits for a rebuild whose process may have died. Longer than
/// the rebuild's lease.
const LEASE_WAIT: Duration = Duration::from_secs(20);

/// Memory limit for the players held by a rebuild or a prune, in bytes. An import may take twice as much.
const REBUILD_MEMORY: usize = 48 << 20;

/// Maximum number of database rows that a rebuild of ratings writes per transaction. Kept low because rounds wait for
/// the transaction on SQLite. After a transaction that made rounds wait, the next one is smaller.
const REBUILD_ROWS: usize = 200;
/// Maximum number of rows per transaction in a process that only rebuilds. A transaction costs as much as 100 rows.
const BULK_ROWS: usize = 1_000;

/// The service: all operations of RBS over one database. Cheap to clone.
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
    rebuilds: BackgroundTasks,
    rebuild_memory: usize,
    lease_wait: Duration,
    rebuild_rows: usize,
    metrics: Metrics,
    figures_read: FiguresRead,
    servers_seen: ServersSeen,
}

impl Service {
    /// Opens the service over a migrated `store` with the configured pools. `servers` maps the configured servers to
    /// their pools.
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
            rebuilds: BackgroundTasks::default(),
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

    /// Sets the number of computations (of splits, balance or matches) that run at once. The default is one for every
    /// two processors. With 0, only cached splits are answered.
    #[must_use]
    pub fn with_solvers(mut self, count: usize) -> Self {
        self.processors = self.processors.clone().with_running(count);
        self.solver = self.solver.on(self.processors.clone());
        self
    }

    /// Sets the memory for the tables of all concurrent computations of splits, in bytes. The default is the limit of
    /// one computation, see [`Limits`](crate::partition::Limits).
    #[must_use]
    pub fn with_solver_memory(mut self, bytes: u64) -> Self {
        self.processors = self.processors.clone().with_memory(bytes);
        self.solver = Solver::new(self.processors.clone(), self.metrics.clone());
        self
    }

    /// Switches to larger database transactions, for a process that only imports rounds or rebuilds ratings.
    pub async fn prepare_for_bulk(&mut self) -> Result<(), ServiceError> {
        self.rebuild_rows = BULK_ROWS;
        Ok(self.store.prepare_for_bulk().await?)
    }

    /// Pauses on SQLite after a transaction that took the time `written`, so that other processes can write.
    pub async fn let_others_write(&self, written: Duration) {
        self.store.let_others_write(written).await;
    }

    /// Sets the memory limit for the players held by a rebuild, in bytes (default 48 MiB). The players of the current
    /// page of the log come on top, and a rebuild may exceed the limit by a quarter for a while.
    #[must_use]
    pub fn with_rebuild_memory(mut self, bytes: usize) -> Self {
        self.rebuild_memory = bytes;
        self
    }

    /// Sets the time after which an unfinished database transaction, or a round waiting in the queue, fails with
    /// [`ServiceError::Unavailable`]. By default there is no limit.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.store = self.store.with_timeout(timeout);
        self.queue.store = self.store.clone();
        self
    }

    /// Sets the maximum time that a change of a pool, such as a void, waits for a rebuild whose process may have died.
    /// The default is 20 seconds.
    #[must_use]
    pub fn with_lease_wait(mut self, wait: Duration) -> Self {
        self.lease_wait = wait;
        self
    }

    /// Returns the metrics of this instance.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Returns the current time of the service's clock.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Returns the current time, without the changes made to the system clock since the service started.
    #[must_use]
    pub fn steady_time(&self) -> Timestamp {
        self.clock.steady()
    }

    /// Returns the number of tables of splits that this instance has computed.
    #[must_use]
    pub fn tables_computed(&self) -> u64 {
        self.solver.computed()
    }

    /// Cancels the background tasks of this instance, such as rebuilds of ratings. Cancelled rebuilds change nothing.
    pub fn stop_rebuilds(&self) {
        self.rebuilds.stop();
    }

    /// Stops the service's background tasks, waits for them to end, and closes the database.
    pub async fn close(&self) {
        self.rebuilds.stopped().await;
        self.store.close().await;
    }
}
