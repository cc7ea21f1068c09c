//! `rbs prune` moves old rounds to files, and the database continues without them.

use std::fs;

use serde_json::json;

use super::rebuild::void;
use super::rounds::{change, lines, tally};
use super::{Folder, fields, words};
use crate::support::{Database, Engine};

on_both_engines!(a_prune_moves_rounds_into_files_and_leaves_every_figure);

/// End of the first sixty rounds of [`lines`].
const BEFORE: &str = "2025-11-20T13:00:01Z";

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
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    let (half, all) = (lines(60), lines(120));
    let rest = all
        .strip_prefix(&half)
        .expect("the first lines are the same");
    let changes = [
        change("c1", 8, Some(2000)),
        change("c2", 3, None),
        void("v1", "public-1", "public-1:7", "void"),
        void("v2", "public-1", "public-1:11", "void"),
        void("v3", "public-1", "public-1:11", "unvoid"),
        void("v4", "public-1", "public-1:111", "void"),
    ]
    .join("\n");
    folder.write(
        "rounds.jsonl",
        format!("{half}{}\n{rest}{changes}\n", change("c0", 2, None)),
    );
    let imported = run("import rounds.jsonl").succeeded();
    assert_eq!(tally(&imported), [120, 0, 7, 0]);
    let before = computed(database).await;

    let prune = format!("prune --before {BEFORE} --to files");
    run(&prune).failed().says("no folder files; make it");
    folder.write(
        "files/default-000000000001-000000000048.jsonl.gz",
        "something else",
    );
    let other = run(&format!("{prune} --pool default")).failed();
    other.says("cannot read");
    fs::remove_dir_all(folder.path("files")).expect("a folder is removed");
    fs::create_dir(folder.path("files")).expect("a folder");
    let recent = run("prune --before 2999-01-01T00:00:00Z --to files").failed();
    recent.says("30 days");

    let report = run(&format!("{prune} --json")).succeeded().json();
    let [arena, default] = [0, 1].map(|pool| &report["pools"][pool]);
    assert_eq!(fields(arena, ["pool", "rounds"]), json!(["arena", 12]));
    assert_eq!(default["rounds"], 48, "{report}");
    assert_eq!(computed(database).await, before);
    run("rebuild --dry-run").succeeded();
    run("rebuild").succeeded();
    run("check").succeeded();
    assert_eq!(computed(database).await, before);
    let again = run(&prune).succeeded();
    again.shows("Pool default: nothing to prune");
    let again = run("import rounds.jsonl").succeeded();
    assert_eq!(tally(&again), [0, 127, 0, 0], "nothing is counted twice");
    folder.write("late.jsonl", void("v9", "public-1", "public-1:3", "void"));
    run("import late.jsonl").failed().says("pruned on 20");

    run("export --output rest.jsonl").succeeded();
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
    window(20);
    folder.import_lines(40);
    fs::create_dir(folder.path("files")).expect("a folder");
    let prune = "prune --before 2025-11-20T12:30:00Z --to files --pool default";
    folder.run(&words(prune)).succeeded();
    window(21);
    let refused = folder.run(&["import", "rounds.jsonl"]).failed();
    refused
        .says("window = 21 of the pool default is too long")
        .says("at most 20 rounds");
    folder.run(&["check"]).succeeded();
    window(19);
    folder.run(&["import", "rounds.jsonl"]).succeeded();
}
