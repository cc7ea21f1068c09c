use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{PlayerDisplayName, PlayerId, RoleName, Stats};

/// A player on one team of a round.
///
/// In JSON a bare player id if all other fields have their defaults, and an object in all other cases.
// The derived implementations read and write the object form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", deny_unknown_fields, rename = "player")]
pub struct PlayerEntry {
    /// SteamID of the player.
    pub id: PlayerId,
    /// `true` if the player was on this team when the round started, so that the player's rating counts in the
    /// team's sum.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub at_start: bool,
    /// `true` if the player took part in the round. A participant is rated for the round unless `seconds` is 0.
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    pub participated: bool,
    /// Number of seconds that the player was on this team, if given: counted from the start of the round if `at_start`
    /// is set, otherwise up to its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u32>,
    /// The player's line on the round's scoreboard, if given; has at least one number.
    #[serde(
        default,
        deserialize_with = "stats",
        skip_serializing_if = "Option::is_none"
    )]
    pub stats: Option<Box<Stats>>,
    /// Role of the player in the team, if given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<RoleName>,
    /// Display name of the player, if given. A [`Report`](super::Report) has no display names, because the event log
    /// does not store them.
    #[serde(
        default,
        deserialize_with = "PlayerDisplayName::deserialize_clean",
        skip_serializing
    )]
    pub name: Option<PlayerDisplayName>,
}

/// Role of players who command a team. The model for Natural Selection 2 rates commanders separately.
const COMMANDER: &str = "commander";

impl PlayerEntry {
    /// Creates the entry of a player who was present for the whole round, as a bare id in JSON does.
    #[must_use]
    pub fn present(id: PlayerId) -> Self {
        Self {
            id,
            at_start: true,
            participated: true,
            seconds: None,
            stats: None,
            role: None,
            name: None,
        }
    }

    /// Returns `true` if the player took part for more than 0 seconds, and so is rated for the round.
    pub(crate) fn is_rated(&self) -> bool {
        self.participated && self.seconds != Some(0)
    }

    pub(crate) fn commands(&self) -> bool {
        self.role
            .as_ref()
            .is_some_and(|role| role.as_str() == COMMANDER)
    }

    /// Returns the time span of the player's presence in a round of `round_seconds`. Returns `None` if the time is
    /// unknown or does not fit into the round.
    pub(crate) fn presence(&self, round_seconds: Option<u32>) -> Option<Presence> {
        let (seconds, round_seconds) = (self.seconds?, round_seconds?);
        if self.at_start {
            Presence::from_the_start(seconds, round_seconds)
        } else {
            Presence::until_the_end(seconds, round_seconds)
        }
    }
}

/// Deserializes a player's scoreboard statistics; an object without any number becomes `None`.
fn stats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<Stats>>, D::Error> {
    let stats: Option<Box<Stats>> = Option::deserialize(deserializer)?;
    Ok(stats.filter(|stats| !stats.is_empty()))
}

fn yes() -> bool {
    true
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_true(flag: &bool) -> bool {
    *flag
}

impl Serialize for PlayerEntry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let is_plain = self.at_start && self.participated;
        if is_plain && self.seconds.is_none() && self.stats.is_none() && self.role.is_none() {
            return self.id.serialize(serializer);
        }
        Self::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for PlayerEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = PlayerEntry;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(
                    "a player: a SteamID64 as a string, or an object with \"id\" and, as needed, \
                     \"at_start\", \"participated\", \"seconds\", \"stats\", \"role\" and \"name\"",
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::StrDeserializer::new(text))
                    .map(PlayerEntry::present)
            }

            fn visit_u64<E: de::Error>(self, id: u64) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::U64Deserializer::new(id)).map(PlayerEntry::present)
            }

            fn visit_i64<E: de::Error>(self, id: i64) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::I64Deserializer::new(id)).map(PlayerEntry::present)
            }

            fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<PlayerEntry, M::Error> {
                PlayerEntry::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

/// Time span of a player's presence in a round, in seconds since the start of the round. The span touches the start
/// or the end of the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Presence {
    pub(crate) begin: u32,
    /// End of the presence, exclusive.
    pub(crate) end: u32,
    /// Duration of the round in seconds, at least 1.
    pub(crate) round_seconds: u32,
}

impl Presence {
    /// Creates the span of a player who was present for the first `seconds` of a round. Returns `None` if the round has
    /// no duration or is shorter than `seconds`.
    #[must_use]
    pub fn from_the_start(seconds: u32, round_seconds: u32) -> Option<Self> {
        let fits = round_seconds > 0 && seconds <= round_seconds;
        fits.then_some(Self {
            begin: 0,
            end: seconds,
            round_seconds,
        })
    }

    /// Creates the span of a player who was present for the last `seconds` of a round. Returns `None` if the round has
    /// no duration or is shorter than `seconds`.
    #[must_use]
    pub fn until_the_end(seconds: u32, round_seconds: u32) -> Option<Self> {
        let first = Self::from_the_start(seconds, round_seconds)?;
        Some(Self {
            begin: round_seconds - first.end,
            end: round_seconds,
            round_seconds,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_written_as_briefly_as_it_is_known() {
        for text in [
            r#""76561197960265729""#,
            r#"{"id":"76561197960265729","role":"commander"}"#,
            r#"{"id":"76561197960265729","at_start":false,"seconds":5,"role":"medic"}"#,
        ] {
            let entry: PlayerEntry = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&entry).unwrap(), text);
            assert_eq!(entry.commands(), text.contains("commander"));
        }
        let error =
            serde_json::from_str::<PlayerEntry>(r#"{"id":"76561197960265729","role":"a medic"}"#);
        assert!(error.unwrap_err().to_string().contains("write a-medic"));
    }

    #[test]
    fn a_part_lies_within_its_round() {
        let ends = |part: Option<Presence>| part.map(|part| (part.begin, part.end));
        assert_eq!(ends(Presence::from_the_start(30, 100)), Some((0, 30)));
        assert_eq!(ends(Presence::until_the_end(30, 100)), Some((70, 100)));
        assert_eq!(Presence::from_the_start(101, 100), None);
        assert_eq!(Presence::until_the_end(101, 100), None);
        assert_eq!(Presence::from_the_start(0, 0), None);
    }
}
