//! `rbs doctor` finds each planted fault and says how to fix it.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::process::Command;

use serde_json::Value;

use super::Folder;
use super::process::{Finished, Process, Stream};
use super::rounds::lines;
use crate::support::{Database, Engine};

on_both_engines!(
    the_clock_and_tables_of_another_version_are_looked_at,
    a_database_that_takes_no_writes_is_found,
);

fn doctor(folder: &Folder) -> Command {
    let mut command = folder.rbs(&["doctor", "--json", "--bind", "127.0.0.1:0"]);
    command.env("RBS_LOG", "off");
    command
}

/// Subject, status, finding and remedy of each line.
fn findings(finished: &Finished) -> Vec<[String; 4]> {
    let report: Value = serde_json::from_str(&finished.stdout)
        .unwrap_or_else(|error| panic!("{error}: {finished:#?}"));
    let found = report["findings"].as_array().expect("findings").iter();
    let text = |one: &Value, name: &str| one[name].as_str().unwrap_or_default().to_owned();
    let found: Vec<[String; 4]> = found
        .map(|one| ["subject", "status", "says", "remedy"].map(|name| text(one, name)))
        .collect();
    for status in ["problem", "warning"] {
        let count = found.iter().filter(|one| one[1] == status).count();
        assert_eq!(report[format!("{status}s")], count, "{report}");
    }
    let problems = found.iter().any(|one| one[1] == "problem");
    assert_eq!(finished.code, Some(i32::from(problems)), "{finished:#?}");
    for [subject, status, finding, remedy] in &found {
        assert!(!subject.is_empty() && !finding.is_empty(), "{found:#?}");
        assert_eq!(status == "good", remedy.is_empty(), "{found:#?}");
    }
    found
}

/// Asserts that the doctor reports this subject and status, with these parts of the finding and the remedy.
fn must_find(command: &mut Command, [subject, status, says, to_do]: [&str; 4]) {
    let finished = Process::start(command).finish();
    let found = findings(&finished);
    let is_it = |one: &&[String; 4]| {
        one[0] == subject && one[1] == status && one[2].contains(says) && one[3].contains(to_do)
    };
    assert!(
        found.iter().any(|one| is_it(&one)),
        "no {subject}, {says}: {found:#?}"
    );
}

#[test]
fn where_all_is_well_nothing_is_found() {
    let folder = Folder::new();
    let before = findings(&Process::start(&mut doctor(&folder)).finish());
    assert!(before.iter().all(|one| one[1] == "good"), "{before:#?}");
    assert!(
        !folder.path("rbs.db").exists(),
        "a doctor makes no database"
    );
    folder.write("rounds.jsonl", lines(5));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let found = findings(&Process::start(&mut doctor(&folder)).finish());
    assert!(found.iter().all(|one| one[1] == "good"), "{found:#?}");
    let subjects: Vec<&str> = found.iter().map(|one| one[0].as_str()).collect();
    let looked_at = [
        "settings",
        "secrets",
        "port",
        "database file",
        "disk",
        "tables",
        "database",
    ];
    assert_eq!(subjects, looked_at);
    let text = folder
        .run(&["doctor", "--bind", "127.0.0.1:0"])
        .succeeded()
        .stdout;
    assert!(text.contains("ok       database: it answers"), "{text}");
}

#[test]
fn a_port_that_is_taken_is_found_and_one_of_rbs_is_not_a_fault() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let mut command = folder.rbs(&["doctor", "--json", "--bind", &address]);
    must_find(
        &mut command,
        ["port", "problem", "taken by another", "RBS_BIND"],
    );
    drop(taken);
    let mut service = Process::start(&mut folder.serve());
    let listens = service.wait_for(Stream::Out, "listens on http://");
    let address = listens.rsplit("//").next().expect("an address").to_owned();
    service.wait_for(Stream::Out, "curl ");
    let url = format!("http://{address}");
    let command = ["doctor", "--json", "--bind", &address, "--url", &url];
    let found = findings(&folder.run(&command));
    assert!(found.iter().all(|one| one[1] == "good"), "{found:#?}");
    let says = |part: &str| found.iter().any(|one| one[2].contains(part));
    assert!(says("an RBS service answers"), "{found:#?}");
    assert!(says("reaches RBS, with all headers"), "{found:#?}");
    service.signal("TERM");
    service.finish().succeeded();

    let mut command = folder.rbs(&["doctor", "--json", "--bind", "192.0.2.1:8080"]);
    must_find(
        &mut command,
        ["port", "problem", "does not have the address", "127.0.0.1"],
    );
    let mut command = doctor(&folder);
    must_find(
        command.args(["--url", &url]),
        ["proxy", "problem", "does not answer", "firewall"],
    );
}

#[test]
fn settings_and_secrets_that_are_wrong_are_found() {
    let folder = Folder::new();
    let with = |name: &str, value: &str, found: [&str; 4]| {
        must_find(doctor(&folder).env(name, value), found);
    };
    with(
        "RBS_SECRETS",
        "x",
        ["settings", "problem", "RBS_SECRETS", "RBS_SECRET,"],
    );
    with(
        "RBS_THEME",
        "x",
        ["settings", "warning", "RBS_THEME", "remove it"],
    );
    with(
        "RBS_SECRET",
        "hunter2",
        ["secrets", "problem", "16 characters", "openssl"],
    );
    with(
        "RBS_ADMIN_SECRET",
        "hunter3",
        ["secrets", "problem", "RBS_ADMIN_SECRET", "openssl"],
    );
    folder.write("rbs.secret", "0123456789abcdef0123456789abcdef\n");
    let mode = |mode| fs::set_permissions(folder.path("rbs.secret"), Permissions::from_mode(mode));
    mode(0o640).expect("permissions");
    let found = findings(&Process::start(&mut doctor(&folder)).finish());
    assert!(
        found.iter().all(|one| one[1] == "good"),
        "the group may: {found:#?}"
    );
    mode(0o644).expect("permissions");
    must_find(
        &mut doctor(&folder),
        ["secrets", "problem", "every user", "chmod o= "],
    );
    mode(0o600).expect("permissions");
    folder.write("config/rbs.toml", "windoww = 3\n");
    must_find(
        &mut doctor(&folder),
        ["settings", "problem", "\"windoww\" is not a setting", "fix"],
    );
}

#[test]
fn a_file_that_cannot_be_written_or_is_of_somebody_else_is_found() {
    let folder = Folder::new();
    let mut command = doctor(&folder);
    command.env("DATABASE_URL", "sqlite://no/rbs.db");
    must_find(
        &mut command,
        ["database file", "problem", "no folder", "make the folder"],
    );
    folder.write("rounds.jsonl", lines(2));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let file = folder.path("rbs.db");
    fs::set_permissions(&file, Permissions::from_mode(0o444)).expect("permissions");
    must_find(
        &mut doctor(&folder),
        ["database file", "problem", "read-only", "chmod u+w"],
    );
    fs::set_permissions(&file, Permissions::from_mode(0o644)).expect("permissions");
    folder.write(
        "rbs.db",
        "no database at all, but long enough to be taken for one".repeat(99),
    );
    must_find(
        &mut doctor(&folder),
        ["database", "problem", "not a database", "rbs restore"],
    );
    if !rustix::process::geteuid().is_root() {
        // Only root can give files away.
        return;
    }
    fs::remove_file(&file).expect("it is gone");
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    chown(&file, Some(12_345), None).expect("given away");
    must_find(
        &mut doctor(&folder),
        ["database file", "warning", "12345", "sudo -u '#12345'"],
    );
    folder.write("rbs.db-wal", "");
    must_find(
        &mut doctor(&folder),
        ["database file", "problem", "as another user", "chown 12345"],
    );
}

async fn the_clock_and_tables_of_another_version_are_looked_at(database: &Database) {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(5));
    let url = database.url_text();
    folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    let look = |found: [&str; 4]| must_find(doctor(&folder).env("DATABASE_URL", &url), found);
    look(["tables", "good", "match this version", ""]);
    if database.engine() == Engine::Postgres {
        look(["clock", "good", "agrees", ""]);
    }
    database
        .execute("update _sqlx_migrations set version = 9999")
        .await;
    look(["tables", "problem", "newer version", "run that version"]);
}

async fn a_database_that_takes_no_writes_is_found(database: &Database) {
    database.store().await.close().await;
    let folder = Folder::new();
    let mut command = doctor(&folder);
    match database {
        Database::Sqlite { folder: place } => {
            let file = place.path().join("rbs.db");
            fs::remove_file(&file).expect("it was there");
            fs::create_dir(&file).expect("a folder");
            command.env("DATABASE_URL", database.url_text());
            must_find(
                &mut command,
                ["database", "problem", "cannot open", "fix this error"],
            );
        }
        Database::Postgres { .. } => {
            let read_only = "%20-cdefault_transaction_read_only%3Don";
            command.env(
                "DATABASE_URL",
                format!("{}{read_only}", database.url_text()),
            );
            must_find(
                &mut command,
                ["database", "problem", "read-only", "primary"],
            );
        }
    }
}
