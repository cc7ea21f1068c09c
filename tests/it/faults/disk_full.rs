//! SQLite's disk is full for some time.

use std::process::Command;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;

use super::longest;
use super::site::Site;
use crate::cli::{Folder, clean};
use crate::support::{Database, Dice, Engine, SECRET, run_bare_within};

/// Maximum growth of the write-ahead log before the fault.
const ROOM: usize = 64 * 1024;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_loses_nothing_and_the_service_goes_on_once_there_is_room() {
    run_bare_within(longest(), Engine::Sqlite, async |database| {
        let log = file(database, "-wal");
        let site = Site::open(&database.url_text(), 1, in_a_shell_that_spares_it);
        let fill = async |site: &mut Site, dice: &mut Dice| {
            let length = std::fs::metadata(&log).map_or(0, |log| log.len());
            let limit = length + dice.below(ROOM) as u64;
            limit_files(site.process_id(0), &limit.to_string());
            tokio::time::sleep(Duration::from_millis(100 + dice.below(300) as u64)).await;
            limit_files(site.process_id(0), "unlimited");
        };
        let verdict = site.withstand("disk full, SQLite", 6, fill).await;
        assert!(verdict.failures > 0, "the disk was never full: {verdict:?}");
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_named_where_a_round_or_readiness_meets_it_and_passes() {
    run_bare_within(longest(), Engine::Sqlite, async |database| {
        let site = Site::open(&database.url_text(), 1, in_a_shell_that_spares_it);
        let client = reqwest::Client::new();
        let address = |path: &str| format!("http://{}{path}", site.address(0));
        let send = async |request: reqwest::RequestBuilder| {
            let answer = request.bearer_auth(SECRET).send().await.expect("an answer");
            (answer.status(), answer.text().await.expect("a body"))
        };
        let ask = async |path: &str| send(client.get(address(path))).await;
        let round = json!({
            "round_id": "1", "server": "s", "winner": "a",
            "team_a": ["76561197960265729"], "team_b": ["76561197960265730"],
        });
        let report = async || send(client.post(address("/v1/update")).json(&round)).await;

        assert_eq!(ask("/readyz").await.0, StatusCode::OK);
        let length = std::fs::metadata(file(database, "-wal")).expect("a write-ahead log");
        limit_files(site.process_id(0), &length.len().to_string());
        let (status, text) = ask("/readyz").await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
        assert!(text.contains("the disk of the database is full"), "{text}");
        let (status, text) = report().await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{text}");
        assert!(text.contains("the disk is full"), "{text}");
        let (_, text) = ask("/metrics").await;
        assert!(text.contains("\nrbs_database_disk_full 1\n"), "{text}");

        limit_files(site.process_id(0), "unlimited");
        assert_eq!(ask("/readyz").await.0, StatusCode::OK);
        let (status, text) = report().await;
        assert_eq!(status, StatusCode::OK, "{text}");
        site.stop();
    })
    .await;
}

fn file(database: &Database, suffix: &str) -> String {
    let url = database.url_text();
    let path = url.strip_prefix("sqlite://").expect("a file");
    format!("{path}{suffix}")
}

/// Ignores SIGXFSZ, so writes over the file size limit fail as on a full disk. Filling a real disk requires root.
fn in_a_shell_that_spares_it(folder: &Folder, url: &str) -> Command {
    // Called for its side effect: writes the configuration.
    let _plain = folder.rbs_on(url, &[]);
    let mut command = clean("bash", &folder.path("."));
    command
        .args(["-c", "trap '' XFSZ; exec \"$0\"", env!("CARGO_BIN_EXE_rbs")])
        .env("DATABASE_URL", url);
    command
}

/// Limits the file size of the process, in bytes or `unlimited`.
fn limit_files(process: u32, limit: &str) {
    let process = process.to_string();
    // Only the soft limit, because the hard limit could not be raised again.
    let limit = format!("--fsize={limit}:");
    let set = Command::new("prlimit")
        .args(["--pid", &process, &limit])
        .status();
    assert!(set.expect("prlimit runs").success(), "{limit} is not set");
}
