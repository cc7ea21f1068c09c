//! Detection of connection poolers that this program cannot work through.

use sqlx::{PgConnection, PgPool, Row as _};

use crate::store::StoreError;

/// Number of times that two connections are asked for their sessions, since other clients of a pooler may interfere.
const ASKED: usize = 3;

/// Checks that every connection to PostgreSQL has a session of its own with the requested options. Statements are
/// prepared once per connection, and migrations lock a session.
///
/// # Errors
/// Returns [`StoreError::Pooled`] or [`StoreError::OptionsLost`] if a pooler breaks either condition.
pub(super) async fn check_sessions(pool: &PgPool) -> Result<(), StoreError> {
    let (mut one, mut other) = (pool.acquire().await?, pool.acquire().await?);
    let mut sessions = Vec::new();
    for _ in 0..ASKED {
        sessions.push((session(&mut one).await?, session(&mut other).await?));
    }
    // A pooler in transaction mode gives the second connection the session that the first has just released.
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

/// Returns the process id of a connection's session. Uses no prepared statement, which a pooler may not carry.
async fn session(connection: &mut PgConnection) -> Result<i32, StoreError> {
    let asked = sqlx::raw_sql("select pg_backend_pid()");
    Ok(asked.fetch_one(connection).await?.try_get(0)?)
}
