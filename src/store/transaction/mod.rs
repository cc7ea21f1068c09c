//! The unit of work.

#[macro_use]
mod dispatch;
mod past_games;
mod player_queries;
mod queries;
mod rounds_of_player;
mod server_queries;
mod tables;

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use sqlx::{Sqlite, Transaction};
use tokio::time::{Instant, timeout_at};

use super::{EntryChunk, Generation, LastRow, PoolId, StoreError, StoredChunk, postgres, sqlite};
use crate::domain::PlayerId;
use crate::rating::{Entry, PlayerState, PredictionTotals};
use crate::turns::Turn;

/// A unit of work: all of it happens at [`Tx::commit`], or, dropped before, none of it. Where it
/// has a deadline, every query fails from then on.
#[derive(Debug)]
pub struct Tx {
    inner: Inner,
    deadline: Option<Instant>,
    /// The request's turn, released after the connection since fields are dropped in order.
    _turn: Option<Arc<Turn>>,
}

/// Either engine's transaction.
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
    pub(super) fn new(inner: Inner, deadline: Option<Instant>, turn: Option<Arc<Turn>>) -> Self {
        Self {
            inner,
            deadline,
            _turn: turn,
        }
    }

    /// Makes everything that was written permanent.
    ///
    /// # Errors
    /// Where the database does not confirm it; whether it happened is then unknown.
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

    /// The player, or `None` where the pool has never heard of that id.
    pub async fn player(
        &mut self,
        pool: PoolId,
        player: PlayerId,
    ) -> Result<Option<PlayerState>, StoreError> {
        Ok(self.players(pool, &[player]).await?.pop())
    }

    /// The pool's sums up to its round of that `number` (from 1), or `None` where there is none.
    pub async fn predictions_at(
        &mut self,
        pool: PoolId,
        number: u64,
    ) -> Result<Option<PredictionTotals>, StoreError> {
        let found = self.predictions_at_each(pool, &[number]).await?.pop();
        Ok(found.map(|(_, predictions)| predictions))
    }

    /// The named entries, by player and number (from 1), in no particular order.
    pub async fn entries(
        &mut self,
        pool: PoolId,
        wanted: &[(PlayerId, u64)],
    ) -> Result<Vec<Entry>, StoreError> {
        let chunks = wanted.iter().filter(|(_, number)| *number > 0);
        let chunks = chunks.map(|(player, number)| (*player, EntryChunk::of(*number)));
        let chunks: BTreeSet<(PlayerId, u64)> = chunks.collect();
        if chunks.is_empty() {
            return Ok(Vec::new());
        }
        let players: BTreeSet<PlayerId> = chunks.iter().map(|(player, _)| *player).collect();
        let players: Vec<PlayerId> = players.into_iter().collect();
        let chunks: Vec<(PlayerId, u64)> = chunks.into_iter().collect();
        let full = self.chunks(pool, None, &chunks).await?.into_iter();
        let found = full.chain(self.last_rows(pool, &players).await?);
        let wanted: HashSet<&(PlayerId, u64)> = wanted.iter().collect();
        let entries = found.flat_map(|chunk| chunk.entries);
        let is_wanted = |entry: &Entry| wanted.contains(&(entry.player, entry.number));
        Ok(entries.filter(is_wanted).collect())
    }

    /// Writes rows of entries, new or changed.
    pub async fn save_chunks(
        &mut self,
        pool: PoolId,
        chunks: &[EntryChunk],
    ) -> Result<(), StoreError> {
        let chunks: Result<Vec<StoredChunk>, _> = chunks.iter().map(StoredChunk::of).collect();
        self.save_stored_chunks(pool, &chunks?).await
    }

    /// Writes players, new or changed, whose entries stay as they are; no id may stand twice. Without a generation,
    /// into the one that is read.
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

    /// The last rows of entries of those of `players` that the pool knows, in no particular order.
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

    /// What the database itself finds wrong with its pages, indexes and references, in words. A
    /// server is asked nothing: what it reads it checks, and it refuses rows that refer to nothing.
    pub async fn damage(&mut self) -> Result<Vec<String>, StoreError> {
        match &mut self.inner {
            Inner::Postgres(_) => Ok(Vec::new()),
            Inner::Sqlite(connection) => within(self.deadline, sqlite::damage(connection)).await,
        }
    }
}
