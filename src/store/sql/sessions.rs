//! Sessions of the dashboard that a log-out has ended.

use super::{Connection, Fields, execute, read_all};
use crate::domain::Timestamp;
use crate::store::StoreError;

pub(crate) async fn end(
    connection: &mut Connection,
    id: &str,
    ends_at: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into ended_sessions (id, ends_at) values ($1, $2) on conflict (id) do nothing",
    )
    .bind(id)
    .bind(ends_at.unix_micros());
    execute(connection, query).await
}

pub(crate) async fn delete_over(
    connection: &mut Connection,
    now: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query("delete from ended_sessions where ends_at <= $1");
    execute(connection, query.bind(now.unix_micros())).await
}

pub(crate) async fn has_ended(connection: &mut Connection, id: &str) -> Result<bool, StoreError> {
    let query = sqlx::query("select ends_at from ended_sessions where id = $1");
    let found = read_all(connection, query.bind(id), |row| {
        Fields::of(row, "ended_sessions").time("ends_at")
    });
    Ok(!found.await?.is_empty())
}
