//! What the server says of the tables, and what is made of them as a whole.

use super::sql::{Fields, execute};
use super::{Connection, MIGRATIONS};
use crate::domain::Timestamp;
use crate::store::{StoreError, TABLES, migrations};

/// The columns of a table, none where it is not there: name, type, and the place in the primary key from 1,
/// or 0.
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

/// Takes every table away that is in the schema of this connection, with all that is in it. What others have made and
/// hangs on one is left: the server then refuses.
pub(crate) async fn drop_tables(connection: &mut Connection) -> Result<(), StoreError> {
    lift_limits(connection).await?;
    let query = sqlx::query_scalar("select quote_ident(current_schema())");
    let schema: Option<String> = query.fetch_one(&mut *connection).await?;
    // Without a schema there is no table.
    let Some(schema) = schema else { return Ok(()) };
    let view = format!("drop view if exists {schema}.unrated_in_reports");
    let tables = ["_sqlx_migrations", "unrated_players"].into_iter();
    let tables = tables.chain(TABLES.into_iter().rev());
    let tables = tables.map(|table| format!("drop table if exists {schema}.{table}"));
    let function = format!("drop function if exists {schema}.keep_unrated_players()");
    for statement in [view].into_iter().chain(tables).chain([function]) {
        let statement = sqlx::AssertSqlSafe(statement);
        execute(connection, sqlx::query(statement)).await?;
    }
    Ok(())
}

/// Brings the tables to where that migration left them.
pub(crate) async fn migrate_to(
    connection: &mut Connection,
    migration: i64,
) -> Result<(), StoreError> {
    lift_limits(connection).await?;
    migrations::migrate_to(connection, MIGRATIONS, migration).await
}

/// Lets this unit of work take as long as it takes: a migration of tables that are full may take longer than a
/// statement otherwise may.
async fn lift_limits(connection: &mut Connection) -> Result<(), StoreError> {
    let limits = "select set_config(name, '0', true) from (values ('statement_timeout'),
                  ('idle_in_transaction_session_timeout')) as limits (name)";
    execute(connection, sqlx::query(limits)).await
}

/// How many bytes the database takes.
pub(crate) async fn size(connection: &mut Connection) -> Result<u64, StoreError> {
    let query = sqlx::query_scalar("select pg_database_size(current_database())");
    let size: i64 = query.fetch_one(connection).await?;
    Ok(size.cast_unsigned())
}

/// The engine and its version.
pub(crate) async fn engine_version(connection: &mut Connection) -> Result<String, StoreError> {
    let query = sqlx::query_scalar("select 'PostgreSQL ' || current_setting('server_version')");
    Ok(query.fetch_one(connection).await?)
}

/// Returns the time by the server's clock.
pub(crate) async fn server_time(
    connection: &mut Connection,
) -> Result<Option<Timestamp>, StoreError> {
    let query = "select (extract(epoch from clock_timestamp()) * 1000000)::bigint as now";
    let row = sqlx::query(query).fetch_one(connection).await?;
    Ok(Some(Fields::of(&row, "pg_settings").time("now")?))
}
