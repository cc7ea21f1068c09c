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
pub use mutators::Mutators;
pub use name::{
    ApartName, BotLevel, ChangeId, InvalidName, MapName, ModeName, MutatorName, NoticeName,
    PartyName, PolicyName, PoolName, PowerName, RatingsName, RegionName, RoleName, RoundId,
    SeasonName, SecretName, ServerName, StatName, TicketName,
};
pub use notice_kind::NoticeKind;
pub use outcome::{
    InterventionResult, RoundAction, RoundActionName, Score, Side, TeamLetter, UnknownWinner,
    Winner,
};
pub use past_game::{GameSet, GameWindow, PastGame, Place, SetRules, past_games};
pub use player_entry::{PlayerEntry, Presence};
pub use player_id::{InvalidPlayerId, PlayerId, PlayerMap, PlayerSet};
pub use plugin_version::{InvalidPluginVersion, PluginVersion};
pub use progress::Progress;
pub use rating::{Probability, Rating};
pub use round::{FieldProblem, MAX_TEAM, Report, Round, RoundParts};
pub use season::{
    CalibrationRounds, InvalidCalibration, InvalidShare, MonthStart, SeasonStart, Share,
    StartMonths,
};
pub use split::{Handicap, SplitMethod};
pub use stats::{Scoreboard, Stat, StatCount, Stats};
pub use timestamp::{InvalidTimestamp, Timestamp};

/// Implements `Serialize` for types that JSON has as their `Display` text.
macro_rules! serialize_as_text {
    ($($type:ident),+) => {$(
        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }
    )+};
}

serialize_as_text!(Fingerprint, PlayerId, PluginVersion, TeamLetter, Timestamp);
