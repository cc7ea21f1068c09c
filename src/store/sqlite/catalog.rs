//! Queries of SQLite's catalog, and operations on all tables at once.

use super::sql::execute;
use super::{Connection, MIGRATIONS};
use crate::domain::Timestamp;
use crate::store::{StoreError, TABLES, migrations};

/// Returns the columns of a table: name, type, and place in the primary key from 1, or 0 outside the key.
pub(crate) async fn columns(
    connection: &mut Connection,
    table: &str,
) -> Result<Vec<(String, String, i64)>, StoreError> {
    let query = sqlx::query_as("select name, type, pk from pragma_table_info($1) order by cid");
    Ok(query.bind(table).fetch_all(connection).await?)
}

pub(crate) async fn drop_tables(connection: &mut Connection) -> Result<(), StoreError> {
    let views = ["drop view if exists unrated_in_reports".to_owned()];
    let tables = ["_sqlx_migrations", "unrated_players"]
        .into_iter()
        .chain(TABLES.into_iter().rev())
        .map(|table| format!("drop table if exists {table}"));
    for statement in views.into_iter().chain(tables) {
        let statement = sqlx::AssertSqlSafe(statement);
        execute(connection, sqlx::query(statement)).await?;
    }
    Ok(())
}

pub(crate) async fn migrate_to(
    connection: &mut Connection,
    migration: i64,
) -> Result<(), StoreError> {
    migrations::migrate_to(connection, MIGRATIONS, migration).await
}

pub(crate) async fn size(connection: &mut Connection) -> Result<u64, StoreError> {
    let query = "select page_count * page_size from pragma_page_count, pragma_page_size";
    let size: i64 = sqlx::query_scalar(query).fetch_one(connection).await?;
    Ok(size.cast_unsigned())
}

pub(crate) async fn engine_version(connection: &mut Connection) -> Result<String, StoreError> {
    let query = sqlx::query_scalar("select 'SQLite ' || sqlite_version()");
    Ok(query.fetch_one(connection).await?)
}

/// Returns `None`, since an SQLite file has no clock.
pub(crate) async fn server_time(_: &mut Connection) -> Result<Option<Timestamp>, StoreError> {
    Ok(None)
}
