use std::collections::{HashMap, HashSet, hash_map};

use super::projection::Projection;
use super::{Applied, Replay, ReplayError};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::ModelState;
use crate::store::{
    Entry, EntryChunk, Generation, LastRow, PlayerRecord, PoolId, RoundResult, StoreError, Tx,
};

/// Players that are looked up or written at once.
const PLAYERS: usize = 2_000;
/// Players that are read of a whole pool at once.
const PLAYERS_READ: u32 = 10_000;

/// What a rebuild makes of the log, until it is written.
#[derive(Debug)]
pub(crate) struct Rows {
    generation: Generation,
    results: Vec<RoundResult>,
    /// Full rows of entries.
    chunks: Vec<EntryChunk>,
    /// The last row of every player who is held and has entries.
    last: HashMap<PlayerId, EntryChunk>,
    /// Those who were rated or changed, or would have been in a round that is void.
    touched: HashSet<PlayerId>,
    /// Who they are, and their last rows as they are stored, as far as they are held no longer.
    forgotten: HashMap<PlayerId, (PlayerRecord, Option<Vec<u8>>)>,
}

impl Rows {
    pub(crate) fn new(generation: Generation) -> Self {
        Self {
            generation,
            results: Vec::new(),
            chunks: Vec::new(),
            last: HashMap::new(),
            touched: HashSet::new(),
            forgotten: HashMap::new(),
        }
    }

    /// Takes in the last rows of players who were read.
    pub(crate) fn open(&mut self, rows: Vec<EntryChunk>) {
        for row in rows {
            self.forgotten.remove(&row.player);
            self.last.insert(row.player, row);
        }
    }

    /// Notes that a player may have changed.
    pub(crate) fn touch(&mut self, player: PlayerId) {
        self.touched.insert(player);
    }

    /// Whether a player may have changed.
    pub(crate) fn is_touched(&self, player: PlayerId) -> bool {
        self.touched.contains(&player)
    }

    /// Takes in what a round made.
    ///
    /// # Errors
    /// Where a player's entries do not end where the rounds that were rated say.
    pub(crate) fn add(&mut self, applied: Applied) -> Result<(), StoreError> {
        let participants = applied.round.round.participants();
        self.touched.extend(participants.map(|(_, entry)| entry.id));
        for entry in applied.rated.entries {
            let last = self.last.entry(entry.player);
            self.chunks.extend(append(last, entry, self.generation)?);
        }
        self.results.push(applied.rated.result);
        Ok(())
    }

    /// Forgets players who are held no longer, but for who they are and what their last rows are made of.
    pub(crate) fn forget(&mut self, players: Vec<PlayerRecord>) -> Result<(), StoreError> {
        for record in players {
            let last = self.last.remove(&record.id);
            if self.touched.contains(&record.id) {
                let last = last.map(|last| last.packed()).transpose()?;
                self.forgotten.insert(record.id, (record, last));
            }
        }
        Ok(())
    }

    /// How many bytes the last rows of players take that are held, about.
    pub(crate) fn size(&self) -> usize {
        let entries = self.last.values().map(|row| row.entries.capacity());
        entries.sum::<usize>() * size_of::<Entry>()
            + self.last.len() * size_of::<(PlayerId, EntryChunk)>()
    }

    /// How many rows are to be written.
    pub(crate) fn finished(&self) -> usize {
        self.results.len() + self.chunks.len()
    }

    /// Writes up to `limit` of them.
    pub(crate) async fn write(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        limit: usize,
    ) -> Result<(), StoreError> {
        let results = self.results.len().min(limit);
        let results: Vec<RoundResult> = self.results.drain(..results).collect();
        if !results.is_empty() {
            let results: Vec<&RoundResult> = results.iter().collect();
            tx.insert_results(pool, self.generation, &results).await?;
        }
        let kept = self.chunks.len() - self.chunks.len().min(limit - results.len());
        let mut chunks = self.chunks.split_off(kept);
        if !chunks.is_empty() {
            chunks.sort_unstable_by_key(|chunk| (chunk.player, chunk.chunk));
            tx.save_chunks(pool, &chunks).await?;
        }
        Ok(())
    }

    /// Who a player is now, of whom `projection` holds all that are not forgotten.
    pub(crate) fn player<'held>(
        &'held self,
        projection: &'held Projection,
        player: PlayerId,
    ) -> Option<&'held PlayerRecord> {
        let held = projection.known(player);
        held.or_else(|| self.forgotten.get(&player).map(|(record, _)| record))
    }

    /// The last rows of those of the players who were forgotten.
    pub(crate) fn forgotten_rows(
        &self,
        players: &HashSet<PlayerId>,
    ) -> Result<HashMap<PlayerId, EntryChunk>, StoreError> {
        let rows = players.iter().filter_map(|player| {
            let row = self.forgotten_row(*player).transpose()?;
            Some(row.map(|row| (*player, row)))
        });
        rows.collect()
    }

    /// What the pool's model remembers of those of the players who were forgotten.
    pub(crate) fn forgotten_states(
        &self,
        players: &HashSet<PlayerId>,
    ) -> HashMap<PlayerId, ModelState> {
        let forgotten = players.iter().filter_map(|player| {
            let (record, _) = self.forgotten.get(player)?;
            Some((*player, record.model_state.clone()))
        });
        forgotten.collect()
    }

    fn forgotten_row(&self, player: PlayerId) -> Result<Option<EntryChunk>, StoreError> {
        let Some((record, Some(last))) = self.forgotten.get(&player) else {
            return Ok(None);
        };
        EntryChunk::unpack(player, record.entries, last).map(Some)
    }

    /// Writes who the players are now, in the transaction that switches over. Rows of entries that they
    /// have no longer are to be written empty.
    pub(crate) async fn write_players(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        projection: &Projection,
    ) -> Result<(), StoreError> {
        let mut replaced = Vec::new();
        let mut touched: Vec<PlayerId> = self.touched.iter().copied().collect();
        touched.sort_unstable();
        for touched in touched.chunks(PLAYERS) {
            let stored = tx.players(pool, touched).await?.into_iter();
            let mut stored: HashMap<PlayerId, PlayerRecord> =
                stored.map(|player| (player.id, player)).collect();
            let mut changed = Vec::new();
            let mut unknown = Vec::new();
            for player in touched {
                let was = stored.remove(player);
                let is = self.player(projection, *player);
                let rows = |record: Option<&PlayerRecord>| {
                    record.map_or(0, |record| record.entries / EntryChunk::SIZE)
                };
                let empty = Timestamp::UNIX_EPOCH;
                for chunk in rows(is)..rows(was.as_ref()) {
                    let row = EntryChunk::empty(*player, chunk, empty);
                    let generation = self.generation;
                    replaced.push(EntryChunk { generation, ..row });
                }
                match is {
                    Some(is) => {
                        let last = match self.last.get(player) {
                            Some(last) => Some(last.clone()),
                            None => self.forgotten_row(*player)?,
                        };
                        changed.push((is, last));
                    }
                    None if was.is_some() => unknown.push(*player),
                    None => {}
                }
            }
            let changed: Vec<(&PlayerRecord, LastRow<'_>)> = changed
                .iter()
                .map(|(player, last)| (*player, last.as_ref()))
                .collect();
            tx.save_players_with_last_rows(pool, &changed).await?;
            tx.delete_players(pool, &unknown).await?;
        }
        self.chunks.extend(replaced);
        Ok(())
    }

    /// Where all of the log was computed that is not pruned: writes those players as they are that nothing of
    /// it concerned, and deletes those whom the log does not know.
    pub(crate) async fn mend_untouched_players(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        replay: &Replay,
    ) -> Result<(), ReplayError> {
        let mut last = None;
        loop {
            let page = tx.players_after(pool, last, PLAYERS_READ).await?;
            let Some(end) = page.last() else {
                return Ok(());
            };
            last = Some(end.id);
            let ids = page.iter().map(|player| player.id);
            let others = ids.filter(|id| self.player(&replay.projection, *id).is_none());
            let others: Vec<PlayerId> = others.collect();
            let read = replay.read_players(tx, pool, &others).await?;
            let known: HashSet<PlayerId> = read.iter().map(|player| player.id).collect();
            let unknown = others.into_iter().filter(|id| !known.contains(id));
            let unknown: Vec<PlayerId> = unknown.collect();
            if !unknown.is_empty() {
                tx.delete_players(pool, &unknown).await?;
            }
            let stored = |id| page.binary_search_by_key(&id, |player| player.id).ok();
            let changed = read
                .into_iter()
                .filter(|player| stored(player.id).is_none_or(|index| page[index] != *player));
            let changed: Vec<PlayerRecord> = changed.collect();
            if !changed.is_empty() {
                tx.save_players(pool, &changed).await?;
            }
        }
    }
}

/// Adds an entry to a player's last row; answers that row where this fills it, and the next takes its place.
///
/// # Errors
/// Where the entry is not the next.
pub(crate) fn append(
    last: hash_map::Entry<'_, PlayerId, EntryChunk>,
    entry: Entry,
    generation: Generation,
) -> Result<Option<EntryChunk>, StoreError> {
    let first = || EntryChunk::empty(entry.player, 0, Timestamp::UNIX_EPOCH);
    let last = last.or_insert_with(first);
    last.push(entry)?;
    last.generation = generation;
    if !last.is_full() {
        return Ok(None);
    }
    let next = last.next();
    Ok(Some(std::mem::replace(last, next)))
}
