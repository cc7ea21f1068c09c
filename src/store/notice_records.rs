use crate::domain::{NoticeKind, NoticeName, PlayerId, Rating, ServerName, Timestamp};

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
