//! `rbs rebuild`, `rbs check`, and voids in files.

use serde_json::{Value, json};

use super::Folder;
use super::rounds::{line, lines, tally};
use crate::support::Database;

on_both_engines!(
    a_check_passes_until_something_is_tampered_with_and_again_after_a_rebuild,
    a_trial_prints_what_would_have_been_and_changes_nothing,
    numbers_that_a_pool_declares_no_longer_go_through_an_export_and_an_import,
);

pub fn void(id: &str, server: &str, round_id: &str, kind: &str) -> String {
    json!({
        "change": kind, "change_id": id, "server": server, "round_id": round_id,
        "reason": "a cheater", "at": "2026-11-20T12:00:00.000001Z",
    })
    .to_string()
}

async fn a_check_passes_until_something_is_tampered_with_and_again_after_a_rebuild(
    database: &Database,
) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(40));
    run(&["import", "rounds.jsonl"]).succeeded();
    for check in [&["check"][..], &["rebuild", "--check"]] {
        let passed = run(check).succeeded();
        assert!(
            passed.stdout.contains("Pool default: 32 rounds")
                && passed.stdout.contains("no differences"),
            "{passed:?}"
        );
    }
    database
        .execute("update players set rating = rating + 1 where rating < 1000")
        .await;
    for check in [&["check"][..], &["rebuild", "--check"]] {
        let failed = run(check).failed();
        assert_eq!(failed.code, Some(1));
        assert!(failed.stdout.contains("the player 7656"), "{failed:?}");
        assert!(failed.stderr.contains("rbs rebuild"), "{failed:?}");
    }
    let one = run(&["rebuild", "--pool", "arena"]).succeeded();
    assert!(one.stdout.contains("Pool arena: 8 rounds"), "{one:?}");
    assert!(!one.stdout.contains("default"), "{one:?}");
    run(&["rebuild"]).succeeded();
    run(&["check"]).succeeded();
    let unknown = run(&["rebuild", "--pool", "nope"]).failed();
    assert!(unknown.stderr.contains("\"nope\""), "{unknown:?}");
}

async fn a_trial_prints_what_would_have_been_and_changes_nothing(database: &Database) {
    let folder = Folder::new();
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    folder.write("rounds.jsonl", lines(40));
    run(&["import", "rounds.jsonl"]).succeeded();
    let before = run(&["export"]).succeeded().stdout;
    let trial = run(&[
        "rebuild",
        "--dry-run",
        "--set",
        "theta=100",
        "--pool",
        "default",
    ]);
    let trial = trial.succeeded();
    let brier = trial.stdout.lines().find(|line| line.starts_with("Brier"));
    let figures: Vec<&str> = brier.expect("a line").split_whitespace().skip(2).collect();
    assert_eq!(figures.len(), 4, "{trial:?}");
    assert_eq!(figures[0], figures[1], "the window holds all rounds");
    assert_ne!(figures[1], figures[3], "another theta, another score");
    let same = run(&["rebuild", "--dry-run", "--pool", "default"]).succeeded();
    let accuracy = same
        .stdout
        .lines()
        .find(|line| line.starts_with("Accuracy"));
    let figures: Vec<&str> = accuracy
        .expect("a line")
        .split_whitespace()
        .skip(1)
        .collect();
    assert_eq!(figures[..4], figures[4..], "{same:?}");
    let exponent = ["rebuild", "--dry-run", "--set", "team_size_exponent=0.5"];
    run(&exponent).succeeded();
    run(&["check"]).succeeded();
    assert_eq!(run(&["export"]).succeeded().stdout, before);
    for (wrong, says) in [
        (&["--set", "theta=100"][..], "--dry-run"),
        (&["--dry-run", "--set", "thetta=100"], "thetta"),
        (&["--dry-run", "--set", "theta=-1"], "theta must be above 0"),
        (&["--dry-run", "--check"], "--check"),
    ] {
        let arguments: Vec<&str> = ["rebuild"].iter().chain(wrong).copied().collect();
        let failed = run(&arguments).failed();
        assert!(failed.stderr.contains(says), "{wrong:?}: {failed:?}");
    }
}

async fn numbers_that_a_pool_declares_no_longer_go_through_an_export_and_an_import(
    database: &Database,
) {
    let folder = Folder::new();
    let mut round: Value = serde_json::from_str(&line(1, "public-1")).expect("a round");
    let player = round["team_a"][0].clone();
    round["team_a"][0] = json!({"id": player, "stats": {"score": 3, "damage": 250}});
    folder.write("rounds.jsonl", round.to_string());
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    assert_eq!(
        tally(&run(&["import", "rounds.jsonl"]).succeeded()),
        [1, 0, 0, 0]
    );
    let here = run(&["export"]).succeeded().stdout;
    assert!(here.contains("\"damage\":250"), "{here}");

    let other = Database::create(database.engine()).await;
    folder.write("export.jsonl", &here);
    let there = |arguments: &[&str]| folder.run_on(&other.url_text(), arguments);
    assert_eq!(
        tally(&there(&["import", "export.jsonl"]).succeeded()),
        [1, 0, 0, 0]
    );
    assert_eq!(there(&["export"]).succeeded().stdout, here);
    other.remove().await;
}

#[test]
fn what_is_not_there_is_not_checked() {
    let folder = Folder::new();
    for arguments in [&["check"][..], &["rebuild"], &["rebuild", "--check"]] {
        let failed = folder.run(arguments).failed();
        assert!(failed.stderr.contains("there is no database"), "{failed:?}");
    }
    assert!(!folder.path("rbs.db").exists());
}
