//! Who the players are after a rebuild, written ahead of its end where they are many.

use std::time::Instant;

use super::lease::yield_to_writers;
use super::rebuild::{Rebuild, Watch};
use super::unwritten::ROWS;
use crate::service::ServiceError;
use crate::store::Tx;

/// As many players as the transaction that switches over may be left with. Rounds wait while it writes them.
const REMAINDER: usize = 500;
/// Players that are copied or looked at in one transaction.
const COPIED: u32 = 1_000;

impl Rebuild {
    /// Where many players have changed, or all may have, writes all of the pool's into the rebuild's generation, whose
    /// players nobody reads yet, and those again who change meanwhile.
    pub(super) async fn write_players_ahead(
        &mut self,
        watch: Watch<'_>,
    ) -> Result<(), ServiceError> {
        if self.before.is_some() && self.rows.unwritten_players() <= REMAINDER {
            return Ok(());
        }
        self.players = Some(self.generation);
        self.write_changed_players().await?;
        self.copy_players().await?;
        if self.before.is_none() {
            self.mend_players().await?;
        }
        loop {
            self.catch_up(watch).await?;
            if self.rows.unwritten_players() <= REMAINDER {
                return Ok(());
            }
            self.write_changed_players().await?;
        }
    }

    /// What is left of the players, in the transaction that switches over.
    pub(super) async fn write_last_players(&mut self, tx: &mut Tx) -> Result<(), ServiceError> {
        let target = (self.lease.pool, self.players);
        let projection = &self.replay.projection;
        let players = self.rows.take_unwritten_players();
        self.rows
            .write_players(tx, target, projection, &players)
            .await?;
        self.rows.delete_unknown(tx, target, projection).await?;
        if let Some(generation) = self.players {
            tx.activate_players(self.lease.pool, generation).await?;
        }
        Ok(())
    }

    async fn write_changed_players(&mut self) -> Result<(), ServiceError> {
        let target = (self.lease.pool, self.players);
        for players in self.rows.take_unwritten_players().chunks(ROWS) {
            let started = Instant::now();
            let mut tx = self.lease.begin_ahead(self.progress()).await?;
            self.rows
                .write_players(&mut tx, target, &self.replay.projection, players)
                .await?;
            tx.commit().await?;
            yield_to_writers(&self.lease.store, started).await;
        }
        Ok(())
    }

    /// Those whom nothing has happened to are as they were.
    async fn copy_players(&mut self) -> Result<(), ServiceError> {
        let mut last = None;
        loop {
            let started = Instant::now();
            let mut tx = self.lease.begin_ahead(self.progress()).await?;
            last = tx
                .copy_players(self.lease.pool, self.generation, last, COPIED)
                .await?;
            tx.commit().await?;
            if last.is_none() {
                return Ok(());
            }
            yield_to_writers(&self.lease.store, started).await;
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
                .mend_untouched_players(&mut tx, target, &self.replay, (last, COPIED))
                .await?;
            tx.commit().await?;
            if last.is_none() {
                return Ok(());
            }
            yield_to_writers(&self.lease.store, started).await;
        }
    }
}
