use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// Subject of a notice to a game server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
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

/// Error for a text that is not a kind of notice to a game server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a kind of notice")]
pub struct InvalidNoticeKind;

impl NoticeKind {
    const ALL: [Self; 4] = [
        Self::Scramble,
        Self::Rating,
        Self::Plugin,
        Self::UnknownServer,
    ];

    /// Returns the name of the kind of notice, as used in JSON and in the database.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Scramble => "scramble",
            Self::Rating => "rating",
            Self::Plugin => "plugin",
            Self::UnknownServer => "unknown_server",
        }
    }
}

impl fmt::Display for NoticeKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for NoticeKind {
    type Err = InvalidNoticeKind;

    fn from_str(text: &str) -> Result<Self, InvalidNoticeKind> {
        let mut all = Self::ALL.into_iter();
        all.find(|kind| kind.name() == text)
            .ok_or(InvalidNoticeKind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_written_read_and_answered_by_the_same_word() {
        for kind in NoticeKind::ALL {
            assert_eq!(kind.to_string().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        assert_eq!("Scramble".parse::<NoticeKind>(), Err(InvalidNoticeKind));
    }
}
