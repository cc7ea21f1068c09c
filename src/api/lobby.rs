use std::fmt;

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, de};
use utoipa::ToSchema;

use super::json::bounded::Whole;
use super::schema::AnyPlayerId;
use crate::domain::{ApartName, PartyName, PlayerDisplayName, PlayerId, SentName};

/// A player on a server, as sent to splits, balance and placing. Each endpoint ignores the fields that it does not use.
// In JSON a bare id, or an object. The derived inherent `deserialize` reads the object form, and the
// derived schema describes the object form.
#[derive(Clone, Debug, PartialEq, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, remote = "Self", rename = "player")]
pub struct LobbyPlayer {
    /// Id of the player.
    #[schema(value_type = AnyPlayerId)]
    pub id: PlayerId,
    /// Weight of the player, for policies that weigh players by weights from the request.
    pub weight: Option<Weight>,
    /// The player's points in this match so far.
    #[schema(minimum = -2_147_483_648, maximum = 2_147_483_647)]
    pub points: Option<i32>,
    /// Label of the player's party. Players with the same label are in the same party.
    pub party: Option<PartyName>,
    /// For splits: label of a group of players of whom no two should share a team.
    pub apart: Option<ApartName>,
    /// For splits: number of consecutive rounds that the player has waited.
    pub waited: Option<Whole<0, 1_000_000>>,
    /// `true` if the player must not be moved now. Default: `false`.
    pub immune: Option<bool>,
    /// `true` if the player has been moved in this match already. Default: `false`.
    pub moved: Option<bool>,
    /// Seconds since the player joined the match.
    pub joined_seconds: Option<Whole<0, 1_000_000>>,
    /// Name of the player, stored for display. Invisible characters are removed,
    /// and the name is cut after 64 characters.
    #[serde(default, deserialize_with = "PlayerDisplayName::deserialize_clean")]
    #[schema(value_type = Option<String>)]
    pub name: Option<PlayerDisplayName>,
}

/// Returns the display names that a request contains for `players`.
pub(super) fn sent_names<'players>(
    players: impl IntoIterator<Item = &'players LobbyPlayer>,
) -> Vec<SentName> {
    let names = players.into_iter().filter_map(|player| {
        Some(SentName {
            player: player.id,
            name: player.name.clone()?,
            at: None,
        })
    });
    names.collect()
}

/// Weight of a player in team balance: a number from 0 to 1000000, of which three decimals count.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Deserialize)]
#[serde(try_from = "f64")]
pub struct Weight(f64);

impl Weight {
    /// Returns the weight as a number from 0 to 1000000, in the unit that the client uses for all players.
    pub(crate) fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for Weight {
    type Error = &'static str;

    fn try_from(number: f64) -> Result<Self, &'static str> {
        let is_in_range = (0.0..=1_000_000.0).contains(&number);
        let weight = is_in_range.then_some(Self(number));
        weight.ok_or("is out of range; send a number from 0 to 1000000")
    }
}

impl From<PlayerId> for LobbyPlayer {
    /// Creates a player with an id only.
    fn from(id: PlayerId) -> Self {
        Self {
            id,
            weight: None,
            points: None,
            party: None,
            apart: None,
            waited: None,
            immune: None,
            moved: None,
            joined_seconds: None,
            name: None,
        }
    }
}

/// Deserializes a list of players and keeps only the ids; `null` gives `None`.
pub(super) fn ids_of_players_if_any<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<PlayerId>>, D::Error> {
    let players: Option<Vec<LobbyPlayer>> = Option::deserialize(deserializer)?;
    Ok(players.map(|players| players.iter().map(|player| player.id).collect()))
}

impl<'de> Deserialize<'de> for LobbyPlayer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = LobbyPlayer;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str(
                    "a player: a SteamID64 as a string, or an object with \"id\" and, as needed, \
                     \"party\", \"apart\", \"waited\", \"weight\", \"points\", \"immune\", \"moved\", \
                     \"joined_seconds\" and \"name\"",
                )
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<LobbyPlayer, E> {
                PlayerId::deserialize(text.into_deserializer()).map(Into::into)
            }

            fn visit_u64<E: de::Error>(self, id: u64) -> Result<LobbyPlayer, E> {
                PlayerId::deserialize(id.into_deserializer()).map(Into::into)
            }

            fn visit_i64<E: de::Error>(self, id: i64) -> Result<LobbyPlayer, E> {
                PlayerId::deserialize(id.into_deserializer()).map(Into::into)
            }

            fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<LobbyPlayer, M::Error> {
                LobbyPlayer::deserialize(de::value::MapAccessDeserializer::new(map))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<LobbyPlayer, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn an_id_is_a_player_of_whom_nothing_else_is_known() {
        let alone = read(r#""[U:1:1]""#).unwrap();
        for same in [
            "76561197960265729",
            r#"{"id": "STEAM_0:1:0"}"#,
            r#"{"id": "[U:1:1]", "weight": null, "points": null, "party": null, "apart": null,
                "waited": null, "immune": null, "moved": null, "joined_seconds": null, "name": null}"#,
        ] {
            assert_eq!(read(same).unwrap(), alone, "{same}");
        }
    }

    #[test]
    fn what_is_known_is_kept_and_nothing_else_is_taken() {
        let read_all = read(
            r#"{"id": "[U:1:1]", "weight": 5.5, "points": -3, "party": "the friends", "apart": "medics",
                "waited": 2, "immune": true, "moved": true, "joined_seconds": 61, "name": " Ada\u202e "}"#,
        )
        .unwrap();
        assert_eq!(read_all.weight.map(Weight::get), Some(5.5));
        assert_eq!(read_all.points, Some(-3));
        assert_eq!((read_all.immune, read_all.moved), (Some(true), Some(true)));
        assert!(read_all.party.is_some());
        assert!(read_all.apart.is_some());
        assert_eq!(read_all.waited.map(Whole::get), Some(2));
        assert_eq!(sent_names([&read_all])[0].name.as_str(), "Ada");
        assert_eq!(read_all.joined_seconds.map(Whole::get), Some(61));
        for (field, detail) in [
            (r#""weight": 1000000.1"#, "from 0 to 1000000"),
            (r#""party": """#, "1 to 64"),
            (r#""apart": """#, "1 to 64"),
            (r#""waited": 1000001"#, "from 0 to 1000000"),
            (r#""joined_seconds": -1"#, "from 0 to 1000000"),
        ] {
            let error = read(&format!(r#"{{"id": "[U:1:1]", {field}}}"#)).unwrap_err();
            assert!(error.contains(detail), "{field}: {error}");
        }
    }
}
