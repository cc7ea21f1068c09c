use std::collections::BTreeMap;
use std::fmt;

use serde::de::IntoDeserializer as _;
use serde::{Deserialize, Deserializer, de};

use super::MatchRequest;
use crate::api::Object;
use crate::api::check::Problems;
use crate::domain::{FieldProblem, PlayerId, Rating};

/// The file of `rbs match`: what `POST /v1/match` takes, and the `ratings` that the service would know.
#[derive(Clone, Debug, PartialEq)]
pub struct RatedMatchRequest {
    /// Who waits, and where matches can be played.
    pub request: MatchRequest,
    /// Everybody's rating, in JSON an object whose keys are ids in any form that is a string. Who does not wait is
    /// passed over.
    pub ratings: BTreeMap<PlayerId, Rating>,
}

impl RatedMatchRequest {
    /// This, if it makes sense as a whole.
    ///
    /// # Errors
    /// What is wrong with the request, or else everybody who waits and has no rating.
    pub fn checked(self) -> Result<Self, Vec<FieldProblem>> {
        let Self { request, ratings } = self;
        let request = request.checked()?;
        let mut problems = Problems::default();
        for (index, Object(ticket)) in request.tickets.iter().enumerate() {
            for (place, player) in ticket.players.iter().enumerate() {
                if !ratings.contains_key(&player.id) {
                    let detail = format!("{} has no rating; put it into \"ratings\"", player.id);
                    problems.add(format!("/tickets/{index}/players/{place}"), detail);
                }
            }
        }
        problems.none_or(Self { request, ratings })
    }
}

impl<'de> Deserialize<'de> for RatedMatchRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = RatedMatchRequest;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<M: de::MapAccess<'de>>(
                self,
                fields: M,
            ) -> Result<RatedMatchRequest, M::Error> {
                let mut ratings = None;
                let others = WithoutRatings {
                    fields,
                    ratings: &mut ratings,
                };
                let others = de::value::MapAccessDeserializer::new(others);
                let request = MatchRequest::deserialize(others)?;
                let Ratings(ratings) =
                    ratings.ok_or_else(|| de::Error::missing_field("ratings"))?;
                Ok(RatedMatchRequest { request, ratings })
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

/// The fields of the request: what stands as `ratings` among them is put aside.
struct WithoutRatings<'all, M> {
    fields: M,
    ratings: &'all mut Option<Ratings>,
}

impl<'de, M: de::MapAccess<'de>> de::MapAccess<'de> for WithoutRatings<'_, M> {
    type Error = M::Error;

    fn next_key_seed<K: de::DeserializeSeed<'de>>(
        &mut self,
        mut seed: K,
    ) -> Result<Option<K::Value>, M::Error> {
        loop {
            seed = match self.fields.next_key_seed(NameSeed(seed))? {
                None => return Ok(None),
                Some(Name::Other(field)) => return Ok(Some(field)),
                Some(Name::Ratings(seed)) => seed,
            };
            if self.ratings.is_some() {
                return Err(de::Error::duplicate_field("ratings"));
            }
            *self.ratings = Some(self.fields.next_value()?);
        }
    }

    fn next_value_seed<V: de::DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, M::Error> {
        self.fields.next_value_seed(seed)
    }
}

/// A field's name: `ratings`, or what reads it.
enum Name<Seed, Field> {
    Ratings(Seed),
    Other(Field),
}

/// Reads a name where it stands, so that an error names it.
struct NameSeed<Seed>(Seed);

impl<'de, Seed: de::DeserializeSeed<'de>> de::DeserializeSeed<'de> for NameSeed<Seed> {
    type Value = Name<Seed, Seed::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        let name = String::deserialize(deserializer)?;
        if name == "ratings" {
            return Ok(Name::Ratings(self.0));
        }
        let field = self.0.deserialize(name.into_deserializer())?;
        Ok(Name::Other(field))
    }
}

/// Ratings by player, each player once.
struct Ratings(BTreeMap<PlayerId, Rating>);

impl<'de> Deserialize<'de> for Ratings {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl<'de> de::Visitor<'de> for Visitor {
            type Value = Ratings;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object from player ids to ratings")
            }

            fn visit_map<M: de::MapAccess<'de>>(self, mut map: M) -> Result<Ratings, M::Error> {
                let mut ratings = BTreeMap::new();
                while let Some((player, rating)) = map.next_entry::<PlayerId, Rating>()? {
                    if ratings.insert(player, rating).is_some() {
                        return Err(de::Error::custom(format!(
                            "has {player} twice; name each player once, in one form"
                        )));
                    }
                }
                Ok(Ratings(ratings))
            }
        }

        deserializer.deserialize_map(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::read;

    const QUEUE: &str = r#""tickets": [{"id": "ada", "players": ["[U:1:1]", "[U:1:2]"], "since": 1763640000}],
        "servers": [{"name": "eu-1", "sizes": [1]}]"#;

    fn problems(text: &str) -> String {
        let read = read::<RatedMatchRequest>(text.as_bytes());
        match read.map(RatedMatchRequest::checked) {
            Err(invalid) => invalid.to_string(),
            Ok(checked) => crate::api::listed(&checked.unwrap_err()),
        }
    }

    #[test]
    fn the_ratings_stand_anywhere_among_the_fields_of_the_request() {
        let ratings = r#""ratings": {"[U:1:1]": 1500, "76561197960265730": 0, "[U:1:9]": 7}"#;
        let first: RatedMatchRequest = read(format!("{{{ratings}, {QUEUE}}}").as_bytes()).unwrap();
        let last: RatedMatchRequest = read(format!("{{{QUEUE}, {ratings}}}").as_bytes()).unwrap();
        assert_eq!(first, last);
        let alone: MatchRequest = read(format!("{{{QUEUE}}}").as_bytes()).unwrap();
        assert_eq!(first.request, alone);
        let points: Vec<i32> = first
            .ratings
            .values()
            .map(|rating| rating.points())
            .collect();
        assert_eq!(points, [1500, 0, 7]);
        assert!(first.checked().is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (fields, expected) in [
            ("", "/ratings is missing"),
            (r#", "ratings": [1]"#, "/ratings is"),
            (r#", "ratings": {"[U:1:1]": 1.5}"#, "/ratings/[U:1:1] "),
            (r#", "ratings": {"Ada": 1}"#, "/ratings"),
            (r#", "ratings": {}, "ratings": {}"#, "/ratings"),
            (
                r#", "ratings": {"[U:1:1]": 1, "STEAM_0:1:0": 1}"#,
                "/ratings has 76561197960265729 twice",
            ),
            (
                r#", "ratings": {"[U:1:1]": 1}"#,
                "/tickets/0/players/1 76561197960265730 has no rating; put it",
            ),
            (r#", "ratings": {}, "rating": 5"#, "/rating is not a field"),
            (r#", "ratings": {}, "sizes": [0]"#, "/sizes/0 "),
        ] {
            let problems = problems(&format!("{{{QUEUE}{fields}}}"));
            assert!(problems.starts_with(expected), "{fields}: {problems}");
        }
    }
}
