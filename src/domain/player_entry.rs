use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{PlayerId, Presence};

/// A player on one team of a round.
///
/// In JSON a bare id, or an object where one of the two flags is not true or the seconds are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayerEntry {
    /// Who.
    pub id: PlayerId,
    /// Stood on the team when the round started: counts into the team's sum.
    pub at_start: bool,
    /// Took part: is rated for the round, unless it was for no second of it.
    pub participated: bool,
    /// For how many seconds, if told: from the start on for those who stood there then, else up to
    /// the end.
    pub seconds: Option<u32>,
}

impl PlayerEntry {
    /// Whether the player is rated for the round: took part, and was there for more than no time.
    #[must_use]
    pub fn is_rated(&self) -> bool {
        self.participated && self.seconds != Some(0)
    }

    /// What the player was there for, of a round of `round_seconds`; `None` where it is not told, or
    /// cannot be.
    #[must_use]
    pub fn presence(&self, round_seconds: Option<u32>) -> Option<Presence> {
        let (seconds, round_seconds) = (self.seconds?, round_seconds?);
        if self.at_start {
            Presence::from_the_start(seconds, round_seconds)
        } else {
            Presence::until_the_end(seconds, round_seconds)
        }
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "player")]
struct EntryObject {
    id: PlayerId,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    at_start: bool,
    #[serde(default = "yes", skip_serializing_if = "is_true")]
    participated: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seconds: Option<u32>,
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
        let Self {
            id,
            at_start,
            participated,
            seconds,
        } = *self;
        if at_start && participated && seconds.is_none() {
            return id.serialize(serializer);
        }
        EntryObject {
            id,
            at_start,
            participated,
            seconds,
        }
        .serialize(serializer)
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
                     \"at_start\", \"participated\" and \"seconds\"",
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::StrDeserializer::new(text)).map(present)
            }

            fn visit_u64<E: de::Error>(self, id: u64) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::U64Deserializer::new(id)).map(present)
            }

            fn visit_i64<E: de::Error>(self, id: i64) -> Result<PlayerEntry, E> {
                PlayerId::deserialize(de::value::I64Deserializer::new(id)).map(present)
            }

            fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<PlayerEntry, M::Error> {
                let object = EntryObject::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(PlayerEntry {
                    id: object.id,
                    at_start: object.at_start,
                    participated: object.participated,
                    seconds: object.seconds,
                })
            }
        }

        fn present(id: PlayerId) -> PlayerEntry {
            PlayerEntry {
                id,
                at_start: true,
                participated: true,
                seconds: None,
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
