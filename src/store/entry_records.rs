//! Entries (the rated rounds of a player), and the rows that store several of them.

use std::collections::BTreeMap;

use super::{Generation, LoggedRound, PoolRecord, StoreError, content, corrupt};
use crate::domain::{PlayerId, PoolName, RoundId, ServerName, Timestamp};
use crate::rating::{
    Calibration, Entry, Experience, GroupTotals, PlayerState, RoundGroup, RoundResult,
};

/// A row of consecutive entries of a player. The last row is not full, may be empty, and is stored in the player's own
/// row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChunk {
    /// Id of the player.
    pub player: PlayerId,
    /// Index of the row among the player's rows, from 0.
    pub chunk: u64,
    /// Generation that wrote the row.
    pub generation: Generation,
    /// Latest end time of the player's rated rounds, from the first up to the last in this row.
    pub latest: Timestamp,
    /// Up to [`EntryChunk::SIZE`] entries with consecutive numbers. A full row is empty if a rebuild left the player
    /// without its entries.
    pub entries: Vec<Entry>,
}

impl EntryChunk {
    /// Number of entries in a full row. With larger rows, every round rewrites more; with smaller ones, keys take the
    /// larger part.
    pub const SIZE: u64 = 16;

    /// Returns the index of the row that contains the entry `number`, which counts from 1.
    #[must_use]
    pub fn of(number: u64) -> u64 {
        (number - 1) / Self::SIZE
    }

    /// Returns an empty row with the index `chunk`. `latest` is the latest end time of the player's earlier rounds.
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

    /// Returns `true` if the row has no room for another entry.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() as u64 >= Self::SIZE
    }

    /// Returns an empty row that follows this one.
    #[must_use]
    pub fn next(&self) -> Self {
        Self::empty(self.player, self.chunk + 1, self.latest)
    }

    /// Appends the next entry.
    ///
    /// # Errors
    /// Returns [`StoreError::Corrupt`] if the number of `entry` is not the next one, or if the row is full.
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

/// A full row of entries in its encoded form, which takes a third of the memory.
#[derive(Clone, Debug)]
pub struct StoredChunk {
    pub(super) player: PlayerId,
    pub(super) chunk: u64,
    pub(super) generation: Generation,
    /// Log position of the first entry, or `i64::MAX` without entries.
    pub(super) first_position: i64,
    /// Earliest end time of the entries in unix microseconds, or `i64::MAX` without entries.
    pub(super) ended_from: i64,
    pub(super) latest: Timestamp,
    pub(super) content: Vec<u8>,
}

impl StoredChunk {
    /// Encodes a row for storage.
    ///
    /// # Errors
    /// Returns an error only because of a defect of this program.
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

    /// Returns the approximate size in memory, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.content.capacity()
    }

    /// Returns the sort key of stored rows: player and index of the row.
    #[must_use]
    pub fn key(&self) -> (PlayerId, u64) {
        (self.player, self.chunk)
    }
}

/// Last row of a player's entries, written together with the player. `None` keeps the stored row.
pub type LastRow<'row> = Option<&'row EntryChunk>;

/// End up to which entries of players are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunksBefore {
    /// Log position before which entries are read.
    pub position: u64,
    /// Active generation of the pool.
    pub active: Generation,
    /// Generation that a rebuild is writing. Its rows replace others, wherever they are in the log.
    pub written: Option<Generation>,
}

/// Everything that a batch of rated rounds writes.
#[derive(Clone, Copy, Debug)]
pub struct RatedBatch<'batch> {
    /// Pool after the batch, with its active generation.
    pub pool: &'batch PoolRecord,
    /// Rounds for the log; empty if the log already contains them.
    pub rounds: &'batch [&'batch LoggedRound],
    /// Result of each rated round, in any order; empty if the results are already written.
    pub results: &'batch [&'batch RoundResult],
    /// Amounts to add to the sums of groups of rounds.
    pub groups: &'batch BTreeMap<RoundGroup, GroupTotals>,
    /// Players after the batch, each once, with their last rows of entries.
    pub players: &'batch [(&'batch PlayerState, LastRow<'batch>)],
    /// Rows of entries that have become full and are not written yet.
    pub chunks: &'batch [StoredChunk],
}

/// State of a pool at the last pruned position of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PruneRecord {
    /// Last pruned log position, which is a round's.
    pub position: u64,
    /// Time of the prune.
    pub pruned_at: Timestamp,
    /// Name of the file that contains the rounds.
    pub file: String,
    /// Window length, in rounds, for which the rows of the pool and of every player are kept.
    pub kept_window: u32,
    /// Time at which the round at `position` was received.
    pub last_received_at: Timestamp,
    /// Comparison of predictions and results up to `position`.
    pub calibration: Calibration,
    /// Sums of the K-factors up to `position`, by experience of the players.
    pub experience: Experience,
    /// Sums of the groups of rounds that count, up to `position`.
    pub groups: BTreeMap<RoundGroup, GroupTotals>,
}

/// Traces of a reported round in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTraces {
    /// Server of the round.
    pub server: ServerName,
    /// Id of the round on its server.
    pub round_id: RoundId,
    /// `true` if the round is in the log, or was until it was pruned.
    pub is_known: bool,
    /// `true` if there are notices for the server; some may have expired.
    pub has_notices: bool,
}

/// A round that was pruned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrunedRound {
    /// Server of the round.
    pub server: ServerName,
    /// Id of the round on its server.
    pub round_id: RoundId,
    /// Pool in which the round counts.
    pub pool: PoolName,
    /// Time of the prune.
    pub pruned_at: Timestamp,
    /// Name of the file that contains the round.
    pub file: String,
}
