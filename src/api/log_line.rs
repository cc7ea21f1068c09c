use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

use super::{InvalidJson, ReasonText, read};
use crate::domain::{
    ChangeId, FieldProblem, PlayerId, PoolName, Rating, Round, RoundId, RoundParts, ServerName,
    Timestamp,
};

/// One line of a file of rounds: an update request, or an admin's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogLine {
    /// A round, in the form of an update request.
    Round(Round),
    /// A change of a player, known by its field `change`.
    Change(ChangeLine),
    /// A round that was voided or restored, known by its field `change` too.
    VoidChange(VoidLine),
}

/// An admin's change of a player in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ChangeLine {
    /// `set` or `reset`.
    pub change: ChangeName,
    /// Names the change for good, so that no import applies it twice.
    pub change_id: ChangeId,
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

/// What kind of change of a player a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeName {
    /// A rating was given.
    Set,
    /// The player was made new again.
    Reset,
}

/// A round that an admin voided or restored, in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VoidLine {
    /// `void` or `unvoid`.
    pub change: VoidAction,
    /// Names the change for good, so that no import applies it twice.
    pub change_id: ChangeId,
    /// The server of the round.
    pub server: ServerName,
    /// The round.
    pub round_id: RoundId,
    /// Why.
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What became of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum VoidAction {
    /// It is as if never played.
    Void,
    /// It counts again.
    Unvoid,
}

/// What a line's field `change` may say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
enum Name {
    Player(ChangeName),
    Round(VoidAction),
}

impl TryFrom<String> for Name {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        match text.as_str() {
            "set" => Ok(Self::Player(ChangeName::Set)),
            "reset" => Ok(Self::Player(ChangeName::Reset)),
            "void" => Ok(Self::Round(VoidAction::Void)),
            "unvoid" => Ok(Self::Round(VoidAction::Unvoid)),
            _ => Err("is no change; send \"set\", \"reset\", \"void\" or \"unvoid\""),
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeParts {
    #[serde(rename = "change")]
    _change: Name,
    change_id: ChangeId,
    pool: PoolName,
    id: PlayerId,
    #[serde(default)]
    rating: Option<i32>,
    #[serde(default)]
    reason: Option<ReasonText>,
    at: Timestamp,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkParts {
    #[serde(rename = "change")]
    _change: Name,
    change_id: ChangeId,
    server: ServerName,
    round_id: RoundId,
    #[serde(default)]
    reason: Option<ReasonText>,
    at: Timestamp,
}

#[derive(Deserialize)]
struct Peek {
    #[serde(default)]
    change: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct PeekName {
    change: Name,
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
        let PeekName { change } = read(line)?;
        match change {
            Name::Player(change) => read_change(line, change).map(Self::Change),
            Name::Round(change) => read_mark(line, change).map(Self::VoidChange),
        }
    }
}

fn read_change(line: &[u8], change: ChangeName) -> Result<ChangeLine, InvalidJson> {
    let parts: ChangeParts = read(line)?;
    let wrong = |detail: &str| InvalidJson::Field(FieldProblem::new("/rating", detail));
    let rating = match (change, parts.rating) {
        (ChangeName::Set, Some(points)) => {
            Some(Rating::new(points).ok_or_else(|| wrong("is outside 0 to 1000000"))?)
        }
        (ChangeName::Set, None) => return Err(wrong("is missing; send it")),
        (ChangeName::Reset, Some(_)) => {
            return Err(wrong("has no place in a reset; leave it out"));
        }
        (ChangeName::Reset, None) => None,
    };
    Ok(ChangeLine {
        change,
        change_id: parts.change_id,
        pool: parts.pool,
        id: parts.id,
        rating,
        reason: words(parts.reason),
        at: parts.at,
    })
}

fn read_mark(line: &[u8], change: VoidAction) -> Result<VoidLine, InvalidJson> {
    let parts: MarkParts = read(line)?;
    Ok(VoidLine {
        change,
        change_id: parts.change_id,
        server: parts.server,
        round_id: parts.round_id,
        reason: words(parts.reason),
        at: parts.at,
    })
}

fn words(reason: Option<ReasonText>) -> Option<String> {
    reason.map(|reason| reason.as_str().to_owned())
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
            r#"{"change":"void","change_id":"c3","server":"arena-1","round_id":"r:17","reason":"a cheater","at":"2026-11-20T12:00:00Z"}"#,
            r#"{"change":"unvoid","change_id":"c4","server":"arena-1","round_id":"r:17","reason":null,"at":"2026-11-20T12:00:00Z"}"#,
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
            r#"{"change":"void","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
            r#"{"change":"void","change_id":"c1","server":"s","round_id":"r","rating":1,"at":0}"#,
            r#"{"change":"promote","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
        ] {
            assert!(LogLine::read(line.as_bytes()).is_err(), "{line}");
        }
    }
}
