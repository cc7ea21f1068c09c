//! Rows of the tables, and what they are asked for by.

use std::fmt;

use super::{LoggedRound, RebuiltRounds};
use crate::domain::{
    ChangeId, Fingerprint, MapName, NoticeKind, NoticeName, PlayerDisplayName, PlayerId,
    PluginVersion, PoolName, Progress, Rating, RoundAction, RoundId, SeasonStart, ServerName,
    Timestamp,
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

/// Who follows a pool's log for its challengers, and how well those did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengersRecord {
    /// Who follows it.
    pub owner: String,
    /// When the owner was last heard of.
    pub renewed_at: Timestamp,
    /// How well they did; `None` before that is known of any round.
    pub figures: Option<ChallengerFigures>,
}

/// How well the challengers of a pool did up to some place of its log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChallengerFigures {
    /// The generation of the pool's results that its own predictions were read from.
    pub generation: Generation,
    /// The place of the log behind which they begin, up to which it was pruned.
    pub pruned: u64,
    /// The constants of the models.
    pub settings: SettingsId,
    /// The last place of the log that is in the figures.
    pub position: u64,
    /// How many of the pool's rounds counted up to there, pruned ones among them.
    pub rounds: u64,
    /// JSON: the figures.
    pub content: String,
}

/// A notice to a game server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoticeRecord {
    /// The server.
    pub server: ServerName,
    /// Its name, unique within the server.
    pub name: NoticeName,
    /// What it is about.
    pub kind: NoticeKind,
    /// Whom it concerns, where that is one player.
    pub player: Option<PlayerId>,
    /// The player's rating since then.
    pub rating: Option<Rating>,
    /// All of it in a sentence.
    pub say: String,
    /// When it came up.
    pub made_at: Timestamp,
    /// From when on it is not sent any more.
    pub expires_at: Timestamp,
}

/// A game server's last `POST /v1/hello`, to whichever instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Greeting {
    /// The server.
    pub server: ServerName,
    /// The version of its plugin, where the request named one.
    pub plugin: Option<PluginVersion>,
    /// The secret that the request had.
    pub secret: Fingerprint,
    /// When it came.
    pub at: Timestamp,
}

/// Who a player was as a season ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeasonStanding {
    /// The player.
    pub player: PlayerId,
    /// The rank, from 1, that those of the same rating share; `None` of who has none.
    pub rank: Option<u64>,
    /// The rating.
    pub rating: Rating,
    /// Rated rounds since the last reset.
    pub rounds: u32,
    /// Rated rounds in the season.
    pub season_rounds: u64,
    /// Rated rounds ever.
    pub entries: u64,
}

/// A look at the calendar by which a pool's seasons start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarLook {
    /// When.
    pub at: Timestamp,
    /// Which months it had then, a bit for each.
    pub months: u16,
}

/// What a player is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameRecord {
    /// The player.
    pub player: PlayerId,
    /// As a game server last sent it.
    pub name: Option<PlayerDisplayName>,
    /// When that was; when the row was made, where there is no name.
    pub named_at: Timestamp,
    /// What an admin calls the player.
    pub alias: Option<PlayerDisplayName>,
    /// When the player was forgotten, unless that was never or is taken back.
    pub forgotten_at: Option<Timestamp>,
    /// What stands in place of the id where that is not to be shown; counted from 1.
    pub pseudonym: Option<u64>,
    /// True if the player had played in no pool when the name was sent.
    pub is_stranger: bool,
}

/// The sender of some names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSource {
    /// The secret of the request; `None` for names from a file.
    pub secret: Option<Fingerprint>,
    /// Arrival time of the request.
    pub received_at: Timestamp,
    /// True if the players have played in no pool.
    pub are_strangers: bool,
}
