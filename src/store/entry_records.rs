//! A player's rated rounds, and the rows that they share.

use std::collections::BTreeMap;

use super::{Generation, LoggedRound, PoolRecord, StoreError, content, corrupt};
use crate::domain::{PlayerId, PoolName, RoundId, ServerName, Timestamp};
use crate::rating::{
    Calibration, Entry, Experience, GroupTotals, PlayerState, RoundGroup, RoundResult,
};

/// Rated rounds of a player that follow one another and share a row. The last, which is not full and may be
/// empty, is a part of the player's own row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChunk {
    /// The player.
    pub player: PlayerId,
    /// Counts the player's rows from 0.
    pub chunk: u64,
    /// The generation that the row is of.
    pub generation: Generation,
    /// When the latest of the player's rated rounds ended, from the first up to the last of these.
    pub latest: Timestamp,
    /// Up to [`EntryChunk::SIZE`] rounds, their numbers ascending without a gap; of a full row none where a
    /// rebuild left the player without them.
    pub entries: Vec<Entry>,
}

impl EntryChunk {
    /// As many rounds as a row holds. More make what every round rewrites of its players longer, fewer make
    /// the keys the larger part.
    pub const SIZE: u64 = 16;

    /// The row that the entry of that number is in.
    #[must_use]
    pub fn of(number: u64) -> u64 {
        (number - 1) / Self::SIZE
    }

    /// The row of that number, empty, of a player whose latest round before it ended then.
    #[must_use]
    pub fn empty(player: PlayerId, chunk: u64, latest: Timestamp) -> Self {
        Self {
            player,
            chunk,
            generation: Generation::default(),
            latest,
            entries: Vec::new(),
        }
    }

    /// Whether no more entries go into the row.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() as u64 >= Self::SIZE
    }

    /// The row behind this one, empty.
    #[must_use]
    pub fn next(&self) -> Self {
        Self::empty(self.player, self.chunk + 1, self.latest)
    }

    /// Adds an entry.
    ///
    /// # Errors
    /// Where it is not the one that comes next.
    pub fn push(&mut self, entry: Entry) -> Result<(), StoreError> {
        let next = self.chunk * Self::SIZE + self.entries.len() as u64 + 1;
        if entry.number != next || self.is_full() {
            return Err(corrupt("entries", "content"));
        }
        self.latest = self.latest.max(entry.ended_at);
        self.entries.push(entry);
        Ok(())
    }
}

/// A full row of entries as it is stored, in a third of the memory.
#[derive(Clone, Debug)]
pub struct StoredChunk {
    pub(super) player: PlayerId,
    pub(super) chunk: u64,
    pub(super) generation: Generation,
    /// The place in the log of the first of its rounds; without rounds, behind every place.
    pub(super) first_position: i64,
    /// When the earliest of its rounds ended, in microseconds since 1970; without rounds, after every time.
    pub(super) ended_from: i64,
    pub(super) latest: Timestamp,
    pub(super) content: Vec<u8>,
}

impl StoredChunk {
    /// The row as it is stored.
    ///
    /// # Errors
    /// Where it cannot be written.
    pub fn of(row: &EntryChunk) -> Result<Self, StoreError> {
        let ended = row.entries.iter().map(|entry| entry.ended_at.unix_micros());
        let first = row
            .entries
            .first()
            .map(|entry| entry.position.cast_signed());
        Ok(Self {
            player: row.player,
            chunk: row.chunk,
            generation: row.generation,
            first_position: first.unwrap_or(i64::MAX),
            ended_from: ended.min().unwrap_or(i64::MAX),
            latest: row.latest,
            content: content::of_chunk(&row.entries)?,
        })
    }

    /// How many bytes it takes, about.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.content.capacity()
    }

    /// What rows are sorted by where they are stored.
    #[must_use]
    pub fn key(&self) -> (PlayerId, u64) {
        (self.player, self.chunk)
    }
}

/// The last of a player's rows of entries, to be written with the player; `None` leaves what is there.
pub type LastRow<'row> = Option<&'row EntryChunk>;

/// How far a player's entries are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunksBefore {
    /// Those of the rounds before that place of the log.
    pub position: u64,
    /// The generation that is active.
    pub active: Generation,
    /// One that is being written, whose rows take the place of others wherever they stand.
    pub written: Option<Generation>,
}

/// What is to be written once rounds are rated.
#[derive(Clone, Copy, Debug)]
pub struct RatedBatch<'batch> {
    /// The pool as it is then; it is computed, and so has a generation.
    pub pool: &'batch PoolRecord,
    /// The rounds, as the log keeps them; none where they stand in the log already.
    pub rounds: &'batch [&'batch LoggedRound],
    /// A result of each round that was rated, in any order; none where they are written already.
    pub results: &'batch [&'batch RoundResult],
    /// What they add to the sums over rounds that have something in common.
    pub groups: &'batch BTreeMap<RoundGroup, GroupTotals>,
    /// The players as they are then, each once, with their last rows of entries.
    pub players: &'batch [(&'batch PlayerState, LastRow<'batch>)],
    /// The rows of entries that are full now and not written yet.
    pub chunks: &'batch [StoredChunk],
}

/// What a pool was at the last place of its log that was pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PruneRecord {
    /// That place, which a round had.
    pub position: u64,
    /// When it was pruned.
    pub pruned_at: Timestamp,
    /// The name of the file that has the rounds.
    pub file: String,
    /// The rows that windows of up to that many rounds need are kept, of the pool and of every player.
    pub kept_window: u32,
    /// When the round at that place was received.
    pub last_received_at: Timestamp,
    /// The predictions against the results up to there.
    pub calibration: Calibration,
    /// What the players were rated by up to there.
    pub experience: Experience,
    /// Sums over the rounds that count up to there and have something in common.
    pub groups: BTreeMap<RoundGroup, GroupTotals>,
}

/// What there is of a round that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTraces {
    /// Its server.
    pub server: ServerName,
    /// Its id, as that server names it.
    pub round_id: RoundId,
    /// Whether it is in the log, or was until it was pruned.
    pub is_known: bool,
    /// Whether there are notices to its server; some may be too old to be given.
    pub has_notices: bool,
}

/// A round that was pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedRound {
    /// The server that it was played on.
    pub server: ServerName,
    /// Its name on that server.
    pub round_id: RoundId,
    /// The pool that it counts in.
    pub pool: PoolName,
    /// When it was pruned.
    pub pruned_at: Timestamp,
    /// The name of the file that has it.
    pub file: String,
}
