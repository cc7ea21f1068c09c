//! Runs the `rbs-lab` binary.

#![expect(clippy::expect_used, reason = "a test fails by a panic with a message")]

mod evaluate;
mod faults;
mod simulate;
mod tune;

use std::path::PathBuf;
use std::process::Command;

use serde_json::json;
use tempfile::TempDir;

struct Folder(TempDir);

#[derive(Debug)]
struct Finished {
    is_success: bool,
    stdout: String,
    stderr: String,
}

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).expect("a file is written");
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        let output = Command::new(env!("CARGO_BIN_EXE_rbs-lab"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .expect("the program runs");
        Finished {
            is_success: output.status.success(),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Finished {
    fn succeeded(self) -> Self {
        assert!(self.is_success, "{self:#?}");
        self
    }

    fn failed(self) -> Self {
        assert!(!self.is_success, "{self:#?}");
        self
    }
}

/// One JSON line: a round of 3 v 3 among 23 players.
fn line(number: usize, server: &str) -> String {
    let player = |offset: usize| format!("[U:1:{}]", 1 + (number * 7 + offset * 5) % 23);
    let winner = ["a", "b", "a", "draw", "b", "a", "a"][number % 7];
    let round = json!({
        "round_id": format!("{server}:{number}"), "server": server, "map": "Übungsgelände 竞技场",
        "ended_at": 1_763_640_000 + 60 * number, "winner": winner,
        "team_a": [player(0), player(1), {"id": player(2), "participated": false}],
        "team_b": [player(3), player(4), {"id": player(5), "at_start": false}],
    });
    round.to_string()
}
