use serde::{Deserialize, Deserializer, Serialize, de};

use super::{InvalidJson, ReasonText, read};
use crate::domain::{
    CalibrationRounds, ChangeId, PlayerId, PoolName, Rating, Report, RoundAction, RoundActionName,
    RoundId, RoundParts, SeasonName, SeasonStart, SentName, ServerName, Share, Timestamp, Winner,
};

/// One line of a file of rounds: an update request, or an admin's change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum LogLine {
    /// A round, in the form of an update request.
    Round(Report),
    /// A change of a player, known by its field `change`.
    Change(ChangeLine),
    /// A round that was voided, restored or corrected, known by its field `change` too.
    RoundChange(RoundChangeLine),
    /// The change of a player, or the start of a season, that was undone, known likewise.
    Undo(UndoLine),
    /// A season that started, known likewise.
    Season(SeasonLine),
}

/// An admin's change of a player in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    #[serde(
        default,
        deserialize_with = "rating",
        skip_serializing_if = "Option::is_none"
    )]
    pub rating: Option<Rating>,
    /// Why.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What kind of change of a player a line holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeName {
    /// A rating was given.
    Set,
    /// The player was made new again.
    Reset,
}

/// A round that an admin voided, restored or corrected, in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RoundChangeLine {
    /// As `change`: `void`, `unvoid`, or `correct` with the `winner`.
    #[serde(flatten)]
    pub action: RoundAction,
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

/// The same as it is read.
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

/// The change of a player, or the start of a season, that an admin took back, in a file: it is as if it had never
/// been made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UndoLine {
    /// `undo`.
    pub change: UndoName,
    /// Names the undo for good, so that no import applies it twice.
    pub change_id: ChangeId,
    /// The name of the change that is undone.
    pub undoes: ChangeId,
    /// Why.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// That a line undoes a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UndoName {
    /// It does.
    Undo,
}

/// A season of a pool that started, in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeasonLine {
    /// `season`.
    pub change: SeasonChangeName,
    /// Names the change for good, so that no import applies it twice.
    pub change_id: ChangeId,
    /// The pool that it was made in.
    pub pool: PoolName,
    /// What the season is called.
    pub name: SeasonName,
    /// The share of its distance from the initial rating that each rating kept.
    pub keep: Share,
    /// How many rounds of the season it takes until a player is placed.
    pub calibration: CalibrationRounds,
    /// Why.
    #[serde(default, deserialize_with = "reason")]
    pub reason: Option<String>,
    /// When.
    pub at: Timestamp,
}

impl SeasonLine {
    /// What starts.
    #[must_use]
    pub fn start(&self) -> SeasonStart {
        SeasonStart {
            name: self.name.clone(),
            keep: self.keep,
            calibration: self.calibration,
        }
    }
}

/// That a line starts a season.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeasonChangeName {
    /// It does.
    Season,
}

#[derive(Deserialize)]
struct Peek {
    change: Option<String>,
}

impl LogLine {
    /// Reads one line.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(line: &[u8]) -> Result<Self, InvalidJson> {
        Self::read_with_names(line).map(|(line, _)| line)
    }

    /// The same with the names of the players of a round, which are no part of it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read_with_names(line: &[u8]) -> Result<(Self, Vec<SentName>), InvalidJson> {
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
                "is no change; send \"set\", \"reset\", \"void\", \"unvoid\", \"correct\", \"undo\" or \"season\"",
            )),
        }
    }
}

/// Reads the change of a player, with a rating where one is given and only there.
fn read_change(line: &[u8]) -> Result<ChangeLine, InvalidJson> {
    let change: ChangeLine = read(line)?;
    let detail = match (change.change, change.rating) {
        (ChangeName::Set, None) => "is missing; send it",
        (ChangeName::Reset, Some(_)) => "has no place in a reset; leave it out",
        _ => return Ok(change),
    };
    Err(InvalidJson::field("/rating", detail))
}

/// Reads what became of a round, with the winner where one is given and only there.
fn read_round_change(line: &[u8]) -> Result<RoundChangeLine, InvalidJson> {
    let fields: RoundChangeFields = read(line)?;
    let Some(action) = RoundAction::of(fields.change, fields.winner) else {
        let detail = match fields.winner {
            None => "is missing; send it",
            Some(_) => "has no place in this change; leave it out",
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

fn rating<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Rating>, D::Error> {
    let rating =
        |points| Rating::new(points).ok_or_else(|| de::Error::custom("is outside 0 to 1000000"));
    Option::deserialize(deserializer)?.map(rating).transpose()
}

fn reason<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let reason: Option<ReasonText> = Option::deserialize(deserializer)?;
    Ok(reason.map(|reason| reason.as_str().to_owned()))
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
            let read = LogLine::read(line.as_bytes()).unwrap();
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
        let expected = "/change is no change; send \"set\", \"reset\", \"void\", \"unvoid\", \
                        \"correct\", \"undo\" or \"season\"";
        assert!(error.contains(expected), "{error}");
    }
}
