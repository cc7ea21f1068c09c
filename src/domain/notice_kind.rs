use serde::Serialize;

/// Subject of a notice to a game server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, strum::EnumString, strum::Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum NoticeKind {
    /// Notice that an admin requests a scramble.
    Scramble,
    /// Notice that an admin changed the rating of a player who may be on the server.
    Rating,
    /// Notice that a newer version of the game server's plugin is available.
    Plugin,
    /// Notice that the configuration does not name the game server.
    UnknownServer,
}
