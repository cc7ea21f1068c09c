//! Values that cannot be wrong: parsed once at the edge, trusted ever after.

mod check_round;
mod fingerprint;
mod intervention_result;
mod name;
mod notice_kind;
mod outcome;
mod player_entry;
mod player_id;
mod plugin_version;
mod presence;
mod probability;
mod progress;
mod rating;
mod round;
mod split_method;
mod team_letter;
mod timestamp;

pub use fingerprint::{Fingerprint, InvalidFingerprint};
pub use intervention_result::InterventionResult;
pub use name::{
    ApartName, ChangeId, InvalidName, MapName, ModeName, NoticeName, PartyName, PolicyName,
    PoolName, RatingsName, RoleName, RoundId, ServerName,
};
pub use notice_kind::{InvalidNoticeKind, NoticeKind};
pub use outcome::{Score, Side, VoidAction, Winner};
pub use player_entry::PlayerEntry;
pub use player_id::{InvalidPlayerId, PlayerId};
pub use plugin_version::{InvalidPluginVersion, PluginVersion};
pub use presence::Presence;
pub use probability::Probability;
pub use progress::Progress;
pub use rating::Rating;
pub use round::{FieldProblem, MAX_TEAM, Report, Round, RoundParts};
pub use split_method::SplitMethod;
pub use team_letter::TeamLetter;
pub use timestamp::{InvalidTimestamp, Timestamp};
