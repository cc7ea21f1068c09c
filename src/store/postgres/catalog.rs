//! Queries of PostgreSQL's catalog, and operations on all tables at once.

use super::sql::{Fields, execute};
use super::{Connection, MIGRATIONS};
use crate::domain::Timestamp;
use crate::store::{StoreError, TABLES, migrations};

/// Returns the columns of a table: name, type, and place in the primary key from 1, or 0 outside the key.
pub(crate) async fn columns(
    connection: &mut Connection,
    table: &str,
) -> Result<Vec<(String, String, i64)>, StoreError> {
    let query = sqlx::query_as(
        "select attributes.attname::text, format_type(attributes.atttypid, null),
                coalesce(array_position(keys.conkey, attributes.attnum), 0)::bigint
         from pg_class classes
         join pg_attribute attributes on attributes.attrelid = classes.oid
         left join pg_constraint keys on keys.conrelid = classes.oid and keys.contype = 'p'
         where classes.relname = $1 and classes.relnamespace = current_schema()::regnamespace
           and classes.relkind = 'r' and attributes.attnum > 0 and not attributes.attisdropped
         order by attributes.attnum",
    );
    Ok(query.bind(table).fetch_all(connection).await?)
}

/// Drops all tables of RBS in this connection's schema. PostgreSQL refuses if objects of others depend on a table.
pub(crate) async fn drop_tables(connection: &mut Connection) -> Result<(), StoreError> {
    lift_limits(connection).await?;
    let query = sqlx::query_scalar("select quote_ident(current_schema())");
    let schema: Option<String> = query.fetch_one(&mut *connection).await?;
    // Without a schema there is no table.
    let Some(schema) = schema else { return Ok(()) };
    let view = format!("drop view if exists {schema}.unrated_in_reports");
    let tables = ["_sqlx_migrations", "unrated_players"]
        .into_iter()
        .chain(TABLES.into_iter().rev())
        .map(|table| format!("drop table if exists {schema}.{table}"));
    let function = format!("drop function if exists {schema}.keep_unrated_players()");
    for statement in [view].into_iter().chain(tables).chain([function]) {
        let statement = sqlx::AssertSqlSafe(statement);
        execute(connection, sqlx::query(statement)).await?;
    }
    Ok(())
}

pub(crate) async fn migrate_to(
    connection: &mut Connection,
    migration: i64,
) -> Result<(), StoreError> {
    lift_limits(connection).await?;
    migrations::migrate_to(connection, MIGRATIONS, migration).await
}

/// Removes PostgreSQL's time limits of statements in this transaction. The migration of full tables may take long.
async fn lift_limits(connection: &mut Connection) -> Result<(), StoreError> {
    let limits = "select set_config(name, '0', true) from (values ('statement_timeout'),
                  ('idle_in_transaction_session_timeout')) as limits (name)";
    execute(connection, sqlx::query(limits)).await
}

pub(crate) async fn size(connection: &mut Connection) -> Result<u64, StoreError> {
    let query = sqlx::query_scalar("select pg_database_size(current_database())");
    let size: i64 = query.fetch_one(connection).await?;
    Ok(size.cast_unsigned())
}

pub(crate) async fn engine_version(connection: &mut Connection) -> Result<String, StoreError> {
    let query = sqlx::query_scalar("select 'PostgreSQL ' || current_setting('server_version')");
    Ok(query.fetch_one(connection).await?)
}

pub(crate) async fn server_time(
    connection: &mut Connection,
) -> Result<Option<Timestamp>, StoreError> {
    let query = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now";
    let row = sqlx::query(query).fetch_one(connection).await?;
    Ok(Some(Fields::of(&row, "pg_settings").time("now")?))
}
