//! The tables as a whole.

use super::{Inner, Tx, within};
use crate::domain::Timestamp;
use crate::store::{Cell, StoreError, Table, postgres, sqlite};

queries! {
    /// The tables that the database has, whatever its version, each behind those that it refers to.
    fn tables() -> Vec<Table> = sql::tables::list;

    /// The newest migration that the database has been through; `None` where it was never one of RBS's.
    fn migration() -> Option<i64> = sql::tables::migration;

    /// Refuses a database that has been through a migration of another text than this program's of that number.
    fn check_migrations() -> () = sql::tables::check_migrations;

    /// Returns true if the first migration that the database has been through is this program's.
    fn is_ours() -> bool = sql::tables::is_ours;

    /// How many rows a table has; none where there is no such table.
    fn count_rows(table: &'static str) -> u64 = sql::tables::count;

    /// How many bytes the database takes.
    fn size() -> u64 = catalog::size;

    /// The time by the clock of a PostgreSQL server; `None` of SQLite.
    fn server_time() -> Option<Timestamp> = catalog::server_time;

    /// The database's engine and its version, such as `SQLite 3.50.2`.
    fn engine_version() -> String = catalog::engine_version;

    /// Up to `limit` rows of a table behind the one with the key `last`, in the order of the key.
    fn rows_behind(table: &Table, last: Option<&[Cell]>, limit: u32) -> Vec<Vec<Cell>>
        = sql::tables::rows_behind;

    /// Inserts rows, each with a value for every column of the table.
    fn insert_rows(table: &Table, rows: &[Vec<Cell>]) -> () = sql::tables::insert;

    /// Takes every table away, with all that is in it.
    fn drop_tables() -> () = catalog::drop_tables;

    /// Brings the tables to where that migration left them, however long it takes.
    fn migrate_to(migration: i64) -> () = catalog::migrate_to;
}
