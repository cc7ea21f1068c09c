//! Transactions on PostgreSQL that roll back safely when they are dropped.

use scopeguard::ScopeGuard;
use sqlx::pool::PoolConnection;
use sqlx::{PgPool, Postgres, raw_sql};

use super::failover::soon;

/// PostgreSQL connection in a transaction. Dropping it rolls the transaction back, and closes it if that takes too
/// long.
///
/// The driver's own transaction is unsafe. If its beginning is cancelled half-way, the connection returns to the pool
/// with an open transaction. The next user then reads old data, or writes rows that are never committed. Asking the
/// server about that after every commit would take a twentieth of a round's time.
pub(crate) type Transaction = ScopeGuard<PoolConnection<Postgres>, fn(PoolConnection<Postgres>)>;

pub(crate) async fn begin(
    pool: &PgPool,
    statement: &'static str,
) -> Result<Transaction, sqlx::Error> {
    let connection = pool.acquire().await?;
    let mut transaction = scopeguard::guard(connection, roll_back as fn(_));
    raw_sql(statement).execute(&mut **transaction).await?;
    Ok(transaction)
}

/// Commits everything that the transaction wrote.
///
/// # Errors
/// Returns an error if the server does not confirm the commit. The commit may have happened all the same.
pub(crate) async fn commit(mut transaction: Transaction) -> Result<(), sqlx::Error> {
    raw_sql("commit").execute(&mut **transaction).await?;
    drop(ScopeGuard::into_inner(transaction));
    Ok(())
}

/// Rolls the transaction of a connection back in the background, after pending answers of the server.
fn roll_back(mut connection: PoolConnection<Postgres>) {
    tokio::spawn(async move {
        let rollback = soon(raw_sql("rollback").execute(&mut *connection)).await;
        if let Err(error) = rollback {
            tracing::warn!(%error, "A transaction could not be rolled back; its connection is closed");
            connection.close_on_drop();
        }
    });
}
