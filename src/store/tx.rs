use sqlx::{Postgres, Sqlite, Transaction};
use tokio::time::{Instant, timeout_at};

use super::{
    Change, NewEntry, PlayerCounts, PlayerRecord, PoolId, PoolRecord, RecordedRound, StoreError,
    postgres, sqlite,
};
use crate::domain::{PlayerId, PoolName, Rating, RoundId, ServerName, Timestamp};
use crate::rating::{PredictionTotals, Totals};

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
pub(super) trait FromTransaction<Db: sqlx::Database> {
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
pub(super) async fn within<T>(
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

    /// Writes players, new or changed; no id may stand twice.
    ///
    /// # Errors
    /// As every query.
    pub async fn save_players(
        &mut self,
        pool: PoolId,
        players: &[PlayerRecord],
    ) -> Result<(), StoreError> {
        run!(self, save_players(pool, players))
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
        run!(self, find_totals(pool, entries))
    }

    /// Writes new entries.
    ///
    /// # Errors
    /// As every query.
    pub async fn insert_entries(
        &mut self,
        pool: PoolId,
        entries: &[NewEntry],
    ) -> Result<(), StoreError> {
        run!(self, insert_entries(pool, entries))
    }

    /// Those of the named rounds that count already, with the pool they count in.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds(
        &mut self,
        names: &[(ServerName, RoundId)],
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, find_rounds(names))
    }

    /// Writes new rounds.
    ///
    /// # Errors
    /// As every query; [`StoreError::Duplicate`] where another instance has just counted one.
    pub async fn insert_rounds(
        &mut self,
        pool: PoolId,
        rounds: &[RecordedRound],
    ) -> Result<(), StoreError> {
        run!(self, insert_rounds(pool, rounds))
    }

    /// The pool's sums up to its round of that `number` (from 1), or `None` where there is none.
    ///
    /// # Errors
    /// As every query.
    pub async fn predictions_at(
        &mut self,
        pool: PoolId,
        number: u64,
    ) -> Result<Option<PredictionTotals>, StoreError> {
        run!(self, rounds::predictions_at(pool, number))
    }

    /// The player's latest rounds, the latest first.
    ///
    /// # Errors
    /// As every query.
    pub async fn latest_rounds(
        &mut self,
        pool: PoolId,
        player: PlayerId,
        limit: u32,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, rounds::latest_of_player(pool, player, limit))
    }

    /// Up to `limit` rounds behind `position` in the pool's log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn rounds_after(
        &mut self,
        pool: PoolId,
        position: u64,
        limit: u32,
    ) -> Result<Vec<RecordedRound>, StoreError> {
        run!(self, rounds::after(pool, position, limit))
    }

    /// Up to `limit` changes behind `position` in the pool's log, in its order.
    ///
    /// # Errors
    /// As every query.
    pub async fn changes_after(
        &mut self,
        pool: PoolId,
        position: u64,
        limit: u32,
    ) -> Result<Vec<Change>, StoreError> {
        run!(self, changes::after(pool, position, limit))
    }

    /// The change of that name, if it has been made already, and the pool it was made in.
    ///
    /// # Errors
    /// As every query.
    pub async fn change(
        &mut self,
        change_id: &str,
    ) -> Result<Option<(PoolId, Change)>, StoreError> {
        run!(self, changes::find(change_id))
    }

    /// Writes a new change.
    ///
    /// # Errors
    /// As every query; [`StoreError::Duplicate`] where one of that name is there.
    pub async fn insert_change(&mut self, pool: PoolId, change: &Change) -> Result<(), StoreError> {
        run!(self, changes::insert(pool, change))
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

    /// How many players have each rating, ratings ascending.
    ///
    /// # Errors
    /// As every query.
    pub async fn rating_counts(&mut self, pool: PoolId) -> Result<Vec<(Rating, u64)>, StoreError> {
        run!(self, players::rating_counts(pool))
    }

    /// Keeps `content`, computed at that moment, as the last table of splits of `server`, unless a
    /// later one is there.
    ///
    /// # Errors
    /// As every query.
    pub async fn save_split_table(
        &mut self,
        server: &ServerName,
        computed_at: Timestamp,
        content: &str,
    ) -> Result<(), StoreError> {
        run!(self, split_tables::save(server, computed_at, content))
    }

    /// The last table of splits of `server`, as it was kept.
    ///
    /// # Errors
    /// As every query.
    pub async fn split_table(&mut self, server: &ServerName) -> Result<Option<String>, StoreError> {
        run!(self, split_tables::get(server))
    }
}
