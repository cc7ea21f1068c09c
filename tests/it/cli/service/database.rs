//! Messages about the database at startup, and reasons not to start.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::process::Command;

use crate::cli::process::{Finished, Process, Stream};
use crate::cli::rounds::lines;
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

fn restrict(folder: &Folder, name: &str, mode: u32) {
    fs::set_permissions(folder.path(name), Permissions::from_mode(mode)).expect("permissions");
}

async fn a_database_that_takes_no_writes_stops_the_start(database: &Database) {
    database.store().await.close().await;
    let folder = Folder::new();
    let (mut command, names) = match database.engine() {
        Engine::Sqlite => {
            let url = database.url_text();
            let file = url.strip_prefix("sqlite://").expect("a file").to_owned();
            fs::set_permissions(&file, Permissions::from_mode(0o444)).expect("permissions");
            let mut command = unprivileged(&folder, &["--bind", "127.0.0.1:0"]);
            command.env("DATABASE_URL", url);
            (command, file)
        }
        Engine::Postgres => {
            let url = database.url_text();
            let mut command = folder.serve();
            let read_only = "%20-cdefault_transaction_read_only%3Don";
            command.env("DATABASE_URL", format!("{url}{read_only}"));
            (command, "accepts writes".to_owned())
        }
    };
    let refused = Process::start(&mut command).finish().failed();
    for word in [names.as_str(), "DATABASE_URL", "read"] {
        assert!(refused.stderr.contains(word), "{word}: {refused:#?}");
    }
    assert!(!refused.stdout.contains("listens"), "{refused:#?}");
}

#[test]
fn what_can_only_be_read_can_still_be_exported() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    restrict(&folder, "rbs.db", 0o444);
    let export = Process::start(&mut unprivileged(&folder, &["export"])).finish();
    assert_eq!(export.succeeded().stdout.lines().count(), 3);
    let import = ["import", "rounds.jsonl"];
    let refused = Process::start(&mut unprivileged(&folder, &import)).finish();
    let said = refused.failed().stderr;
    assert!(said.contains("may write the file"), "{said}");
}

#[test]
fn a_folder_that_takes_no_database_is_named() {
    let folder = Folder::new();
    fs::create_dir(folder.path("closed")).expect("a folder");
    restrict(&folder, "closed", 0o555);
    let mut command = unprivileged(&folder, &["--bind", "127.0.0.1:0"]);
    let refused = Process::start(command.env("DATABASE_URL", "sqlite://closed/rbs.db")).finish();
    let said = only_sentence(&refused.failed());
    let closed = folder.path("closed").display().to_string();
    assert!(said.contains(&format!("its folder {closed}")), "{said}");
    assert_eq!(said.matches("unable to open").count(), 1, "{said}");

    // The file's folder is relative to the working directory.
    let at_start = Folder::new();
    restrict(&at_start, "", 0o555);
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
fn a_port_that_nobody_listens_on_is_said_to_refuse() {
    let folder = Folder::new();
    // Nothing can listen here, because the port is held on another address.
    let held = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = held.local_addr().expect("an address").port();
    let mut command = folder.serve();
    command.env(
        "DATABASE_URL",
        format!("postgres://rbs@127.0.0.2:{port}/ratings"),
    );
    let said = only_sentence(&Process::start(&mut command).finish().failed());
    assert!(said.contains("Connection refused"), "{said}");
    assert!(!said.contains("pool timed out"), "{said}");
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
    with_pools.write("rounds.jsonl", lines(5));
    let imported = with_pools.run_on(&url, &["import", "rounds.jsonl"]);
    let imported = imported.succeeded();
    assert!(
        !imported.stderr.contains("does not declare"),
        "{imported:#?}"
    );

    let without = Folder::new();
    let mut command = without.serve();
    let mut service = Process::start(command.env("DATABASE_URL", &url));
    let warning = service.wait_for(Stream::Err, "does not declare");
    assert!(warning.contains("\"pool\":\"arena\""), "{warning}");
    service.wait_for(Stream::Out, "Configuration:  built-in defaults");
    service.wait_for(Stream::Out, "curl ");
    service.signal("TERM");
    let ended = service.finish().succeeded();
    assert_eq!(ended.stderr.matches("does not declare").count(), 1);
}

#[test]
fn a_start_says_where_it_works() {
    let folder = Folder::new();
    folder.write("config/rbs.toml", "database_url = \"sqlite://here.db\"\n");
    let file = folder.path("config/rbs.toml").display().to_string();
    let mut service = Process::start(&mut folder.serve());
    service.wait_for(Stream::Out, &format!("Configuration:  {file}"));
    let database = folder.path("here.db").display().to_string();
    service.wait_for(Stream::Out, &format!("Database:       the file {database}"));
    service.signal("TERM");
    service.finish().succeeded();
}
