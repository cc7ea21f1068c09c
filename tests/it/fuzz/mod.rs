//! Random requests never cause a panic or an internal error. Every refusal has the documented shape, no answer contains
//! a secret or data of another pool, and each event is one line in the log.
//!
//! Every run has the same cases. `RBS_FUZZ_CASES` sets their number for each database, and `RBS_FUZZ_SEED` selects
//! other cases:
//!
//! ```sh
//! RBS_FUZZ_CASES=100000 RBS_FUZZ_SEED=7 scripts/test.sh --test it fuzz::
//! ```

mod bodies;
mod corpus;
mod entries;
mod generate;
mod logs;
mod paths;
mod target;

use std::io::Write as _;
use std::process::Command;

use proptest::collection::vec;
use proptest::strategy::{Strategy, ValueTree as _};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{Database, Engine, run_bare};
use target::Target;

on_both_engines!(no_file_breaks_an_import);

/// Default number of requests for each database.
const CASES: u32 = 3_000;
/// Default number of files for each database.
const FILES: u32 = 12;
/// Approximate number of lines of a file.
const LINES: usize = 60;

fn number(variable: &str, default: u32) -> u32 {
    let text = std::env::var(variable).ok();
    text.map_or(default, |text| {
        text.parse()
            .unwrap_or_else(|error| panic!("{variable} is {text:?}: {error}"))
    })
}

/// Deterministic for a seed.
fn runner() -> TestRunner {
    let mut seed = [0; 32];
    seed[..4].copy_from_slice(&number("RBS_FUZZ_SEED", 7).to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    TestRunner::new_with_rng(Config::default(), random)
}

#[tokio::test]
async fn no_request_breaks_the_service_on_sqlite() {
    Box::pin(run_bare(Engine::Sqlite, no_request_breaks)).await;
}

#[tokio::test]
async fn no_request_breaks_the_service_on_postgres() {
    Box::pin(run_bare(Engine::Postgres, no_request_breaks)).await;
}

/// Runs on one thread, because the log of only that thread is captured.
async fn no_request_breaks(database: &Database) {
    let target = Target::start(database).await;
    let mut runner = runner();
    let requests = generate::request();
    let mut counts = std::collections::BTreeMap::new();
    for number in 0..self::number("RBS_FUZZ_CASES", CASES) {
        let mut tree = requests.new_tree(&mut runner).expect("a request");
        let Err(mut why) = target.try_out(&tree.current(), &mut counts).await else {
            continue;
        };
        // Shrinks to a minimal failing case.
        let mut least = tree.current();
        let mut simpler = tree.simplify();
        while simpler {
            match target.try_out(&tree.current(), &mut counts).await {
                Err(reason) => {
                    (least, why) = (tree.current(), reason);
                    simpler = tree.simplify();
                }
                Ok(()) => simpler = tree.complicate(),
            }
        }
        panic!("request {number}: {why}\n{least:#?}");
    }
    // Checks that the cases reach every status; otherwise the test would prove little.
    for status in [200, 400, 401, 403, 404, 405, 409, 413, 415, 422] {
        let times = counts.get(&status).copied().unwrap_or_default();
        assert!(times > 0, "no answer had the status {status}: {counts:?}");
    }
    target.stop().await;
}

/// Files for `rbs import` with invalid lines.
async fn no_file_breaks_an_import(database: &Database) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("rounds.jsonl");
    let lines = vec(generate::body("a line of a file"), 1..LINES);
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
