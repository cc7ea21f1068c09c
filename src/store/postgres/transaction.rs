//! What a unit of work holds of PostgreSQL.

use scopeguard::ScopeGuard;
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres, raw_sql};

use super::failover::soon;

/// A connection within a transaction, which is rolled back when it is dropped. The connection is closed where that
/// takes too long.
///
/// The driver's own transaction would not do: one whose beginning is given up half-way goes back among the free
/// connections while it is open, and so to somebody who then reads what was, or writes what is never committed. To ask
/// the server for that after every commit takes a twentieth of a round's time.
pub(crate) type Transaction = ScopeGuard<PoolConnection<Postgres>, fn(PoolConnection<Postgres>)>;

/// Begins a transaction by `statement`.
pub(crate) async fn begin(
    pool: &PgPool,
    statement: &'static str,
) -> Result<Transaction, sqlx::Error> {
    let connection = pool.acquire().await?;
    let mut transaction = scopeguard::guard(connection, roll_back as fn(_));
    raw_sql(statement).execute(&mut **transaction).await?;
    Ok(transaction)
}

/// Makes everything that was written permanent.
///
/// # Errors
/// Where the server does not confirm it; whether it happened is then unknown.
pub(crate) async fn commit(mut transaction: Transaction) -> Result<(), sqlx::Error> {
    raw_sql("commit").execute(&mut **transaction).await?;
    drop(ScopeGuard::into_inner(transaction));
    Ok(())
}

/// Waits for whatever the server still has to answer.
fn roll_back(mut connection: PoolConnection<Postgres>) {
    tokio::spawn(async move {
        let rollback = soon(raw_sql("rollback").execute(&mut *connection)).await;
        if let Err(error) = rollback {
            tracing::warn!(%error, "A transaction could not be rolled back; its connection is closed");
            connection.close_on_drop();
        }
    });
}
