//! Queries on whole tables, for backups and migrations.

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::store::{Cell, StoreError, Table, postgres, sqlite};

queries! {
    /// Returns the tables that the database has, of any version, each behind the tables that it refers to.
    fn tables() -> Vec<Table> = sql::tables::list;

    /// Returns the number of the newest migration of the database, or `None` if it was never a database of RBS.
    fn migration() -> Option<i64> = sql::tables::migration;

    /// Refuses a database that was migrated with a migration whose SQL text differs from this program's.
    fn check_migrations() -> () = sql::tables::check_migrations;

    /// Returns `true` if the first migration of the database is this program's.
    fn is_ours() -> bool = sql::tables::is_ours;

    /// Returns the number of rows of a table, 0 if there is no such table.
    fn count_rows(table: &'static str) -> u64 = sql::tables::count;

    /// Returns the size of the database in bytes.
    fn size() -> u64 = catalog::size;

    /// Returns the time of a PostgreSQL server's clock; `None` on SQLite.
    fn server_time() -> Option<Timestamp> = catalog::server_time;

    /// Returns the name of the engine and its version, such as `SQLite 3.50.2`.
    fn engine_version() -> String = catalog::engine_version;

    /// Returns up to `limit` rows of a table behind the row with the primary key `last`, in the order of the key.
    fn rows_behind(table: &Table, last: Option<&[Cell]>, limit: u32) -> Vec<Vec<Cell>> = sql::tables::rows_behind;

    /// Inserts `rows` into `table`. Each row has a value for every column of the table.
    fn insert_rows(table: &Table, rows: &[Vec<Cell>]) -> () = sql::tables::insert;

    /// Drops all tables of RBS, with their rows.
    fn drop_tables() -> () = catalog::drop_tables;

    /// Migrates the tables up to the migration of this number, without a time limit.
    fn migrate_to(migration: i64) -> () = catalog::migrate_to;
}
