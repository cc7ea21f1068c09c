//! `rbs rebuild` and `rbs check`, and what imports, exports, checks and rebuilds tell programs.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::Process;
use super::rounds::lines;
use super::{Folder, fields, words};
use crate::support::Database;

on_both_engines!(
    a_check_passes_until_something_is_tampered_with_and_again_after_a_rebuild,
    a_trial_prints_what_would_have_been_and_changes_nothing,
    import_export_check_and_rebuild_tell_programs_what_they_did,
    a_rebuild_that_a_signal_stops_leaves_everything_as_it_was,
    a_rebuild_is_called_off_from_another_terminal,
    an_import_that_a_signal_stops_at_a_void_undoes_it,
);

/// Longer than any step takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);
const TAMPER: &str = "update players set rating = rating + 1 where rating < 1000";

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
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.import_lines_on(&database.url_text(), 40);
    for check in ["check", "rebuild --check"] {
        let passed = run(check).succeeded();
        passed.shows("Pool default: 32 rounds");
        passed.shows("no differences");
    }
    database.execute(TAMPER).await;
    for check in ["check", "rebuild --check"] {
        let failed = run(check).failed();
        assert_eq!(failed.code, Some(1));
        failed.shows("the player 7656").says("rbs rebuild");
    }
    let one = run("rebuild --pool arena").succeeded();
    one.shows("Pool arena: 8 rounds");
    assert!(!one.stdout.contains("default"), "{one:?}");
    run("rebuild").succeeded();
    run("check").succeeded();
    run("rebuild --pool nope").failed().says("\"nope\"");

    let empty = Folder::new();
    for command in ["check", "rebuild", "rebuild --check"] {
        let failed = empty.run(&words(command)).failed();
        failed.says("there is no database");
    }
    assert_eq!(empty.count(), 0);
}

async fn a_trial_prints_what_would_have_been_and_changes_nothing(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.import_lines_on(&database.url_text(), 40);
    let before = run("export").succeeded().stdout;
    let figures = |line: &str, name: &str| {
        let trial = run(line).succeeded();
        let row = trial.stdout.lines().find(|line| line.starts_with(name));
        let row = row.unwrap_or_else(|| panic!("no {name}: {trial:?}"));
        let figures = row.split_whitespace().map(str::to_owned);
        figures.collect::<Vec<_>>()
    };
    let trial = "rebuild --dry-run --pool default --set theta=100";
    let brier = figures(trial, "Brier score");
    assert_eq!(brier.len(), 6, "{brier:?}");
    assert_eq!(brier[2], brier[3], "the window holds all rounds");
    assert_ne!(brier[3], brier[5], "another theta, another score");
    let accuracy = figures("rebuild --dry-run --pool default", "Accuracy");
    assert_eq!(accuracy[1..5], accuracy[5..]);
    run("rebuild --dry-run --set team_size_exponent=0.5").succeeded();
    run("check").succeeded();
    assert_eq!(run("export").succeeded().stdout, before);
    for (wrong, says) in [
        ("--set theta=100", "--dry-run"),
        ("--dry-run --set thetta=100", "thetta"),
        ("--dry-run --set theta=-1", "theta must be above 0"),
        ("--dry-run --check", "--check"),
    ] {
        run(&format!("rebuild {wrong}")).failed().says(says);
    }
}

/// Removes `keys`, whose values vary and must be numbers.
fn timeless(mut report: Value, keys: &[&str]) -> Value {
    let forget = |object: &mut Value| {
        for key in keys {
            if let Some(seconds) = object.get_mut(key) {
                assert!(seconds.is_number(), "{key} is {seconds}");
                *seconds = Value::Null;
            }
        }
    };
    forget(&mut report);
    for pool in report["pools"].as_array_mut().into_iter().flatten() {
        forget(pool);
    }
    report
}

async fn import_export_check_and_rebuild_tell_programs_what_they_did(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    folder.write("rounds.jsonl", lines(40) + "{}\n");
    let stopped = run("import rounds.jsonl --json").failed();
    assert_eq!(
        timeless(stopped.json(), &["seconds"]),
        json!({"counted": 40, "duplicates": 0, "changes": 0, "bad": 1, "unread": 0,
               "seconds": null, "preview": null, "skipped": {}, "pools": null, "warning": null})
    );
    let again = run("import rounds.jsonl --json --keep-going").succeeded();
    let pools = again.json()["pools"].clone();
    assert_eq!(fields(&pools[0], ["pool", "rounds"]), json!(["arena", 8]));
    let default = &pools[1];
    assert_eq!(fields(default, ["pool", "rounds"]), json!(["default", 32]));
    for key in ["draws", "players", "theta", "window"] {
        assert!(default[key].is_number(), "{key}: {default}");
    }
    for key in ["brier", "log_loss", "accuracy"] {
        for over in ["window", "all"] {
            assert!(default[key][over].is_number(), "{key} {over}: {default}");
        }
    }

    let mut exported = json!({"output": null, "lines": 40,
                          "pools": [{"pool": "arena", "lines": 8}, {"pool": "default", "lines": 32}]});
    let streamed = run("export --json").succeeded();
    assert_eq!(streamed.stdout.lines().count(), 40, "the rounds alone");
    let last = streamed.stderr.lines().last().unwrap_or_default();
    let output: Value = serde_json::from_str(last).expect("the report");
    assert_eq!(output, exported);
    exported["output"] = json!("all.jsonl");
    let to_file = run("export --json --output all.jsonl").succeeded();
    assert_eq!(to_file.json(), exported);

    for (line, damage) in [("check", true), ("rebuild --check", false)] {
        let output = run(&format!("{line} --pool arena --json")).succeeded();
        let output = output.json();
        let players = output["pools"][0]["players"].as_u64();
        assert!(players > Some(0), "{output}");
        let output = timeless(output, &["seconds", "players", "entries"]);
        assert_eq!(
            output["pools"][0],
            json!({"pool": "arena", "rounds": 8, "players": null, "entries": null,
                   "differences": 0, "named": [], "seconds": null})
        );
        assert_eq!(output.get("damage"), damage.then_some(&json!([])));
    }
    database.execute(TAMPER).await;
    let differs = run("check --json").failed().json();
    let pool = &differs["pools"][1];
    assert!(pool["differences"].as_u64() > Some(0), "{differs}");
    let first = pool["named"][0].as_str().unwrap_or_default();
    assert!(first.contains("the player 7656"), "{differs}");

    let times = ["seconds", "seconds_until_cleared"];
    let rebuilt = timeless(run("rebuild --json").succeeded().json(), &times);
    let pools = [("arena", 8), ("default", 32)].map(|(pool, computed)| {
        json!({"pool": pool, "computed": computed, "seconds": null, "seconds_until_cleared": null})
    });
    assert_eq!(rebuilt, json!({"pools": pools}));
    let tried = run("rebuild --dry-run --set theta=1800 --json --pool default");
    let tried = tried.succeeded().json();
    assert_eq!(tried["pools"][0]["pool"], "default");
    let found = &tried["pools"][0]["comparison"];
    assert_eq!(fields(found, ["rounds", "window"]), json!([32, 500]));
    let [is, would_be] = ["is", "would_be"].map(|side| &found[side]["all"]["brier"]);
    assert!(is.is_number() && would_be.is_number(), "{tried}");
    assert_ne!(is, would_be);
}

/// A folder and a database with several pages of log.
async fn imported(database: &Database) -> Folder {
    let folder = Folder::new();
    let log = lines(16_000);
    let mut rounds: Vec<&str> = log.lines().collect();
    // Sorted by pool: an import starts a transaction at each change of pool.
    rounds.sort_by_key(|round| round.contains("arena-1"));
    folder.write("rounds.jsonl", rounds.join("\n"));
    let imported = folder.run_on(&database.url_text(), &["import", "rounds.jsonl"]);
    imported.succeeded();
    let shown = "select count(*) from imports";
    assert_eq!(database.count(shown).await, 0, "it has ended");
    folder
}

/// Waits until `rebuilds` rebuilds have made progress.
async fn until_computing(database: &Database, rebuilds: i64) {
    let deadline = Instant::now() + TIMEOUT;
    // A cancelled rebuild has `renewed_at = 0`.
    let count = "select count(*) from rebuilds where done > 0 and renewed_at > 0";
    while database.count(count).await != rebuilds {
        assert!(Instant::now() < deadline, "there are never {rebuilds}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

async fn a_rebuild_that_a_signal_stops_leaves_everything_as_it_was(database: &Database) {
    let folder = imported(database).await;
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    let before = run(&["export"]).succeeded().stdout;
    for signal in ["INT", "TERM"] {
        let mut rebuild = folder.rbs_on(&database.url_text(), &["rebuild", "--pool", "default"]);
        let rebuild = Process::start(&mut rebuild);
        until_computing(database, 1).await;
        rebuild.signal(signal);
        let stopped = rebuild.finish().failed();
        assert_eq!(stopped.code, Some(130), "SIG{signal}: {stopped:#?}");
        run(&["check"]).succeeded();
    }
    // The next rebuild does not wait for the lease of the last one.
    run(&["rebuild", "--pool", "default"]).succeeded();
    run(&["check"]).succeeded();
    assert_eq!(run(&["export"]).succeeded().stdout, before);
}

async fn a_rebuild_is_called_off_from_another_terminal(database: &Database) {
    let folder = imported(database).await;
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    let mut rebuild = folder.rbs_on(&database.url_text(), &["rebuild", "--pool", "default"]);
    let rebuild = Process::start(&mut rebuild);
    until_computing(database, 1).await;
    let cancelled = run(&["rebuild", "--cancel"]).succeeded();
    let says = "Pool default: the rebuild is cancelled (";
    assert!(cancelled.stdout.starts_with(says), "{cancelled:#?}");
    assert!(!cancelled.stdout.contains("arena"), "{cancelled:#?}");
    let ended = rebuild.finish().failed();
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert!(ended.stderr.contains("was cancelled"), "{ended:#?}");
    run(&["check"]).succeeded();
    assert_eq!(database.count("select count(*) from rebuilds").await, 0);

    for arguments in [
        &["rebuild", "--cancel"][..],
        &["rebuild", "--cancel", "--pool", "default"],
    ] {
        let nothing = run(arguments).failed();
        assert_eq!(nothing.code, Some(1), "{nothing:#?}");
        nothing.says("nothing to cancel");
    }
    let both = run(&["rebuild", "--cancel", "--check"]).failed();
    assert_eq!(both.code, Some(2), "{both:#?}");
    run(&["rebuild"]).succeeded();
    run(&["check"]).succeeded();
}

async fn an_import_that_a_signal_stops_at_a_void_undoes_it(database: &Database) {
    let folder = imported(database).await;
    let run = |arguments: &[&str]| folder.run_on(&database.url_text(), arguments);
    let before = run(&["export"]).succeeded().stdout;
    folder.write("void.jsonl", void("v1", "public-1", "public-1:1", "void"));
    let mut import = folder.rbs_on(&database.url_text(), &["import", "void.jsonl"]);
    let import = Process::start(&mut import);
    until_computing(database, 1).await;
    assert_eq!(database.count("select count(*) from imports").await, 1);
    import.signal("INT");
    let stopped = import.finish().failed();
    assert_eq!(stopped.code, Some(130), "{stopped:#?}");
    stopped.says("run the command again");
    assert_eq!(database.count("select count(*) from imports").await, 0);
    run(&["check"]).succeeded();
    assert_eq!(run(&["export"]).succeeded().stdout, before);
    run(&["import", "void.jsonl"]).succeeded();
    run(&["check"]).succeeded();
}
