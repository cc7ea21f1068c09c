use std::collections::{HashMap, HashSet};

use super::Applied;
use super::projection::Projection;
use crate::domain::{PlayerId, Timestamp};
use crate::store::{
    Entry, EntryChunk, Generation, PlayerRecord, PoolId, RoundResult, StoreError, Tx,
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
    /// Rows of entries that will not change any more, or are to be written as they are.
    chunks: Vec<EntryChunk>,
    /// The last row of every player who is held.
    open: HashMap<PlayerId, EntryChunk>,
    /// Those whose last row is not written as it is.
    unwritten: HashSet<PlayerId>,
    /// Those who were rated or changed, or would have been in a round that is void.
    touched: HashSet<PlayerId>,
    /// Who they are, as far as they are held no longer.
    forgotten: HashMap<PlayerId, PlayerRecord>,
}

impl Rows {
    pub(crate) fn new(generation: Generation) -> Self {
        Self {
            generation,
            results: Vec::new(),
            chunks: Vec::new(),
            open: HashMap::new(),
            unwritten: HashSet::new(),
            touched: HashSet::new(),
            forgotten: HashMap::new(),
        }
    }

    /// Takes in the last rows of players who were read. One that is not full may have been, and is then
    /// to be written as it is now.
    pub(crate) fn open(&mut self, chunks: Vec<EntryChunk>) {
        for chunk in chunks {
            if chunk.entries.len() as u64 != EntryChunk::SIZE {
                self.unwritten.insert(chunk.player);
            }
            let generation = self.generation;
            self.open.insert(
                chunk.player,
                EntryChunk {
                    generation,
                    ..chunk
                },
            );
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
            let open = append(self.open.remove(&entry.player), entry, self.generation)?;
            if entry.number.is_multiple_of(EntryChunk::SIZE) {
                self.unwritten.remove(&entry.player);
                self.chunks.push(open.clone());
            } else {
                self.unwritten.insert(entry.player);
            }
            self.open.insert(entry.player, open);
        }
        self.results.push(applied.rated.result);
        Ok(())
    }

    /// Forgets players who are held no longer, but for who they are.
    pub(crate) fn forget(&mut self, players: Vec<PlayerRecord>) {
        for record in players {
            if let Some(chunk) = self.open.remove(&record.id)
                && self.unwritten.remove(&record.id)
            {
                self.chunks.push(chunk);
            }
            if self.touched.contains(&record.id) {
                self.forgotten.insert(record.id, record);
            }
        }
    }

    /// How many players' last rows are not written as they are.
    pub(crate) fn unfinished(&self) -> usize {
        self.unwritten.len()
    }

    /// Has those rows written as they are.
    pub(crate) fn finish(&mut self) {
        let unwritten = self.unwritten.drain();
        self.chunks
            .extend(unwritten.filter_map(|player| self.open.get(&player).cloned()));
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
        held.or_else(|| self.forgotten.get(&player))
    }

    /// Writes who the players are now, in the transaction that switches over. Rows of entries that they
    /// have no longer are to be written empty.
    pub(crate) async fn write_players(
        &mut self,
        tx: &mut Tx,
        pool: PoolId,
        projection: &Projection,
    ) -> Result<(), StoreError> {
        let touched: Vec<PlayerId> = self.touched.iter().copied().collect();
        for touched in touched.chunks(PLAYERS) {
            let stored = tx.players(pool, touched).await?.into_iter();
            let mut stored: HashMap<PlayerId, PlayerRecord> =
                stored.map(|player| (player.id, player)).collect();
            let mut changed = Vec::new();
            let mut unknown = Vec::new();
            for player in touched {
                let was = stored.remove(player);
                let is = projection.known(*player);
                let is = is.or_else(|| self.forgotten.get(player));
                let rows = |record: Option<&PlayerRecord>| {
                    record.map_or(0, |record| record.entries.div_ceil(EntryChunk::SIZE))
                };
                for chunk in rows(is)..rows(was.as_ref()) {
                    self.chunks.push(EntryChunk {
                        player: *player,
                        chunk,
                        generation: self.generation,
                        latest: Timestamp::UNIX_EPOCH,
                        entries: Vec::new(),
                    });
                }
                match is {
                    Some(is) if was.as_ref() == Some(is) => {}
                    Some(is) => changed.push(is.clone()),
                    None if was.is_some() => unknown.push(*player),
                    None => {}
                }
            }
            tx.save_players(pool, &changed).await?;
            tx.delete_players(pool, &unknown).await?;
        }
        Ok(())
    }

    /// Deletes the players whom the log does not know, where all of it was computed.
    pub(crate) async fn delete_unknown_players(
        &self,
        tx: &mut Tx,
        pool: PoolId,
        projection: &Projection,
    ) -> Result<(), StoreError> {
        let mut last = None;
        loop {
            let page = tx.players_after(pool, last, PLAYERS_READ).await?;
            let Some(end) = page.last() else {
                return Ok(());
            };
            last = Some(end.id);
            let ids = page.into_iter().map(|player| player.id);
            let unknown = ids.filter(|player| self.player(projection, *player).is_none());
            let unknown: Vec<PlayerId> = unknown.collect();
            if !unknown.is_empty() {
                tx.delete_players(pool, &unknown).await?;
            }
        }
    }
}

/// A player's last row with one more entry, or, where it is full, the next row with that entry.
///
/// # Errors
/// Where the entry is not the next.
pub(crate) fn append(
    last: Option<EntryChunk>,
    entry: Entry,
    generation: Generation,
) -> Result<EntryChunk, StoreError> {
    let before = last.as_ref().and_then(|last| last.entries.last());
    if before.map_or(0, |before| before.number) + 1 != entry.number {
        return Err(StoreError::Corrupt {
            table: "entries",
            column: "content",
        });
    }
    let index = EntryChunk::of(entry.number);
    let latest = last.as_ref().map_or(entry.ended_at, |last| last.latest);
    let latest = latest.max(entry.ended_at);
    let mut chunk = match last {
        Some(last) if last.chunk == index => last,
        _ => EntryChunk {
            player: entry.player,
            chunk: index,
            generation,
            latest,
            entries: Vec::new(),
        },
    };
    chunk.latest = latest;
    chunk.entries.push(entry);
    Ok(chunk)
}
