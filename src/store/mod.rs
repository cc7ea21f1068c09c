//! Everything RBS remembers, on PostgreSQL or SQLite: the only place that knows SQL.
//!
//! A [`Tx`] is the unit of work and the only door to the tables. Queries that both engines
//! understand stand once, in `sql/`, and are compiled for each; what differs stands in
//! `postgres.rs` and `sqlite.rs`.

#[macro_use]
mod columns;

mod database_url;
mod error;
mod postgres;
mod records;
mod sqlite;
mod tx;

use std::time::Duration;

pub use database_url::{DatabaseUrl, InvalidDatabaseUrl};
pub use error::StoreError;
pub use records::{
    Change, ChangeKind, NewEntry, PlayerCounts, PlayerRecord, PlayerResult, PoolId, PoolRecord,
    RecordedRound,
};
pub use tx::Tx;

use error::corrupt;

/// How long a unit of work waits for a connection before the database counts as not answering.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(2);

static MIGRATOR: sqlx::migrate::Migrator = sqlx::migrate!("./migrations");

/// The database behind the service; cheap to clone.
#[derive(Clone, Debug)]
pub struct Store(Engine);

#[derive(Clone, Debug)]
enum Engine {
    Postgres(sqlx::PgPool),
    Sqlite(sqlite::Pools),
}

impl Store {
    /// Connects to the database at `url`, creating an SQLite file that is not there.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where the database does not answer.
    pub async fn connect(url: &DatabaseUrl) -> Result<Self, StoreError> {
        Ok(Self(match url {
            DatabaseUrl::Postgres(options) => Engine::Postgres(postgres::connect(options).await?),
            DatabaseUrl::Sqlite { path } => Engine::Sqlite(sqlite::connect(path).await?),
        }))
    }

    /// Brings the tables up to date; safe to run from several instances at once.
    ///
    /// # Errors
    /// A migration that fails, or a database newer than this program.
    pub async fn migrate(&self) -> Result<(), StoreError> {
        match &self.0 {
            Engine::Postgres(pool) => postgres::migrate(pool, &MIGRATOR).await,
            Engine::Sqlite(pools) => sqlite::migrate(pools, &MIGRATOR).await,
        }
    }

    /// Begins a unit of work that may write. On SQLite one runs at a time.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where no connection is to be had in time.
    pub async fn begin(&self) -> Result<Tx, StoreError> {
        Ok(match &self.0 {
            Engine::Postgres(pool) => Tx::from(pool.begin().await?),
            Engine::Sqlite(pools) => Tx::from(pools.writer.begin_with("begin immediate").await?),
        })
    }

    /// Begins a unit of work that only reads and sees one moment of the database throughout.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] where no connection is to be had in time.
    pub async fn begin_read(&self) -> Result<Tx, StoreError> {
        Ok(match &self.0 {
            Engine::Postgres(pool) => Tx::from(
                pool.begin_with("begin isolation level repeatable read read only")
                    .await?,
            ),
            Engine::Sqlite(pools) => Tx::from(pools.readers.begin().await?),
        })
    }

    /// Whether a unit of work could be done now: the database answers, lets itself be written to,
    /// and has the tables.
    ///
    /// # Errors
    /// Where it could not.
    pub async fn ping(&self) -> Result<(), StoreError> {
        // SQLite begins to write to a file that it may not write to, and only a write is refused.
        self.begin().await?.try_to_write().await
    }

    /// Closes every connection once its unit of work has ended.
    pub async fn close(&self) {
        match &self.0 {
            Engine::Postgres(pool) => pool.close().await,
            Engine::Sqlite(pools) => pools.close().await,
        }
    }
}
