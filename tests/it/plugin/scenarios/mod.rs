//! Scenarios of the plugin on a game server, with a real service.

mod arena;
mod balance;
mod failures;
mod games;
mod names_sent;
mod one_sided;
mod others;
mod participants;
mod queue;
mod restarts;
mod scoreboards;
mod scrambles;
mod settings;
mod teams;
mod triggers;
mod votes;
mod wishes;

use serde_json::Value;

use super::bed::{Bed, Win};
use crate::support::App;
use sourcemod_bed::game::Team;

/// Folder of the files with rounds that are still to be sent, or will not be.
const DATA: &str = "addons/sourcemod/data/rbs";
/// Rounds that wait until the service takes them.
const QUEUE: &str = "addons/sourcemod/data/rbs/queue.arena-1.jsonl";
/// Settings for single maps.
const MAPS: &str = "addons/sourcemod/configs/rbs_maps.cfg";

/// Account number of an id in a report.
fn account(id: &Value) -> u64 {
    let id: u64 = id.as_str().expect("an id").parse().expect("a number");
    id - 76_561_197_960_265_728
}

/// Names of the rounds that the service counts for a server, earliest first.
pub async fn counted(app: &App, server: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("/v1/admin/rounds?server={server}&limit=100{after}");
        let page = app.get(&path).await;
        let rounds = page["rounds"].as_array().expect("rounds").iter();
        names.extend(rounds.map(round_id));
        match page["next"].as_str() {
            Some(next) => after = format!("&after={next}"),
            None => break,
        }
    }
    names.reverse();
    names
}

/// Rounds that were reported one by one. Repeats, which happen on a busy machine, are removed.
fn reports(bed: &Bed) -> Vec<Value> {
    let mut all = attempts(bed);
    all.dedup_by(|later, earlier| later["round_id"] == earlier["round_id"]);
    all
}

/// All reports, including repeats.
fn attempts(bed: &Bed) -> Vec<Value> {
    bed.requests("/v1/update")
}

fn round_id(round: &Value) -> String {
    round["round_id"].as_str().expect("a name").to_owned()
}

/// Names of the rounds in a file, line by line.
pub fn names(bed: &Bed, file: &str) -> Vec<String> {
    let text = bed.file(&format!("{DATA}/{file}"));
    let rounds = text.lines().map(serde_json::from_str);
    rounds
        .map(|round| round_id(&round.expect("a round")))
        .collect()
}

/// Names of the rounds that wait until the service takes them.
fn waiting(bed: &Bed) -> Vec<String> {
    names(bed, "queue.arena-1.jsonl")
}

/// Number of scrambles so far.
fn scrambles(bed: &Bed) -> usize {
    triggers::forwarded(bed, "RBS_OnScrambled").len()
}

/// Begins the next round, which scrambles if a scramble is due.
async fn begin_next(bed: &mut Bed) {
    bed.begin_round();
    bed.pass(4.0).await;
}

/// Ends a round with a scramble due, and begins the next round, which scrambles.
async fn until_scrambled(bed: &mut Bed) {
    bed.play(Win::of(Team::Red), 30.0).await;
    begin_next(bed).await;
}
