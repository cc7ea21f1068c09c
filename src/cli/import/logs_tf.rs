//! Match logs of logs.tf: the JSON that `https://logs.tf/api/v1/log/ID` answers, one log per file.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Deserialize;
use serde_json::{Value, json};

use super::lines::{Content, Fault, Line, fault, open};
use crate::api::{LogLine, read};
use crate::domain::{PlayerId, ServerName};

/// Maximum size of a match log in bytes, uncompressed. Logs of logs.tf have some 100 kB.
const MAX_LOG: u64 = 16 * 1024 * 1024;

const UNDATED: &str = "without a start time, as in the logs of 2012";
const UNDECIDED: &str = "without a winner: logs.tf does not say whether drawn or unfinished";
const ONE_SIDED: &str = "without players on one team, or without teams, as in old logs";
const REPEATED: &str = "already in another of the logs";

#[derive(Deserialize)]
struct Log {
    names: BTreeMap<String, String>,
    rounds: Vec<Round>,
    info: Info,
}

#[derive(Deserialize)]
struct Info {
    map: Option<String>,
    /// Time of the upload, in unix seconds.
    date: Option<i64>,
}

#[derive(Deserialize)]
struct Round {
    /// Start in unix seconds, but by the local time of the game server: wrong by up to some hours.
    start_time: Option<i64>,
    winner: Option<Team>,
    /// Duration of the round in seconds, without pauses.
    length: i64,
    players: BTreeMap<String, Player>,
}

/// Player of one round. Deaths and assists are known only for whole matches. So is the team in older logs, which does not
/// tell who attacked in a round.
#[derive(Deserialize)]
struct Player {
    team: Option<Team>,
    kills: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
enum Team {
    Red,
    Blue,
    #[serde(other)]
    Neither,
}

/// Reads match logs, and returns their rounds as lines of an import on `server`: faults and skipped rounds first, then
/// the oldest round. A round that several logs contain, such as a combined log, is skipped after the first.
pub(super) fn read_logs(files: &[PathBuf], server: &ServerName, bytes: &ProgressBar) -> Vec<Line> {
    let mut lines = Vec::new();
    for path in files {
        let place = path.display().to_string();
        match read_log(path, bytes) {
            Ok((id, log)) => lines.extend((1..).zip(&log.rounds).map(|(number, round)| {
                let place = format!("{place}: round {number}");
                let content = log.content(round, &format!("logs.tf:{id}:{number}"), server);
                (round.start_time, Line { place, content })
            })),
            Err(problem) => {
                let content = Err(Fault::File(problem));
                lines.push((None, Line { place, content }));
            }
        }
    }
    // A stable sort keeps the order of a log's rounds that end in the same second.
    lines.sort_by_key(|(_, line)| match &line.content {
        Ok((LogLine::Round(report), _)) => report.parts().ended_at,
        _ => None,
    });
    let mut known = HashSet::new();
    let once = |(start, mut line): (Option<i64>, Line)| {
        if let Ok((LogLine::Round(report), _)) = &line.content {
            let players: Vec<_> = report.entries().map(|(side, one)| (side, one.id)).collect();
            if !known.insert((start, players)) {
                line.content = Err(Fault::Skipped(REPEATED));
            }
        }
        line
    };
    lines.into_iter().map(once).collect()
}

/// Reads a match log, and its number on logs.tf, which only the name of the file has: the longest number in the name.
fn read_log(path: &Path, bytes: &ProgressBar) -> Result<(String, Log), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let numbers = name.split(|one: char| !one.is_ascii_digit());
    let id = numbers.max_by_key(|number| number.len());
    let id = id.filter(|id| !id.is_empty());
    let id = id.ok_or("its name lacks the number of the log; name it like 3025052.json")?;
    let mut text = Vec::new();
    open(path, bytes)
        .and_then(|file| file.take(MAX_LOG).read_to_end(&mut text))
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    let log = read(&text).map_err(|error| format!("it is no log of logs.tf: {error}"))?;
    Ok((id.to_owned(), log))
}

impl Log {
    /// Translates a round of the log into an update request. RED is team a, as in the reports of the game plugin.
    fn content(&self, round: &Round, round_id: &str, server: &ServerName) -> Content {
        let start = round.start_time.ok_or(Fault::Skipped(UNDATED))?;
        let winner = match round.winner {
            Some(Team::Red) => "a",
            Some(Team::Blue) => "b",
            Some(Team::Neither) | None => return Err(Fault::Skipped(UNDECIDED)),
        };
        let (red, blue) = (self.team(round, Team::Red), self.team(round, Team::Blue));
        if red.is_empty() || blue.is_empty() {
            return Err(Fault::Skipped(ONE_SIDED));
        }
        // Names of maps have no spaces; a combined log lists several maps.
        let map = self.info.map.as_deref();
        let map = map.filter(|map| !map.is_empty() && !map.contains([' ', ',']));
        let ends = start.saturating_add(round.length);
        let ended_at = ends.saturating_sub(self.seconds_ahead());
        let request = json!({
            "round_id": round_id, "server": server, "map": map, "winner": winner,
            "ended_at": ended_at, "round_seconds": round.length, "team_a": red, "team_b": blue,
        });
        LogLine::read_with_names(request.to_string().as_bytes()).map_err(fault)
    }

    /// Returns the seconds by which the log's times are ahead at least: a log is uploaded after its last round.
    fn seconds_ahead(&self) -> i64 {
        let ends = |round: &Round| Some(round.start_time?.saturating_add(round.length));
        let last = self.rounds.iter().filter_map(ends).max();
        let ahead = last
            .zip(self.info.date)
            .map(|(last, date)| last.saturating_sub(date));
        ahead.unwrap_or(0).max(0)
    }

    /// Returns the players of a team in a round, as in an update request. Spectators have no team, and bots no SteamID.
    fn team(&self, round: &Round, team: Team) -> Vec<Value> {
        let players = round
            .players
            .iter()
            .filter(|(id, player)| player.team == Some(team) && id.parse::<PlayerId>().is_ok());
        let entry = |(id, player): (&String, &Player)| {
            let (name, kills) = (self.names.get(id), player.kills);
            json!({"id": id, "name": name, "stats": {"kills": kills}})
        };
        players.map(entry).collect()
    }
}
