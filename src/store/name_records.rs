//! What players are called.

use crate::domain::{PlayerDisplayName, PlayerId, Timestamp};

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
}
