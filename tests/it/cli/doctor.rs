//! `rbs doctor` finds each planted fault and says how to fix it.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::chown;
use std::process::Command;

use serde_json::Value;

use super::Folder;
use super::process::{Finished, Process};
use super::running::Running;
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
    let report = finished.json();
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

fn all_findings(command: &mut Command) -> Vec<[String; 4]> {
    findings(&Process::start(command).finish())
}

/// Asserts that the doctor reports this subject and status, with these parts of the finding and the remedy.
#[track_caller]
fn finds(command: &mut Command, [subject, status, says, to_do]: [&str; 4]) {
    let found = all_findings(command);
    let is_it = |one: &&[String; 4]| {
        one[0] == subject && one[1] == status && one[2].contains(says) && one[3].contains(to_do)
    };
    let is_found = found.iter().any(|one| is_it(&one));
    assert!(is_found, "no {subject}, {says}: {found:#?}");
}

#[track_caller]
fn assert_all_is_good(found: &[[String; 4]]) {
    assert!(found.iter().all(|one| one[1] == "good"), "{found:#?}");
}

#[test]
fn where_all_is_well_nothing_is_found() {
    let folder = Folder::new();
    assert_all_is_good(&all_findings(&mut doctor(&folder)));
    assert_eq!(folder.count(), 0, "a doctor makes no database");
    folder.import_lines(5);
    let found = all_findings(&mut doctor(&folder));
    assert_all_is_good(&found);
    let subjects: Vec<&str> = found.iter().map(|one| one[0].as_str()).collect();
    let looked_at = "settings, secrets, port, database file, disk, tables, database";
    assert_eq!(subjects.join(", "), looked_at);
    let text = folder.run(&["doctor", "--bind", "127.0.0.1:0"]).succeeded();
    text.shows("ok       database: it answers");
}

#[test]
fn a_port_that_is_taken_is_found_and_one_of_rbs_is_not_a_fault() {
    let folder = Folder::new();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let at = |address: &str| folder.rbs(&["doctor", "--json", "--bind", address]);
    let found = ["port", "problem", "taken by another", "RBS_BIND"];
    finds(&mut at(&address), found);
    drop(taken);
    let running = Running::of(Folder::new(), Vec::new());
    let url = format!("http://{}", running.address);
    let command = [
        "doctor",
        "--json",
        "--bind",
        &running.address,
        "--url",
        &url,
    ];
    let found = findings(&running.run(&command));
    assert_all_is_good(&found);
    for part in ["an RBS service answers", "reaches RBS, with all headers"] {
        let is_said = found.iter().any(|one| one[2].contains(part));
        assert!(is_said, "{part}: {found:#?}");
    }
    running.stop();

    let found = ["port", "problem", "does not have the address", "127.0.0.1"];
    finds(&mut at("192.0.2.1:8080"), found);
    let found = ["proxy", "problem", "does not answer", "firewall"];
    finds(doctor(&folder).args(["--url", &url]), found);
}

#[test]
fn settings_and_secrets_that_are_wrong_are_found() {
    let folder = Folder::new();
    for (name, value, status, says, to_do) in [
        ("RBS_SECRETS", "x", "problem", "RBS_SECRETS", "RBS_SECRET,"),
        ("RBS_THEME", "x", "warning", "RBS_THEME", "remove it"),
    ] {
        let found = ["settings", status, says, to_do];
        finds(doctor(&folder).env(name, value), found);
    }
    for (name, says) in [
        ("RBS_SECRET", "16 characters"),
        ("RBS_ADMIN_SECRET", "RBS_ADMIN_SECRET"),
    ] {
        let found = ["secrets", "problem", says, "openssl"];
        finds(doctor(&folder).env(name, "hunter2"), found);
    }
    folder.write("rbs.secret", "0123456789abcdef0123456789abcdef\n");
    folder.set_mode("rbs.secret", 0o640);
    // The group may read it.
    assert_all_is_good(&all_findings(&mut doctor(&folder)));
    folder.set_mode("rbs.secret", 0o644);
    let found = ["secrets", "problem", "every user", "chmod o= "];
    finds(&mut doctor(&folder), found);
    folder.set_mode("rbs.secret", 0o600);
    folder.write("config/rbs.toml", "windoww = 3\n");
    let found = ["settings", "problem", "\"windoww\" is not a setting", "fix"];
    finds(&mut doctor(&folder), found);
}

#[test]
fn a_file_that_cannot_be_written_or_is_of_somebody_else_is_found() {
    let folder = Folder::new();
    let mut command = doctor(&folder);
    command.env("DATABASE_URL", "sqlite://no/rbs.db");
    let found = ["database file", "problem", "no folder", "make the folder"];
    finds(&mut command, found);
    folder.import_lines(2);
    let file = folder.path("rbs.db");
    folder.set_mode("rbs.db", 0o444);
    let found = ["database file", "problem", "read-only", "chmod u+w"];
    finds(&mut doctor(&folder), found);
    folder.set_mode("rbs.db", 0o644);
    let other = "no database at all, but long enough to be taken for one";
    folder.write("rbs.db", other.repeat(99));
    let found = ["database", "problem", "not a database", "rbs restore"];
    finds(&mut doctor(&folder), found);
    if !rustix::process::geteuid().is_root() {
        // Only root can give files away.
        return;
    }
    fs::remove_file(&file).expect("it is gone");
    folder.import_lines(2);
    chown(&file, Some(12_345), None).expect("given away");
    let found = ["database file", "warning", "12345", "sudo -u '#12345'"];
    finds(&mut doctor(&folder), found);
    folder.write("rbs.db-wal", "");
    let found = ["database file", "problem", "as another user", "chown 12345"];
    finds(&mut doctor(&folder), found);
}

async fn the_clock_and_tables_of_another_version_are_looked_at(database: &Database) {
    let folder = Folder::new();
    let url = database.url_text();
    folder.import_lines_on(&url, 5);
    let look = |found: [&str; 4]| finds(doctor(&folder).env("DATABASE_URL", &url), found);
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
    let (url, [says, to_do]) = match database {
        Database::Sqlite { folder } => {
            let file = folder.path().join("rbs.db");
            fs::remove_file(&file).expect("it was there");
            fs::create_dir(&file).expect("a folder");
            (database.url_text(), ["cannot open", "fix this error"])
        }
        Database::Postgres { .. } => {
            let read_only = "%20-cdefault_transaction_read_only%3Don";
            let url = format!("{}{read_only}", database.url_text());
            (url, ["read-only", "primary"])
        }
    };
    let found = ["database", "problem", says, to_do];
    finds(doctor(&Folder::new()).env("DATABASE_URL", url), found);
}
