//! Tests of the HTTP API by endpoint, with every error.

mod access;
mod ahead;
mod balance;
mod hello;
mod interventions;
mod leaderboard;
mod live;
mod matches;
mod models;
mod notices;
mod operations;
mod players;
mod powers;
mod public_matches;
mod public_pages;
mod quality;
mod rebuild;
mod rounds;
mod seasons;
mod servers;
mod service;
mod splits;
mod webhooks;

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use rbs::config::Settings;
use rbs::store::DatabaseUrl;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{ADMIN_SECRET, App, Instance, SECRET, fields, refused, send, settings_from};

/// The secret in the variable `HOME`, which a configuration may bind to servers. Its name is `home`.
const HOME_SECRET: &str = "the-homes-own-secret";

fn configuration(database: DatabaseUrl, text: &str) -> Settings {
    let variables = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
        ("HOME", Some("home the-homes-own-secret")),
    ];
    settings_from(database, text, &variables)
}

/// Starts an instance with this configuration on the database of `app`.
async fn configured(app: &App, text: &str) -> Instance {
    let settings = configuration(app.settings.database.clone(), text);
    Instance::start(&settings, app.clock.clone()).await
}

/// Posts `body` with the secret of the game servers to the first instance, and asserts 200.
async fn posted(app: &App, path: &str, body: &Value) -> Value {
    posted_to(app, &app.first.address, path, body).await
}

async fn posted_to(app: &App, address: &str, path: &str, body: &Value) -> Value {
    let request = app.request_to(address, Method::POST, path);
    let (status, answer) = send(request.json(body)).await;
    assert_eq!(status.as_u16(), 200, "{body}: {answer}");
    answer
}

/// Asserts that `body` is refused with 422 for `field` alone, in words that contain `says`.
async fn assert_refused(app: &App, path: &str, body: &Value, field: &str, says: &str) {
    let request = app.admin(Method::POST, path).json(body);
    let (_, problem) = refused(request, 422).await;
    assert_eq!(fields(&problem), [field], "{body:.200}: {problem}");
    let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
    assert!(detail.contains(says), "{body:.200}: {problem}");
}

fn id(n: u64) -> String {
    (76_561_197_960_265_728 + n).to_string()
}

fn ids(accounts: impl IntoIterator<Item = u64>) -> Vec<String> {
    accounts.into_iter().map(id).collect()
}

/// A round of complete teams.
fn round(server: &str, round_id: &str, winner: &str, team_a: &[u64], team_b: &[u64]) -> Value {
    json!({
        "round_id": round_id, "server": server, "winner": winner,
        "team_a": ids(team_a.iter().copied()), "team_b": ids(team_b.iter().copied()),
    })
}

fn with(mut object: Value, members: Value) -> Value {
    let (Value::Object(object_members), Value::Object(members)) = (&mut object, members) else {
        panic!("{object} must be an object, and what is added to it");
    };
    object_members.extend(members);
    object
}

fn without(mut object: Value, key: &str) -> Value {
    object
        .as_object_mut()
        .and_then(|members| members.remove(key))
        .unwrap_or_else(|| panic!("there is no {key} to leave out"));
    object
}

/// Asserts that `answer` has every member of `expected`; it may have more.
fn assert_has(answer: &Value, expected: &Value) {
    for (key, value) in expected.as_object().expect("an object") {
        assert_eq!(answer[key], *value, "{key}: {answer}");
    }
}

fn set_clock(app: &App, time: &str) {
    app.clock.set(time.parse().expect("a time"));
}

async fn set_in_arena(app: &App, n: u64, rating: impl Into<i64>) {
    let path = format!("/v1/admin/players/{}?pool=arena", id(n));
    let rating: i64 = rating.into();
    let request = app.admin(Method::PUT, &path);
    let (status, body) = send(request.json(&json!({"rating": rating}))).await;
    assert_eq!(status.as_u16(), 200, "{body}");
}

/// Returns the items of `list` on all pages of `path`, which has a query.
async fn all_pages(app: &App, path: &str, list: &str) -> Vec<Value> {
    let mut page = app.get(path).await;
    let mut found = Vec::new();
    loop {
        found.extend(page[list].as_array().expect("a list").iter().cloned());
        let Some(next) = page["next"].as_str() else {
            return found;
        };
        page = app.get(&format!("{path}&after={next}")).await;
    }
}

/// Voids a round, named as `server/id`.
async fn void(app: &App, round: &str) -> Value {
    let path = format!("/v1/admin/rounds/{round}/void");
    let request = app.admin(Method::POST, &path);
    let (status, body) = send(request.json(&json!({"reason": "a cheater"}))).await;
    assert_eq!(status.as_u16(), 200, "{body}");
    body
}

/// Asserts that no request has stored anything in either pool.
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

/// Asserts equality, with fractions to nine decimal places, because the expected values come from an independent
/// computation.
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

/// Sends the raw bytes of `request`, and reads the entire response.
async fn raw(app: &App, request: String) -> String {
    let address = app.first.address.trim_start_matches("http://").to_owned();
    let talk = move || -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        // The server may disconnect before it has read everything; the response has arrived by then.
        let _hung_up = stream.read_to_end(&mut answer);
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let talked = tokio::task::spawn_blocking(talk).await;
    talked.expect("no panic").expect("a connection")
}
