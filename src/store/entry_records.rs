//! Entries (the rated rounds of a player), and the rows that store several of them.

use std::collections::BTreeMap;

use super::{Generation, LoggedRound, PoolRecord, StoreError, content, corrupt};
use crate::domain::{PlayerId, PoolName, RoundId, ServerName, Timestamp};
use crate::rating::{
    Calibration, Entry, Experience, GroupTotals, PlayerState, RoundGroup, RoundResult,
};

/// Row of consecutive entries (rated rounds) of a player. The player's last row is not full, may be empty, and is
/// stored together with the player's rating.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryChunk {
    /// Id of the player.
    pub player: PlayerId,
    /// Index of this row among the rows of the player's rated rounds, from 0.
    pub chunk: u64,
    /// Generation (version of computed rows) that wrote this row of rated rounds.
    pub generation: Generation,
    /// Latest end time of the player's rated rounds, from the first up to the last in this row.
    pub latest: Timestamp,
    /// Up to [`EntryChunk::SIZE`] rated rounds of the player with consecutive numbers. A full row is empty if a rebuild
    /// left the player without its rounds.
    pub entries: Vec<Entry>,
}

impl EntryChunk {
    /// Number of entries (rated rounds of a player) in a full row. With larger rows, each round rewrites more bytes;
    /// with smaller rows, keys take most of the space.
    pub const SIZE: u64 = 16;

    /// Returns the index, from 0, of the row that contains a player's rated round number `number`, from 1.
    #[must_use]
    pub fn of(number: u64) -> u64 {
        (number - 1) / Self::SIZE
    }

    /// Returns a row for rated rounds of a player, still empty. `chunk` is the index of the row, from 0, and `latest`
    /// the latest end time of the player's earlier rounds.
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

    /// Returns `true` if this row of a player's rated rounds cannot take another one.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.entries.len() as u64 >= Self::SIZE
    }

    /// Returns the player's next row of rated rounds, still empty.
    #[must_use]
    pub fn next(&self) -> Self {
        Self::empty(self.player, self.chunk + 1, self.latest)
    }

    /// Appends the player's next rated round to this row.
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

/// Full row of a player's entries (rated rounds), encoded for the database. This form takes a third of the memory.
#[derive(Clone, Debug)]
pub struct StoredChunk {
    pub(super) player: PlayerId,
    pub(super) chunk: u64,
    pub(super) generation: Generation,
    /// Log position of the first rated round in this row, or `i64::MAX` if the row is empty.
    pub(super) first_position: i64,
    /// Earliest end time of the rated rounds in this row, in unix microseconds, or `i64::MAX` if the row is empty.
    pub(super) ended_from: i64,
    pub(super) latest: Timestamp,
    pub(super) content: Vec<u8>,
}

impl StoredChunk {
    /// Encodes a row of a player's entries (rated rounds) for the database.
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

    /// Returns the approximate size of this encoded row in memory, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        size_of::<Self>() + self.content.capacity()
    }

    /// Returns the sort key of a row of rated rounds: player, and index among the player's rows from 0.
    #[must_use]
    pub fn key(&self) -> (PlayerId, u64) {
        (self.player, self.chunk)
    }
}

/// Last row of a player's entries (rated rounds), written together with the player. `None` keeps the stored row.
pub type LastRow<'row> = Option<&'row EntryChunk>;

/// Limit by log position and generation (version of computed rows) for reading the rated rounds of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunksBefore {
    /// Log position before which rated rounds are read, itself excluded.
    pub position: u64,
    /// Active generation of the pool: the version of computed rows that counts.
    pub active: Generation,
    /// Generation (version of computed rows) that a rebuild is writing, if any. Its rows replace others at any log
    /// position.
    pub written: Option<Generation>,
}

/// Everything that a batch of rated rounds writes to the database.
#[derive(Clone, Copy, Debug)]
pub struct RatedBatch<'batch> {
    /// Pool with its log length and sums after the batch of rounds, and its active generation (version of computed
    /// rows).
    pub pool: &'batch PoolRecord,
    /// Rounds to append to the pool's log; empty if the log already contains them.
    pub rounds: &'batch [&'batch LoggedRound],
    /// Result of each rated round, in any order; empty if the results are already written.
    pub results: &'batch [&'batch RoundResult],
    /// Totals of the batch's rounds by group, such as the scores and log losses on one map, to add to the stored
    /// totals.
    pub groups: &'batch BTreeMap<RoundGroup, GroupTotals>,
    /// Players with their ratings and totals after the batch, each once, with their last rows of entries (rated
    /// rounds).
    pub players: &'batch [(&'batch PlayerState, LastRow<'batch>)],
    /// Rows of players' rated rounds that have become full and are not written yet.
    pub chunks: &'batch [StoredChunk],
}

/// State of a pool at the last pruned position of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PruneRecord {
    /// Last pruned position of the pool's log, which is the position of a round.
    pub(crate) position: u64,
    pub(crate) pruned_at: Timestamp,
    /// Name of the file that contains the pruned rounds.
    pub(crate) file: String,
    /// Longest window, in rounds, for which enough computed rows of the pool and of every player are kept.
    pub(crate) kept_window: u32,
    /// Time at which the last pruned round was received.
    pub(crate) last_received_at: Timestamp,
    /// Comparison of predictions and results up to the last pruned round, in bins.
    pub(crate) calibration: Calibration,
    /// Sums of the K-factors up to the last pruned round, in buckets by the players' numbers of earlier rounds.
    pub(crate) experience: Experience,
    /// Totals of the rounds up to the last pruned one, except void rounds, by group, such as the scores and log losses
    /// on one map.
    pub(crate) groups: BTreeMap<RoundGroup, GroupTotals>,
}

/// Result of looking up a reported round: if it is known, and if its server has notices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundTraces {
    pub(crate) server: ServerName,
    pub(crate) round_id: RoundId,
    /// `true` if the round is in the log, or was until it was pruned.
    pub(crate) is_known: bool,
    /// `true` if notices for the server are stored; some may have expired.
    pub(crate) has_notices: bool,
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
