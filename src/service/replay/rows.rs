use std::collections::BTreeMap;

use super::open_row::{OpenRow, UnwrittenPlayer, UnwrittenRows};
use super::seasons::standing_of;
use super::{Applied, Replay, ReplayError};
use crate::domain::{PlayerId, PlayerMap, PlayerSet, Timestamp};
use crate::rating::{Engine, InvalidState, ModelState, PlayerState, RoundResult};
use crate::store::{EntryChunk, Generation, PoolId, SeasonStanding, StoreError, StoredChunk, Tx};

/// Buffer of the rows that a rebuild has computed and not written: results of rounds, players' rounds, and players.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    generation: Generation,
    pub(super) results: Vec<RoundResult>,
    /// Rows of players' rated rounds that have no room for further rounds, by player and row number.
    chunks: BTreeMap<(PlayerId, u64), StoredChunk>,
    /// Last row of rated rounds of each player in memory who has any. A row holds several rounds of a player.
    last: PlayerMap<Box<OpenRow>>,
    /// Players whom the rebuild has rated or changed, including the participants of voided rounds.
    pub(super) touched: PlayerSet,
    /// Rated or changed players whose present state is not written yet.
    pub(super) unwritten: PlayerSet,
    /// States and packed last rows of rounds of the rated or changed players who were evicted from memory.
    evicted: PlayerMap<(PlayerState, Option<Vec<u8>>)>,
}

impl Rows {
    pub(crate) fn new(generation: Generation) -> Self {
        Self {
            generation,
            ..Self::default()
        }
    }

    pub(crate) fn open(&mut self, rows: Vec<EntryChunk>) {
        for row in rows {
            self.evicted.remove(&row.player);
            self.last.insert(row.player, Box::new(OpenRow::of(row)));
        }
    }

    pub(crate) fn touch(&mut self, player: PlayerId) {
        self.touched.insert(player);
        self.unwritten.insert(player);
    }

    /// Starts a season for the players evicted from memory: adds their standings to `ended` and applies `change` to
    /// their states.
    pub(crate) fn begin_season(
        &mut self,
        engine: &Engine,
        ended: &mut Vec<SeasonStanding>,
        change: impl Fn(&PlayerState) -> Result<PlayerState, InvalidState>,
    ) -> Result<(), InvalidState> {
        for (player, (record, _)) in &mut self.evicted {
            if engine.known(*player).is_none() {
                ended.push(standing_of(record));
                *record = change(record)?;
                self.unwritten.insert(*player);
            }
        }
        Ok(())
    }

    /// Adds the results of a computed round to the buffer. Returns an error if a player's rounds are not consecutive.
    pub(crate) fn add(&mut self, applied: Applied) -> Result<(), StoreError> {
        for (_, entry) in applied.round.round.participants() {
            self.touch(entry.id);
        }
        for entry in applied.rated.entries {
            let first = || EntryChunk::empty(entry.player, 0, Timestamp::UNIX_EPOCH);
            let last = self
                .last
                .entry(entry.player)
                .or_insert_with(|| Box::new(OpenRow::of(first())));
            if let Some(full) = last.push(&entry, self.generation)? {
                self.add_chunk(&full)?;
            }
        }
        self.results.push(applied.rated.result);
        Ok(())
    }

    /// Removes the buffered rows of players evicted from memory. Keeps the state and packed last row of each player
    /// whom the rebuild has rated or changed.
    pub(crate) fn evict(
        &mut self,
        players: impl Iterator<Item = PlayerState>,
    ) -> Result<(), StoreError> {
        for record in players {
            let last = self.last.remove(&record.id);
            if self.touched.contains(&record.id) {
                let packed = last.map(|last| last.to_chunk().packed()).transpose()?;
                self.evicted.insert(record.id, (record, packed));
            }
        }
        Ok(())
    }

    /// Returns the approximate memory use of the buffered rows of players' rounds, in bytes.
    pub(crate) fn size(&self) -> usize {
        let last = self.last.values().map(|last| last.size());
        let full = self.chunks.values().map(StoredChunk::size);
        last.sum::<usize>() + full.sum::<usize>()
    }

    /// Takes the changed players to write out of the buffer, ordered by id.
    pub(crate) fn take_unwritten_players(&mut self) -> Vec<PlayerId> {
        let mut players: Vec<PlayerId> = self.unwritten.drain().collect();
        players.sort_unstable();
        players
    }

    fn add_chunk(&mut self, full: &EntryChunk) -> Result<(), StoreError> {
        let stored = StoredChunk::of(full)?;
        self.chunks.insert(stored.key(), stored);
        Ok(())
    }

    /// Takes the rows to write out of the buffer. Leaves fewer than `least_chunks` rows of players' rounds, which are
    /// scattered over the table and would share few pages.
    pub(crate) fn take_unwritten(&mut self, least_chunks: usize) -> UnwrittenRows {
        let mut chunks = BTreeMap::new();
        if self.chunks.len() >= least_chunks {
            chunks = std::mem::take(&mut self.chunks);
        }
        UnwrittenRows {
            generation: self.generation,
            results: std::mem::take(&mut self.results).into(),
            chunks: chunks.into_values().collect(),
        }
    }

    /// Returns a player's state as of the last computed round. `engine` must hold all players who were not evicted.
    pub(crate) fn player<'held>(
        &'held self,
        engine: &'held Engine,
        player: PlayerId,
    ) -> Option<&'held PlayerState> {
        let held = engine.known(player);
        held.or_else(|| self.evicted.get(&player).map(|(record, _)| record))
    }

    /// Returns the model states and last rows of rounds of the evicted ones among `players`.
    pub(crate) fn evicted(
        &self,
        players: impl Iterator<Item = PlayerId>,
    ) -> Result<PlayerMap<(ModelState, Option<EntryChunk>)>, StoreError> {
        let evicted = players.filter_map(|player| {
            let (record, _) = self.evicted.get(&player)?;
            let row = self.evicted_row(player);
            Some(row.map(|row| (player, (record.model_state.clone(), row))))
        });
        evicted.collect()
    }

    fn evicted_row(&self, player: PlayerId) -> Result<Option<EntryChunk>, StoreError> {
        let Some((record, Some(last))) = self.evicted.get(&player) else {
            return Ok(None);
        };
        EntryChunk::unpack(player, record.entries, last).map(Some)
    }

    /// Returns the present states of `players`, without players whom the log no longer knows. Adds empty rows to
    /// replace the rows of rounds that a player has lost. `before` is the replay without the rebuild's change; players
    /// missing in it are read from the database.
    pub(crate) async fn changed_players(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        (before, engine): (Option<&Engine>, &Engine),
        players: &[PlayerId],
    ) -> Result<Vec<UnwrittenPlayer>, StoreError> {
        let was = |player: PlayerId| before.and_then(|before| before.known(player));
        let others: Vec<PlayerId> = players
            .iter()
            .copied()
            .filter(|player| was(*player).is_none())
            .collect();
        let mut stored = PlayerMap::default();
        if !others.is_empty() {
            let read = tx.players(pool, &others).await?.into_iter();
            stored.extend(read.map(|player| (player.id, player)));
        }
        let mut changed = Vec::new();
        for player in players.iter().copied() {
            let is = self.player(engine, player);
            let rows = |record: Option<&PlayerState>| {
                record.map_or(0, |record| record.entries / EntryChunk::SIZE)
            };
            let empty = rows(is)..rows(was(player).or_else(|| stored.get(&player)));
            if let Some(is) = is {
                let last = match self.last.get(&player) {
                    Some(last) => Some(last.to_chunk()),
                    None => self.evicted_row(player)?,
                };
                changed.push((is.clone(), last));
            }
            for chunk in empty {
                self.add_chunk(&EntryChunk {
                    generation: self.generation,
                    ..EntryChunk::empty(player, chunk, Timestamp::UNIX_EPOCH)
                })?;
            }
        }
        Ok(changed)
    }

    /// Deletes changed players whom the log no longer knows from rows of `generation`, or of the active one if `None`.
    pub(crate) async fn delete_unknown(
        &self,
        tx: &mut Tx,
        (pool, generation): (PoolId, Option<Generation>),
        engine: &Engine,
    ) -> Result<(), StoreError> {
        let touched = self.touched.iter().copied();
        let unknown: Vec<PlayerId> = touched
            .filter(|player| self.player(engine, *player).is_none())
            .collect();
        if unknown.is_empty() {
            return Ok(());
        }
        tx.delete_players(pool, generation, &unknown).await
    }

    /// Repairs up to `limit` players after `after` whom no unpruned entry of the log concerns. Rewrites players whose
    /// stored state is wrong, and deletes players whom the log does not know, in `generation`. `replay` must have
    /// computed all unpruned entries. Returns the last examined player.
    pub(crate) async fn mend_untouched_players(
        &self,
        tx: &mut Tx,
        (pool, generation): (PoolId, Generation),
        replay: &Replay,
        (after, limit): (Option<PlayerId>, u32),
    ) -> Result<Option<PlayerId>, ReplayError> {
        let page = tx.players_after(pool, after, limit).await?;
        let ids = page.iter().map(|player| player.id);
        // Players who are in memory but were never rated count as untouched.
        let others: Vec<PlayerId> = ids
            .filter(|id| !self.touched.contains(id) || self.player(&replay.engine, *id).is_none())
            .collect();
        let read = replay.read_players(tx, pool, &others).await?;
        let known: PlayerSet = read.iter().map(|player| player.id).collect();
        let unknown: Vec<PlayerId> = others
            .into_iter()
            .filter(|id| !known.contains(id))
            .collect();
        if !unknown.is_empty() {
            tx.delete_players(pool, Some(generation), &unknown).await?;
        }
        let stored = |id| page.binary_search_by_key(&id, |player| player.id).ok();
        let changed: Vec<PlayerState> = read
            .into_iter()
            .filter(|player| stored(player.id).is_none_or(|index| page[index] != *player))
            .collect();
        if !changed.is_empty() {
            tx.save_players(pool, Some(generation), &changed).await?;
        }
        Ok(page.last().map(|last| last.id))
    }
}
