//! What RBS does, one file a sentence that a user would say. Nothing here knows HTTP or SQL.

mod audit;
mod balance;
mod interventions;
mod last_failure;
mod leaderboard;
mod phrases;
mod players;
mod pools;
mod quality;
mod readiness;
mod replay;
mod rounds;
mod splits;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Clock;
use crate::config::PoolSettings;
use crate::domain::{ChangeId, FieldProblem, PoolName, RoundId, ServerName, Timestamp};
use crate::metrics::Metrics;
use crate::store::{Store, StoreError};

pub use crate::rating::{
    ExperienceBucket, FAVOURITE_THRESHOLD, GroupTotals, HistogramBin, Residual, ThetaFit,
};
pub use crate::store::{BrokenRule, PlayerMove, RoundEnd, RoundFilter, TeamsRecord};

pub use audit::{AuditPage, AuditPlace, Audited, Author};
pub use interventions::list::{InterventionPage, InterventionPlace, InterventionView};
pub use leaderboard::{Leaderboard, RankPlace, RankedPlayer};
pub use players::adjust::{Adjustment, ChangeNote};
pub use players::history::{HistoryCause, HistoryPoint};
pub use players::lookup::{PlayerDetails, PlayerView};
pub use pools::{Pool, PoolView};
pub use quality::activity::Activity;
pub use quality::history::QualityPoint;
pub use quality::report::{CalibrationFigure, Figure, Quality, Windowed};
pub use replay::ReplayError;
pub use replay::export::LogReader;
pub use replay::rebuild::{Progress, Rebuilt, Watch};
pub use replay::verify::Checked;
pub use replay::what_if::{Figures, Simulation};
pub use rounds::list::{RoundPage, RoundPlace, RoundView, VoidView, WholeRoundView};
pub use rounds::record::{ImportedRound, NamedVoid, OnRefusal, Recorded, RecordedRound};
pub use rounds::void::{VoidCommand, VoidOutcome};
pub use splits::offline::{
    ListRequest, ListedPlayer, ListedRole, ListedSplit, ListedSplits, MAX_LISTED, WantedSplits,
    split_list,
};

use leaderboard::CachedLeaderboards;
use pools::Pools;
use quality::activity::CachedActivities;
use quality::metrics::FiguresRead;
use readiness::Readiness;
use replay::tasks::RebuildTasks;
use rounds::queue::RoundQueue;
use splits::last::LastSplits;
use splits::solver::Solver;

/// How long the running service waits for the database: short enough that whoever asks is told
/// within two seconds that it does not answer.
pub const TIMEOUT: Duration = Duration::from_millis(1500);

/// The service: everything that RBS can be asked, over one database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Service {
    store: Store,
    clock: Clock,
    pools: Arc<Pools>,
    recorder: RoundQueue,
    solver: Solver,
    last_splits: LastSplits,
    readiness: Readiness,
    marks: RebuildTasks,
    leaderboards: CachedLeaderboards,
    activities: CachedActivities,
    metrics: Metrics,
    figures_read: FiguresRead,
    /// Held by whoever notes an intervention.
    intervention_lock: Arc<tokio::sync::Mutex<()>>,
}

/// Why the service cannot do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ServiceError {
    /// What was sent is well-formed but not acceptable.
    #[error("{} of the fields sent are not acceptable", .0.len())]
    Invalid(Vec<FieldProblem>),
    /// No pool of that name is configured.
    #[error("there is no pool \"{0}\"; pools are declared in the configuration, as [pools.{0}]")]
    NoSuchPool(PoolName),
    /// No table of splits was ever computed for that server.
    #[error("no splits have been computed for the server \"{0}\" yet; ask with POST first")]
    NoSplitTable(ServerName),
    /// The pool shows its players to nobody without a secret.
    #[error(
        "there is no public leaderboard of that pool; public = \"ratings\" under [leaderboard], or \
         under [pools.NAME.leaderboard], opens it"
    )]
    NoPublicLeaderboard,
    /// The id was used for another round.
    #[error(
        "the round_id \"{round_id}\" of the server \"{server}\" was used for another round, which \
         stays as it was counted ({} from it); give every round an id of its own",
        differ(.differing)
    )]
    RoundIdTaken {
        /// The server.
        server: ServerName,
        /// The id.
        round_id: RoundId,
        /// The fields that are not as they were counted.
        differing: Vec<&'static str>,
        /// The pool that the other round counts in.
        pool: PoolName,
    },
    /// The name was used for another change.
    #[error("the change_id \"{0}\" was used for another change, which stays as it was made")]
    ChangeIdTaken(ChangeId),
    /// No round of that name was ever counted.
    #[error("there is no round \"{round_id}\" of the server \"{server}\"")]
    NoSuchRound {
        /// The server.
        server: ServerName,
        /// The id.
        round_id: RoundId,
    },
    /// The pool's ratings are being computed again.
    #[error(
        "the ratings of the pool \"{0}\" are being computed again already, by a void or a rebuild; \
         ask again when that is done, or, where it was killed, in a minute"
    )]
    RebuildUnderWay(PoolName),
    /// The pool's ratings were being computed again, and somebody else took it over.
    #[error(
        "computing the ratings of the pool \"{0}\" again took so long a pause that another began \
         anew; nothing was changed"
    )]
    RebuildLost(PoolName),
    /// The service was told to stop while it computed a pool's ratings again.
    #[error(
        "the service was stopped before the ratings of the pool \"{0}\" were computed again; they are \
         as they were, so ask again"
    )]
    RebuildStopped(PoolName),
    /// The log does not give ratings.
    #[error("the log cannot be replayed")]
    BadLog(#[source] Arc<ReplayError>),
    /// More is waiting than will be done in time.
    #[error("too many requests are waiting; try again shortly")]
    Busy,
    /// The database does not answer; what was asked may be asked again.
    #[error("the database does not answer")]
    Unavailable(#[source] Arc<StoreError>),
    /// A defect of RBS, of what is stored, or of the machine.
    #[error("an internal error")]
    Internal(#[source] Arc<dyn std::error::Error + Send + Sync>),
}

impl ServiceError {
    fn internal(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Internal(Arc::new(error))
    }
}

/// "a differs", "a and b differ" or "a, b and c differ".
fn differ(fields: &[&str]) -> String {
    match fields {
        [only] => format!("{only} differs"),
        [others @ .., last] => format!("{} and {last} differ", others.join(", ")),
        [] => "nothing differs".to_owned(),
    }
}

impl From<StoreError> for ServiceError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(_) | StoreError::ReadOnly(_) | StoreError::TimedOut => {
                Self::Unavailable(Arc::new(error))
            }
            _ => Self::internal(error),
        }
    }
}

impl From<ReplayError> for ServiceError {
    fn from(error: ReplayError) -> Self {
        match error {
            ReplayError::Store(error) => error.into(),
            error => Self::BadLog(Arc::new(error)),
        }
    }
}

impl Service {
    /// The service over a migrated `store`, with these pools and the pool of each server that has
    /// one of its own.
    ///
    /// # Errors
    /// Where the database does not take the pools' names.
    pub async fn open(
        store: Store,
        clock: Clock,
        pools: &BTreeMap<PoolName, PoolSettings>,
        servers: &BTreeMap<ServerName, PoolName>,
    ) -> Result<Self, StoreError> {
        let settings = pools;
        let pools = Pools::open(&store, settings, servers).await?;
        let metrics = Metrics::new(env!("CARGO_PKG_VERSION"));
        for pool in settings.keys() {
            metrics.begin_pool(pool);
        }
        Ok(Self {
            recorder: RoundQueue::new(store.clone(), clock.clone(), metrics.clone()),
            solver: Solver::new(metrics.clone()),
            last_splits: LastSplits::new(),
            readiness: Readiness::new(store.clone()),
            marks: RebuildTasks::default(),
            leaderboards: CachedLeaderboards::of(settings.keys().cloned()),
            activities: CachedActivities::of(settings.keys().cloned()),
            store,
            clock,
            pools: Arc::new(pools),
            metrics,
            figures_read: FiguresRead::default(),
            intervention_lock: Arc::default(),
        })
    }

    /// This service where up to `count` tables of splits are computed at once, in place of one for
    /// every two processors. With 0 only those that are known already are answered.
    #[must_use]
    pub fn with_solvers(self, count: usize) -> Self {
        Self {
            solver: self.solver.with_running(count),
            ..self
        }
    }

    /// This service where the tables of all computations of splits take up to `bytes` together, in
    /// place of as many as [`Limits`](crate::partition::Limits) allow one.
    #[must_use]
    pub fn with_solver_memory(self, bytes: u64) -> Self {
        Self {
            solver: self.solver.with_memory(bytes),
            ..self
        }
    }

    /// This service where a database that has not done a unit of work after `timeout` counts as not
    /// answering, and so it is for a round that waits for its turn; without, neither has a limit.
    #[must_use]
    pub fn with_timeout(self, timeout: Duration) -> Self {
        let store = self.store.with_timeout(timeout);
        Self {
            recorder: RoundQueue::new(store.clone(), self.clock.clone(), self.metrics.clone()),
            readiness: Readiness::new(store.clone()),
            store,
            ..self
        }
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

    /// How many tables of splits this instance has computed.
    #[must_use]
    pub fn tables_computed(&self) -> u64 {
        self.solver.computed()
    }

    /// Whether the database answers.
    pub async fn check_ready(&self) -> Result<(), ServiceError> {
        self.readiness.check().await
    }

    /// Has every rebuild that this instance is at give up, which leaves everything as it was.
    pub fn stop_rebuilds(&self) {
        self.marks.stop();
    }

    /// Closes the database once everything that runs has ended.
    pub async fn close(&self) {
        self.marks.stopped().await;
        self.store.close().await;
    }
}
