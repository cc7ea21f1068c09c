//! What players are called.

use crate::domain::{Fingerprint, PlayerDisplayName, PlayerId, Timestamp};

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
