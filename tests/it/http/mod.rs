//! The contract over HTTP, endpoint by endpoint and error by error.

mod ahead;
mod balance;
mod hello;
mod imports;
mod interventions;
mod leaderboard;
mod matches;
mod models;
mod notices;
mod players;
mod powers;
mod public_files;
mod public_names;
mod public_pages;
mod quality;
mod rebuild;
mod rounds;
mod seasons;
mod servers;
mod service;
mod splits;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::support::App;

/// The decimal SteamID64 of account `n`.
fn id(n: u64) -> String {
    (76_561_197_960_265_728 + n).to_string()
}

/// The ids of accounts.
fn ids(accounts: impl IntoIterator<Item = u64>) -> Vec<String> {
    accounts.into_iter().map(id).collect()
}

/// A round of whole teams, named `round_id`, on `server`.
fn round(server: &str, round_id: &str, winner: &str, team_a: &[u64], team_b: &[u64]) -> Value {
    json!({
        "round_id": round_id, "server": server, "winner": winner,
        "team_a": ids(team_a.iter().copied()), "team_b": ids(team_b.iter().copied()),
    })
}

/// `object` with the `members` of another, which win.
fn with(mut object: Value, members: Value) -> Value {
    let (Value::Object(object_members), Value::Object(members)) = (&mut object, members) else {
        panic!("{object} must be an object, and what is added to it");
    };
    object_members.extend(members);
    object
}

/// `object` without its member `key`.
fn without(mut object: Value, key: &str) -> Value {
    object
        .as_object_mut()
        .and_then(|members| members.remove(key))
        .unwrap_or_else(|| panic!("there is no {key} to leave out"));
    object
}

/// Nothing that was sent has left a trace in either pool.
async fn assert_nothing_stored(app: &App) {
    for pool in ["default", "arena"] {
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        assert_eq!(quality["rounds"], 0, "a round was counted in {pool}");
        assert_eq!(
            quality["players"]["total"], 0,
            "a player was stored in {pool}"
        );
    }
}

/// Asserts that `actual` is `expected`, fractions to nine places: the expected ones were computed
/// apart from the service.
fn assert_like(actual: &Value, expected: &Value) {
    fn alike(actual: &Value, expected: &Value) -> bool {
        match (actual, expected) {
            (Value::Object(found), Value::Object(wanted)) => {
                found.len() == wanted.len()
                    && found
                        .iter()
                        .all(|(key, value)| wanted.get(key).is_some_and(|of| alike(value, of)))
            }
            (Value::Array(found), Value::Array(wanted)) => {
                found.len() == wanted.len()
                    && found
                        .iter()
                        .zip(wanted)
                        .all(|(this, that)| alike(this, that))
            }
            (Value::Number(this), Value::Number(that)) if this.is_f64() && that.is_f64() => this
                .as_f64()
                .zip(that.as_f64())
                .is_some_and(|(this, that)| (this - that).abs() < 1e-9),
            _ => actual == expected,
        }
    }
    assert!(
        alike(actual, expected),
        "\n  actual: {actual}\nexpected: {expected}"
    );
}

/// Sends `request` as it stands, byte by byte, and reads all that comes back.
async fn raw(app: &App, request: String) -> String {
    let address = app.first.address.trim_start_matches("http://").to_owned();
    let talk = move || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        // Where the server hangs up on what it did not read, the answer has come before.
        let _hung_up = stream.read_to_end(&mut answer);
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let talked = tokio::task::spawn_blocking(talk).await;
    talked.expect("no panic").expect("a connection")
}
