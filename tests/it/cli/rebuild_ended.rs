//! Rebuilds that are stopped, cancelled or killed.

use std::time::{Duration, Instant};

use super::Folder;
use super::process::Process;
use super::rebuild::void;
use super::rounds::lines;
use crate::support::Database;

on_both_engines!(
    a_rebuild_that_a_signal_stops_leaves_everything_as_it_was,
    a_rebuild_is_called_off_from_another_terminal,
    an_import_that_a_signal_stops_at_a_void_undoes_it,
);

/// Longer than any step takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A folder and a database with several pages of log.
async fn imported(database: &Database) -> Folder {
    let folder = Folder::new();
    let rounds = lines(16_000);
    let mut rounds: Vec<&str> = rounds.lines().collect();
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
        let says = "nothing to cancel";
        assert!(nothing.stderr.contains(says), "{nothing:#?}");
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
    assert!(
        stopped.stderr.contains("run the command again"),
        "{stopped:#?}"
    );
    assert_eq!(database.count("select count(*) from imports").await, 0);
    run(&["check"]).succeeded();
    assert_eq!(run(&["export"]).succeeded().stdout, before);
    run(&["import", "void.jsonl"]).succeeded();
    run(&["check"]).succeeded();
}
