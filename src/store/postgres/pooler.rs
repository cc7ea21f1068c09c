//! Whether a pooler stands between this program and PostgreSQL that it cannot work through.

use sqlx::{PgConnection, PgPool, Row as _};

use crate::store::StoreError;

/// How often two connections are asked in turn: the other clients of a pooler may get in between.
const ASKED: usize = 3;

/// Checks that every connection has a session of its own for as long as it is open, with the options that
/// were asked for. Statements are prepared once for each connection, and migrations lock for a session.
///
/// # Errors
/// [`StoreError::Pooled`] and [`StoreError::OptionsLost`].
pub(super) async fn check_sessions(pool: &PgPool) -> Result<(), StoreError> {
    let (mut one, mut other) = (pool.acquire().await?, pool.acquire().await?);
    let mut sessions = Vec::new();
    for _ in 0..ASKED {
        sessions.push((session(&mut one).await?, session(&mut other).await?));
    }
    // A pooler by the transaction hands the second the session that the first has just given back.
    let is_own = |(one, other): &(i32, i32)| one != other;
    if !sessions.iter().all(is_own) || sessions.windows(2).any(|two| two[0] != two[1]) {
        return Err(StoreError::Pooled);
    }
    let asked = sqlx::raw_sql("show enable_seqscan");
    let seqscan: String = asked.fetch_one(&mut *one).await?.try_get(0)?;
    if seqscan != "off" {
        return Err(StoreError::OptionsLost);
    }
    Ok(())
}

/// The process that answers. It is asked without a prepared statement, which a pooler may not carry.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let asked = sqlx::raw_sql("select pg_backend_pid()");
    Ok(asked.fetch_one(connection).await?.try_get(0)?)
}
