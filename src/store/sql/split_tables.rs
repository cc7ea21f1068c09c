//! The last table of splits of each server.

use super::Connection;
use crate::domain::ServerName;
use crate::store::StoreError;

pub(in crate::store) async fn save(
    connection: &mut Connection,
    server: &ServerName,
    answer: &str,
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into split_tables (server, answer) values ($1, $2)
         on conflict (server) do update set answer = excluded.answer",
    )
    .bind(server.as_str())
    .bind(answer)
    .execute(connection)
    .await?;
    Ok(())
}

pub(in crate::store) async fn get(
    connection: &mut Connection,
    server: &ServerName,
) -> Result<Option<String>, StoreError> {
    Ok(
        sqlx::query_scalar("select answer from split_tables where server = $1")
            .bind(server.as_str())
            .fetch_optional(connection)
            .await?,
    )
}
