use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ReasonText;
use super::check::Problems;
use crate::domain::{NoticeKind, NoticeName, PlayerId, Rating, Timestamp};

/// The most names of notices that a request gives back.
const MOST_SEEN: usize = 64;

/// Something that a game server should know, and perhaps do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Its name, to be given back in `notices_seen`.
    pub name: NoticeName,
    /// What it is about. More kinds may come: pass over what you do not know.
    pub kind: NoticeKind,
    /// Whom it concerns, where that is one player.
    pub player: Option<PlayerId>,
    /// The player's rating since then.
    pub rating: Option<Rating>,
    /// When it came up.
    pub made_at: Timestamp,
    /// From when on it is not sent any more; `null` of what goes only with its cause.
    pub expires_at: Option<Timestamp>,
    /// All of it in a sentence.
    pub say: String,
}

/// `POST /v1/admin/servers/{server}/scramble`.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScrambleWishRequest {
    /// Why, for those who play there.
    pub reason: Option<ReasonText>,
}

/// Checks that not too many notices are given back.
pub(super) fn check_seen(seen: &[NoticeName], problems: &mut Problems) {
    problems.check_count("/notices_seen", seen.len(), MOST_SEEN, "names");
}
