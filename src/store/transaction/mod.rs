/// Runs the query of that path on whichever engine the unit of work is on.
macro_rules! run {
    ($tx:expr, $($query:ident)::+ ( $($argument:expr),* )) => {
        match &mut $tx.inner {
            Inner::Postgres(connection) => {
                within($tx.deadline, postgres::$($query)::+(connection, $($argument),*)).await
            }
            Inner::Sqlite(connection) => {
                within($tx.deadline, sqlite::$($query)::+(connection, $($argument),*)).await
            }
        }
    };
}

pub(crate) mod audit;
pub(crate) mod interventions;
pub(crate) mod log;
pub(crate) mod projections;
pub(crate) mod reports;

use sqlx::{Postgres, Sqlite, Transaction};
use tokio::time::{Instant, timeout_at};

use super::{
    NewEntry, PlayerCounts, PlayerRecord, PoolId, PoolRecord, ProjectionId, StoreError, postgres,
    sqlite,
};
use crate::domain::{PlayerId, PoolName, Timestamp};
use crate::rating::{RatingCount, Totals};

/// A unit of work: all of it happens at [`Tx::commit`], or, dropped before, none of it. Where it has
/// a deadline, what is asked of it fails from then on.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
    deadline: Option<Instant>,
}

#[derive(Debug)]
enum Inner {
    Postgres(Transaction<'static, Postgres>),
    Sqlite(Transaction<'static, Sqlite>),
}

/// A unit of work is made out of either engine's transaction.
pub(crate) trait FromTransaction<Db: sqlx::Database> {
    /// The unit of work that must be through at the `deadline`.
    fn from_transaction(transaction: Transaction<'static, Db>, deadline: Option<Instant>) -> Self;
}

impl FromTransaction<Postgres> for Tx {
    fn from_transaction(
        transaction: Transaction<'static, Postgres>,
        deadline: Option<Instant>,
    ) -> Self {
        let inner = Inner::Postgres(transaction);
        Self { inner, deadline }
    }
}

impl FromTransaction<Sqlite> for Tx {
    fn from_transaction(
        transaction: Transaction<'static, Sqlite>,
        deadline: Option<Instant>,
    ) -> Self {
        let inner = Inner::Sqlite(transaction);
        Self { inner, deadline }
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

    /// Writes nothing, in a way that fails where something could not be written.
    ///
    /// # Errors
    /// [`StoreError::ReadOnly`], or as every query.
    pub async fn try_to_write(&mut self) -> Result<(), StoreError> {
        run!(self, pools::try_to_write())
    }

    /// The pool of that name, made if it is not there yet.
    ///
    /// # Errors
    /// As every query: the database away, or a row that cannot be.
    pub async fn ensure_pool(&mut self, name: &PoolName) -> Result<PoolId, StoreError> {
        run!(self, pools::ensure(name))
    }

    /// The pool of that key, locked for writing until this unit of work ends.
    ///
    /// # Errors
    /// As every query; a key that no pool has is [`StoreError::Corrupt`].
    pub async fn lock_pool(&mut self, pool: PoolId) -> Result<PoolRecord, StoreError> {
        run!(self, lock_pool(pool))
    }

    /// The pool of that key.
    ///
    /// # Errors
    /// As every query; a key that no pool has is [`StoreError::Corrupt`].
    pub async fn pool(&mut self, pool: PoolId) -> Result<PoolRecord, StoreError> {
        run!(self, pools::get(pool))
    }

    /// Every pool, by name.
    ///
    /// # Errors
    /// As every query.
    pub async fn pools(&mut self) -> Result<Vec<PoolRecord>, StoreError> {
        run!(self, pools::list())
    }

    /// Writes a locked pool's log length and figures.
    ///
    /// # Errors
    /// As every query.
    pub async fn save_pool(&mut self, pool: &PoolRecord) -> Result<(), StoreError> {
        run!(self, pools::save(pool))
    }

    /// The player, or `None` where the pool has never heard of that id.
    ///
    /// # Errors
    /// As every query.
    pub async fn player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
    ) -> Result<Option<PlayerRecord>, StoreError> {
        Ok(self.players(pool, &[player]).await?.pop())
    }

    /// Those of `players` that the pool knows, in no particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn players(
        &mut self,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        run!(self, find_players(pool, players))
    }

    /// Writes players of a projection, new or changed; no id may stand twice.
    ///
    /// # Errors
    /// As every query.
    pub async fn save_players(
        &mut self,
        projection: ProjectionId,
        players: &[PlayerRecord],
    ) -> Result<(), StoreError> {
        run!(self, save_players(projection, players))
    }

    /// The totals after the named entries: (player, entry number, totals), in no particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn totals(
        &mut self,
        pool: PoolId,
        entries: &[(PlayerId, u64)],
    ) -> Result<Vec<(PlayerId, u64, Totals)>, StoreError> {
        let entries = self.entries(pool, entries).await?;
        let totals = entries.into_iter();
        Ok(totals
            .map(|entry| (entry.player, entry.number, entry.totals))
            .collect())
    }

    /// The named entries, by player and number, in no particular order.
    ///
    /// # Errors
    /// As every query.
    pub async fn entries(
        &mut self,
        pool: PoolId,
        entries: &[(PlayerId, u64)],
    ) -> Result<Vec<NewEntry>, StoreError> {
        run!(self, find_entries(pool, entries))
    }

    /// Writes new entries of a projection.
    ///
    /// # Errors
    /// As every query.
    pub async fn insert_entries(
        &mut self,
        projection: ProjectionId,
        entries: &[NewEntry],
    ) -> Result<(), StoreError> {
        run!(self, insert_entries(projection, entries))
    }

    /// Up to `limit` of the pool's players behind `last`, by id.
    ///
    /// # Errors
    /// As every query.
    pub async fn players_after(
        &mut self,
        pool: PoolId,
        last: Option<PlayerId>,
        limit: u32,
    ) -> Result<Vec<PlayerRecord>, StoreError> {
        run!(self, players::after(pool, last, limit))
    }

    /// Up to `limit` of the pool's entries behind `last`, by player and number.
    ///
    /// # Errors
    /// As every query.
    pub async fn entries_after(
        &mut self,
        pool: PoolId,
        last: Option<(PlayerId, u64)>,
        limit: u32,
    ) -> Result<Vec<NewEntry>, StoreError> {
        run!(self, entries::after(pool, last, limit))
    }

    /// How many players the pool has; hidden are those with fewer than `shadow_rounds` rounds,
    /// stale those who last played before `stale_before`.
    ///
    /// # Errors
    /// As every query.
    pub async fn count_players(
        &mut self,
        pool: PoolId,
        shadow_rounds: u32,
        stale_before: Timestamp,
    ) -> Result<PlayerCounts, StoreError> {
        run!(self, players::count(pool, shadow_rounds, stale_before))
    }

    /// How many players have each rating, ratings ascending; hidden are those with fewer than
    /// `shadow_rounds` rounds.
    ///
    /// # Errors
    /// As every query.
    pub async fn rating_counts(
        &mut self,
        pool: PoolId,
        shadow_rounds: u32,
    ) -> Result<Vec<RatingCount>, StoreError> {
        run!(self, players::rating_counts(pool, shadow_rounds))
    }
}
