//! What the plugin does on a game server, scenario by scenario, with the real service at the other end of the wire.

mod balance;
mod failures;
mod names_sent;
mod others;
mod participants;
mod phrases;
mod queue;
mod restarts;
mod scrambles;
mod settings;
mod triggers;

pub use queue::names;
use serde_json::Value;

use super::bed::Bed;
use crate::support::App;

/// The number of the account in an id of a report.
fn account(id: &Value) -> u64 {
    let id: u64 = id.as_str().expect("an id").parse().expect("a number");
    id - 76_561_197_960_265_728
}

/// The names of the rounds that the service counts for a server, the earliest first.
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

/// The rounds that were reported one by one. A busy machine may have one of them sent again, which is no other report.
fn reports(bed: &Bed) -> Vec<Value> {
    let mut all = attempts(bed);
    all.dedup_by(|later, earlier| later["round_id"] == earlier["round_id"]);
    all
}

/// The same with everything that was sent again.
fn attempts(bed: &Bed) -> Vec<Value> {
    bed.requests("/v1/update")
}
