//! Rebuilds that end before they are done: stopped, called off, killed.

use std::time::{Duration, Instant};

use super::Folder;
use super::process::{Process, Stream};
use super::rebuild::void;
use super::rounds::lines;
use crate::support::Database;

on_both_engines!(
    a_rebuild_that_a_signal_stops_leaves_everything_as_it_was,
    a_rebuild_is_called_off_from_another_terminal,
    an_import_that_a_signal_stops_at_a_void_undoes_it,
    what_a_killed_rebuild_has_left_is_deleted_once_the_service_starts,
);

/// Longer than anything here takes on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A folder, and rounds in the database for some pages of a log.
async fn imported(database: &Database) -> Folder {
    let folder = Folder::new();
    let rounds = lines(16_000);
    let mut rounds: Vec<&str> = rounds.lines().collect();
    // One pool behind the other: an import begins a transaction where the pool changes.
    rounds.sort_by_key(|round| round.contains("arena-1"));
    folder.write("rounds.jsonl", rounds.join("\n"));
    let imported = folder.run_on(&database.url_text(), &["import", "rounds.jsonl"]);
    imported.succeeded();
    let shown = "select count(*) from imports";
    assert_eq!(database.count(shown).await, 0, "it has ended");
    folder
}

/// Waits until so many rebuilds are under way that have computed something.
async fn until_computing(database: &Database, rebuilds: i64) {
    let deadline = Instant::now() + TIMEOUT;
    // One that was given up counts as last heard of long ago.
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
    // Nobody has to wait until the last counts as dead.
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
    let says = "Pool default: the rebuild is called off (";
    assert!(cancelled.stdout.starts_with(says), "{cancelled:#?}");
    assert!(!cancelled.stdout.contains("arena"), "{cancelled:#?}");
    let ended = rebuild.finish().failed();
    assert_eq!(ended.code, Some(1), "{ended:#?}");
    assert!(ended.stderr.contains("was called off"), "{ended:#?}");
    run(&["check"]).succeeded();
    assert_eq!(database.count("select count(*) from rebuilds").await, 0);

    for arguments in [
        &["rebuild", "--cancel"][..],
        &["rebuild", "--cancel", "--pool", "default"],
    ] {
        let nothing = run(arguments).failed();
        assert_eq!(nothing.code, Some(1), "{nothing:#?}");
        let says = "nothing to call off";
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
    assert!(stopped.stderr.contains("run it again"), "{stopped:#?}");
    assert_eq!(database.count("select count(*) from imports").await, 0);
    run(&["check"]).succeeded();
    assert_eq!(run(&["export"]).succeeded().stdout, before);
    run(&["import", "void.jsonl"]).succeeded();
    run(&["check"]).succeeded();
}

async fn what_a_killed_rebuild_has_left_is_deleted_once_the_service_starts(database: &Database) {
    let folder = imported(database).await;
    let mut rebuild = folder.rbs_on(&database.url_text(), &["rebuild", "--pool", "default"]);
    let mut rebuild = Process::start(&mut rebuild);
    until_computing(database, 1).await;
    rebuild.kill();
    let left = "select count(*) from results as row
                where generation > (select generation from pools where id = row.pool_id)";
    assert!(database.count(left).await > 0, "nothing was written");

    let mut service = folder.rbs_on(&database.url_text(), &[]);
    let mut service = Process::start(service.env("RBS_BIND", "127.0.0.1:0"));
    service.wait_for(Stream::Out, "listens on http://");
    let deadline = Instant::now() + TIMEOUT;
    while database.count("select count(*) from rebuilds").await > 0 {
        assert!(Instant::now() < deadline, "it stays behind");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(database.count(left).await, 0);
    service.signal("TERM");
    service.finish().succeeded();
    let checked = folder.run_on(&database.url_text(), &["check"]);
    checked.succeeded();
}
