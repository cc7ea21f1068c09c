//! Value types that check their invariants once, when they are parsed or built.

mod backup_name;
mod bots;
mod display_name;
mod fingerprint;
mod mutators;
mod name;
mod notice_kind;
mod outcome;
mod past_game;
mod player_entry;
mod player_id;
mod plugin_version;
mod progress;
mod rating;
mod round;
mod season;
mod split;
mod stats;
mod timestamp;

pub use backup_name::BackupName;
pub use bots::{BotCounts, TeamBots, TooManyBots};
pub(crate) use display_name::is_unseen;
pub use display_name::{PlayerDisplayName, SentName};
pub use fingerprint::{Fingerprint, InvalidFingerprint};
pub use fingerprint::{from_hexadecimal, hexadecimal};
pub use mutators::Mutators;
pub use name::{
    ApartName, BotLevel, ChangeId, InvalidName, MapName, ModeName, MutatorName, NoticeName,
    PartyName, PolicyName, PoolName, PowerName, RatingsName, RegionName, RoleName, RoundId,
    SeasonName, SecretName, ServerName, StatName, TicketName,
};
pub use notice_kind::{InvalidNoticeKind, NoticeKind};
pub use outcome::InterventionResult;
pub use outcome::TeamLetter;
pub use outcome::{RoundAction, RoundActionName, Score, Side, UnknownWinner, Winner};
pub use past_game::{GameSet, SetRules};
pub use past_game::{GameWindow, PastGame, Place, past_games};
pub use player_entry::PlayerEntry;
pub use player_entry::Presence;
pub use player_id::{InvalidPlayerId, PlayerId};
pub use player_id::{PlayerMap, PlayerSet};
pub use plugin_version::{InvalidPluginVersion, PluginVersion};
pub use progress::Progress;
pub use rating::Probability;
pub use rating::Rating;
pub use round::{FieldProblem, MAX_TEAM, Report, Round, RoundParts};
pub use season::{CalibrationRounds, InvalidCalibration, InvalidShare, SeasonStart, Share};
pub use season::{MonthStart, StartMonths};
pub use split::{Handicap, SplitMethod};
pub use stats::Scoreboard;
pub use stats::{Stat, StatCount, Stats};
pub use timestamp::{InvalidTimestamp, Timestamp};
