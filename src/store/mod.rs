//! Everything RBS remembers, on PostgreSQL or SQLite: the only place that knows SQL.
//!
//! A [`Tx`] is the unit of work and the only way to the tables; `transaction` lists every
//! query. Those that both engines understand stand once, in `sql/`, and are compiled for each; what
//! differs stands in `postgres/` and `sqlite/`.

#[macro_use]
mod columns;
mod content;
mod database_url;
mod entry_records;
mod error;
mod intervention_records;
mod listed_player;
mod logged_rounds;
mod migrations;
mod postgres;
mod records;
mod scoreboard_content;
mod share;
pub(crate) mod split_tables;
mod sqlite;
mod tables;
mod transaction;

pub use database_url::{DatabaseUrl, InvalidDatabaseUrl};
pub use error::StoreError;

use error::corrupt;
pub use migrations::{migrations_behind, newest_migration};
use share::Share;

pub use entry_records::RatedBatch;
pub use entry_records::{ChunksBefore, EntryChunk, LastRow, StoredChunk};
pub use entry_records::{PruneRecord, PrunedRound, RoundTraces};
pub use intervention_records::{
    BrokenRule, Intervention, InterventionFilter, NewIntervention, PlayerMove, RoundEnd,
    TeamsRecord,
};
pub use listed_player::ListedPlayer;
pub use logged_rounds::{LoggedRound, RebuiltRounds, RoundMarks};
pub use records::Greeting;
pub use records::NoticeRecord;
pub use records::{
    AuditEntry, Change, Changed, Generation, ImportRecord, LogEntry, PlayerCounts, PoolId,
    PoolRecord, Ranked, RebuildRecord, RecordedRound, RoundFilter, RoundPlayed, SettingsId,
};
pub use records::{CalendarLook, SeasonStanding};
pub use records::{ChallengerFigures, ChallengersRecord};
pub use records::{NameRecord, NameSource};
use sqlx::{Database, Pool};
use std::sync::Arc;
use std::time::Duration;
pub use tables::{Cell, Column, ColumnKind, TABLES, Table};
use tokio::time::Instant;
pub use transaction::Tx;
use transaction::{Inner, within};

use crate::turns::Turn;

/// How long a unit of work waits for a connection before the database counts as not answering.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1500);

/// The database behind the service; cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    engine: Engine,
    timeout: Option<Duration>,
    /// The clients' share of the connections that read.
    reading: Share,
    /// The clients' share of the connections that write; on PostgreSQL the same connections.
    writing: Share,
}

/// From when on a power cut cannot undo what a unit of work has written.
#[derive(Clone, Copy, Debug)]
enum Durability {
    /// From its own commit on.
    AtCommit,
    /// From the commit of the next one on that waits for the disk.
    WithTheNext,
}

#[derive(Clone, Debug)]
enum Engine {
    Postgres(postgres::failover::Servers),
    Sqlite(sqlite::Pools),
}

impl Store {
    /// Connects to the database at `url`, creating an SQLite file that is not there.
    pub async fn connect(url: &DatabaseUrl) -> Result<Self, StoreError> {
        let engine = match url {
            DatabaseUrl::Postgres(servers) => {
                Engine::Postgres(Box::pin(postgres::failover::connect(servers)).await?)
            }
            DatabaseUrl::Sqlite { path } => Engine::Sqlite(sqlite::connect(path).await?),
        };
        let (reading, writing) = match &engine {
            Engine::Postgres(_) => {
                let share = Share::of(postgres::failover::CLIENT_CONNECTIONS);
                (share.clone(), share)
            }
            // One request at a time waits for the writer, so that no round waits behind many.
            Engine::Sqlite(_) => (Share::of(sqlite::client_readers()), Share::of(1)),
        };
        Ok(Self {
            engine,
            timeout: None,
            reading,
            writing,
        })
    }

    /// This database where a unit of work that is not through after `timeout` has failed; without,
    /// it takes as long as it takes.
    #[must_use]
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self {
            timeout: Some(timeout),
            ..self.clone()
        }
    }

    /// How long a unit of work may take.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Brings the tables up to date; safe to run from several instances at once.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Postgres(servers) => postgres::migrate(servers.pool()).await,
            Engine::Sqlite(pools) => sqlite::migrate(pools).await,
        }
    }

    /// Begins a unit of work that may write. On SQLite one runs at a time.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        self.begin_to_write(Durability::AtCommit).await
    }

    /// The same for what means nothing until another unit of work is committed: its own commit does not wait
    /// for the disk. Until then a power cut may undo it, and whatever was committed after it.
    pub async fn begin_ahead(&self) -> Result<Tx, StoreError> {
        self.begin_to_write(Durability::WithTheNext).await
    }

    async fn begin_to_write(&self, durability: Durability) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Postgres(servers) => {
                let beginning =
                    postgres::transaction::begin(servers.pool(), postgres::begin(durability));
                servers.seek_unless(self.begin_on(&self.writing, beginning).await)
            }
            Engine::Sqlite(pools) => {
                pools.check_file()?;
                let beginning = sqlite::begin(pools, durability);
                self.begin_on(&self.writing, beginning).await
            }
        }
    }

    /// Begins a unit of work that only reads and sees one moment of the database throughout.
    pub async fn begin_read(&self) -> Result<Tx, StoreError> {
        match &self.engine {
            Engine::Postgres(servers) => {
                let statement = "begin isolation level repeatable read read only";
                let beginning = postgres::transaction::begin(servers.pool(), statement);
                servers.seek_unless(self.begin_on(&self.reading, beginning).await)
            }
            Engine::Sqlite(pools) => {
                pools.check_file()?;
                self.begin_on(&self.reading, pools.readers.begin()).await
            }
        }
    }

    /// Waits for this request's turn to read. Later units of work of the request use the same turn, so the caller can first
    /// check if another request has done the work meanwhile.
    pub(crate) async fn turn_to_read(&self) -> Result<Option<Arc<Turn>>, StoreError> {
        self.reading.turn().await
    }

    /// A unit of work out of the transaction that `beginning` ends in, in the turn of the request. However long it may
    /// take, the database must answer the beginning in the time that a connection may take.
    async fn begin_on<T: Into<Inner>>(
        &self,
        share: &Share,
        beginning: impl Future<Output = Result<T, sqlx::Error>>,
    ) -> Result<Tx, StoreError> {
        let turn = share.turn().await?;
        let now = Instant::now();
        let deadline = self.timeout.map(|timeout| now + timeout);
        let soon = deadline.map(|deadline| deadline.min(now + ACQUIRE_TIMEOUT));
        let transaction = share.noted(within(soon, async { Ok(beginning.await?) }).await)?;
        Ok(Tx::new(transaction.into(), deadline, turn))
    }

    /// Whether a unit of work could be done now: the database answers, lets itself be written to,
    /// and has the tables.
    pub async fn ping(&self) -> Result<(), StoreError> {
        // SQLite begins to write to a file that it may not write to, and only a write is refused.
        self.begin().await?.try_to_write().await
    }

    /// Checks that a round could be written now. Does what [`Self::ping`] does, and on SQLite commits a row that stays as
    /// it is, since only a commit needs room on the disk. PostgreSQL needs room for some commits and not for others,
    /// so there a full disk shows in the unit of work that meets it.
    pub async fn check_room(&self) -> Result<(), StoreError> {
        if matches!(self.engine, Engine::Postgres(_)) {
            return self.ping().await;
        }
        let mut tx = self.begin_ahead().await?;
        tx.rewrite_a_pool().await?;
        tx.commit().await
    }

    /// Has PostgreSQL count anew what it plans queries by, which it does by itself only a minute after many rows
    /// have changed: meanwhile a query may read whole tables where an index would do. SQLite is given none: its
    /// queries are written for the plans that it makes without.
    pub async fn refresh_statistics(&self) -> Result<(), StoreError> {
        let Engine::Postgres(servers) = &self.engine else {
            return Ok(());
        };
        let deadline = self.timeout.map(|timeout| Instant::now() + timeout);
        let refreshing = async {
            let mut connection = servers.pool().acquire().await?;
            postgres::refresh_statistics(&mut connection).await
        };
        within(deadline, refreshing).await
    }

    /// Prepares for units of work that each write as much as they can, one after another.
    pub(crate) async fn prepare_for_bulk(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Postgres(_) => Ok(()),
            Engine::Sqlite(pools) => sqlite::prepare_for_bulk(pools).await,
        }
    }

    /// Pauses between units of work of a process that writes a lot, behind some that took as long as `written`: on SQLite,
    /// where one process writes at a time and those that wait have no queue. On PostgreSQL it does nothing.
    pub async fn let_others_write(&self, written: Duration) {
        if matches!(self.engine, Engine::Sqlite(_)) {
            sqlite::pause(written).await;
        }
    }

    /// Whether another unit of work of this process waits until the one that writes is through: so on SQLite.
    pub(crate) fn is_awaited(&self) -> bool {
        match &self.engine {
            Engine::Postgres(_) => false,
            Engine::Sqlite(pools) => pools.is_awaited(),
        }
    }

    /// The connections that are open, by what they are for.
    #[must_use]
    pub fn connections(&self) -> Vec<Connections> {
        match &self.engine {
            Engine::Postgres(servers) => vec![Connections::of("all", servers.pool())],
            Engine::Sqlite(pools) => vec![
                Connections::of("writer", &pools.writer),
                Connections::of("readers", &pools.readers),
            ],
        }
    }

    /// Closes every connection once its unit of work has ended. A server that does not answer is not
    /// waited for.
    pub async fn close(&self) {
        match &self.engine {
            Engine::Postgres(servers) => servers.close().await,
            Engine::Sqlite(pools) => pools.close().await,
        }
    }
}

/// Open connections to the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// Purpose: `all`, or for an SQLite file `writer` or `readers`.
    pub kind: &'static str,
    /// How many wait for work.
    pub idle: usize,
    /// How many work.
    pub in_use: usize,
}

impl Connections {
    pub(crate) fn of<Db: Database>(kind: &'static str, pool: &Pool<Db>) -> Self {
        // The two are read one after the other, and may not go together.
        let (open, idle) = (pool.size() as usize, pool.num_idle());
        Self {
            kind,
            idle,
            in_use: open.saturating_sub(idle),
        }
    }
}
