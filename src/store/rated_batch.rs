//! Rounds that are new, and what they make of their pool.

use std::collections::BTreeMap;

use super::{LastRow, LoggedRound, PoolRecord, StoredChunk};
use crate::rating::{GroupTotals, PlayerState, RoundGroup, RoundResult};

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
