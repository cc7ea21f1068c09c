//! Requests that were once answered incorrectly or look suspicious, with their expected statuses.

use std::collections::BTreeMap;

use serde_json::json;

use super::generate::{ODD, Sent, Who, escaped};
use super::target::Target;
use crate::support::{Engine, run_bare};

fn sent(method: &str, path: &str, body: impl Into<Vec<u8>>) -> Sent {
    Sent {
        method: method.to_owned(),
        path: path.to_owned(),
        headers: vec![("content-type".to_owned(), b"application/json".to_vec())],
        body: body.into(),
        who: Who::Admin,
    }
}

/// Requests found by the generator, with their expected statuses.
fn found() -> Vec<(Sent, &'static [u16])> {
    vec![
        // A terminal interprets U+009B as the start of a command; the log once contained the raw path.
        (sent("GET", "/\u{9b}31m", ""), &[404]),
        (sent("GET", "/v1/players/\u{202e}", ""), &[422]),
    ]
}

/// Every odd text in every place that takes a text, with the expected status.
fn cases() -> Vec<(Sent, &'static [u16])> {
    let mut cases = Vec::new();
    for (number, odd) in ODD.into_iter().enumerate() {
        let round = |field: &str| {
            let mut round = json!({"round_id": number.to_string(), "server": "s", "map": "m",
                "winner": "a", "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"]});
            round[field] = json!(odd);
            round.to_string()
        };
        let escaped = escaped(odd);
        let long_method = "X".repeat(20_000);
        for (case, statuses) in [
            (
                sent("POST", "/v1/update", round("round_id")),
                &[200, 409, 422][..],
            ),
            (sent("POST", "/v1/update", round("server")), &[200, 422]),
            (sent("POST", "/v1/update", round("map")), &[200, 409, 422]),
            (sent("POST", "/v1/update", round("pool")), &[404, 422]),
            (sent("POST", "/v1/update", round("winner")), &[422]),
            (sent("POST", "/v1/update", round("ended_at")), &[422]),
            (sent("POST", "/v1/update", round(odd)), &[422]),
            (
                sent("GET", &format!("/v1/players/{escaped}"), ""),
                &[404, 422],
            ),
            (
                sent("GET", &format!("/v1/scramble?server={escaped}"), ""),
                &[404, 422],
            ),
            (
                sent("GET", &format!("/v1/admin/quality?pool={escaped}"), ""),
                &[404, 422],
            ),
            (
                sent("GET", &format!("/v1/admin/quality?{escaped}=1"), ""),
                &[422],
            ),
            (
                sent("GET", &format!("/{escaped}"), ""),
                // The empty path is the dashboard.
                if escaped.is_empty() { &[200] } else { &[404] },
            ),
            (sent(&long_method, "/v1/update", ""), &[405]),
            (
                sent(
                    "PUT",
                    "/v1/admin/players/76561197960265729",
                    json!({"rating": 1500, "reason": odd}).to_string(),
                ),
                &[200, 422],
            ),
        ] {
            cases.push((case, statuses));
        }
    }
    cases
}

async fn try_out(engine: Engine) {
    let trying = run_bare(engine, async |database| {
        let target = Target::start(database).await;
        for (case, statuses) in found().into_iter().chain(cases()) {
            let mut counts = BTreeMap::new();
            if let Err(why) = target.try_out(&case, &mut counts).await {
                panic!("{why}\n{case:?}");
            }
            let answered = counts.keys().next().expect("it is HTTP");
            assert!(statuses.contains(answered), "{answered} to {case:?}");
        }
        target.stop().await;
    });
    Box::pin(trying).await;
}

#[tokio::test]
async fn known_cases_are_answered_as_they_must_be_on_sqlite() {
    try_out(Engine::Sqlite).await;
}

#[tokio::test]
async fn known_cases_are_answered_as_they_must_be_on_postgres() {
    try_out(Engine::Postgres).await;
}
