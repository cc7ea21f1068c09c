//! `rbs prune` moves old rounds to files, and the database continues without them.

use std::fs;

use serde_json::{Value, json};

use super::Folder;
use super::rounds::{change, lines, tally};
use crate::support::{Database, Engine};

on_both_engines!(a_prune_moves_rounds_into_files_and_leaves_every_figure);

/// End of the first sixty rounds of [`lines`].
const BEFORE: &str = "2025-11-20T13:00:01Z";

fn void(id: &str, round_id: &str, kind: &str) -> String {
    json!({
        "change": kind, "change_id": id, "server": "public-1", "round_id": round_id,
        "at": "2026-11-20T12:00:00.000001Z",
    })
    .to_string()
}

/// Every rating and sum of the database, as text.
async fn computed(database: &Database) -> Vec<String> {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let mut all = Vec::new();
    for pool in tx.pools().await.expect("pools") {
        let players = tx.players_after(pool.id, None, 1000).await;
        let (sums, calibration) = (pool.sums.predictions, pool.sums.calibration);
        let players = players.expect("players");
        all.push(format!(
            "{} {sums:?} {calibration:?} {players:?}",
            pool.name
        ));
    }
    drop(tx);
    store.close().await;
    all
}

async fn a_prune_moves_rounds_into_files_and_leaves_every_figure(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    let (half, all) = (lines(60), lines(120));
    let rest = all
        .strip_prefix(&half)
        .expect("the first lines are the same");
    let changes = [
        change("c1", 8, Some(2000)),
        change("c2", 3, None),
        void("v1", "public-1:7", "void"),
        void("v2", "public-1:11", "void"),
        void("v3", "public-1:11", "unvoid"),
        void("v4", "public-1:111", "void"),
    ]
    .join("\n");
    folder.write(
        "rounds.jsonl",
        format!("{half}{}\n{rest}{changes}\n", change("c0", 2, None)),
    );
    assert_eq!(
        tally(&run(&["import", "rounds.jsonl"]).succeeded()),
        [120, 0, 7, 0]
    );
    let before = computed(database).await;

    let prune = ["prune", "--before", BEFORE, "--to", "files"];
    let nowhere = run(&prune).failed();
    assert!(
        nowhere.stderr.contains("no folder files; make it"),
        "{nowhere:?}"
    );
    folder.write(
        "files/default-000000000001-000000000048.jsonl.gz",
        "something else",
    );
    let other = run(&[&prune[..], &["--pool", "default"]].concat()).failed();
    assert!(other.stderr.contains("cannot read"), "{other:?}");
    fs::remove_dir_all(folder.path("files")).expect("a folder is removed");
    fs::create_dir(folder.path("files")).expect("a folder");
    let recent = run(&["prune", "--before", "2999-01-01T00:00:00Z", "--to", "files"]).failed();
    assert!(recent.stderr.contains("30 days"), "{recent:?}");

    let done = run(&[&prune[..], &["--json"]].concat()).succeeded();
    let report: Value = serde_json::from_str(&done.stdout).expect("JSON");
    let pools = report["pools"].as_array().expect("pools");
    let rounds: Vec<_> = pools
        .iter()
        .map(|pool| (&pool["pool"], &pool["rounds"]))
        .collect();
    assert_eq!(
        rounds[..2],
        [
            (&json!("arena"), &json!(12)),
            (&json!("default"), &json!(48))
        ]
    );
    assert_eq!(computed(database).await, before);
    run(&["check"]).succeeded();
    run(&["rebuild", "--dry-run"]).succeeded();
    run(&["rebuild"]).succeeded();
    run(&["check"]).succeeded();
    assert_eq!(computed(database).await, before);
    let again = run(&prune).succeeded();
    assert!(
        again.stdout.contains("Pool default: nothing to prune"),
        "{again:?}"
    );
    let again = run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&again), [0, 127, 0, 0], "nothing is counted twice");
    folder.write("late.jsonl", void("v9", "public-1:3", "void"));
    let late = run(&["import", "late.jsonl"]).failed();
    assert!(late.stderr.contains("pruned on 20"), "{late:?}");

    run(&["export", "--output", "rest.jsonl"]).succeeded();
    let copy = Database::create(Engine::Sqlite).await;
    let mut files: Vec<String> = fs::read_dir(folder.path("files"))
        .expect("a folder")
        .map(|file| file.expect("a file").path().display().to_string())
        .collect();
    files.sort();
    files.push("rest.jsonl".to_owned());
    let mut import = vec!["import"];
    import.extend(files.iter().map(String::as_str));
    let copied = folder.run_on(&copy.url_text(), &import).succeeded();
    assert_eq!(tally(&copied), [120, 0, 7, 0]);
    assert_eq!(computed(&copy).await, before);
    copy.remove().await;
}

#[test]
fn a_window_that_is_longer_than_what_a_prune_has_left_is_refused() {
    let folder = Folder::new();
    let window = |window: u32| {
        let text = format!("[rating]\nwindow = {window}\n[pools.arena]\n");
        folder.write("config/rbs.toml", text);
    };
    folder.write("rounds.jsonl", lines(40));
    window(20);
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    fs::create_dir(folder.path("files")).expect("a folder");
    let prune = [
        "prune",
        "--before",
        "2025-11-20T12:30:00Z",
        "--to",
        "files",
        "--pool",
        "default",
    ];
    folder.run(&prune).succeeded();
    window(21);
    let refused = folder.run(&["import", "rounds.jsonl"]).failed();
    let said = "window = 21 of the pool default is longer than 20 rounds";
    assert!(refused.stderr.contains(said), "{refused:?}");
    folder.run(&["check"]).succeeded();
    window(19);
    folder.run(&["import", "rounds.jsonl"]).succeeded();
}
