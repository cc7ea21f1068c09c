//! The last table of splits of each server.

use super::{Connection, execute};
use crate::domain::{ServerName, Timestamp};
use crate::store::StoreError;

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
