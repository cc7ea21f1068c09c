//! Messages about the database at startup, and reasons not to start.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use crate::cli::process::{Finished, Process, Stream};
use crate::cli::{Folder, clean};
use crate::support::{Database, Engine};

on_both_engines!(
    a_database_that_takes_no_writes_stops_the_start,
    a_pool_that_is_not_declared_is_warned_of_at_the_start,
);

/// Drops root's permission to write anywhere.
fn unprivileged(folder: &Folder, arguments: &[&str]) -> Command {
    let is_root = fs::metadata("/proc/self").expect("a process").uid() == 0;
    if !is_root {
        return folder.rbs(arguments);
    }
    let mut command = clean("setpriv", folder.0.path());
    command.args(["--bounding-set=-dac_override", env!("CARGO_BIN_EXE_rbs")]);
    command.args(arguments);
    command
}

async fn a_database_that_takes_no_writes_stops_the_start(database: &Database) {
    database.store().await.close().await;
    let folder = Folder::new();
    let url = database.url_text();
    let (mut command, names) = match database.engine() {
        Engine::Sqlite => {
            let file = url.strip_prefix("sqlite://").expect("a file").to_owned();
            fs::set_permissions(&file, Permissions::from_mode(0o444)).expect("permissions");
            let mut command = unprivileged(&folder, &["--bind", "127.0.0.1:0"]);
            command.env("DATABASE_URL", url);
            (command, file)
        }
        Engine::Postgres => {
            let mut command = folder.serve();
            let read_only = "%20-cdefault_transaction_read_only%3Don";
            command.env("DATABASE_URL", format!("{url}{read_only}"));
            (command, "accepts writes".to_owned())
        }
    };
    let refused = Process::start(&mut command).finish().failed();
    refused.says(&names).says("DATABASE_URL").says("read");
    assert!(!refused.stdout.contains("listens"), "{refused:#?}");
}

#[test]
fn what_can_only_be_read_can_still_be_exported() {
    let folder = Folder::new();
    folder.import_lines(3);
    folder.set_mode("rbs.db", 0o444);
    let export = Process::start(&mut unprivileged(&folder, &["export"])).finish();
    assert_eq!(export.succeeded().stdout.lines().count(), 3);
    let import = ["import", "rounds.jsonl"];
    let refused = Process::start(&mut unprivileged(&folder, &import)).finish();
    refused.failed().says("may write the file");
}

#[test]
fn a_folder_that_takes_no_database_is_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path("closed")).expect("a folder");
    folder.set_mode("closed", 0o555);
    let mut command = unprivileged(&folder, &["--bind", "127.0.0.1:0"]);
    let refused = Process::start(command.env("DATABASE_URL", "sqlite://closed/rbs.db")).finish();
    let said = only_sentence(&refused.failed());
    let closed = folder.path("closed").display().to_string();
    assert!(said.contains(&format!("its folder {closed}")), "{said}");
    assert_eq!(said.matches("unable to open").count(), 1, "{said}");

    // The file's folder is relative to the working directory.
    let at_start = Folder::new();
    at_start.set_mode("", 0o555);
    let mut command = unprivileged(&at_start, &["--bind", "127.0.0.1:0"]);
    let refused = Process::start(&mut command).finish();
    let said = only_sentence(&refused.failed());
    let here = at_start.0.path().display().to_string();
    assert!(said.contains(&format!("its folder {here}: ")), "{said}");

    let mut command = folder.serve();
    let refused = Process::start(command.env("DATABASE_URL", "sqlite://no/such/rbs.db")).finish();
    let said = only_sentence(&refused.failed());
    assert!(said.contains("there is no folder no/such for"), "{said}");
}

#[test]
fn a_postgresql_that_is_not_there_stops_the_start_with_a_sentence() {
    let folder = Folder::new();
    // Nothing can listen here, because the port is held on another address.
    let held = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = held.local_addr().expect("an address").port();
    let mut command = folder.serve();
    command.env(
        "DATABASE_URL",
        format!("postgres://rbs:hunter2@127.0.0.2:{port}/ratings"),
    );
    let said = only_sentence(&Process::start(&mut command).finish().failed());
    for word in ["DATABASE_URL", "ratings", "Connection refused"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    for word in ["pool timed out", "hunter2"] {
        assert!(!said.contains(word), "{word}: {said}");
    }
}

fn only_sentence(finished: &Finished) -> String {
    let lines = finished
        .stderr
        .lines()
        .filter(|line| !line.starts_with('{'));
    let lines: Vec<&str> = lines.collect();
    assert_eq!(lines.len(), 1, "{finished:#?}");
    lines[0].to_owned()
}

async fn a_pool_that_is_not_declared_is_warned_of_at_the_start(database: &Database) {
    let url = database.url_text();
    let with_pools = Folder::new();
    with_pools.import_lines_on(&url, 5);

    let without = Folder::new();
    let mut command = without.serve();
    let mut service = Process::start(command.env("DATABASE_URL", &url));
    let warning = service.wait_for(Stream::Err, "does not declare");
    assert!(warning.contains("\"pool\":\"arena\""), "{warning}");
    service.wait_for(Stream::Out, "Configuration:  built-in defaults");
    service.wait_for(Stream::Out, "curl ");
    let ended = service.stop();
    assert_eq!(ended.stderr.matches("does not declare").count(), 1);
}
