use std::collections::HashMap;

use super::batch_players::BatchPlayers;
use super::end_time::Taken;
use super::transaction::{ImportedRound, OnRefusal, Outcomes, Recorded, record};
use crate::domain::{PlayerMap, Report};
use crate::service::replay::appearances::Appearances;
use crate::service::replay::load::Stored;
use crate::service::replay::{Replay, ReplayError};
use crate::service::{Pool, Service, ServiceError};
use crate::store::{Generation, PoolId, PoolRecord, StoreError, Tx};

/// Rounds that are counted one batch after another, as from a file.
///
/// What the players are is kept from batch to batch, and read again only where somebody else wrote to the
/// pool meanwhile.
#[derive(Debug)]
pub struct RoundImport<'service> {
    service: &'service Service,
    pools: HashMap<PoolId, KeptPlayers>,
}

impl Service {
    /// An import of rounds into any of the pools.
    #[must_use]
    pub fn import(&self) -> RoundImport<'_> {
        RoundImport {
            service: self,
            pools: HashMap::new(),
        }
    }
}

impl RoundImport<'_> {
    /// Counts `rounds` of one pool, in their order, in one transaction: all or, where the database
    /// fails, none. Answers what became of each, up to the first refused one where that stops it.
    ///
    /// A round that is new is put into the log with what was made of it, and rated as that. What was
    /// made of one that was counted before is left, since it takes a rebuild: see
    /// [`Service::apply_round_change`].
    ///
    /// # Errors
    /// The database's; what concerns one round alone is in that round's outcome.
    pub async fn record(
        &mut self,
        pool: &Pool,
        rounds: &[ImportedRound],
        on_refusal: OnRefusal,
    ) -> Result<Vec<Result<Recorded, ServiceError>>, ServiceError> {
        let store = &self.service.store;
        let taken = Taken::FromFile(self.service.clock.now());
        let kept = self.pools.entry(pool.id).or_default();
        // The future is large, and whoever awaits it would be as large.
        let recorded = Box::pin(record(store, pool, rounds, taken, on_refusal, Some(kept)));
        let outcomes: Outcomes = recorded.await?;
        self.limit_memory();
        Ok(outcomes)
    }

    /// Forgets half of the players where they take too much memory.
    fn limit_memory(&mut self) {
        let size: usize = self.pools.values().map(KeptPlayers::size).sum();
        // The program does nothing else, and who is forgotten is read again a batch or two later.
        if size > 2 * self.service.rebuild_memory {
            self.pools.values_mut().for_each(KeptPlayers::forget_half);
        }
    }
}

/// The players of a pool as they were when the last batch was counted.
#[derive(Debug, Default)]
pub(crate) struct KeptPlayers {
    /// Reads players, of the rows of that generation.
    reader: Option<(Generation, Replay)>,
    /// Nothing while a batch has them, nor after one that failed.
    players: Option<BatchPlayers>,
}

impl KeptPlayers {
    /// What `rounds` are rated from; `record` is the pool, locked in `tx`.
    pub(crate) async fn take(
        &mut self,
        tx: &mut Tx,
        pool: &Pool,
        record: &PoolRecord,
        rounds: &[&Report],
    ) -> Result<BatchPlayers, ReplayError> {
        let active = record.generation.ok_or(StoreError::NotComputed)?;
        let kept = self.reader.take().zip(self.players.take());
        let kept = kept.filter(|((generation, reader), _)| {
            (*generation, reader.position) == (active, record.log_length)
        });
        let (mut reader, mut players) = if let Some(((_, reader), players)) = kept {
            (reader, players)
        } else {
            let stored = Stored {
                active,
                written: None,
            };
            let mut reader = Replay::open_at_end(tx, record, stored).await?;
            let players = BatchPlayers {
                projection: std::mem::take(&mut reader.projection),
                last: PlayerMap::default(),
            };
            (reader, players)
        };
        let appearances = Appearances::in_rounds(rounds, pool.settings.parameters.window);
        std::mem::swap(&mut reader.projection, &mut players.projection);
        reader.load_players(tx, record.id, &appearances).await?;
        std::mem::swap(&mut reader.projection, &mut players.projection);
        let loaded = reader.take_loaded().into_iter();
        players
            .last
            .extend(loaded.map(|chunk| (chunk.player, chunk)));
        self.reader = Some((active, reader));
        Ok(players)
    }

    /// Keeps the players as they are after that place of the log.
    pub(crate) fn keep(&mut self, position: u64, players: BatchPlayers) {
        if let Some((_, reader)) = &mut self.reader {
            reader.position = position;
            self.players = Some(players);
        }
    }

    /// How many bytes they take, about.
    fn size(&self) -> usize {
        let players = self.players.as_ref();
        players.map_or(0, |players| players.projection.size())
    }

    fn forget_half(&mut self) {
        if let Some(players) = &mut self.players {
            for forgotten in players.projection.forget_half() {
                players.last.remove(&forgotten.id);
            }
        }
    }
}
