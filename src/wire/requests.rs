use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, de};

use std::collections::HashSet;

use crate::domain::{FieldProblem, PlayerId, ServerName};

/// `POST /v1/scramble`, and the `scramble` of an update.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScrambleRequest {
    /// Whose players; its pool's ratings count. Within an update it is left out.
    #[serde(default)]
    pub server: Option<ServerName>,
    /// Who may play, 0 to 128 distinct players.
    pub players: Vec<PlayerId>,
    /// The teams as they stand.
    #[serde(default, deserialize_with = "object_or_null")]
    pub current: Option<CurrentTeams>,
}

/// The teams as they stand, sides interchangeable.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CurrentTeams {
    /// One team.
    pub a: Vec<PlayerId>,
    /// The other.
    pub b: Vec<PlayerId>,
}

/// The most players that a split is asked for.
const MAX_ELIGIBLE: usize = 128;

impl ScrambleRequest {
    /// This request, if its lists make sense together.
    ///
    /// # Errors
    /// Every list that is too long, and every player who stands twice.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let mut problems = Vec::new();
        if self.players.len() > MAX_ELIGIBLE {
            problems.push(FieldProblem::new(
                "/players",
                format!(
                    "has {} players; send at most {MAX_ELIGIBLE}",
                    self.players.len()
                ),
            ));
        } else {
            problems.extend(check_distinct("/players", &self.players));
        }
        if let Some(current) = &self.current {
            for (field, team) in [("/current/a", &current.a), ("/current/b", &current.b)] {
                if team.len() > MAX_ELIGIBLE {
                    problems.push(FieldProblem::new(
                        field,
                        format!("has {} players; send at most {MAX_ELIGIBLE}", team.len()),
                    ));
                } else {
                    problems.extend(check_distinct(field, team));
                }
            }
            if problems.is_empty() {
                let both = current.b.iter().enumerate();
                problems.extend(both.filter(|(_, id)| current.a.contains(id)).map(
                    |(index, id)| {
                        FieldProblem::new(
                            format!("/current/b/{index}"),
                            format!("{id} is on both teams; name each player once"),
                        )
                    },
                ));
            }
        }
        if problems.is_empty() {
            Ok(self)
        } else {
            Err(problems)
        }
    }
}

/// Names every player of `list` (found at the JSON pointer `field`) who stands in it twice.
fn check_distinct(field: &str, list: &[PlayerId]) -> Vec<FieldProblem> {
    let mut seen = HashSet::new();
    list.iter()
        .enumerate()
        .filter(|(_, id)| !seen.insert(**id))
        .map(|(index, id)| {
            FieldProblem::new(
                format!("{field}/{index}"),
                format!("{id} stands twice; name each player once"),
            )
        })
        .collect()
}

/// `PUT /v1/admin/players/{id}`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetRequest {
    /// The rating to give, in points.
    pub rating: i64,
    /// Why.
    #[serde(default)]
    pub reason: Option<ReasonText>,
}

/// `POST /v1/admin/players/{id}/reset`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResetRequest {
    /// Why.
    #[serde(default)]
    pub reason: Option<ReasonText>,
}

/// An admin's words on why: 1 to 500 characters, none of them a control character.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ReasonText(String);

impl ReasonText {
    /// The words.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ReasonText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        if (1..=500).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
            Ok(Self(text))
        } else {
            Err(de::Error::custom(
                "must be 1 to 500 characters without control characters, or left out",
            ))
        }
    }
}

/// Reads an object or null; serde alone would also take a list of the fields' values.
pub(super) fn object_or_null<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Visitor<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
        type Value = Option<T>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("an object")
        }

        fn visit_unit<E: de::Error>(self) -> Result<Option<T>, E> {
            Ok(None)
        }

        fn visit_map<M: de::MapAccess<'de>>(self, map: M) -> Result<Option<T>, M::Error> {
            T::deserialize(de::value::MapAccessDeserializer::new(map)).map(Some)
        }
    }

    deserializer.deserialize_any(Visitor(PhantomData))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Vec<String> {
        let request: ScrambleRequest = crate::wire::read(text.as_bytes()).unwrap();
        match request.checked() {
            Ok(_) => Vec::new(),
            Err(problems) => problems.into_iter().map(|problem| problem.field).collect(),
        }
    }

    #[test]
    fn the_lists_of_a_scramble_must_make_sense_together() {
        let crowd: Vec<String> = (1..=129).map(|n| format!("\"[U:1:{n}]\"")).collect();
        let players = crowd[..128].join(",");
        assert!(fields(&format!("{{\"server\":\"s\",\"players\":[{players}]}}")).is_empty());
        let too_many = crowd.join(",");
        assert_eq!(
            fields(&format!("{{\"server\":\"s\",\"players\":[{too_many}]}}")),
            ["/players"]
        );
        assert_eq!(
            fields(r#"{"server":"s","players":["[U:1:1]","STEAM_0:1:0"],"current":null}"#),
            ["/players/1"]
        );
        assert_eq!(
            fields(
                r#"{"server":"s","players":[],"current":{"a":["[U:1:1]"],"b":["[U:1:2]","[U:1:1]"]}}"#
            ),
            ["/current/b/1"]
        );
    }

    #[test]
    fn the_current_teams_are_an_object() {
        let list = br#"{"server":"s","players":[],"current":[[],[]]}"#;
        let error = crate::wire::read::<ScrambleRequest>(list).unwrap_err();
        assert!(error.to_string().starts_with("/current "), "{error}");
    }

    #[test]
    fn a_reason_is_words() {
        assert!(serde_json::from_str::<ReasonText>("\"a cheater\"").is_ok());
        for text in ["\"\"", "\"a\\u0000b\"", "5"] {
            assert!(serde_json::from_str::<ReasonText>(text).is_err(), "{text}");
        }
    }
}
