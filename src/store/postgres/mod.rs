//! PostgreSQL: connections, migrations, and the queries that SQLite does not understand.

/// SQL `from` clause for a table `wanted` with a row for each integer in the list bound as `$2`.
macro_rules! wanted_numbers {
    () => {
        " from unnest($2::bigint[]) as wanted (number)"
    };
}

/// SQL join with the only row of a table that meets the condition, if there is one. The lateral join looks it up row by
/// row. Without statistics, PostgreSQL may plan a plain join as a scan of the whole pool.
macro_rules! join_one {
    ($table:ident, $($condition:expr),+) => {
        concat!(
            " cross join lateral (select * from ", stringify!($table), " where",
            $(" ", $condition,)+
            " limit 1) as ", stringify!($table)
        )
    };
}

/// SQL join with all rows of a table that meet the condition, by a lateral join like `join_one`.
macro_rules! join_many {
    ($table:ident, $($condition:expr),+) => {
        concat!(
            " cross join lateral (select * from ", stringify!($table), " where",
            $(" ", $condition,)+
            ") as ", stringify!($table)
        )
    };
}

macro_rules! digits_of {
    ($column:literal) => {
        concat!("encode(", $column, ", 'hex')")
    };
}

/// SQL condition that a column equals one of the integers bound as `$parameter`.
macro_rules! is_wanted {
    ($parameter:literal) => {
        concat!(" = any(", $parameter, "::bigint[])")
    };
}

pub(super) mod catalog;
pub(crate) mod failover;
pub(super) mod queries;
pub(super) mod save_batch;
#[path = "../sql/mod.rs"]
pub(super) mod sql;
pub(super) mod transaction;

use sqlx::Connection as _;

use super::migrations::{self, POSTGRES as MIGRATIONS};
use super::{Durability, StoreError};

type Db = sqlx::Postgres;
type Connection = sqlx::PgConnection;
type Row = sqlx::postgres::PgRow;

/// List of integers as SQL queries bind it.
type Numbers = Vec<i64>;

fn numbers(numbers: impl Iterator<Item = u64>) -> Numbers {
    numbers.map(u64::cast_signed).collect()
}

/// Returns the SQL statement that begins a writing transaction.
pub(super) fn begin(durability: Durability) -> &'static str {
    match durability {
        Durability::AtCommit => "begin",
        Durability::Deferred => "begin; set local synchronous_commit = off",
    }
}

/// Key of the PostgreSQL lock held during a migration. The driver releases its own lock before the commit.
const MIGRATION_LOCK: i64 = 0x0072_6273;

/// Migrates the tables on a separate connection without time limits, since a migration, or the wait for another
/// instance's, may take long. All migrations are one transaction: if one fails, the tables stay unchanged.
pub(super) async fn migrate(pool: &sqlx::PgPool) -> Result<(), StoreError> {
    let options = (*pool.connect_options()).clone().options([
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    let mut connection = Connection::connect_with(&options).await?;
    let mut transaction = connection.begin().await?;
    let lock = sqlx::query("select pg_advisory_xact_lock($1)").bind(MIGRATION_LOCK);
    sql::execute(&mut transaction, lock).await?;
    migrations::migrate(&mut *transaction, MIGRATIONS).await?;
    transaction.commit().await?;
    Ok(connection.close().await?)
}

/// Runs `analyze` on the PostgreSQL tables that imports and rebuilds fill. Without effect for users who do not own
/// them.
///
/// An empty database is skipped. With the statistics of an empty table, every index looks equally good, and cached
/// plans later read a whole index. Without statistics, PostgreSQL expects rows.
pub(super) async fn refresh_statistics(connection: &mut Connection) -> Result<(), StoreError> {
    let query = sqlx::query_scalar("select exists (select from rounds)");
    if !query.fetch_one(&mut *connection).await? {
        return Ok(());
    }
    let query = sqlx::query("analyze rounds, results, entries, players");
    sql::execute(connection, query).await
}
