//! Files for `rbs import` with invalid lines.

use std::io::Write as _;
use std::process::Command;

use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use super::generate::body;
use super::{logs, number, runner};
use crate::support::Database;

on_both_engines!(no_file_breaks_an_import);

/// Default number of files for each database.
const FILES: u32 = 12;
/// Approximate number of lines of a file.
const LINES: usize = 60;

async fn no_file_breaks_an_import(database: &Database) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rounds.jsonl");
    let lines = prop::collection::vec(body("a line of a file"), 1..LINES);
    let mut runner = runner();
    let mut taken = 0;
    for file in 0..number("RBS_FUZZ_CASES", FILES * 100).div_ceil(100) {
        let lines = lines.new_tree(&mut runner).expect("lines").current();
        let mut text = Vec::new();
        for line in &lines {
            // Another test covers lines above the length limit.
            text.extend(line.iter().take(5_000).filter(|byte| **byte != b'\n'));
            text.push(b'\n');
        }
        std::fs::File::create(&path)
            .and_then(|mut file| file.write_all(&text))
            .expect("the file is written");
        let output = Command::new(env!("CARGO_BIN_EXE_rbs"))
            .args(["import", "--keep-going"])
            .arg(&path)
            .current_dir(folder.path())
            .env_clear()
            .env("DATABASE_URL", database.url_text())
            .output()
            .expect("the program runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let context = || format!("file {file}: {said}");
        let code = output.status.code().expect("an exit code");
        assert!(code <= 1, "exit code {code}, {}", context());
        taken += usize::from(code == 0);
        assert!(!said.contains("panicked"), "{}", context());
        for line in said.split_inclusive('\n') {
            if let Some(why) = logs::problem(line) {
                panic!("{why}, {}", context());
            }
        }
    }
    assert!(taken > 0, "no file was taken");
}
