//! What is kept of rounds that are pruned.

use std::collections::BTreeMap;

use crate::domain::{PoolName, RoundId, ServerName, Timestamp};
use crate::rating::{Calibration, Experience, GroupTotals, RoundGroup};

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
