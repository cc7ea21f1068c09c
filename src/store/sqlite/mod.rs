//! SQLite: how to connect and migrate, and the queries that PostgreSQL would not understand.

/// The whole numbers that are bound as `$2`, each a row of `wanted`.
macro_rules! wanted_numbers {
    () => {
        " from (select value as number from json_each($2)) as wanted"
    };
}

/// Joins the row of a table, of which there is at most one, that meets the condition.
macro_rules! join_one {
    ($table:ident, $($condition:expr),+) => {
        concat!(" cross join ", stringify!($table), " on", $(" ", $condition),+)
    };
}

/// Joins the rows of a table that meet the condition.
macro_rules! join_many {
    ($table:ident, $($condition:expr),+) => {
        join_one!($table, $($condition),+)
    };
}

/// The bytes of a column as hexadecimal digits.
macro_rules! digits_of {
    ($column:literal) => {
        concat!("hex(", $column, ")")
    };
}

/// Whether a column holds one of the whole numbers that are bound as `$parameter`.
macro_rules! is_wanted {
    ($parameter:literal) => {
        concat!(" in (select value from json_each(", $parameter, "))")
    };
}

#[macro_use]
mod batches;
pub(super) mod catalog;
pub(crate) mod file;
pub(super) mod queries;
pub(super) mod save_batch;
#[path = "../sql/mod.rs"]
pub(super) mod sql;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions};
use sqlx::{Connection as _, Row as _, Transaction};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::migrations::{self, SQLITE as MIGRATIONS};
use super::{ACQUIRE_TIMEOUT, Durability, StoreError};
use file::File;

type Db = sqlx::Sqlite;
type Connection = sqlx::SqliteConnection;
type Row = sqlx::sqlite::SqliteRow;

/// Whole numbers, as a query's text has them bound.
fn numbers(numbers: impl Iterator<Item = u64>) -> String {
    numbers.collect::<serde_json::Value>().to_string()
}

/// Read-only connections that are reserved for the service's own work.
const RESERVED_READERS: usize = 2;

/// Number of read-only connections that requests take turns on: one for each processor, 4 to 8. SQLite lets them read
/// while the other connection writes.
pub(super) fn client_readers() -> usize {
    std::thread::available_parallelism().map_or(4, |processors| processors.get().clamp(4, 8))
}

/// The connections to one file. One writes: SQLite has one writer at a time anyway, and waiting
/// for a connection is fair where waiting for its lock is not.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    pub(super) writer: SqlitePool,
    /// Held by whoever is the next of this process to write, until it does: the others wait in their order.
    next_writer: Arc<Mutex<()>>,
    pub(super) readers: SqlitePool,
    file: File,
}

impl Pools {
    /// Checks that the connections are to the file that stands under the name.
    ///
    /// # Errors
    /// Where it was moved, deleted or replaced: SQLite would go on with the file that nobody sees
    /// any more, and what it writes would be gone with the process.
    pub(super) fn check_file(&self) -> Result<(), StoreError> {
        self.file
            .check()
            .map_err(|error| StoreError::Unavailable(error.into()))
    }

    /// Whether somebody waits to write, while another does.
    pub(super) fn is_awaited(&self) -> bool {
        self.next_writer.try_lock().is_err()
    }

    pub(super) async fn close(&self) {
        // The writer last: it folds the write-ahead log back into the file.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// How long a lock is waited for that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// How often it is tried to get the lock of whoever writes. SQLite by itself tries it up to a tenth of a second apart,
/// and a process that writes a lot has mostly locked again by then.
const TRY_AGAIN: Duration = Duration::from_millis(1);
/// For how long whoever writes a lot leaves the lock to others at least: several times as long as a timer may be late.
const MIN_PAUSE: Duration = Duration::from_millis(5);
/// Which part of the time that it has written for that is otherwise: who missed one pause waits for as long again.
const PART_OF_WRITING: u32 = 32;

/// Rows that SQLite's thread may be ahead of whoever reads them: where it waits for each, the two threads
/// mostly wait for one another.
const ROWS_AHEAD: usize = 1024;

/// How often a file is opened that another process holds locked.
const TRIES: u32 = 50;

pub(super) async fn connect(path: &Path) -> Result<Pools, StoreError> {
    file::make(path);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        // Every statement that writes many rows keeps what would undo it, else in a file that is made for it.
        .pragma("temp_store", "memory")
        .row_buffer_size(ROWS_AHEAD)
        .busy_timeout(BUSY_TIMEOUT);
    let pool = |connections| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            // A file is not a server that may have gone away.
            .test_before_acquire(false)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            // Where a disk is full, SQLite ends the transaction by itself. The driver does not
            // learn of it and would begin no other on that connection, ever.
            .after_release(|connection, _| {
                Box::pin(async move {
                    if connection.is_in_transaction() {
                        // Until the driver has rolled back.
                        connection.ping().await?;
                    }
                    Ok(!connection.is_in_transaction())
                })
            })
    };
    let mut tries = 0;
    let of_writer = options
        .clone()
        // `begin` waits for the lock in place of SQLite.
        .busy_timeout(Duration::ZERO)
        // In KiB: the pages that a few hundred rounds write, each of them many times. Readers do with the 2 MiB that
        // are usual: the system holds the file's pages too.
        .pragma("cache_size", "-16384");
    let writer = loop {
        match pool(1).connect_with(of_writer.clone()).await {
            Ok(writer) => break writer,
            Err(error) if tries < TRIES && is_locked(&error) => tries += 1,
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(BUSY_TIMEOUT / TRIES).await;
    };
    let readers = u32::try_from(client_readers() + RESERVED_READERS).unwrap_or(u32::MAX);
    let readers = pool(readers)
        .connect_with(options.create_if_missing(false).read_only(true))
        .await?;
    let file = File::open(path).map_err(|error| StoreError::Unavailable(error.into()))?;
    Ok(Pools {
        writer,
        next_writer: Arc::default(),
        readers,
        file,
    })
}

/// Begins a unit of work that writes. A commit that is `full` waits until the write-ahead log is on the disk:
/// an acknowledged round survives a power cut. One that is `normal` leaves that to the next that is `full`.
pub(super) async fn begin(
    pools: &Pools,
    durability: Durability,
) -> Result<Transaction<'static, Db>, sqlx::Error> {
    let statement = match durability {
        Durability::AtCommit => "pragma synchronous = full; begin immediate",
        Durability::WithTheNext => "pragma synchronous = normal; begin immediate",
    };
    let _next = pools.next_writer.lock().await;
    let deadline = Instant::now() + BUSY_TIMEOUT;
    loop {
        match pools.writer.begin_with(statement).await {
            Err(error) if is_locked(&error) && Instant::now() < deadline => {
                tokio::time::sleep(TRY_AGAIN).await;
            }
            begun => return begun,
        }
    }
}

/// Leaves the lock to others, behind transactions that held it for as long as `written`.
pub(super) async fn pause(written: Duration) {
    tokio::time::sleep(MIN_PAUSE.max(written / PART_OF_WRITING)).await;
}

/// How the connection that writes is set where each unit of work writes as much as it can: it holds 64 MiB of the pages
/// that they write, and copies pages from the write-ahead log into the file once there are as many, so that those that
/// every unit of work writes are copied once for several.
const BULK: &str = "pragma cache_size = -65536; pragma wal_autocheckpoint = 16384";

/// Prepares the connection that writes for units of work that each write as much as they can.
pub(super) async fn prepare_for_bulk(pools: &Pools) -> Result<(), StoreError> {
    let mut writer = pools.writer.acquire().await?;
    sqlx::query(BULK).execute(&mut *writer).await?;
    Ok(())
}

/// Whether another process holds a lock on the file at this moment.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    // The lowest byte of a code is what is wrong, the others are how: 5 is SQLITE_BUSY.
    code.is_some_and(|code| code.parse().is_ok_and(|code: i32| code & 0xff == 5))
}

/// Migrates while holding the write lock, so that of several processes one does and the others
/// find it done.
pub(super) async fn migrate(pools: &Pools) -> Result<(), StoreError> {
    let mut transaction = begin(pools, Durability::AtCommit).await?;
    migrations::migrate(&mut *transaction, MIGRATIONS).await?;
    Ok(transaction.commit().await?)
}

/// What is wrong with the pages, the indexes and the references of the file, in words.
pub(super) async fn damage(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let mut damage: Vec<String> = sqlx::query_scalar("pragma integrity_check")
        .fetch_all(&mut *connection)
        .await?;
    damage.retain(|line| line != "ok");
    let strays = sqlx::query("pragma foreign_key_check")
        .fetch_all(connection)
        .await?;
    for stray in strays {
        let (table, parent): (String, String) = (stray.try_get(0)?, stray.try_get(2)?);
        damage.push(format!(
            "a row of {table} names a row of {parent} that is not there"
        ));
    }
    Ok(damage)
}

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;

    use super::Durability;

    /// Nothing but its speed shows how a connection is set.
    #[tokio::test]
    async fn the_connection_that_writes_is_prepared_for_bulk() {
        let folder = tempfile::tempdir().unwrap();
        let pools = super::connect(&folder.path().join("rbs.db")).await.unwrap();
        super::prepare_for_bulk(&pools).await.unwrap();
        for (setting, value) in [("cache_size", -65_536), ("wal_autocheckpoint", 16_384)] {
            let query =
                sqlx::query_scalar::<_, i64>(sqlx::AssertSqlSafe(format!("pragma {setting}")));
            let set = query.fetch_one(&pools.writer).await.unwrap();
            assert_eq!(set, value, "{setting}");
        }
        let query = sqlx::query_scalar::<_, i64>("pragma cache_size");
        let held = query.fetch_one(&pools.readers).await.unwrap();
        assert_eq!(held, -2_000, "readers hold what is usual");
        pools.close().await;
    }

    /// Nothing but the latency of rounds beside a rebuild shows it.
    #[tokio::test]
    async fn whoever_waits_to_write_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let pools = super::connect(&folder.path().join("rbs.db")).await.unwrap();
        let first = super::begin(&pools, Durability::AtCommit).await.unwrap();
        assert!(!pools.is_awaited(), "nobody but the one that writes");
        let first_ends = async {
            assert!(pools.is_awaited(), "the second waits");
            first.rollback().await
        };
        let (second, ended) = tokio::join!(super::begin(&pools, Durability::AtCommit), first_ends);
        ended.unwrap();
        second.unwrap().rollback().await.unwrap();
        assert!(!pools.is_awaited(), "all are through");
        pools.close().await;
    }

    /// Nothing but its speed shows how SQLite was built.
    #[tokio::test]
    async fn sqlite_is_built_as_the_settings_of_cargo_say() {
        let memory = super::Connection::connect("sqlite::memory:").await;
        let options: Vec<String> = sqlx::query_scalar("pragma compile_options")
            .fetch_all(&mut memory.unwrap())
            .await
            .unwrap();
        let has = |option: &str| options.iter().any(|built| built == option);
        assert!(
            has("DEFAULT_MEMSTATUS=0") && !has("ENABLE_MEMORY_MANAGEMENT"),
            "the environment has other LIBSQLITE3_FLAGS than .cargo/config.toml: {options:?}"
        );
    }
}
