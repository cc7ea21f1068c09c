//! Storage in PostgreSQL or SQLite. Only this module contains SQL.
//!
//! A [`Tx`] is the unit of work and the only way to the tables; `transaction` lists every query, the simple ones with
//! their SQL text. Other queries that both engines understand are in `sql/`, once, and are compiled for each engine.
//! The rest is in `postgres/` and `sqlite/`.

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
mod sqlite;
mod tables;
mod transaction;

pub use database_url::{DatabaseUrl, InvalidDatabaseUrl};
pub use error::StoreError;

pub(crate) use error::corrupt;
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
pub use records::RefusalRecord;
pub use records::{
    AuditEntry, Change, Changed, Generation, ImportRecord, LogEntry, PlayerCounts, PoolId,
    PoolRecord, Ranked, RebuildRecord, RecordedRound, RoundFilter, RoundPlayed, SettingsId,
};
pub use records::{CalendarCheck, SeasonStanding};
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

/// Maximum time for getting a connection to the database. After it, the database counts as unavailable.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(1500);

/// Handle of the database. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Store {
    engine: Engine,
    timeout: Option<Duration>,
    /// Fair queue of requests for the database connections that read.
    reading: Share,
    /// Fair queue of requests for the database connections that write. On PostgreSQL, a clone of `reading`, because the
    /// same connections read and write.
    writing: Share,
}

/// Moment from which a power failure cannot undo a database transaction.
#[derive(Clone, Copy, Debug)]
enum Durability {
    /// Durable from the transaction's own commit, which waits for the disk.
    AtCommit,
    /// Durable from the next commit of any transaction that waits for the disk.
    Deferred,
}

#[derive(Clone, Debug)]
enum Engine {
    Postgres(postgres::failover::Servers),
    Sqlite(sqlite::Pools),
}

impl Store {
    /// Connects to the database at `url`. Creates an SQLite file that does not exist.
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
            // Only one request waits for the writer at a time, so that no round waits behind many.
            Engine::Sqlite(_) => (Share::of(sqlite::client_readers()), Share::of(1)),
        };
        Ok(Self {
            engine,
            timeout: None,
            reading,
            writing,
        })
    }

    /// Returns a handle of the database whose transactions fail after `timeout`. By default, a transaction may take any
    /// time.
    #[must_use]
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self {
            timeout: Some(timeout),
            ..self.clone()
        }
    }

    /// Returns the timeout of database transactions, if there is one.
    #[must_use]
    pub fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    /// Migrates the tables of the database to the newest version. Several instances may do so at once.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Postgres(servers) => postgres::migrate(servers.pool()).await,
            Engine::Sqlite(pools) => sqlite::migrate(pools).await,
        }
    }

    /// Begins a database transaction that may write. On SQLite, only one runs at a time.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        self.begin_to_write(Durability::AtCommit).await
    }

    /// Begins a database transaction whose commit does not wait for the disk. A power failure may undo it, and all
    /// later commits, until a transaction from [`Store::begin`] has committed. Meant for rows without a meaning before
    /// that.
    pub async fn begin_deferred(&self) -> Result<Tx, StoreError> {
        self.begin_to_write(Durability::Deferred).await
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

    /// Begins a database transaction that only reads, from one snapshot.
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

    /// Waits until the current request may use a connection that reads. Later transactions of the request do not wait
    /// again, so the caller can first check if another request has done the work meanwhile.
    pub(crate) async fn turn_to_read(&self) -> Result<Option<Arc<Turn>>, StoreError> {
        self.reading.turn().await
    }

    /// Waits until the current request may use a connection, then begins a transaction. If the store has a timeout, the
    /// database must answer `beginning` within [`ACQUIRE_TIMEOUT`].
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

    /// Checks that the database answers, takes writes and has the tables.
    pub async fn ping(&self) -> Result<(), StoreError> {
        // SQLite begins a write transaction even on a read-only file, and refuses only the write.
        self.begin().await?.try_to_write().await
    }

    /// Checks that a round could be written now. Does what [`Self::ping`] does, and on SQLite also commits an unchanged
    /// row, since only a commit needs disk space. On PostgreSQL, only some commits need space, so a full disk shows in
    /// the transaction that meets it.
    pub async fn check_disk_space(&self) -> Result<(), StoreError> {
        if matches!(self.engine, Engine::Postgres(_)) {
            return self.ping().await;
        }
        let mut tx = self.begin_deferred().await?;
        tx.rewrite_a_pool().await?;
        tx.commit().await
    }

    /// Updates the statistics of PostgreSQL's planner. By itself, PostgreSQL does so only a minute after many rows have
    /// changed; until then, a query may read whole tables instead of an index. Does nothing on SQLite, whose queries
    /// are written for plans without statistics.
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

    /// Prepares SQLite's writing connection for a series of large transactions. Does nothing on PostgreSQL.
    pub(crate) async fn prepare_for_bulk(&self) -> Result<(), StoreError> {
        match &self.engine {
            Engine::Postgres(_) => Ok(()),
            Engine::Sqlite(pools) => sqlite::prepare_for_bulk(pools).await,
        }
    }

    /// Pauses a process that writes a lot, so that others can write. `written` is the duration of its last
    /// transactions. Does nothing on PostgreSQL; SQLite has a single writer and no queue for other processes.
    pub async fn let_others_write(&self, written: Duration) {
        if matches!(self.engine, Engine::Sqlite(_)) {
            sqlite::pause(written).await;
        }
    }

    /// Returns `true` if another transaction of this process waits for SQLite's writer. Always `false` on PostgreSQL.
    pub(crate) fn has_waiters(&self) -> bool {
        match &self.engine {
            Engine::Postgres(_) => false,
            Engine::Sqlite(pools) => pools.has_waiters(),
        }
    }

    /// Returns the numbers of open database connections, by purpose.
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

    /// Closes every database connection once its transaction has ended. Does not wait for a server that does not
    /// answer.
    pub async fn close(&self) {
        match &self.engine {
            Engine::Postgres(servers) => servers.close().await,
            Engine::Sqlite(pools) => pools.close().await,
        }
    }
}

/// Numbers of idle and used connections in one connection pool: the only one of PostgreSQL, or SQLite's writer or
/// readers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connections {
    /// Purpose of the database connections: `all`, or for an SQLite file `writer` or `readers`.
    pub kind: &'static str,
    /// Number of idle database connections.
    pub idle: usize,
    /// Number of database connections in use.
    pub in_use: usize,
}

impl Connections {
    pub(crate) fn of<Db: Database>(kind: &'static str, pool: &Pool<Db>) -> Self {
        // The two numbers are read one after the other, and may be inconsistent.
        let (open, idle) = (pool.size() as usize, pool.num_idle());
        Self {
            kind,
            idle,
            in_use: open.saturating_sub(idle),
        }
    }
}
