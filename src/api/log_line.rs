use serde::{Deserialize, Deserializer, Serialize};

use super::{InvalidJson, ReasonText, read};
use crate::domain::{
    CalibrationRounds, ChangeId, PlayerId, PoolName, Rating, Report, RoundAction, RoundActionName,
    RoundId, RoundParts, SeasonName, SeasonStart, SentName, ServerName, Share, Timestamp, Winner,
};

/// One line of an export file: an update request, or a change of the log by an admin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogLine {
    /// A played round, in the form of an update request.
    Round(Report),
    /// A rating that an admin set or reset; `change` is `set` or `reset`.
    Change(ChangeLine),
    /// A round that an admin voided, restored or corrected; `change` is `void`, `unvoid` or `correct`.
    RoundChange(RoundChangeLine),
    /// An undo of a change of a player or of a season start; `change` is `undo`.
    Undo(UndoLine),
    /// The start of a season; `change` is `season`.
    Season(SeasonLine),
}

/// A change of a player by an admin, as one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChangeLine {
    /// Kind of change: `set` or `reset`.
    pub change: ChangeName,
    /// Permanent id of the change. An import skips changes whose ids it has seen.
    pub change_id: ChangeId,
    /// Name of the pool whose rating of the player changed.
    pub pool: PoolName,
    /// Id of the player whose rating changed.
    pub id: PlayerId,
    /// New rating of the player, in points; present only for `set`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
    /// The admin's reason for the change.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// Time at which the admin made the change.
    pub at: Timestamp,
}

/// Kind of change that an admin made to a player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeName {
    /// The admin set the player's rating.
    Set,
    /// The admin made the player a new player again.
    Reset,
}

/// A round that an admin voided, restored or corrected, as one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundChangeLine {
    /// Change of the round. In JSON the field `change`: `void`, `unvoid`, or `correct` with the field `winner`.
    #[serde(flatten)]
    pub action: RoundAction,
    /// Permanent id of the change. An import skips changes whose ids it has seen.
    pub change_id: ChangeId,
    /// Name of the server that played the round.
    pub server: ServerName,
    /// Id of the round, unique within its server.
    pub round_id: RoundId,
    /// The admin's reason for the change.
    pub reason: Option<String>,
    /// Time at which the admin changed the round.
    pub at: Timestamp,
}

/// JSON fields of [`RoundChangeLine`], before the winner is validated.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RoundChangeFields {
    change: RoundActionName,
    #[serde(default)]
    winner: Option<Winner>,
    change_id: ChangeId,
    server: ServerName,
    round_id: RoundId,
    #[serde(default, deserialize_with = "reason")]
    reason: Option<String>,
    at: Timestamp,
}

/// An undo of a change of a player or of a season start, as one line of a file. Ratings
/// become as if the change had never been made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndoLine {
    /// Kind of change: always `undo` in JSON.
    pub change: UndoName,
    /// Permanent id of the undo. An import skips undos whose ids it has seen.
    pub change_id: ChangeId,
    /// Id of the earlier change that is undone.
    pub undoes: ChangeId,
    /// The admin's reason for the undo.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// Time at which the admin undid the change.
    pub at: Timestamp,
}

/// Value of `change` in a line of an export file that undoes an earlier change of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndoName {
    /// Value `undo`: the line undoes an earlier change.
    Undo,
}

/// The start of a season of a pool, as one line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeasonLine {
    /// Kind of change: always `season` in JSON.
    pub change: SeasonChangeName,
    /// Permanent id of the season start. An import skips season starts whose ids it has seen.
    pub change_id: ChangeId,
    /// Name of the pool in which the season starts.
    pub pool: PoolName,
    /// Name of the season that starts.
    pub name: SeasonName,
    /// Share of its distance from the initial rating that each rating kept at the start of the season, from 0 to 1.
    pub keep: Share,
    /// Number of rounds of the season until a player counts as placed.
    pub calibration: CalibrationRounds,
    /// The admin's reason for the start of the season.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// Time at which the season starts.
    pub at: Timestamp,
}

impl SeasonLine {
    pub(crate) fn start(&self) -> SeasonStart {
        SeasonStart {
            name: self.name.clone(),
            keep: self.keep,
            calibration: self.calibration,
        }
    }
}

/// Value of `change` in a line of an export file that starts a season of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeasonChangeName {
    /// Value `season`: the line starts a season of a pool.
    Season,
}

#[derive(Deserialize)]
struct Peek {
    change: Option<String>,
}

impl LogLine {
    /// Parses one line of an export file, and returns the names of a round's players separately. Names are not part of
    /// the log.
    pub(crate) fn read(line: &[u8]) -> Result<(Self, Vec<SentName>), InvalidJson> {
        let Peek { change } = read(line)?;
        match change.as_deref() {
            None => {
                let mut parts: RoundParts = read(line)?;
                let names = parts.take_names();
                let report = Report::try_from(parts).map_err(InvalidJson::Fields)?;
                Ok((Self::Round(report), names))
            }
            Some("set" | "reset") => Ok((Self::Change(read_change(line)?), Vec::new())),
            Some("void" | "unvoid" | "correct") => {
                Ok((Self::RoundChange(read_round_change(line)?), Vec::new()))
            }
            Some("undo") => Ok((Self::Undo(read(line)?), Vec::new())),
            Some("season") => Ok((Self::Season(read(line)?), Vec::new())),
            Some(_) => Err(InvalidJson::field(
                "/change",
                "is not a kind of change; send \"set\", \"reset\", \"void\", \"unvoid\", \"correct\", \"undo\" or \"season\"",
            )),
        }
    }
}

/// Parses an admin's change of a player. `set` requires a rating, `reset` forbids one.
fn read_change(line: &[u8]) -> Result<ChangeLine, InvalidJson> {
    let change: ChangeLine = read(line)?;
    let detail = match (change.change, change.rating) {
        (ChangeName::Set, None) => "is missing; send it",
        (ChangeName::Reset, Some(_)) => "is not allowed in a reset; leave it out",
        _ => return Ok(change),
    };
    Err(InvalidJson::field("/rating", detail))
}

/// Parses an admin's change of a round. `correct` requires a winner, `void` and `unvoid` forbid one.
fn read_round_change(line: &[u8]) -> Result<RoundChangeLine, InvalidJson> {
    let fields: RoundChangeFields = read(line)?;
    let Some(action) = RoundAction::of(fields.change, fields.winner) else {
        let detail = match fields.winner {
            None => "is missing; send it",
            Some(_) => "is not allowed in this change; leave it out",
        };
        return Err(InvalidJson::field("/winner", detail));
    };
    Ok(RoundChangeLine {
        action,
        change_id: fields.change_id,
        server: fields.server,
        round_id: fields.round_id,
        reason: fields.reason,
        at: fields.at,
    })
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let reason: Option<ReasonText> = Option::deserialize(deserializer)?;
    Ok(reason.map(String::from))
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
            r#"{"change":"correct","winner":"draw","change_id":"c5","server":"arena-1","round_id":"r:17","reason":null,"at":"2026-11-20T12:00:00Z"}"#,
            r#"{"change":"undo","change_id":"c6","undoes":"c2","reason":"the wrong player","at":"2026-11-20T12:00:00Z"}"#,
            r#"{"change":"season","change_id":"c7","pool":"default","name":"Winter 2027","keep":0.5,"calibration":10,"reason":null,"at":"2026-11-20T12:00:00Z"}"#,
        ] {
            let (read, _) = LogLine::read(line.as_bytes()).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), line);
        }
    }

    #[test]
    fn a_change_needs_what_it_gives_and_takes_nothing_else() {
        for line in [
            r#"{"change":"set","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
            r#"{"change":"reset","change_id":"c1","pool":"p","id":"[U:1:1]","rating":1,"at":0}"#,
            r#"{"change":"set","change_id":"","pool":"p","id":"[U:1:1]","rating":1,"at":0}"#,
            r#"{"change":"void","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#,
            r#"{"change":"void","change_id":"c1","server":"s","round_id":"r","rating":1,"at":0}"#,
            r#"{"change":"void","winner":"a","change_id":"c1","server":"s","round_id":"r","at":0}"#,
            r#"{"change":"correct","change_id":"c1","server":"s","round_id":"r","at":0}"#,
            r#"{"change":"correct","winner":"c","change_id":"c1","server":"s","round_id":"r","at":0}"#,
            r#"{"change":"undo","change_id":"c1","at":0}"#,
            r#"{"change":"season","change_id":"c1","pool":"p","name":"W","keep":1.5,"calibration":1,"at":0}"#,
            r#"{"change":"season","change_id":"c1","pool":"p","name":"W","keep":1,"calibration":501,"at":0}"#,
        ] {
            assert!(LogLine::read(line.as_bytes()).is_err(), "{line}");
        }
    }

    #[test]
    fn what_is_no_change_is_refused_with_what_to_send() {
        let line = br#"{"change":"promote","change_id":"c1","pool":"p","id":"[U:1:1]","at":0}"#;
        let error = LogLine::read(line).unwrap_err().to_string();
        let expected = "/change is not a kind of change; send \"set\", \"reset\", \"void\", \"unvoid\", \
                        \"correct\", \"undo\" or \"season\"";
        assert!(error.contains(expected), "{error}");
    }
}
