//! The unit of work.

mod queries;

use sqlx::{Postgres, Sqlite, Transaction};
use tokio::time::{Instant, timeout_at};

use super::{PlayerRecord, PoolId, StoreError, sqlite};
use crate::domain::PlayerId;
use crate::rating::Totals;

/// A unit of work: all of it happens at [`Tx::commit`], or, dropped before, none of it. Where it
/// has a deadline, every query fails from then on.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
    deadline: Option<Instant>,
}

/// Either engine's transaction.
#[derive(Debug)]
pub(super) enum Inner {
    Postgres(Transaction<'static, Postgres>),
    Sqlite(Transaction<'static, Sqlite>),
}

impl From<Transaction<'static, Postgres>> for Inner {
    fn from(transaction: Transaction<'static, Postgres>) -> Self {
        Self::Postgres(transaction)
    }
}

impl From<Transaction<'static, Sqlite>> for Inner {
    fn from(transaction: Transaction<'static, Sqlite>) -> Self {
        Self::Sqlite(transaction)
    }
}

/// What `work` ends in, unless that is after the `deadline`.
pub(crate) async fn within<T>(
    deadline: Option<Instant>,
    work: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    match deadline {
        Some(deadline) => timeout_at(deadline, work)
            .await
            .unwrap_or(Err(StoreError::TimedOut)),
        None => work.await,
    }
}

impl Tx {
    pub(super) fn new(inner: Inner, deadline: Option<Instant>) -> Self {
        Self { inner, deadline }
    }

    /// Makes everything that was written permanent.
    ///
    /// # Errors
    /// Where the database does not confirm it; whether it happened is then unknown.
    pub async fn commit(self) -> Result<(), StoreError> {
        within(self.deadline, async {
            match self.inner {
                Inner::Postgres(transaction) => transaction.commit().await,
                Inner::Sqlite(transaction) => transaction.commit().await,
            }
            .map_err(StoreError::from)
        })
        .await
    }

    /// The player, or `None` where the pool has never heard of that id.
    pub async fn player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
    ) -> Result<Option<PlayerRecord>, StoreError> {
        Ok(self.players(pool, &[player]).await?.pop())
    }

    /// The totals after the named entries: (player, entry number, totals), in no particular order.
    pub async fn totals(
        &mut self,
        pool: PoolId,
        entries: &[(PlayerId, u64)],
    ) -> Result<Vec<(PlayerId, u64, Totals)>, StoreError> {
        let entries = self.entries(pool, entries).await?.into_iter();
        Ok(entries
            .map(|entry| (entry.player, entry.number, entry.totals))
            .collect())
    }

    /// What the database itself finds wrong with its pages, indexes and references, in words. A
    /// server is asked nothing: what it reads it checks, and it refuses rows that refer to nothing.
    pub async fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match &mut self.inner {
            Inner::Postgres(_) => Ok(Vec::new()),
            Inner::Sqlite(connection) => within(self.deadline, sqlite::damage(connection)).await,
        }
    }
}
