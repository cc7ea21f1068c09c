use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{InvalidJson, ReasonText, read};
use crate::domain::{FieldProblem, PlayerId, PoolName, Rating, Round, RoundParts, Timestamp};

/// One line of a file of rounds: an update request, or an admin's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogLine {
    /// A round, in the form of an update request.
    Round(Round),
    /// A change, known by its field `change`.
    Change(ChangeLine),
}

/// An admin's change in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeLine {
    /// `set` or `reset`.
    pub change: ChangeName,
    /// Names the change for good, so that no import applies it twice.
    pub change_id: String,
    /// The pool that it was made in.
    pub pool: PoolName,
    /// The player.
    pub id: PlayerId,
    /// The rating given; only with `set`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What kind of change a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", try_from = "String")]
pub enum ChangeName {
    /// A rating was given.
    Set,
    /// The player was made new again.
    Reset,
}

impl TryFrom<String> for ChangeName {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "set" => Ok(Self::Set),
            "reset" => Ok(Self::Reset),
            _ => Err("is no change; send \"set\" or \"reset\""),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeParts {
    change: ChangeName,
    change_id: String,
    pool: PoolName,
    id: PlayerId,
    #[serde(default)]
    rating: Option<i32>,
    #[serde(default)]
    reason: Option<ReasonText>,
    at: Timestamp,
}

#[derive(Deserialize)]
struct Peek {
    #[serde(default)]
    change: Option<IgnoredAny>,
}

impl LogLine {
    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it, the first field first.
    pub fn read(line: &[u8]) -> Result<Self, InvalidJson> {
        let peek: Peek = read(line)?;
        if peek.change.is_none() {
            let parts: RoundParts = read(line)?;
            return Round::try_from(parts)
                .map(Self::Round)
                .map_err(|problems| first(problems, "/"));
        }
        let parts: ChangeParts = read(line)?;
        let wrong =
            |field: &str, detail: &str| InvalidJson::Field(FieldProblem::new(field, detail));
        if !(1..=64).contains(&parts.change_id.len())
            || !parts.change_id.bytes().all(|byte| byte.is_ascii_graphic())
        {
            return Err(wrong(
                "/change_id",
                "must be 1 to 64 visible ASCII characters",
            ));
        }
        let rating = match (parts.change, parts.rating) {
            (ChangeName::Set, Some(points)) => Some(
                Rating::new(points).ok_or_else(|| wrong("/rating", "is outside 0 to 1000000"))?,
            ),
            (ChangeName::Set, None) => return Err(wrong("/rating", "is missing; send it")),
            (ChangeName::Reset, Some(_)) => {
                return Err(wrong("/rating", "has no place in a reset; leave it out"));
            }
            (ChangeName::Reset, None) => None,
        };
        Ok(Self::Change(ChangeLine {
            change: parts.change,
            change_id: parts.change_id,
            pool: parts.pool,
            id: parts.id,
            rating,
            reason: parts.reason.map(|reason| reason.as_str().to_owned()),
            at: parts.at,
        }))
    }
}

fn first(problems: Vec<FieldProblem>, otherwise: &str) -> InvalidJson {
    let problem = problems.into_iter().next();
    InvalidJson::Field(problem.unwrap_or_else(|| FieldProblem::new(otherwise, "is not acceptable")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_reads_back_as_it_was_written() {
        for line in [
            r#"{"change":"set","change_id":"c1","pool":"default","id":"76561197960265729","rating":1500,"reason":"won a bet","at":"2026-11-20T12:00:00Z"}"#,
            r#"{"change":"reset","change_id":"c2","pool":"default","id":"76561197960265729","reason":null,"at":"2026-11-20T12:00:00Z"}"#,
        ] {
            let read = LogLine::read(line.as_bytes()).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), line);
        }
    }

    #[test]
    fn a_set_needs_a_rating_and_a_reset_none() {
        for line in [
            r#"{"change":"set","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
            r#"{"change":"reset","change_id":"c1","pool":"p","id":"[U:1:1]","rating":1,"at":0}"#,
            r#"{"change":"set","change_id":"","pool":"p","id":"[U:1:1]","rating":1,"at":0}"#,
            r#"{"change":"promote","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
        ] {
            assert!(LogLine::read(line.as_bytes()).is_err(), "{line}");
        }
    }
}
