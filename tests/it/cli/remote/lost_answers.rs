//! Commands against a service whose answers are late or lost.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::Process;

/// Answers each connection with a scripted response, and returns the requests. An empty response closes the connection.
fn scripted(answers: Vec<String>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let answering = std::thread::spawn(move || {
        let answer = |answer: &String| {
            let (mut stream, _) = listener.accept().expect("a connection");
            let request = read(&mut stream);
            stream.write_all(answer.as_bytes()).expect("it is sent");
            request
        };
        answers.iter().map(answer).collect()
    });
    (url, answering)
}

pub(super) fn read(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let head = head.to_lowercase();
            let length = head.split("content-length: ").nth(1);
            let length = length.map_or(0, |rest| {
                let digits = rest.split("\r\n").next().expect("a line");
                digits.parse().expect("a length")
            });
            if body.len() >= length {
                return text;
            }
        }
        let read = stream.read(&mut part).expect("the rest of a request");
        assert!(read > 0, "half a request: {text}");
        request.extend_from_slice(&part[..read]);
    }
}

fn answer(status: &str, body: &Value) -> String {
    let body = body.to_string();
    format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Retry-After: 0\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

fn round(void: bool, in_progress: Option<&str>) -> Value {
    let mark = json!({"reason": "a cheater", "at": "2026-11-20T12:00:00.000001Z"});
    json!({
        "round_id": "r/1", "server": "s", "pool": "default", "map": null,
        "ended_at": "2026-11-20T11:00:00.000001Z", "received_at": "2026-11-20T11:00:00.000001Z",
        "winner": "a", "win_probability": {"a": 0.5, "b": 0.5},
        "void": void.then_some(mark), "theta": 2400, "team_a": [], "team_b": [],
        "in_progress": in_progress, "players": [],
    })
}

fn run(url: &str, arguments: &[&str]) -> crate::cli::process::Finished {
    let folder = Folder::new();
    let mut command = folder.rbs(arguments);
    command
        .env("RBS_URL", url)
        .env("RBS_SECRET", "hunter2hunter2hu");
    Process::start(&mut command).finish()
}

fn change_id(request: &str) -> String {
    let (_, body) = request.split_once("\r\n\r\n").expect("a body");
    let body: Value = serde_json::from_str(body).expect("JSON");
    body["change_id"].as_str().expect("a name").to_owned()
}

const VOID: [&str; 6] = ["void", "s", "r/1", "--reason", "a cheater", "--yes"];

#[test]
fn a_void_that_takes_long_is_waited_for() {
    let mut half_way = round(false, Some("void"));
    half_way["progress"] = json!({
        "done": 50, "total": 100, "started_at": "2026-11-20T12:00:00.000001Z", "remaining_seconds": 30,
    });
    let (url, asked) = scripted(vec![
        answer("202 Accepted", &json!({"detail": "later"})),
        answer("200 OK", &half_way),
        answer("200 OK", &half_way),
        answer("200 OK", &half_way),
        answer("200 OK", &round(true, None)),
    ]);
    let done = run(&url, &VOID).succeeded();
    done.shows("Void:")
        .says("50.0 % computed, about 30 seconds to go")
        .says("the service continues");
    let asked = asked.join().expect("no panic");
    for (request, path) in [
        (0, "POST /v1/admin/rounds/s/r%2F1/void "),
        (4, "GET /v1/admin/rounds/s/r%2F1 "),
    ] {
        assert!(asked[request].starts_with(path), "{path}: {asked:#?}");
    }
    let head = asked[0].to_lowercase();
    let is_secret_sent = head.contains("authorization: bearer hunter2hunter2hu");
    assert!(is_secret_sent, "{head}");
}

#[test]
fn a_void_that_a_stop_undid_is_a_failure() {
    let (url, asked) = scripted(vec![
        answer("202 Accepted", &json!({"detail": "later"})),
        answer("200 OK", &round(false, None)),
    ]);
    let undone = run(&url, &VOID).failed();
    assert_eq!(undone.code, Some(1), "{undone:#?}");
    undone.says("did not take effect");
    asked.join().expect("no panic");
}

#[test]
fn a_change_is_sent_again_under_its_name_where_its_answer_was_lost() {
    let problem = json!({"detail": "the database is away", "errors": null});
    let (url, asked) = scripted(vec![
        String::new(),
        answer("503 Service Unavailable", &problem),
        answer("200 OK", &round(true, None)),
    ]);
    run(&url, &VOID).succeeded();
    let asked = asked.join().expect("no panic");
    let names: Vec<String> = asked.iter().map(|request| change_id(request)).collect();
    assert_eq!(names[0].len(), 32, "{names:?}");
    assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
}

#[test]
fn a_service_that_stays_away_or_moves_or_is_none_is_said() {
    let problem = json!({"detail": "the database is \u{1b}[2Jaway", "errors": null});
    let moved = "HTTP/1.1 301 Moved\r\nLocation: https://there\r\nContent-Length: 0\r\n\r\n";
    let away = || answer("503 Service Unavailable", &problem);
    for (answers, says) in [
        (vec![away(), away(), away()], "the database is"),
        (vec![moved.to_owned()], "https://there"),
        (vec![answer("500 Oops", &json!("proxy"))], "status 500"),
    ] {
        let (url, asked) = scripted(answers);
        let ended = run(&url, &["quality"]).failed();
        assert_eq!(ended.code, Some(5), "{ended:#?}");
        ended.says(says);
        assert!(!ended.stderr.contains('\u{1b}'), "{ended:#?}");
        assert!(!format!("{ended:?}").contains("hunter2"), "{ended:#?}");
        asked.join().expect("no panic");
    }
    let (url, asked) = scripted(vec![answer("200 OK", &json!({"other": 1}))]);
    let other = run(&url, &["quality"]).failed();
    assert_eq!(other.code, Some(1), "{other:#?}");
    other.says("version");
    asked.join().expect("no panic");
}
