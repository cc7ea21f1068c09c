use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::{PlayerId, Timestamp};

/// A player's display name: 1 to 64 visible characters.
///
/// Players choose these names, so RBS cleans a name instead of refusing the round that contains it. Cleaning
/// removes invisible characters (control and format characters, direction overrides, fillers) and collapses white
/// space. At most two combining marks remain on each letter.
///
/// ```
/// use rbs::domain::PlayerDisplayName;
/// let clean = |text: &str| PlayerDisplayName::clean(text).map(|name| name.to_string());
/// assert_eq!(clean("  Ada \u{202e}\t Lovelace\n"), Some("Ada Lovelace".to_owned()));
/// assert_eq!(clean("\u{200b} \u{3164}"), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct PlayerDisplayName(Box<str>);

/// A player's display name, as received from a game server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SentName {
    /// SteamID of the player.
    pub player: PlayerId,
    /// Cleaned display name of the player.
    pub name: PlayerDisplayName,
    /// Time at which the player had the name. Defaults to the time of arrival.
    pub at: Option<Timestamp>,
}

/// Maximum number of combining marks on one letter of a display name.
const MARKS: usize = 2;

impl PlayerDisplayName {
    /// Maximum number of characters in a display name.
    pub const MAX_LENGTH: usize = 64;

    /// Creates a display name from `text` by cleaning it. Returns `None` if `text` has no visible character.
    #[must_use]
    pub fn clean(text: &str) -> Option<Self> {
        let mut clean = String::new();
        let (mut length, mut marks, mut is_apart) = (0, 0, false);
        for character in text.chars().filter(|one| !is_invisible(*one)) {
            // This blank pattern of Braille looks like a space but is not white space in Unicode.
            if character.is_whitespace() || character == '\u{2800}' {
                is_apart = length > 0;
                continue;
            }
            marks = if is_mark(character) { marks + 1 } else { 0 };
            // A mark without a letter would combine with the text shown before the name.
            if marks > MARKS || (marks > 0 && length == 0) {
                continue;
            }
            let space = usize::from(is_apart);
            if length + space + 1 > Self::MAX_LENGTH {
                break;
            }
            if is_apart {
                clean.push(' ');
            }
            clean.push(character);
            length += space + 1;
            is_apart = false;
        }
        (length > 0).then(|| Self(clean.into()))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the display name in lower case, for searches that ignore case.
    pub(crate) fn folded(&self) -> String {
        self.0.to_lowercase()
    }

    /// Deserializes and cleans an optional display name; a name without visible characters becomes `None`.
    pub(crate) fn deserialize_clean<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Self>, D::Error> {
        let text: Option<String> = Option::deserialize(deserializer)?;
        Ok(text.and_then(|text| Self::clean(&text)))
    }
}

/// Returns `true` for control characters, format characters and fillers, all of which are removed from display names.
fn is_invisible(character: char) -> bool {
    let is_control = character.is_control() && !character.is_whitespace();
    is_control
        || matches!(u32::from(character),
            0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x890..=0x891 | 0x8e2 | 0x115f..=0x1160
            | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f
            | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0xfffe..=0xffff
            | 0x110bd | 0x110cd | 0x13430..=0x13440 | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a
            | 0xe0000..=0xe0fff)
}

/// Returns `true` for characters that a terminal obeys or hides: invisible ones, control characters and line
/// separators.
pub(crate) fn is_unseen(character: char) -> bool {
    character.is_control()
        || is_invisible(character)
        || matches!(character, '\u{2028}' | '\u{2029}')
}

/// Returns `true` for combining marks, which are drawn over or under the preceding letter.
fn is_mark(character: char) -> bool {
    matches!(u32::from(character),
        0x300..=0x36f | 0x483..=0x489 | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f)
}

impl fmt::Display for PlayerDisplayName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for PlayerDisplayName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::clean(&text).ok_or_else(|| {
            serde::de::Error::custom("has no visible characters; send 1 to 64 visible characters")
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn clean(text: &str) -> Option<String> {
        PlayerDisplayName::clean(text).map(|name| name.as_str().to_owned())
    }

    #[test]
    fn what_is_not_seen_goes_and_what_is_seen_stays() {
        for (sent, kept) in [
            ("Ramona", Some("Ramona")),
            ("\u{202e}anomaR\u{202c}", Some("anomaR")),
            ("a\u{200b}\u{feff}b\u{7}\u{1b}[31m", Some("ab[31m")),
            ("Ра\u{301}мона 武 🎮", Some("Ра\u{301}мона 武 🎮")),
            ("z\u{301}\u{302}\u{303}\u{304}!", Some("z\u{301}\u{302}!")),
            ("\u{301}a", Some("a")),
            ("\u{2800}\u{3000}\u{3164}\u{e0041}", None),
            ("a \u{2028}\r\n b", Some("a b")),
            ("", None),
        ] {
            assert_eq!(clean(sent).as_deref(), kept, "{sent:?}");
        }
    }

    #[test]
    fn what_is_too_long_is_cut() {
        assert_eq!(clean(&"é".repeat(70)), Some("é".repeat(64)));
        let at_the_end = format!("{} b", "a".repeat(63));
        assert_eq!(clean(&at_the_end), Some("a".repeat(63)));
    }

    proptest! {
        #[test]
        fn a_name_is_clean_and_short_whatever_was_sent(text in "\\PC{0,80}|[\\x00-\\u{2fff}]{0,80}") {
            if let Some(name) = PlayerDisplayName::clean(&text) {
                prop_assert!((1..=64).contains(&name.as_str().chars().count()));
                prop_assert!(!name.as_str().chars().any(|one| one.is_control() || is_invisible(one)));
                prop_assert_eq!(name.as_str().trim(), name.as_str());
                prop_assert_eq!(PlayerDisplayName::clean(name.as_str()), Some(name.clone()));
                let json = serde_json::to_string(&name).unwrap();
                prop_assert_eq!(serde_json::from_str::<PlayerDisplayName>(&json).unwrap(), name);
            }
        }
    }
}
