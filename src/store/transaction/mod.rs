//! Unit of work (database transaction), and its queries.

#[macro_use]
mod dispatch;
mod log_queries;
mod past_games;
mod player_queries;
mod queries;
mod rounds_of_player;
mod server_queries;
mod tables;

use std::collections::{BTreeSet, HashSet};
use std::slice;
use std::sync::Arc;

use sqlx::{Sqlite, Transaction};
use tokio::time::{Instant, timeout_at};

use super::{
    Change, EntryChunk, Generation, LastRow, PoolId, StoreError, StoredChunk, postgres, sqlite,
};
use crate::domain::PlayerId;
use crate::rating::{Entry, PlayerState, PredictionTotals};
use crate::turns::Turn;

/// Unit of work (database transaction). Takes effect as a whole at [`Tx::commit`]; if dropped before, it has no effect.
/// After its deadline, if it has one, every query fails.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
    deadline: Option<Instant>,
    /// Turn of the request in the fair queue for connections. Fields are dropped in order, so the connection goes
    /// first.
    _turn: Option<Arc<Turn>>,
}

#[derive(Debug)]
pub(super) enum Inner {
    Postgres(postgres::transaction::Transaction),
    Sqlite(Transaction<'static, Sqlite>),
}

impl From<postgres::transaction::Transaction> for Inner {
    fn from(transaction: postgres::transaction::Transaction) -> Self {
        Self::Postgres(transaction)
    }
}

impl From<Transaction<'static, Sqlite>> for Inner {
    fn from(transaction: Transaction<'static, Sqlite>) -> Self {
        Self::Sqlite(transaction)
    }
}

/// Returns the result of `work` in the database, or [`StoreError::TimedOut`] after the `deadline`.
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
    pub(super) fn new(inner: Inner, deadline: Option<Instant>, turn: Option<Arc<Turn>>) -> Self {
        Self {
            inner,
            deadline,
            _turn: turn,
        }
    }

    /// Commits everything that the database transaction wrote.
    ///
    /// # Errors
    /// Returns an error if the database does not confirm the commit. The commit may have happened all the same.
    pub async fn commit(self) -> Result<(), StoreError> {
        within(self.deadline, async {
            match self.inner {
                Inner::Postgres(transaction) => postgres::transaction::commit(transaction).await,
                Inner::Sqlite(transaction) => transaction.commit().await,
            }
            .map_err(StoreError::from)
        })
        .await
    }

    /// Returns the current rating, numbers of rounds and totals of a player, or `None` if the pool does not know the
    /// id.
    pub async fn player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
    ) -> Result<Option<PlayerState>, StoreError> {
        Ok(self.players(pool, &[player]).await?.pop())
    }

    /// Returns the sums over the pool's predictions, such as log loss, up to its round with this `number`, from 1. Void
    /// rounds are not counted. Returns `None` if the pool has fewer rounds.
    pub async fn predictions_at(
        &mut self,
        pool: PoolId,
        number: u64,
    ) -> Result<Option<PredictionTotals>, StoreError> {
        let found = self.predictions_at_each(pool, &[number]).await?.pop();
        Ok(found.map(|(_, predictions)| predictions))
    }

    /// Returns entries (rated rounds) of players by player and number, from 1, in no particular order.
    pub async fn entries(
        &mut self,
        pool: PoolId,
        wanted: &[(PlayerId, u64)],
    ) -> Result<Vec<Entry>, StoreError> {
        let chunks: BTreeSet<(PlayerId, u64)> = wanted
            .iter()
            .filter(|(_, number)| *number > 0)
            .map(|(player, number)| (*player, EntryChunk::of(*number)))
            .collect();
        if chunks.is_empty() {
            return Ok(Vec::new());
        }
        let distinct: BTreeSet<PlayerId> = chunks.iter().map(|(player, _)| *player).collect();
        let players: Vec<PlayerId> = distinct.into_iter().collect();
        let chunks: Vec<(PlayerId, u64)> = chunks.into_iter().collect();
        let full = self.chunks(pool, None, &chunks).await?.into_iter();
        let found = full.chain(self.last_rows(pool, &players).await?);
        let wanted: HashSet<&(PlayerId, u64)> = wanted.iter().collect();
        let entries = found.flat_map(|chunk| chunk.entries);
        let is_wanted = |entry: &Entry| wanted.contains(&(entry.player, entry.number));
        Ok(entries.filter(is_wanted).collect())
    }

    /// Appends an admin's change to the pool's log. Returns [`StoreError::Duplicate`] if its id exists already.
    pub async fn insert_change(&mut self, pool: PoolId, change: &Change) -> Result<(), StoreError> {
        self.insert_changes(pool, slice::from_ref(change)).await
    }

    /// Inserts or replaces rows of players' entries (rated rounds).
    pub async fn save_chunks(
        &mut self,
        pool: PoolId,
        chunks: &[EntryChunk],
    ) -> Result<(), StoreError> {
        let chunks: Result<Vec<StoredChunk>, _> = chunks.iter().map(StoredChunk::of).collect();
        self.save_stored_chunks(pool, &chunks?).await
    }

    /// Inserts or replaces the figures of players, and leaves their entries (rated rounds) as they are. No id may occur
    /// twice. Without a generation (version of computed rows), writes the one that is read.
    pub async fn save_players(
        &mut self,
        pool: PoolId,
        generation: Option<Generation>,
        players: &[PlayerState],
    ) -> Result<(), StoreError> {
        let players: Vec<(&PlayerState, LastRow<'_>)> =
            players.iter().map(|player| (player, None)).collect();
        self.save_players_with_last_rows(pool, generation, &players)
            .await
    }

    /// Returns the last row of entries (rated rounds) of each of the `players` that the pool knows, in any order.
    pub async fn last_rows(
        &mut self,
        pool: PoolId,
        players: &[PlayerId],
    ) -> Result<Vec<EntryChunk>, StoreError> {
        let players = self
            .players_with_last_rows(pool, players)
            .await?
            .into_iter();
        Ok(players.map(|(_, last)| last).collect())
    }

    /// Returns damage to pages, indexes and references of the database, in words. Always empty on PostgreSQL, which
    /// checks each page that it reads and refuses invalid references.
    pub async fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match &mut self.inner {
            Inner::Postgres(_) => Ok(Vec::new()),
            Inner::Sqlite(connection) => within(self.deadline, sqlite::damage(connection)).await,
        }
    }
}
