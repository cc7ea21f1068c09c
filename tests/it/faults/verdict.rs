//! Checks for lost rounds, duplicates, and ratings that differ from the log.

use std::collections::BTreeMap;
use std::fs;
use std::panic::AssertUnwindSafe;

use rbs::store::Store;
use serde_json::{Value, json};

use super::plugin::Played;
use crate::cli::Folder;
use crate::support::{Compared, Database, assert_same_in_both, catch};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Number of acknowledged rounds.
    pub acknowledged: usize,
    /// Number of committed rounds whose first answer was lost.
    pub answers_lost: usize,
    /// Number of failed requests.
    pub failures: usize,
}

/// Compares what was `played` with the database at `url`.
pub async fn judge(
    name: &str,
    faults: u32,
    folder: &Folder,
    url: &str,
    played: &Played,
) -> Verdict {
    let compared = assert_log_equals_ratings(folder, url).await;
    let counted = counted_rounds(&fs::read_to_string(folder.path(LOG)).expect("the export"));
    let times = |round: &Value| counted.get(&key(round)).copied().unwrap_or_default();

    let acknowledged = played.acknowledged.iter().map(|(round, _)| round);
    let lost: Vec<&Value> = acknowledged.filter(|round| times(round) == 0).collect();
    let double: Vec<_> = counted.iter().filter(|(_, times)| **times > 1).collect();
    let verdict = Verdict {
        acknowledged: played.acknowledged.len(),
        answers_lost: played.answers_lost,
        failures: played.failures,
    };
    // Columns: fault, repeats, acknowledged, answers lost, failed requests, rounds lost, rounds counted twice, and
    // differences between log and ratings.
    println!(
        "| {name} | {} | {} | {} | {} | {} | {} | 0 in {} rounds and {} ratings |",
        faults,
        verdict.acknowledged,
        verdict.answers_lost,
        verdict.failures,
        lost.len(),
        double.len(),
        compared.rounds,
        compared.players,
    );
    assert!(lost.is_empty(), "{name}: acknowledged and lost: {lost:?}");
    assert!(double.is_empty(), "{name}: counted twice: {double:?}");
    let abandoned = played.abandoned.iter().filter(|round| times(round) == 1);
    assert_eq!(
        counted.len(),
        verdict.acknowledged + abandoned.count(),
        "{name}: the log has rounds that nobody sent"
    );
    assert!(verdict.acknowledged > 0, "{name}: nothing was played");
    verdict
}

const LOG: &str = "log.jsonl";

/// Runs `rbs check` on the database, then imports its log into a fresh database, and asserts that both are
/// bit-identical.
pub async fn assert_log_equals_ratings(folder: &Folder, url: &str) -> Compared {
    let replayed = format!("sqlite://{}", folder.path("replayed.db").display());
    folder.run_on(url, &["rebuild", "--check"]).succeeded();
    folder.run_on(url, &["export", "-o", LOG]).succeeded();
    folder.run_on(&replayed, &["import", LOG]).succeeded();
    let open = async |url: &str| {
        let url = url.parse().expect("an address");
        Store::connect(&url).await.expect("a database")
    };
    let (stored, replayed) = (open(url).await, open(&replayed).await);
    let compared = assert_same_in_both(&stored, &replayed).await;
    stored.close().await;
    replayed.close().await;
    compared
}

/// Number of occurrences of each round in the exported `log`.
fn counted_rounds(log: &str) -> BTreeMap<(String, String), u32> {
    let mut counted = BTreeMap::new();
    for line in log.lines() {
        let line: Value = serde_json::from_str(line).expect("a line of the log");
        *counted.entry(key(&line)).or_default() += 1;
    }
    counted
}

fn key(round: &Value) -> (String, String) {
    let text = |name: &str| round[name].as_str().expect("a name").to_owned();
    (text("server"), text("round_id"))
}

on_both_engines!(the_judge_notices_what_is_lost_and_what_is_rated_otherwise);

async fn the_judge_notices_what_is_lost_and_what_is_rated_otherwise(database: &Database) {
    let url = database.url_text();
    let round = |id: &str| {
        json!({
            "round_id": id, "server": "s", "winner": "a",
            "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"],
        })
    };
    let folder = Folder::new();
    folder.write("rounds.jsonl", round("1").to_string());
    folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    let played = |ids: &[&str]| Played {
        acknowledged: ids.iter().map(|id| (round(id), Value::Null)).collect(),
        ..Played::default()
    };
    let noticed = async |played: &Played| {
        let folder = Folder::new();
        // Boxed, because the future is large.
        let judging = Box::pin(async {
            judge("(the judge)", 0, &folder, &url, played).await;
        });
        catch(AssertUnwindSafe(judging)).await.is_err()
    };
    assert!(!noticed(&played(&["1"])).await);
    assert!(noticed(&played(&["1", "2"])).await, "a round is lost");
    assert!(noticed(&played(&[])).await, "a round that nobody sent");
    let wrong = "update players set rating = rating + 1";
    database.execute(wrong).await;
    assert!(noticed(&played(&["1"])).await, "a rating is wrong");
}
