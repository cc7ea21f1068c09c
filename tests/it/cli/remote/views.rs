//! With `--json`, commands that show data of a running service print the bytes of the corresponding GET path.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::lost_answers::read;
use crate::cli::process::Process;
use crate::cli::running::Running;
use crate::support::Database;

on_both_engines!(commands_print_the_very_bytes_that_the_service_answers);

/// Commands, and the path that each shows.
const VIEWS: [(&str, &str); 32] = [
    ("audit", "/v1/admin/audit?limit=20"),
    (
        "audit --pool default --limit 1",
        "/v1/admin/audit?pool=default&limit=1",
    ),
    ("interventions", "/v1/admin/interventions?limit=20"),
    (
        "interventions --server public-1",
        "/v1/admin/interventions?server=public-1&limit=20",
    ),
    ("interventions summary", "/v1/admin/interventions/summary"),
    (
        "interventions summary --pool arena --days 3",
        "/v1/admin/interventions/summary?pool=arena&days=3",
    ),
    ("leaderboard", "/v1/leaderboard?limit=20"),
    (
        "leaderboard --pool arena --rank 1 --season 0",
        "/v1/leaderboard?pool=arena&limit=20&rank=1&season=0",
    ),
    ("models", "/v1/admin/models"),
    ("models --pool arena", "/v1/admin/models?pool=arena"),
    (
        "player powers [U:1:1]",
        "/v1/admin/players/76561197960265729/powers",
    ),
    (
        "player powers STEAM_0:1:0 --pool arena --mode ctf",
        "/v1/admin/players/76561197960265729/powers?pool=arena&mode=ctf",
    ),
    ("players", "/v1/admin/players?limit=20"),
    (
        "players --rank 1 --pool arena",
        "/v1/admin/players?pool=arena&rank=1&limit=20",
    ),
    (
        "players [U:1:1] --filter new --sort=-rating --limit 3",
        "/v1/admin/players?search=%5BU:1:1%5D&filter=new&sort=-rating&limit=3",
    ),
    ("pools", "/v1/admin/pools"),
    ("quality", "/v1/admin/quality"),
    ("quality --pool arena", "/v1/admin/quality?pool=arena"),
    ("refusals", "/v1/admin/refusals"),
    ("rounds", "/v1/admin/rounds?limit=20"),
    (
        "rounds --server public-1 --limit 3",
        "/v1/admin/rounds?server=public-1&limit=3",
    ),
    (
        "rounds --map cp_dustbowl --player [U:1:1]",
        "/v1/admin/rounds?map=cp_dustbowl&player=76561197960265729&limit=20",
    ),
    (
        "rounds --from 1763640000 --to 1763641200",
        "/v1/admin/rounds?from=2025-11-20T12:00:00Z&to=2025-11-20T12:20:00Z&limit=20",
    ),
    (
        "rounds --received-from 2026-11-20 --received-to 2026-11-21",
        "/v1/admin/rounds?received_from=2026-11-20T00:00:00Z&received_to=2026-11-21T00:00:00Z&limit=20",
    ),
    ("rounds show .. .", "/v1/admin/rounds/..~/.~"),
    ("settings", "/v1/admin/settings"),
    ("settings --diagnostics", "/v1/admin/diagnostics"),
    ("scramble arena-1", "/v1/scramble?server=arena-1"),
    ("scramble show arena-1", "/v1/scramble?server=arena-1"),
    (
        "scramble arena-1 --round a/b",
        "/v1/admin/rounds/arena-1/a%2Fb/scramble",
    ),
    ("servers", "/v1/admin/servers"),
    ("servers --pool arena", "/v1/admin/servers?pool=arena"),
];

async fn commands_print_the_very_bytes_that_the_service_answers(database: &Database) {
    let running = Running::start_on(database);
    let relay = Relay::start(&running.address);
    let players = ["[U:1:1]", "[U:1:2]", "[U:1:3]", "[U:1:4]", "[U:1:5]"];
    let (of_a, of_b) = players.split_at(2);
    for (path, body, status) in [
        (
            "/v1/scramble",
            json!({"server": "arena-1", "players": players}),
            "200",
        ),
        (
            "/v1/update",
            json!({"server": "arena-1", "round_id": "a/b", "winner": "a", "team_a": of_a, "team_b": of_b}),
            "200",
        ),
        (
            "/v1/update",
            json!({"server": "arena-1", "winner": "red"}),
            "422",
        ),
        (
            "/v1/update",
            json!({"server": "..", "round_id": ".", "winner": "b", "team_a": of_a, "team_b": of_b}),
            "200",
        ),
        (
            "/v1/balance",
            json!({"server": "public-1", "team_a": &players[..4], "team_b": &players[4..]}),
            "200",
        ),
    ] {
        assert_eq!(running.post(path, &body), status, "{path} {body}");
    }
    for rating in ["1500", "1400"] {
        running
            .run(&["player", "set", "[U:1:1]", rating, "--yes"])
            .succeeded();
    }
    for (arguments, path) in VIEWS {
        let mut command = running
            .folder
            .rbs(&arguments.split(' ').collect::<Vec<_>>());
        command.args(["--json"]).env("RBS_URL", &relay.url);
        let printed = Process::start(command.env("RBS_SECRET", running.secret()))
            .finish()
            .succeeded();
        let relayed = std::mem::take(&mut *relay.relayed.lock().expect("no panic"));
        let answer = relayed
            .iter()
            .find(|(asked, _)| parts(asked) == parts(path));
        let (_, answer) = answer.unwrap_or_else(|| panic!("rbs {arguments}: {relayed:#?}"));
        assert_eq!(printed.stdout, format!("{answer}\n"), "rbs {arguments}");
    }
    running.stop();
}

/// Path and query parameters, whose order is irrelevant.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = path.split(['?', '&']).collect();
    parts.sort_unstable();
    parts
}

/// A proxy that records paths and answers.
struct Relay {
    url: String,
    relayed: Arc<Mutex<Vec<(String, String)>>>,
}

impl Relay {
    fn start(service: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let relayed = Arc::new(Mutex::new(Vec::new()));
        let (service, kept) = (service.to_owned(), Arc::clone(&relayed));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let mut client = client.expect("a connection");
                let request = read(&mut client);
                let path = request.split(' ').nth(1).expect("a path").to_owned();
                let mut service = TcpStream::connect(&service).expect("a service");
                let closing = request.replacen("\r\n", "\r\nConnection: close\r\n", 1);
                service.write_all(closing.as_bytes()).expect("it is sent");
                let mut answer = String::new();
                service.read_to_string(&mut answer).expect("an answer");
                let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
                let mut kept = kept.lock().expect("no panic");
                kept.push((path, body.to_owned()));
                client.write_all(answer.as_bytes()).expect("it is sent");
            }
        });
        Self { url, relayed }
    }
}
