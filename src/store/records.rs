//! Rows of the tables, and what they are asked for by.

use std::fmt;

use super::{LoggedRound, RebuiltRounds};
use crate::domain::{
    ChangeId, Fingerprint, MapName, PlayerId, PoolName, Progress, RoundAction, RoundId,
    SeasonStart, ServerName, Timestamp,
};
use crate::rating::{ChangeKind, ModelName, ModelState, PoolSums, RoundResult};

/// A pool's key in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolId(pub(super) i64);

impl fmt::Display for PoolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Counts the times that a pool was computed again, in part or whole. Of the rows with one key, the one
/// with the highest generation up to the pool's counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub(super) i64);

impl Generation {
    /// No generation is higher.
    pub const LAST: Self = Self(i64::MAX);

    /// The one that a rebuild writes while this one is active.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// The key of a set of constants in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SettingsId(pub(super) i64);

impl SettingsId {
    /// The key of the set of constants that was written first.
    pub const FIRST: Self = Self(1);
}

/// A pool: its place in its log, and the running figures of its active projection.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolRecord {
    /// Its key.
    pub id: PoolId,
    /// Its name.
    pub name: PoolName,
    /// The active generation.
    pub generation: Generation,
    /// Up to which generation rows that others have replaced are deleted.
    pub cleared: Generation,
    /// Positions given out in its log; the next entry takes the one after.
    pub log_length: u64,
    /// The place in its log up to which its rounds are pruned; 0 where none is.
    pub pruned: u64,
    /// Sums over its rounds that count.
    pub sums: PoolSums,
    /// The model that all of it was computed by.
    pub model: ModelName,
    /// What the model has learnt of the pool.
    pub model_state: ModelState,
}

/// A round with its result in the active projection.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRound {
    /// The round as it came.
    pub logged: LoggedRound,
    /// What it made of its participants.
    pub result: RoundResult,
}

/// A pool that is being computed again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuildRecord {
    /// What is made of rounds with it.
    pub change: Option<RebuiltRounds>,
    /// How much of the log is computed, from where it began on.
    pub progress: Progress,
    /// When it began; `None` where an earlier version began it, which does not say how far it is.
    pub started_at: Option<Timestamp>,
    /// When its owner was last heard of.
    pub renewed_at: Timestamp,
    /// Whether its owner is to give up.
    pub is_cancelled: bool,
}

/// An import under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRecord {
    /// Its key.
    pub id: String,
    /// What it reads, for people.
    pub source: String,
    /// When it began.
    pub started_at: Timestamp,
    /// When it was last heard of.
    pub renewed_at: Timestamp,
    /// How many bytes of its files are read.
    pub done: u64,
    /// How many there are; `None` where nobody knows.
    pub total: Option<u64>,
}

/// What a change concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A player, and what was done.
    Player(PlayerId, ChangeKind),
    /// A round.
    Round {
        /// Its place in the pool's log.
        position: u64,
        /// What became of it.
        action: RoundAction,
    },
    /// The change of a player, or the start of a season, which is as if it had never been made.
    Undo {
        /// Its place in the pool's log.
        position: u64,
        /// The player; `None` where it is the start of a season that is undone.
        player: Option<PlayerId>,
    },
    /// Every player: a season starts.
    Season(SeasonStart),
}

/// An admin's change, in its place in the pool's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Its place in the pool's log, from 1.
    pub position: u64,
    /// Its own name, for good.
    pub change_id: ChangeId,
    /// What was changed, and how.
    pub changed: Changed,
    /// The reason that the admin gave, if any.
    pub reason: Option<String>,
    /// When it was made.
    pub made_at: Timestamp,
    /// The constants that held at that place of the log.
    pub settings: SettingsId,
}

impl Change {
    /// The season that starts with it, if one does.
    #[must_use]
    pub fn season(&self) -> Option<&SeasonStart> {
        match &self.changed {
            Changed::Season(season) => Some(season),
            _ => None,
        }
    }
}

/// One thing in a pool's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A round.
    Round(Box<LoggedRound>),
    /// An admin's change.
    Change(Change),
}

impl LogEntry {
    /// Its place in the pool's log, from 1.
    #[must_use]
    pub fn position(&self) -> u64 {
        match self {
            Self::Round(round) => round.position,
            Self::Change(change) => change.position,
        }
    }
}

/// What an admin did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// When it was made.
    pub made_at: Timestamp,
    /// Distinguishes it from others of the same moment.
    pub id: String,
    /// The secret that was used; `None` where it was done on the command line.
    pub secret: Option<Fingerprint>,
    /// `set`, `reset`, `void`, `unvoid`, `correct`, `void_rounds`, `take_back_names`, `undo`, `rebuild`, `switch`, `prune`, `import_ratings`, `undo_ratings`, `season` or
    /// `undo_season`.
    pub action: String,
    /// The pool.
    pub pool: PoolId,
    /// The player whom it concerned.
    pub player: Option<PlayerId>,
    /// The round that it concerned.
    pub round: Option<(ServerName, RoundId)>,
    /// The reason that the admin gave, if any.
    pub reason: Option<String>,
    /// JSON: the state before.
    pub before: String,
    /// JSON: the state after.
    pub after: String,
}

/// Which of a pool's rounds are asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundFilter {
    /// Only of this server.
    pub server: Option<ServerName>,
    /// Only on this map. No index has maps: the rounds are read until there are enough.
    pub map: Option<MapName>,
    /// Only those that ended at this moment or later.
    pub from: Option<Timestamp>,
    /// Only those that ended before this moment.
    pub to: Option<Timestamp>,
    /// Only those that came with this secret.
    pub secret: Option<Fingerprint>,
    /// Only those that arrived at this moment or later.
    pub received_from: Option<Timestamp>,
    /// Only those that arrived before this moment.
    pub received_to: Option<Timestamp>,
}

impl RoundFilter {
    /// Returns true if the filter needs the row of a round, and not only its server and end time.
    pub(super) fn needs_rows(&self) -> bool {
        self.map.is_some()
            || self.secret.is_some()
            || self.received_from.is_some()
            || self.received_to.is_some()
    }
}

/// A round's name, when it was played, and when it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPlayed {
    /// Its place in the pool's log.
    pub position: u64,
    /// The server that it was played on.
    pub server: ServerName,
    /// Its name on that server.
    pub round_id: RoundId,
    /// When it ended.
    pub ended_at: Timestamp,
    /// When the service got it.
    pub received_at: Timestamp,
}

/// The condition for having a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// The least number of rated rounds.
    pub shadow_rounds: u32,
    /// A player whose last round ended before this moment has none.
    pub stale_before: Timestamp,
}

/// How many players a pool has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// All players.
    pub total: u64,
    /// Those in their shadow period.
    pub hidden: u64,
    /// Those without a round for too long.
    pub stale: u64,
}
