//! Requests that were once answered incorrectly or look suspicious, with their expected statuses.

use std::collections::BTreeMap;

use serde_json::json;

use super::generate::{ODD, Sent, Who, escaped};
use super::target::Target;
use crate::support::{Database, Engine, run_bare};

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
    let mut cases: Vec<(Sent, &'static [u16])> = Vec::new();
    let long_method = "X".repeat(20_000);
    for (number, odd) in ODD.into_iter().enumerate() {
        for (field, statuses) in [
            ("round_id", &[200, 409, 422][..]),
            ("server", &[200, 422]),
            ("map", &[200, 409, 422]),
            ("pool", &[404, 422]),
            ("winner", &[422]),
            ("ended_at", &[422]),
            (odd, &[422]),
        ] {
            let mut round = json!({"round_id": number.to_string(), "server": "s", "map": "m",
                "winner": "a", "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"]});
            round[field] = json!(odd);
            cases.push((sent("POST", "/v1/update", round.to_string()), statuses));
        }
        let escaped = escaped(odd);
        // The empty path is the dashboard.
        let of_page: &[u16] = if escaped.is_empty() { &[200] } else { &[404] };
        for (path, statuses) in [
            (format!("/v1/players/{escaped}"), &[404, 422][..]),
            (format!("/v1/scramble?server={escaped}"), &[404, 422]),
            (format!("/v1/admin/quality?pool={escaped}"), &[404, 422]),
            (format!("/v1/admin/quality?{escaped}=1"), &[422]),
            (format!("/{escaped}"), of_page),
        ] {
            cases.push((sent("GET", &path, ""), statuses));
        }
        cases.push((sent(&long_method, "/v1/update", ""), &[405]));
        let path = "/v1/admin/players/76561197960265729";
        let body = json!({"rating": 1500, "reason": odd}).to_string();
        cases.push((sent("PUT", path, body), &[200, 422]));
    }
    cases
}

#[tokio::test]
async fn known_cases_are_answered_as_they_must_be_on_sqlite() {
    Box::pin(run_bare(Engine::Sqlite, known_cases)).await;
}

#[tokio::test]
async fn known_cases_are_answered_as_they_must_be_on_postgres() {
    Box::pin(run_bare(Engine::Postgres, known_cases)).await;
}

async fn known_cases(database: &Database) {
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
}
