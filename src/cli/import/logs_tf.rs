//! Match logs of logs.tf: the JSON that `https://logs.tf/api/v1/log/ID` answers, one log per file.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use indicatif::ProgressBar;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::lines::{Content, Fault, Line, fault, on_thread, open};
use crate::api::{LogLine, read};
use crate::domain::{PlayerId, ServerName};

/// Maximum size of a match log in bytes, uncompressed. Logs of logs.tf have some 100 kB.
const MAX_LOG: u64 = 16 * 1024 * 1024;

const UNDATED: Fault = Fault::Skipped("without a start time, as in the logs of 2012");
const UNDECIDED: Fault =
    Fault::Skipped("without a winner: logs.tf does not say whether they were drawn or unfinished");
const ONE_SIDED: Fault =
    Fault::Skipped("without players on one team, or without teams, as in old logs");
const REPEATED: Fault = Fault::Skipped("already in another of the logs");

#[derive(Deserialize)]
struct Log {
    names: BTreeMap<String, String>,
    rounds: Vec<Round>,
    /// Facts about the match, such as `date`, the time of the upload in unix seconds.
    info: Value,
}

#[derive(Deserialize)]
struct Round {
    /// Start in unix seconds, but by the local time of the game server: wrong by up to some hours.
    start_time: Option<i64>,
    winner: Option<String>,
    /// Duration of the round in seconds, without pauses.
    length: i64,
    /// Players by SteamID, with their kills, and in newer logs their teams. Deaths and assists are known only for whole
    /// matches.
    players: BTreeMap<String, Value>,
}

/// Reads match logs on a thread of their own, and sends their rounds as lines of an import on `server`: faults and
/// skipped rounds first, then the oldest round. A round that several logs contain, such as a combined log, is skipped
/// after the first.
pub(super) fn read_ahead(
    files: Vec<PathBuf>,
    server: ServerName,
    bytes: ProgressBar,
) -> (mpsc::Receiver<Line>, JoinHandle<()>) {
    on_thread(move |sender| {
        let mut known = HashSet::new();
        let mut lines = Vec::new();
        for path in &files {
            let place = path.display().to_string();
            match read_log(path, &bytes) {
                Ok((id, log)) => lines.extend((1..).zip(&log.rounds).map(|(number, round)| {
                    let place = format!("{place}: round {number}");
                    let content = log.content(round, &format!("logs.tf:{id}:{number}"), &server);
                    let players: Vec<String> = round.players.keys().cloned().collect();
                    let content = content.and_then(|line| {
                        let is_new = known.insert((round.start_time, players));
                        if is_new { Ok(line) } else { Err(REPEATED) }
                    });
                    Line { place, content }
                })),
                Err(problem) => {
                    let content = Err(Fault::File(problem));
                    lines.push(Line { place, content });
                }
            }
        }
        // A stable sort keeps the order of a log's rounds that end in the same second.
        lines.sort_by_key(|line| match &line.content {
            Ok((LogLine::Round(report), _)) => report.parts().ended_at,
            _ => None,
        });
        // Stops if the receiver is gone, because the import has stopped.
        let send = |line| sender.blocking_send(line).ok();
        let _all_or_stopped: Option<()> = lines.into_iter().try_for_each(send);
    })
}

/// Reads a match log, and its number on logs.tf, which only the name of the file has: the longest number in the name.
fn read_log(path: &Path, bytes: &ProgressBar) -> Result<(String, Log), String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let id = name
        .split(|one: char| !one.is_ascii_digit())
        .max_by_key(|number| number.len())
        .filter(|id| !id.is_empty())
        .ok_or("its name lacks the number of the log; name it like 3025052.json")?;
    let mut text = Vec::new();
    open(path, bytes)
        .and_then(|file| file.take(MAX_LOG).read_to_end(&mut text))
        .map_err(|error| format!("the file cannot be read: {error}"))?;
    let log = read(&text).map_err(|error| format!("it is not a logs.tf log: {error}"))?;
    Ok((id.to_owned(), log))
}

impl Log {
    /// Translates a round of the log into an update request. RED is team a, as in the reports of the game plugin.
    fn content(&self, round: &Round, round_id: &str, server: &ServerName) -> Content {
        let end = |round: &Round| Some(round.start_time?.saturating_add(round.length));
        let ended_at = end(round).ok_or(UNDATED)?;
        let winner = match round.winner.as_deref() {
            Some("Red") => "a",
            Some("Blue") => "b",
            _ => return Err(UNDECIDED),
        };
        // Spectators have no team, and bots no SteamID.
        let [red, blue] = ["Red", "Blue"].map(|team| {
            let of_team = |(id, player): &(&String, &Value)| {
                player["team"] == team && id.parse::<PlayerId>().is_ok()
            };
            let entry = |(id, player): (&String, &Value)| {
                json!({"id": id, "name": self.names.get(id), "stats": {"kills": player["kills"]}})
            };
            let players = round.players.iter().filter(of_team).map(entry);
            players.collect::<Vec<Value>>()
        });
        if red.is_empty() || blue.is_empty() {
            return Err(ONE_SIDED);
        }
        // A log is uploaded after its last round. If that ends later, the game server's clock is ahead.
        let last = self.rounds.iter().filter_map(end).max();
        let ahead = last
            .zip(self.info["date"].as_i64())
            .map_or(0, |(last, date)| last.saturating_sub(date).max(0));
        // Names of maps have no spaces; a combined log lists several maps.
        let map = self.info["map"]
            .as_str()
            .filter(|map| !map.is_empty() && !map.contains([' ', ',']));
        let request = json!({
            "round_id": round_id, "server": server, "map": map, "winner": winner,
            "ended_at": ended_at.saturating_sub(ahead), "round_seconds": round.length,
            "team_a": red, "team_b": blue,
        });
        LogLine::read(request.to_string().as_bytes()).map_err(fault)
    }
}
