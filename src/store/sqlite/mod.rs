//! SQLite: connections, migrations, and the queries that PostgreSQL does not understand.

/// SQL `from` clause for a table `wanted` with a row for each integer in the list bound as `$2`.
macro_rules! wanted_numbers {
    () => {
        " from (select value as number from json_each($2)) as wanted"
    };
}

/// SQL join with the only row of a table that meets the condition, if there is one.
macro_rules! join_one {
    ($table:ident, $($condition:expr),+) => {
        concat!(" cross join ", stringify!($table), " on", $(" ", $condition),+)
    };
}

/// Expands to SQL text that joins `$table` to the preceding tables of a query: all its rows that meet every
/// `$condition`.
macro_rules! join_many {
    ($table:ident, $($condition:expr),+) => {
        join_one!($table, $($condition),+)
    };
}

macro_rules! digits_of {
    ($column:literal) => {
        concat!("hex(", $column, ")")
    };
}

/// SQL condition that a column equals one of the integers bound as `$parameter`.
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

/// List of integers as SQL queries bind it: as JSON.
type Numbers = String;

fn numbers(numbers: impl Iterator<Item = u64>) -> Numbers {
    numbers.collect::<serde_json::Value>().to_string()
}

/// Number of read-only connections to SQLite that are reserved for the service's own work.
const RESERVED_READERS: usize = 2;

/// Returns the number of read-only connections that requests may use: one for each processor, from 4 to 8. SQLite lets
/// them read while another connection writes.
pub(super) fn client_readers() -> usize {
    std::thread::available_parallelism().map_or(4, |processors| processors.get().clamp(4, 8))
}

/// Connections to one SQLite file. Only one of them writes: SQLite has a single writer anyway, and waiting for a
/// connection is fair, unlike waiting for SQLite's lock.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    pub(super) writer: SqlitePool,
    /// Lock that the next writing transaction of this process holds until it begins, so that the others wait in order.
    next_writer: Arc<Mutex<()>>,
    pub(super) readers: SqlitePool,
    file: File,
}

impl Pools {
    /// Checks that the SQLite file that the connections use is still at its path.
    ///
    /// # Errors
    /// Returns [`StoreError::Unavailable`] if the file was moved, deleted or replaced. SQLite would go on writing to
    /// the file without a name, which disappears with the process.
    pub(super) fn check_file(&self) -> Result<(), StoreError> {
        self.file
            .check()
            .map_err(|error| StoreError::Unavailable(error.into()))
    }

    /// Returns `true` if a transaction waits to write while another writes.
    pub(super) fn has_waiters(&self) -> bool {
        self.next_writer.try_lock().is_err()
    }

    pub(super) async fn close(&self) {
        // The writer closes last: it copies the write-ahead log back into the file.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// Maximum time that this process waits for another process's lock on the SQLite file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);
/// Time between two attempts to get SQLite's write lock. SQLite's own attempts are up to a tenth of a second apart, and
/// a process that writes a lot has mostly locked again by then.
const TRY_AGAIN: Duration = Duration::from_millis(1);
/// Minimum pause of a process that writes a lot: several times the usual delay of an operating system's timer.
const MIN_PAUSE: Duration = Duration::from_millis(5);
/// Divisor that gives the pause between transactions from the time spent writing. Another process that misses a pause
/// waits for another period of writing.
const PART_OF_WRITING: u32 = 32;

/// Number of rows of a result that SQLite's thread may read ahead of the thread that uses them. Without a buffer, the
/// two threads mostly wait for one another.
const ROWS_AHEAD: usize = 1024;

/// Maximum number of attempts to open an SQLite file that another process has locked.
const TRIES: u32 = 50;

pub(super) async fn connect(path: &Path) -> Result<Pools, StoreError> {
    file::make(path);
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .foreign_keys(true)
        // Statements that write many rows keep their undo data. This setting keeps it in memory instead of a temporary
        // file.
        .pragma("temp_store", "memory")
        .row_buffer_size(ROWS_AHEAD)
        .busy_timeout(BUSY_TIMEOUT);
    let pool = |connections| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            // A file cannot go away like a server.
            .test_before_acquire(false)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            // If the disk is full, SQLite ends the transaction by itself. The driver does not notice, and could never
            // begin another transaction on that connection.
            .after_release(|connection, _| {
                Box::pin(async move {
                    if connection.is_in_transaction() {
                        // Waits until the driver has rolled back.
                        connection.ping().await?;
                    }
                    Ok(!connection.is_in_transaction())
                })
            })
    };
    let mut tries = 0;
    let of_writer = options
        .clone()
        // The function `begin` waits for the lock, instead of SQLite.
        .busy_timeout(Duration::ZERO)
        // In KiB: the pages that a few hundred rounds write, each of them many times. Readers keep the usual 2 MiB,
        // because the system caches the file's pages too.
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

/// Begins an SQLite transaction that writes. With `synchronous = full`, its commit waits until the write-ahead log is
/// on the disk, so that an acknowledged round survives a power failure. With `normal`, the next full commit does so.
pub(super) async fn begin(
    pools: &Pools,
    durability: Durability,
) -> Result<Transaction<'static, Db>, sqlx::Error> {
    let statement = match durability {
        Durability::AtCommit => "pragma synchronous = full; begin immediate",
        Durability::Deferred => "pragma synchronous = normal; begin immediate",
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

/// Pauses so that other processes get SQLite's write lock. `written` is the duration of the last transactions.
pub(super) async fn pause(written: Duration) {
    tokio::time::sleep(MIN_PAUSE.max(written / PART_OF_WRITING)).await;
}

/// Settings of SQLite's writer for large transactions: a page cache of 64 MiB, and a checkpoint after as much of the
/// write-ahead log. So a page that every transaction writes is copied into the file once for several of them.
const BULK: &str = "pragma cache_size = -65536; pragma wal_autocheckpoint = 16384";

pub(super) async fn prepare_for_bulk(pools: &Pools) -> Result<(), StoreError> {
    let mut writer = pools.writer.acquire().await?;
    sqlx::query(BULK).execute(&mut *writer).await?;
    Ok(())
}

/// Returns `true` if an SQL error means that another process holds a lock on the SQLite file.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    // The low byte of the code is the kind of error: 5 is SQLITE_BUSY.
    code.is_some_and(|code| code.parse().is_ok_and(|code: i32| code & 0xff == 5))
}

/// Migrates SQLite's tables under the write lock. Of several processes, one migrates, and the others find the work
/// done.
pub(super) async fn migrate(pools: &Pools) -> Result<(), StoreError> {
    let mut transaction = begin(pools, Durability::AtCommit).await?;
    migrations::migrate(&mut *transaction, MIGRATIONS).await?;
    Ok(transaction.commit().await?)
}

/// Returns the damage to the pages, indexes and references of the SQLite file, in words.
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

    /// Tests that the connection that writes has the settings for bulk writes. These settings change only the speed, so
    /// no other test would notice.
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

    /// Tests the detection of transactions that wait to write. Only the latency of rounds during a rebuild depends on
    /// it, so no other test would notice.
    #[tokio::test]
    async fn whoever_waits_to_write_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let pools = super::connect(&folder.path().join("rbs.db")).await.unwrap();
        let first = super::begin(&pools, Durability::AtCommit).await.unwrap();
        assert!(!pools.has_waiters(), "nobody but the one that writes");
        let first_ends = async {
            assert!(pools.has_waiters(), "the second waits");
            first.rollback().await
        };
        let (second, ended) = tokio::join!(super::begin(&pools, Durability::AtCommit), first_ends);
        ended.unwrap();
        second.unwrap().rollback().await.unwrap();
        assert!(!pools.has_waiters(), "all are through");
        pools.close().await;
    }

    /// Tests SQLite's build options. They change only the speed, so no other test would notice.
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
