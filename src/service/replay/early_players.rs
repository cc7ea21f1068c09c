//! Who the players are after a rebuild, written ahead of its end where they are many.

use std::time::Instant;

use super::open_row::write_players;
use super::rebuild::{Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::Tx;

/// Up to so many changed players are written by the transaction that switches over, into the generation that is read.
/// Rounds wait meanwhile, but a new generation would take all of the pool's players.
const MAX_LAST_PLAYERS: usize = 500;
/// As many players as that transaction may be left with otherwise.
const REMAINDER: usize = 200;
/// Players who are made ready to be written at once.
const PLAYERS_PREPARED: usize = 1_200;
/// Players that are copied or looked at in one transaction.
const PLAYERS_COPIED: u32 = 1_000;

impl Rebuild {
    /// Where many players have changed, or all may have, writes all of the pool's into the rebuild's generation, whose
    /// players nobody reads yet, and those again who change meanwhile.
    pub(super) async fn write_players_ahead(
        &mut self,
        watch: Watch<'_>,
    ) -> Result<(), ServiceError> {
        if self.before.is_some() && self.rows.unwritten_players() <= MAX_LAST_PLAYERS {
            return Ok(());
        }
        self.players = Some(self.generation);
        self.write_changed_players().await?;
        self.copy_players().await?;
        if self.before.is_none() {
            self.mend_players().await?;
        }
        // Where players change faster than they can be written, rounds wait a little longer, rather than the rebuild
        // never ending.
        let mut remainder = REMAINDER;
        loop {
            self.catch_up(watch).await?;
            if self.rows.unwritten_players() <= remainder {
                return Ok(());
            }
            self.write_changed_players().await?;
            remainder *= 2;
        }
    }

    /// What is left of the players, in the transaction that switches over.
    pub(super) async fn write_last_players(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        let target = (self.lease.pool, self.players);
        let engine = &self.replay.engine;
        let players = self.rows.take_unwritten_players();
        let pool = self.lease.pool;
        let was = self.before.as_ref().map(|before| &before.engine);
        let changed = self
            .rows
            .changed_players(tx, pool, (was, engine), &players)
            .await?;
        write_players(tx, target, &changed).await?;
        self.rows.delete_unknown(tx, target, engine).await?;
        if let Some(generation) = self.players {
            tx.activate_players(self.lease.pool, generation).await?;
        }
        Ok(())
    }

    /// Some are made ready while those before are written, unless rounds come.
    async fn write_changed_players(&mut self) -> Result<(), ServiceError> {
        for players in self.rows.take_unwritten_players().chunks(PLAYERS_PREPARED) {
            let pool = self.lease.pool;
            let was = self.before.as_ref().map(|before| &before.engine);
            let projections = (was, &self.replay.engine);
            let mut tx = self.lease.store.begin_read().await?;
            let changed = self
                .rows
                .changed_players(&mut tx, pool, projections, players)
                .await?;
            drop(tx);
            self.finish_writing().await?;
            let lease = self.lease.clone();
            let written = lease.write_players(self.generation, changed, self.progress());
            self.writing.spawn(written);
            self.leave_room_for_rounds().await?;
        }
        self.finish_writing().await
    }

    /// Those whom nothing has happened to are as they were.
    async fn copy_players(&mut self) -> Result<(), ServiceError> {
        let mut last = None;
        loop {
            let started = Instant::now();
            let mut tx = self.lease.begin_ahead(self.progress()).await?;
            last = tx
                .copy_players(self.lease.pool, self.generation, last, PLAYERS_COPIED)
                .await?;
            tx.commit().await?;
            if last.is_none() {
                return Ok(());
            }
            self.lease.pause(started).await;
        }
    }

    /// What no round and no change says is mended too.
    async fn mend_players(&mut self) -> Result<(), ServiceError> {
        let mut last = None;
        loop {
            let started = Instant::now();
            let mut tx = self.lease.begin_ahead(self.progress()).await?;
            let target = (self.lease.pool, self.generation);
            last = self
                .rows
                .mend_untouched_players(&mut tx, target, &self.replay, (last, PLAYERS_COPIED))
                .await?;
            tx.commit().await?;
            if last.is_none() {
                return Ok(());
            }
            self.lease.pause(started).await;
        }
    }
}
