//! Rows of the database tables, and filters for queries.

use std::fmt;

use super::{LoggedRound, RebuiltRounds};
use crate::domain::{
    ChangeId, Fingerprint, MapName, NoticeKind, NoticeName, PlayerDisplayName, PlayerId,
    PluginVersion, PoolName, Progress, Rating, RoundAction, RoundId, SeasonStart, ServerName,
    Timestamp,
};
use crate::rating::{ChangeKind, ModelName, ModelState, PoolSums, RoundResult};

/// Key of a pool in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PoolId(pub(super) i64);

impl fmt::Display for PoolId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// Version of a pool's computed rows: the number of times that the pool was computed, in part or whole. Of all rows
/// with one key, the pool uses the one with the highest generation up to its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Generation(pub(super) i64);

impl Generation {
    /// Highest possible generation (version of computed rows).
    pub const LAST: Self = Self(i64::MAX);

    /// Returns the generation (version of computed rows) that a rebuild writes while this one is active.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Key of a set of rating constants in the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SettingsId(pub(super) i64);

impl SettingsId {
    /// Key of the first set of rating constants in the database.
    pub const FIRST: Self = Self(1);
}

/// Stored pool: log length, rating model, and sums over its rounds, such as log losses, without void rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct PoolRecord {
    /// Key of the pool in the database.
    pub id: PoolId,
    /// Name of the pool.
    pub name: PoolName,
    /// Active generation of the pool: the version of computed rows that counts.
    pub generation: Generation,
    /// Generation (version of computed rows) up to which the pool's replaced rows are deleted.
    pub cleared: Generation,
    /// Number of positions given out in the pool's log. The next entry takes the next position.
    pub log_length: u64,
    /// Log position up to which the pool's rounds are pruned, or 0.
    pub pruned: u64,
    /// Sums over the pool's rounds except void rounds, such as the sum of log losses.
    pub sums: PoolSums,
    /// Rating model that computed the pool's current ratings and predictions.
    pub model: ModelName,
    /// State that the rating model keeps for the pool.
    pub model_state: ModelState,
}

/// Round of the log with its current result.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedRound {
    /// Round as it is stored in the log.
    pub logged: LoggedRound,
    /// Prediction of the round, and rating changes of its participants.
    pub result: RoundResult,
}

/// Rebuild of a pool (new computation of its ratings) in progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RebuildRecord {
    /// Void, restoration or correction of rounds that comes with the rebuild, if any.
    pub change: Option<RebuiltRounds>,
    /// Number of log entries that the rebuild has computed, and number of all that it has to compute.
    pub progress: Progress,
    /// Time at which the rebuild began; `None` if an earlier version began it, which records no progress.
    pub started_at: Option<Timestamp>,
    /// Time at which the owner of the rebuild last renewed the lease.
    pub renewed_at: Timestamp,
    /// `true` if the rebuild is cancelled, so that its owner has to give up.
    pub is_cancelled: bool,
}

/// Import of rounds that is in progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRecord {
    pub(crate) id: String,
    /// First file of the import, and the number of its further files, as text for display.
    pub(crate) source: String,
    pub(crate) started_at: Timestamp,
    /// Time at which the importing program last reported its progress.
    pub(crate) renewed_at: Timestamp,
    /// Number of bytes of the import that are read so far.
    pub(crate) done: u64,
    /// Total number of bytes that the import has to read; `None` if unknown.
    pub(crate) total: Option<u64>,
}

/// Change that an admin made to a player, a round or a whole pool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Set or reset of a player's rating.
    Player(PlayerId, ChangeKind),
    /// Void, restoration or correction of a round.
    Round {
        /// Log position of the round.
        position: u64,
        /// Change of the round: void, restoration or correction.
        action: RoundAction,
    },
    /// Undo of an earlier change of a player, or of a season start.
    Undo {
        /// Log position of the undone change.
        position: u64,
        /// Player of the undone change; `None` for a season start.
        player: Option<PlayerId>,
    },
    /// Season start, which changes the ratings of all players.
    Season(SeasonStart),
}

/// A change by an admin, as it is stored in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Position of the admin's change in the pool's log, from 1.
    pub position: u64,
    /// Unique and permanent id of the admin's change.
    pub change_id: ChangeId,
    /// Subject of the admin's change, and its new state.
    pub changed: Changed,
    /// Reason that the admin gave for changing the player, round or pool; `None` if none was given.
    pub reason: Option<String>,
    /// Time at which the admin made the change.
    pub made_at: Timestamp,
    /// Key of the rating constants in force when the change was made.
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
    /// Round as a game server reported it.
    Round(Box<LoggedRound>),
    /// Admin's change of a player's rating, a round or the whole pool.
    Change(Change),
}

impl LogEntry {
    /// Returns the position of this entry in the pool's log, from 1.
    #[must_use]
    pub fn position(&self) -> u64 {
        match self {
            Self::Round(round) => round.position,
            Self::Change(change) => change.position,
        }
    }
}

/// Action of an admin, as the audit records it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditEntry {
    /// Time of the admin's action.
    pub made_at: Timestamp,
    /// Id that distinguishes actions of admins at the same moment.
    pub id: String,
    /// Secret that the admin used; `None` for the command line.
    pub secret: Option<Fingerprint>,
    /// Name of the action: `set`, `reset`, `void`, `unvoid`, `correct`, `void_rounds`, `take_back_names`, `undo`,
    /// `rebuild`, `switch`, `prune`, `import_ratings`, `undo_ratings`, `season` or `undo_season`.
    pub action: String,
    /// Pool that the admin's action concerns.
    pub pool: PoolId,
    /// Player whom the admin's action concerns, if any.
    pub player: Option<PlayerId>,
    /// Server and id of the round that the admin's action concerns, if any.
    pub round: Option<(ServerName, RoundId)>,
    /// Reason that the admin gave for the action, if any.
    pub reason: Option<String>,
    /// Values that the admin's action changed, such as a player's rating and rounds, before the action, as JSON.
    pub before: String,
    /// Values that the admin's action changed, such as a player's rating and rounds, after the action, as JSON.
    pub after: String,
}

/// Filter for the rounds of a pool. A field that is `None` lets every round pass.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoundFilter {
    /// Game server that must have reported the round.
    pub server: Option<ServerName>,
    /// Map on which the round must have been played. No index has maps, so rounds are read until enough are found.
    pub map: Option<MapName>,
    /// Earliest time, inclusive, at which a round may have ended to pass the filter.
    pub from: Option<Timestamp>,
    /// Time before which a round must have ended to pass the filter.
    pub to: Option<Timestamp>,
    /// Secret with which the round must have been reported.
    pub secret: Option<Fingerprint>,
    /// Earliest time, inclusive, at which the service may have received a round for it to pass the filter.
    pub received_from: Option<Timestamp>,
    /// Time before which the service must have received a round for it to pass the filter.
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
    pub(crate) position: u64,
    pub(crate) server: ServerName,
    pub(crate) round_id: RoundId,
    pub(crate) ended_at: Timestamp,
    pub(crate) received_at: Timestamp,
}

/// Condition for a player to have a rank on the leaderboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// Number of rated rounds that a player needs for a rank.
    pub shadow_rounds: u32,
    /// Earliest end of a player's last round for a rank. A player who last played before this time has no rank.
    pub stale_before: Timestamp,
}

/// Numbers of players of a pool, in all and without a rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerCounts {
    /// Number of all players of the pool.
    pub total: u64,
    /// Number of the pool's players whose rating is hidden because they have played too few rounds.
    pub hidden: u64,
    /// Number of the pool's players without a recent round.
    pub stale: u64,
}

/// Lease on computing the quality figures of a pool's challengers (models that only predict), with these figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengersRecord {
    /// Random id of the service instance that holds the lease on computing the challengers' figures.
    pub owner: String,
    /// Time at which the instance last renewed its lease on computing the challengers' figures.
    pub renewed_at: Timestamp,
    /// Quality figures of the challengers; `None` before the first ones are written.
    pub figures: Option<ChallengerFigures>,
}

/// Quality figures of a pool's challengers (models that only predict), up to a log position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengerFigures {
    /// Generation (version of computed rows) that the pool's own predictions came from.
    pub generation: Generation,
    /// Last pruned log position. The challengers' figures begin behind it.
    pub pruned: u64,
    /// Key of the rating constants that the challengers used.
    pub settings: SettingsId,
    /// Last log position that the challengers' figures include.
    pub position: u64,
    /// Number of the pool's rounds up to log position `position`, including pruned rounds and excluding void rounds.
    pub rounds: u64,
    /// Quality figures of the challengers, as JSON.
    pub content: String,
}

/// Notice (message of the service) to a game server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRecord {
    pub(crate) server: ServerName,
    /// Name of the notice, unique within the server.
    pub(crate) name: NoticeName,
    pub(crate) kind: NoticeKind,
    pub(crate) player: Option<PlayerId>,
    /// New rating of the player, if the notice concerns one.
    pub(crate) rating: Option<Rating>,
    /// English sentence that tells the game server's operators what happened, such as a requested scramble.
    pub(crate) message: String,
    pub(crate) made_at: Timestamp,
    /// Time from which the notice is no longer sent.
    pub(crate) expires_at: Timestamp,
}

/// Contents and arrival time of a game server's last `POST /v1/hello` request to any instance of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// Name of the game server.
    pub server: ServerName,
    /// Version of the game server's plugin, if the request named one.
    pub plugin: Option<PluginVersion>,
    /// Fingerprint of the secret that the game server sent.
    pub secret: Fingerprint,
    /// Arrival time of the `POST /v1/hello`.
    pub at: Timestamp,
}

/// Group of requests or rounds that the service refused in the same way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusalRecord {
    pub(crate) id: String,
    /// Time at which the service last refused a request or round of the group.
    pub(crate) last_at: Timestamp,
    /// Refused requests or rounds of the group, with their number and the cause, as JSON.
    pub(crate) content: String,
}

/// Standing of a player at the end of a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonStanding {
    /// Id of the player.
    pub player: PlayerId,
    /// Rank of the player at the end of the season, from 1, shared by equal ratings; `None` without a rank.
    pub rank: Option<u64>,
    /// Rating of the player at the end of the season, in points.
    pub rating: Rating,
    /// Number of the player's rated rounds from the last reset to the end of the season.
    pub rounds: u32,
    /// Number of the player's rated rounds in the season.
    pub season_rounds: u64,
    /// Number of all rated rounds of the player up to the end of the season.
    pub entries: u64,
}

/// A check of the calendar by which a pool's seasons start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarCheck {
    pub(crate) at: Timestamp,
    /// Configured months in which the pool's seasons start, when the calendar was checked: bit 1 to 12 for each month.
    pub(crate) months: u16,
}

/// Name and alias of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRecord {
    pub(crate) player: PlayerId,
    /// Latest name of the player that a game server sent; `None` if no name is stored.
    pub(crate) name: Option<PlayerDisplayName>,
    /// Time at which the player had `name`, or without a name, time at which this record of the player was made.
    pub(crate) named_at: Timestamp,
    /// Name that an admin gave the player.
    pub(crate) alias: Option<PlayerDisplayName>,
    /// Time at which the player was forgotten; `None` if never, or if that was taken back.
    pub(crate) forgotten_at: Option<Timestamp>,
    /// Number shown in place of a hidden player id, from 1.
    pub(crate) pseudonym: Option<u64>,
    /// `true` if the player had played in no pool when the name was sent.
    pub(crate) is_stranger: bool,
}

/// Secret and arrival time of a set of player names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSource {
    /// Secret of the request that sent the names; `None` for names from a file.
    pub secret: Option<Fingerprint>,
    /// Time at which the service received the player names.
    pub received_at: Timestamp,
    /// `true` if the named players have played in no pool.
    pub are_strangers: bool,
}
