use serde::Serialize;
use utoipa::ToSchema;

use crate::domain::{PlayerId, Rating, Timestamp};

/// Something that a game server should know, and perhaps do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NoticeAnswer {
    /// Its name.
    pub name: String,
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

/// What a notice is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoticeKind {
    /// There is a later version of the plugin.
    Plugin,
}
