//! Queries of the tables `split_tables` and `past_split_tables`.

use super::{Connection, execute};
use crate::domain::{ServerName, Timestamp};
use crate::store::StoreError;

/// Maximum number of past tables of splits of a server, of about two kilobytes each.
const KEPT: i64 = 200;
/// Maximum number of past tables of splits to delete in one transaction, which blocks other writers.
const DELETED_AT_ONCE: i64 = 500;

pub(crate) async fn save(
    connection: &mut Connection,
    server: &ServerName,
    computed_at: Timestamp,
    content: &str,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into split_tables (server, computed_at, content) values ($1, $2, $3)
         on conflict (server) do update
         set computed_at = excluded.computed_at, content = excluded.content
         where split_tables.computed_at <= excluded.computed_at",
    )
    .bind(server.as_str())
    .bind(computed_at.unix_micros())
    .bind(content);
    execute(connection, query).await
}

/// Stores a past table of splits of a server, and deletes the server's oldest ones beyond `KEPT`.
pub(crate) async fn keep(
    connection: &mut Connection,
    server: &ServerName,
    computed_at: Timestamp,
    content: &str,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into past_split_tables (server, computed_at, content) values ($1, $2, $3)
         on conflict (server, computed_at) do update set content = excluded.content",
    )
    .bind(server.as_str())
    .bind(computed_at.unix_micros())
    .bind(content);
    execute(connection, query).await?;
    let query = sqlx::query(
        "delete from past_split_tables where server = $1 and computed_at <= (
             select computed_at from past_split_tables where server = $1
             order by computed_at desc limit 1 offset $2)",
    )
    .bind(server.as_str())
    .bind(KEPT);
    execute(connection, query).await
}

pub(crate) async fn delete_past(connection: &mut Connection, most: u32) -> Result<(), StoreError> {
    let query = sqlx::query(
        "delete from past_split_tables where (server, computed_at) in (
             select server, computed_at from past_split_tables where computed_at < (
                 select computed_at from past_split_tables
                 order by computed_at desc limit 1 offset $1)
             order by computed_at limit $2)",
    )
    .bind(i64::from(most))
    .bind(DELETED_AT_ONCE);
    execute(connection, query).await
}

pub(crate) async fn last_before(
    connection: &mut Connection,
    server: &ServerName,
    (from, to): (Timestamp, Timestamp),
) -> Result<Option<String>, StoreError> {
    let query = sqlx::query_scalar(
        "select content from past_split_tables
         where server = $1 and computed_at > $2 and computed_at <= $3
         order by computed_at desc limit 1",
    )
    .bind(server.as_str())
    .bind(from.unix_micros())
    .bind(to.unix_micros());
    Ok(query.fetch_optional(connection).await?)
}

/// Returns the tables of splits that were computed for a game server after `from`, as JSON, oldest first.
pub(crate) async fn after(
    connection: &mut Connection,
    server: &ServerName,
    from: Timestamp,
) -> Result<Vec<String>, StoreError> {
    let query = sqlx::query_scalar(
        "select content from past_split_tables where server = $1 and computed_at > $2
         order by computed_at",
    )
    .bind(server.as_str())
    .bind(from.unix_micros());
    Ok(query.fetch_all(connection).await?)
}

pub(crate) async fn get(
    connection: &mut Connection,
    server: &ServerName,
) -> Result<Option<String>, StoreError> {
    Ok(
        sqlx::query_scalar("select content from split_tables where server = $1")
            .bind(server.as_str())
            .fetch_optional(connection)
            .await?,
    )
}
