//! Scenarios of the plugin on a game server, with a real service.

mod arena;
mod balance;
mod duels;
mod failures;
mod games;
mod names_sent;
mod one_sided;
mod others;
mod participants;
mod phrases;
mod queue;
mod restarts;
mod scoreboards;
mod scrambles;
mod settings;
mod teams;
mod triggers;
mod votes;
mod wishes;

pub use queue::names;
use serde_json::Value;

use super::bed::Bed;
use crate::support::App;

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
        let page = app
            .get(&format!(
                "/v1/admin/rounds?server={server}&limit=100{after}"
            ))
            .await;
        let rounds = page["rounds"].as_array().expect("rounds");
        names.extend(
            rounds
                .iter()
                .map(|round| round["round_id"].as_str().expect("a name").to_owned()),
        );
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
