//! PostgreSQL: how to connect and migrate, and the queries that SQLite would not understand.

/// The whole numbers that are bound as `$2`, each a row of `wanted`.
macro_rules! wanted_numbers {
    () => {
        " from unnest($2::bigint[]) as wanted (number)"
    };
}

/// Joins the row of a table, of which there is at most one, that meets the condition. It is looked up
/// for each row of what stands before: a plain join may be planned as a scan of the whole pool, which
/// is what PostgreSQL does without statistics.
macro_rules! join_one {
    ($table:ident, $($condition:expr),+) => {
        concat!(
            " cross join lateral (select * from ", stringify!($table), " where",
            $(" ", $condition,)+
            " limit 1) as ", stringify!($table)
        )
    };
}

/// Joins the rows of a table that meet the condition, looked up in the same way.
macro_rules! join_many {
    ($table:ident, $($condition:expr),+) => {
        concat!(
            " cross join lateral (select * from ", stringify!($table), " where",
            $(" ", $condition,)+
            ") as ", stringify!($table)
        )
    };
}

/// The bytes of a column as hexadecimal digits.
macro_rules! digits_of {
    ($column:literal) => {
        concat!("encode(", $column, ", 'hex')")
    };
}

/// Whether a column holds one of the whole numbers that are bound as `$parameter`.
macro_rules! is_wanted {
    ($parameter:literal) => {
        concat!(" = any(", $parameter, "::bigint[])")
    };
}

pub(super) mod catalog;
pub(crate) mod failover;
mod pooler;
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

/// Whole numbers, as a query's text has them bound.
fn numbers(numbers: impl Iterator<Item = u64>) -> Vec<i64> {
    numbers.map(u64::cast_signed).collect()
}

/// How a unit of work begins that writes.
pub(super) fn begin(durability: Durability) -> &'static str {
    match durability {
        Durability::AtCommit => "begin",
        Durability::WithTheNext => "begin; set local synchronous_commit = off",
    }
}

/// Kept while a program migrates. The driver's own lock is given back before the commit.
const MIGRATION_LOCK: i64 = 0x0072_6273;

/// Migrates on a connection of its own, without the limits: a migration, or the wait for another
/// instance's, may take long. All of it is one unit of work: where a migration fails, the tables are as they were.
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

/// Of the tables that an import or a rebuild fills. Who does not own them gets a warning and changes nothing.
///
/// A table that is known to be empty makes one index as good as any other, and the plans that are kept since then read
/// all of one when there are rows. Of one that nothing is known of, PostgreSQL expects rows.
pub(super) async fn refresh_statistics(connection: &mut Connection) -> Result<(), StoreError> {
    let query = sqlx::query_scalar("select exists (select from rounds)");
    if !query.fetch_one(&mut *connection).await? {
        return Ok(());
    }
    let query = sqlx::query("analyze rounds, results, entries, players");
    sql::execute(connection, query).await
}
