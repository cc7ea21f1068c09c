//! Records of the tables, and filters for queries.

use std::fmt;

use super::{LoggedRound, RebuiltRounds};
use crate::domain::{
    ChangeId, Fingerprint, MapName, NoticeKind, NoticeName, PlayerDisplayName, PlayerId,
    PluginVersion, PoolName, Progress, Rating, RoundAction, RoundId, SeasonStart, ServerName,
    Timestamp,
};
use crate::rating::{ChangeKind, ModelName, ModelState, PoolSums, RoundResult};

/// Key of a pool in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolId(pub(super) i64);

impl fmt::Display for PoolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Counter of the times that a pool was computed again, in part or whole. Of all rows with one key, the pool uses the
/// one with the highest generation up to its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub(super) i64);

impl Generation {
    /// The highest possible generation.
    pub const LAST: Self = Self(i64::MAX);

    /// Returns the generation that a rebuild writes while this one is active.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Key of a set of constants in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SettingsId(pub(super) i64);

impl SettingsId {
    /// Key of the first set of constants.
    pub const FIRST: Self = Self(1);
}

/// A pool with its log length and the sums of its active projection.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolRecord {
    /// Key of the pool.
    pub id: PoolId,
    /// Name of the pool.
    pub name: PoolName,
    /// Active generation of the pool.
    pub generation: Generation,
    /// Generation up to which replaced rows are deleted.
    pub cleared: Generation,
    /// Number of log positions given out. The next entry takes the next position.
    pub log_length: u64,
    /// Log position up to which rounds are pruned, or 0.
    pub pruned: u64,
    /// Sums over the rounds that count.
    pub sums: PoolSums,
    /// Model that computed the active generation.
    pub model: ModelName,
    /// State that the model keeps for the pool.
    pub model_state: ModelState,
}

/// A round with its result in the active projection.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRound {
    /// The round in the log.
    pub logged: LoggedRound,
    /// Prediction, and rating changes of the participants.
    pub result: RoundResult,
}

/// A rebuild of a pool in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuildRecord {
    /// Change of rounds that comes with the rebuild, if any.
    pub change: Option<RebuiltRounds>,
    /// Number of log entries computed and in total, from the first one to compute.
    pub progress: Progress,
    /// Time at which the rebuild began; `None` if an earlier version began it, which records no progress.
    pub started_at: Option<Timestamp>,
    /// Time of the last renewal of the lease.
    pub renewed_at: Timestamp,
    /// `true` if the owner has to give up.
    pub is_cancelled: bool,
}

/// An import in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRecord {
    /// Key of the import.
    pub id: String,
    /// Source of the rounds, for people to read.
    pub source: String,
    /// Time at which the import began.
    pub started_at: Timestamp,
    /// Time of the last sign of life.
    pub renewed_at: Timestamp,
    /// Number of bytes read so far.
    pub done: u64,
    /// Number of bytes to read; `None` if unknown.
    pub total: Option<u64>,
}

/// Subject of a change by an admin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Rating of a player, which was set or reset.
    Player(PlayerId, ChangeKind),
    /// A round in the log.
    Round {
        /// Log position of the round.
        position: u64,
        /// Change of the round: void, restoration or correction.
        action: RoundAction,
    },
    /// A change of a player, or a season start, which is undone.
    Undo {
        /// Log position of the undone change.
        position: u64,
        /// Player of the undone change; `None` for a season start.
        player: Option<PlayerId>,
    },
    /// Every player, at the start of a season.
    Season(SeasonStart),
}

/// A change by an admin, as it is stored in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Log position, from 1.
    pub position: u64,
    /// Unique and permanent id of the change.
    pub change_id: ChangeId,
    /// Subject of the change, and the new state.
    pub changed: Changed,
    /// Reason that the admin gave, if any.
    pub reason: Option<String>,
    /// Time of the change.
    pub made_at: Timestamp,
    /// Constants in force at this log position.
    pub settings: SettingsId,
}

impl Change {
    /// Returns the season that starts with this change, if any.
    #[must_use]
    pub fn season(&self) -> Option<&SeasonStart> {
        match &self.changed {
            Changed::Season(season) => Some(season),
            _ => None,
        }
    }
}

/// An entry of a pool's log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A round that was reported.
    Round(Box<LoggedRound>),
    /// A change by an admin.
    Change(Change),
}

impl LogEntry {
    /// Returns the log position, from 1.
    #[must_use]
    pub fn position(&self) -> u64 {
        match self {
            Self::Round(round) => round.position,
            Self::Change(change) => change.position,
        }
    }
}

/// An action of an admin in the audit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Time of the action.
    pub made_at: Timestamp,
    /// Id that distinguishes actions of the same moment.
    pub id: String,
    /// Secret that was used; `None` for the command line.
    pub secret: Option<Fingerprint>,
    /// Name of the action: `set`, `reset`, `void`, `unvoid`, `correct`, `void_rounds`, `take_back_names`, `undo`,
    /// `rebuild`, `switch`, `prune`, `import_ratings`, `undo_ratings`, `season` or `undo_season`.
    pub action: String,
    /// Pool of the action.
    pub pool: PoolId,
    /// Player of the action, if any.
    pub player: Option<PlayerId>,
    /// Round of the action, if any.
    pub round: Option<(ServerName, RoundId)>,
    /// Reason that the admin gave, if any.
    pub reason: Option<String>,
    /// State before the action, as JSON.
    pub before: String,
    /// State after the action, as JSON.
    pub after: String,
}

/// Filter for the rounds of a pool. A field that is `None` lets every round pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundFilter {
    /// Server of the rounds.
    pub server: Option<ServerName>,
    /// Map of the rounds. No index has maps, so rounds are read until enough are found.
    pub map: Option<MapName>,
    /// Earliest end time, included.
    pub from: Option<Timestamp>,
    /// Latest end time, excluded.
    pub to: Option<Timestamp>,
    /// Secret that reported the rounds.
    pub secret: Option<Fingerprint>,
    /// Earliest arrival time, included.
    pub received_from: Option<Timestamp>,
    /// Latest arrival time, excluded.
    pub received_to: Option<Timestamp>,
}

impl RoundFilter {
    /// Returns `true` if the filter needs more of a round than its server and end time.
    pub(super) fn needs_rows(&self) -> bool {
        self.map.is_some()
            || self.secret.is_some()
            || self.received_from.is_some()
            || self.received_to.is_some()
    }
}

/// Id and times of a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundPlayed {
    /// Log position of the round.
    pub position: u64,
    /// Server of the round.
    pub server: ServerName,
    /// Id of the round on its server.
    pub round_id: RoundId,
    /// Time at which the round ended.
    pub ended_at: Timestamp,
    /// Time at which the service received the round.
    pub received_at: Timestamp,
}

/// Condition for having a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Minimum number of rated rounds.
    pub shadow_rounds: u32,
    /// Earliest end of the last round. A player who last played before this time has no rank.
    pub stale_before: Timestamp,
}

/// Numbers of players of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// Number of all players.
    pub total: u64,
    /// Number of players in their shadow period.
    pub hidden: u64,
    /// Number of players without a recent round.
    pub stale: u64,
}

/// Lease on computing the challengers of a pool, and their figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengersRecord {
    /// Owner of the lease.
    pub owner: String,
    /// Time of the last renewal of the lease.
    pub renewed_at: Timestamp,
    /// Figures of the challengers; `None` before the first ones are written.
    pub figures: Option<ChallengerFigures>,
}

/// Quality figures of a pool's challengers up to a log position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengerFigures {
    /// Generation of the results that the pool's own predictions came from.
    pub generation: Generation,
    /// Pruned log position behind which the figures begin.
    pub pruned: u64,
    /// Constants that the models used.
    pub settings: SettingsId,
    /// Last log position that is in the figures.
    pub position: u64,
    /// Number of the pool's rounds that counted up to `position`, including pruned ones.
    pub rounds: u64,
    /// The figures as JSON.
    pub content: String,
}

/// A notice to a game server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRecord {
    /// Server that gets the notice.
    pub server: ServerName,
    /// Name of the notice, unique within the server.
    pub name: NoticeName,
    /// Subject of the notice.
    pub kind: NoticeKind,
    /// Player that the notice concerns, if any.
    pub player: Option<PlayerId>,
    /// New rating of the player, if the notice concerns one.
    pub rating: Option<Rating>,
    /// Text of the notice, as a sentence.
    pub message: String,
    /// Time of the event.
    pub made_at: Timestamp,
    /// Time from which the notice is no longer sent.
    pub expires_at: Timestamp,
}

/// Last `POST /v1/hello` of a game server, to any instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Name of the game server.
    pub server: ServerName,
    /// Version of the plugin, if the request named one.
    pub plugin: Option<PluginVersion>,
    /// Fingerprint of the request's secret.
    pub secret: Fingerprint,
    /// Arrival time of the request.
    pub at: Timestamp,
}

/// Standing of a player at the end of a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonStanding {
    /// Id of the player.
    pub player: PlayerId,
    /// Rank from 1, shared by equal ratings; `None` without a rank.
    pub rank: Option<u64>,
    /// Rating at the end of the season.
    pub rating: Rating,
    /// Number of rated rounds since the last reset.
    pub rounds: u32,
    /// Number of rated rounds in the season.
    pub season_rounds: u64,
    /// Number of all rated rounds.
    pub entries: u64,
}

/// A check of the calendar by which a pool's seasons start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarCheck {
    /// Time of the check.
    pub at: Timestamp,
    /// Months in the calendar at that time, a bit for each.
    pub months: u16,
}

/// Name and alias of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRecord {
    /// Id of the player.
    pub player: PlayerId,
    /// Name that a game server sent last.
    pub name: Option<PlayerDisplayName>,
    /// Time at which the player had the name, or at which a row without a name was made.
    pub named_at: Timestamp,
    /// Name that an admin gave the player.
    pub alias: Option<PlayerDisplayName>,
    /// Time at which the player was forgotten; `None` if never, or if that was taken back.
    pub forgotten_at: Option<Timestamp>,
    /// Number shown in place of a hidden id, from 1.
    pub pseudonym: Option<u64>,
    /// `true` if the player had played in no pool when the name was sent.
    pub is_stranger: bool,
}

/// Sender of a set of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSource {
    /// Secret of the request; `None` for names from a file.
    pub secret: Option<Fingerprint>,
    /// Arrival time of the request.
    pub received_at: Timestamp,
    /// `true` if the players have played in no pool.
    pub are_strangers: bool,
}
