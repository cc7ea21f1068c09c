//! Runs the client `examples/client.py` against the `rbs` binary.

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Value, json};

use super::proxy::{Cut, Proxy, Way};
use super::site::{Site, plainly};
use crate::cli::Folder;
use crate::cli::process::{Finished, Process};
use crate::support::{Database, Need, SECRET, send};

/// Exit code of the client if the service is unavailable.
const AWAY: Option<i32> = Some(75);
/// An address where nothing listens.
const NOWHERE: &str = "127.0.0.1:9";

on_both_engines!(
    a_round_counts_once_though_its_answer_is_lost_and_the_client_is_killed,
    a_refused_round_is_set_aside_and_counts_once_it_is_mended_and_imported,
    while_the_service_is_away_rounds_are_kept_and_teams_come_from_the_last_table,
    a_notice_is_shown_once_and_given_back,
    names_go_along_and_cost_no_round,
);

struct GameServer {
    site: Site,
    url: String,
    folder: Folder,
}

impl GameServer {
    /// Returns `None` if Python is missing and the test may be skipped.
    fn start(database: &Database) -> Option<Self> {
        if Need::Program("python3").is_left_out() {
            return None;
        }
        let asked = Command::new("python3").arg("--version").output();
        let version = asked.unwrap_or_else(|error| {
            panic!(
                "the tests of examples/client.py need python3 ({error}): run scripts/test.sh, which installs it, or \
                 install the package python3"
            )
        });
        assert!(version.status.success(), "python3 --version: {version:?}");
        let url = database.url_text();
        let site = Site::open(&url, 1, plainly);
        let folder = Folder::new();
        folder.write("secret", SECRET);
        Some(Self { site, url, folder })
    }

    fn service(&self) -> String {
        self.site.address(0)
    }

    /// Starts the client against `address`, with `[timeout, pause]` between attempts in seconds.
    fn client(&self, address: &str, what: &str, input: &Value, pauses: [&str; 2]) -> Process {
        self.folder.write("input.json", input.to_string());
        Process::start(&mut self.command(address, what, pauses))
    }

    fn command(&self, address: &str, what: &str, [timeout, pause]: [&str; 2]) -> Command {
        let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/client.py");
        let mut command = Command::new("sh");
        // Replaces the shell, so that a signal reaches the client.
        command.args([
            "-c",
            "exec python3 \"$@\" <\"$0\"",
            "input.json",
            program,
            what,
        ]);
        command.args(["--url", &format!("http://{address}"), "--server", "arena-1"]);
        command.args(["--secret-file", "secret", "--state", "state"]);
        command.args(["--timeout", timeout, "--pause", pause]);
        command
            .current_dir(self.folder.path(""))
            .env("no_proxy", "*");
        command
    }

    fn client_reads(&self, text: &str, what: &str) -> Finished {
        let mut client = self.command(&self.service(), what, ["0", "1"]);
        self.folder.write("input.json", text);
        Process::start(&mut client).finish()
    }

    fn once(&self, address: &str, what: &str, input: &Value) -> Finished {
        self.client(address, what, input, ["0", "1"]).finish()
    }

    fn files(&self, folder: &str) -> Vec<PathBuf> {
        let folder = self.folder.path(&format!("state/arena-1/{folder}"));
        let entries = std::fs::read_dir(folder).expect("a folder of the client's");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        let rounds = |path: &PathBuf| {
            path.extension()
                .is_some_and(|extension| extension == "json")
        };
        paths.filter(rounds).collect()
    }

    async fn rounds(&self) -> Value {
        let (_, quality) = self
            .ask("GET", "/v1/admin/quality?pool=arena", &json!(null))
            .await;
        quality["rounds"].clone()
    }

    async fn ask(&self, method: &str, path: &str, body: &Value) -> (reqwest::StatusCode, Value) {
        let client = reqwest::Client::builder()
            .no_proxy()
            .build()
            .expect("a client");
        let method = method.parse().expect("a method");
        let request = client.request(method, format!("http://{}{path}", self.service()));
        let request = request.bearer_auth(SECRET);
        let request = if body.is_null() {
            request
        } else {
            request.json(body)
        };
        send(request).await
    }

    fn assert_at_rest(self) {
        assert_eq!(self.files("queue"), Vec::<PathBuf>::new());
        let folder = Folder::new();
        self.site.stop();
        folder.run_on(&self.url, &["check"]).succeeded();
    }
}

fn players() -> Vec<String> {
    (1..=5_u64)
        .map(|number| (76_561_197_960_265_728 + number).to_string())
        .collect()
}

fn round(winner: &str) -> Value {
    let players = players();
    json!({"winner": winner, "map": "arena_well", "team_a": players[..2], "team_b": players[2..4]})
}

fn answer(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

/// Answers to rounds, sorted by file name and therefore by end time.
fn answers(finished: &Finished) -> Vec<Value> {
    let Value::Object(answers) = answer(finished) else {
        panic!("no answers by name: {finished:#?}");
    };
    answers.into_iter().map(|(_, answer)| answer).collect()
}

async fn a_round_counts_once_though_its_answer_is_lost_and_the_client_is_killed(
    database: &Database,
) {
    let Some(server) = GameServer::start(database) else {
        return;
    };
    // The proxy passes bytes on to any server.
    let wire = Proxy::start(&format!("postgres://any@{}/any", server.service())).await;
    let lost = || wire.cut(Cut::Within(Way::ToClient, 1));
    let waiting = async { server.client(&wire.place(), "round", &round("a"), ["3600", "3600"]) };
    let ((), mut killed) = tokio::join!(lost(), waiting);
    killed.kill();
    assert_eq!(server.rounds().await, 1, "only the answer was lost");
    assert_eq!(server.files("queue").len(), 1);
    let anew = server.once(&wire.place(), "flush", &json!({})).succeeded();
    assert_eq!(answers(&anew)[0]["duplicate"], true, "{anew:#?}");
    assert_eq!(server.rounds().await, 1);

    // A client that keeps running retries by itself.
    let waiting = async { server.client(&wire.place(), "round", &round("b"), ["60", "0.1"]) };
    let ((), survivor) = tokio::join!(lost(), waiting);
    let survivor = survivor.finish().succeeded();
    assert_eq!(answers(&survivor)[0]["duplicate"], true, "{survivor:#?}");
    assert!(survivor.stderr.contains("sent again in"), "{survivor:#?}");
    assert_eq!(server.rounds().await, 2);
    server.assert_at_rest();
}

async fn a_refused_round_is_set_aside_and_counts_once_it_is_mended_and_imported(
    database: &Database,
) {
    let Some(server) = GameServer::start(database) else {
        return;
    };
    let refused = server
        .once(&server.service(), "round", &round("c"))
        .failed();
    assert_eq!(refused.code, Some(1), "{refused:#?}");
    assert!(refused.stderr.contains("/winner is \"c\""), "{refused:#?}");
    assert!(answers(&refused)[0]["error"].is_string(), "{refused:#?}");
    let next = server
        .once(&server.service(), "round", &round("b"))
        .succeeded();
    assert_eq!(answers(&next)[0]["duplicate"], false, "{next:#?}");
    assert_eq!(server.rounds().await, 1);

    let [file] = server
        .files("refused")
        .try_into()
        .expect("the one that was refused");
    let text = std::fs::read_to_string(&file).expect("a round");
    std::fs::write(&file, text.replace("\"c\"", "\"a\"")).expect("it is mended");
    let name = file.to_str().expect("a path in UTF-8");
    server
        .site
        .folder
        .run_on(&server.url, &["import", name])
        .succeeded();
    assert_eq!(server.rounds().await, 2);
    server.assert_at_rest();
}

async fn while_the_service_is_away_rounds_are_kept_and_teams_come_from_the_last_table(
    database: &Database,
) {
    let Some(server) = GameServer::start(database) else {
        return;
    };
    let here = json!({"players": players()});
    let none = server.once(NOWHERE, "scramble", &here).failed();
    assert_eq!(none.code, AWAY, "there is no last table: {none:#?}");
    let table = answer(
        &server
            .once(&server.service(), "scramble", &here)
            .succeeded(),
    );
    assert_eq!(table["away"], Value::Null);
    let sizes = ["a", "b", "waiting"].map(|team| table["teams"][team].as_array().map(Vec::len));
    assert_eq!(sizes, [Some(2), Some(2), Some(1)], "{table}");

    for winner in ["a", "b"] {
        let kept = server.once(NOWHERE, "round", &round(winner)).failed();
        assert_eq!(kept.code, AWAY, "{kept:#?}");
        assert!(kept.stderr.contains("does not answer"), "{kept:#?}");
    }
    // One player of the last table has left: a waiting player substitutes, and a new player waits.
    let (left, new) = (&table["teams"]["a"][0], json!("76561197960265799"));
    let mut others: Vec<Value> = players()
        .into_iter()
        .map(Value::from)
        .filter(|id| id != left)
        .collect();
    others.push(new.clone());
    let last = answer(
        &server
            .once(NOWHERE, "scramble", &json!({"players": others}))
            .succeeded(),
    );
    assert!(
        last["away"]
            .as_str()
            .is_some_and(|why| why.contains("does not answer")),
        "{last}"
    );
    assert_eq!(
        last["teams"]["a"],
        json!([table["teams"]["a"][1], table["teams"]["waiting"][0]])
    );
    assert_eq!(last["teams"]["waiting"], json!([new]));

    server.folder.write("secret", "another-secret-than-that");
    let denied = server.once(&server.service(), "flush", &json!({})).failed();
    assert_eq!(denied.code, Some(1), "{denied:#?}");
    assert_eq!(server.files("queue").len(), 2);
    server.folder.write("secret", SECRET);

    let back = server
        .once(&server.service(), "flush", &json!({}))
        .succeeded();
    let counted: Vec<Value> = answers(&back)
        .iter()
        .map(|answer| answer["duplicate"].clone())
        .collect();
    assert_eq!(counted, [false, false], "{back:#?}");
    let Value::Object(names) = answer(&back) else {
        panic!("{back:#?}")
    };
    let hello = server.once(
        &server.service(),
        "hello",
        &json!({"players": players(), "map": "arena_well"}),
    );
    let hello = answer(&hello.succeeded());
    assert_eq!(
        hello["last_round_id"].as_str(),
        names.keys().next_back().map(String::as_str),
        "in their order"
    );
    assert_eq!(hello["table"]["players"], table["players"]);
    server.assert_at_rest();
}

async fn a_notice_is_shown_once_and_given_back(database: &Database) {
    let Some(server) = GameServer::start(database) else {
        return;
    };
    let wish = json!({"reason": "unfair teams"});
    let (status, _) = server
        .ask("POST", "/v1/admin/servers/arena-1/scramble", &wish)
        .await;
    assert!(status.is_success(), "{status}");
    let hello = json!({"players": []});
    let shown = |finished: &Finished| finished.stderr.matches("unfair teams").count();
    let first = server.once(&server.service(), "hello", &hello).succeeded();
    assert_eq!(shown(&first), 1, "{first:#?}");
    // A scramble acknowledges nothing, so the notice is repeated.
    let second = server
        .once(
            &server.service(),
            "scramble",
            &json!({"players": players()}),
        )
        .succeeded();
    assert_eq!(
        answer(&second)["notices"].as_array().map(Vec::len),
        Some(1),
        "{second:#?}"
    );
    let third = server
        .once(&server.service(), "round", &round("a"))
        .succeeded();
    assert_eq!(answers(&third)[0]["notices"], json!([]), "{third:#?}");
    assert_eq!(shown(&second) + shown(&third), 0, "{second:#?} {third:#?}");
    server.assert_at_rest();
}

async fn names_go_along_and_cost_no_round(database: &Database) {
    let Some(server) = GameServer::start(database) else {
        return;
    };
    let [one, other, third, fourth, _] = players().try_into().expect("five");
    let called = |id: &str, name: Value| json!({"id": id, "name": name});
    let here = json!({"players": [called(&one, json!("Ada")), other]});
    server.once(&server.service(), "hello", &here).succeeded();
    let mut round = round("a");
    round["team_a"] = json!([called(&one, json!(7)), called(&other, json!("HALF"))]);
    round["team_b"] = json!([
        called(&third, json!("\u{202e}Eve")),
        called(&fourth, json!("é".repeat(70)))
    ]);
    // Half of a surrogate pair, which Python yields for a name in invalid UTF-8.
    let text = round.to_string().replace("HALF", "half \\ud83d");
    let counted = server.client_reads(&text, "round").succeeded();
    assert_eq!(answers(&counted)[0]["duplicate"], false, "{counted:#?}");
    for (id, expected) in [
        (&one, "Ada".to_owned()),
        (&other, "half".to_owned()),
        (&third, "Eve".to_owned()),
        (&fourth, "é".repeat(64)),
    ] {
        let path = format!("/v1/players/{id}?pool=arena");
        let (_, player) = server.ask("GET", &path, &json!(null)).await;
        assert_eq!(player["name"], expected, "{player}");
    }
    let lobby: Vec<Value> = players().iter().map(|id| called(id, json!("x"))).collect();
    let table = server.once(&server.service(), "scramble", &json!({"players": lobby}));
    let table = answer(&table.succeeded());
    assert_eq!(
        table["teams"]["a"].as_array().map(Vec::len),
        Some(2),
        "{table}"
    );
    server.assert_at_rest();
}
