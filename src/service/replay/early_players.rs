//! Writes of changed players before the final transaction of a rebuild, if many players changed.

use std::time::Instant;

use super::open_row::write_players;
use super::rebuild::{Rebuild, Watch};
use crate::service::ServiceError;
use crate::store::Tx;

/// Maximum number of changed players that the final transaction of a rebuild writes into the active rows. Rounds wait
/// for these writes, but a new generation of rows would need a row for every player of the pool.
const MAX_LAST_PLAYERS: usize = 500;
/// Initial limit for the number of changed players left to a rebuild's final transaction, if players are written ahead.
const REMAINDER: usize = 200;
/// Number of changed players that a rebuild prepares for one write.
const PLAYERS_PREPARED: usize = 1_200;
/// Number of players that a rebuild copies or examines in one transaction.
const PLAYERS_COPIED: u32 = 1_000;

impl Rebuild {
    /// Writes all players of the pool into new rows of the rebuild if many or all of them may have changed. Nobody
    /// reads these rows yet. Writes players again that change meanwhile.
    pub(super) async fn write_players_ahead(
        &mut self,
        watch: Watch<'_>,
    ) -> Result<(), ServiceError> {
        if self.before.is_some() && self.rows.unwritten.len() <= MAX_LAST_PLAYERS {
            return Ok(());
        }
        self.players = Some(self.generation);
        self.write_changed_players().await?;
        self.copy_players().await?;
        if self.before.is_none() {
            self.mend_players().await?;
        }
        // If players change faster than they are written, the limit grows. Rounds then wait a little longer, but the
        // rebuild ends.
        let mut remainder = REMAINDER;
        loop {
            self.catch_up(watch).await?;
            if self.rows.unwritten.len() <= remainder {
                return Ok(());
            }
            self.write_changed_players().await?;
            remainder *= 2;
        }
    }

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

    /// Writes the players that the rebuild changed in batches. Prepares the next batch meanwhile, unless rounds arrive.
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

    async fn copy_players(&mut self) -> Result<(), ServiceError> {
        let mut last = None;
        loop {
            let started = Instant::now();
            let mut tx = self.lease.begin_deferred(self.progress()).await?;
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

    /// Repairs the pool's stored players whom no entry of the log concerns.
    async fn mend_players(&mut self) -> Result<(), ServiceError> {
        let mut last = None;
        loop {
            let started = Instant::now();
            let mut tx = self.lease.begin_deferred(self.progress()).await?;
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
