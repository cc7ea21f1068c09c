//! `rbs backup` and `rbs restore`.

use std::fs;
use std::io::Read as _;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use flate2::read::MultiGzDecoder;
use rbs::store::TABLES;
use serde_json::{Value, json};

use super::process::Process;
use super::rebuild::void;
use super::rounds::{change, compressed, lines};
use super::{Folder, clean, fields, words};
use crate::support::{Database, Engine, assert_same_in_both};

on_both_engines!(
    a_backup_brings_back_everything_on_either_engine,
    a_backup_has_every_table_but_what_others_make,
    a_database_that_has_rounds_is_replaced_by_force_alone,
    a_backup_that_is_broken_is_refused_and_changes_nothing,
    tables_of_another_program_are_left_alone,
);

const FILE: &str = "rbs.backup.gz";

fn fill(folder: &Folder, url: &str) {
    let changes = [
        change("c1", 8, Some(2000)),
        change("c2", 3, None),
        void("v1", "public-1", "public-1:7", "void"),
    ];
    let text = format!("{}{}\n", lines(120), changes.join("\n"));
    folder.write("rounds.jsonl", text);
    fs::create_dir_all(folder.path("pruned")).expect("a folder");
    for line in [
        "import rounds.jsonl",
        "prune --before 2025-11-20T13:00:01Z --to pruned --pool default",
        "switch --pool arena --to adaptive",
    ] {
        folder.run_on(url, &words(line)).succeeded();
    }
}

/// Text of a backup.
fn text_of(folder: &Folder, name: &str) -> String {
    let file = fs::File::open(folder.path(name)).expect("a backup");
    let mut text = String::new();
    let read = MultiGzDecoder::new(file).read_to_string(&mut text);
    read.expect("a backup is text");
    text
}

/// Rows of a backup, with the names of their tables.
fn rows(folder: &Folder, name: &str) -> Vec<(String, Value)> {
    let (mut table, mut columns) = (String::new(), Vec::new());
    let mut rows = Vec::new();
    let text = text_of(folder, name);
    let lines: Vec<&str> = text.lines().collect();
    for line in &lines[1..lines.len() - 1] {
        match serde_json::from_str(line).expect("a line of JSON") {
            Value::Array(values) => {
                let row: serde_json::Map<String, Value> =
                    columns.iter().cloned().zip(values).collect();
                rows.push((table.clone(), row.into()));
            }
            section => {
                let name = section["table"].as_str();
                name.expect("a table").clone_into(&mut table);
                let named = section["columns"].as_array().expect("columns").iter();
                let name = |column: &Value| column["name"].as_str().expect("a name").to_owned();
                columns = named.map(name).collect();
            }
        }
    }
    rows
}

async fn a_backup_brings_back_everything_on_either_engine(database: &Database) {
    let url = database.url_text();
    let folder = Folder::new();
    fill(&folder, &url);
    // Simulates rounds with a secret of a game server.
    let send = "update rounds set secret = '0123abcd' where position % 2 = 0";
    database.execute(send).await;
    let report = folder.run_on(&url, &["backup", FILE, "--json"]);
    let report = report.succeeded().json();
    assert_eq!(report["rows"]["rounds"], 120 - 48, "{report}");
    assert_eq!(report["rows"]["pruned_rounds"], 48, "{report}");
    folder.run_on(&url, &["check", FILE]).succeeded();
    let there = rows(&folder, FILE);
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine.is_left_out() {
            continue;
        }
        let other = Database::create(engine).await;
        let to = other.url_text();
        let tried = folder.run_on(&to, &["restore", FILE, "--dry-run"]);
        tried
            .succeeded()
            .shows("has 0 rounds")
            .shows("72 rounds of 2 pools, 3 admin changes");
        folder.run_on(&to, &["restore", FILE]).succeeded();
        let again = folder.run_on(&to, &["backup", "again.backup.gz"]);
        again.succeeded();
        assert_eq!(rows(&folder, "again.backup.gz"), there, "{engine:?}");
        folder.run_on(&to, &["check"]).succeeded();
        let (one, two) = (database.store().await, other.store().await);
        assert_same_in_both(&one, &two).await;
        one.close().await;
        two.close().await;
        folder.import_lines_on(&to, 140);
        folder.run_on(&to, &["check"]).succeeded();
        other.remove().await;
    }
}

async fn a_backup_has_every_table_but_what_others_make(database: &Database) {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let tables = tx.tables().await.expect("tables");
    drop(tx);
    store.close().await;
    let mut named: Vec<&str> = tables.iter().map(|table| table.name).collect();
    assert!(
        tables.iter().all(|table| !table.key.is_empty()),
        "{tables:?}"
    );
    assert_eq!(named, TABLES);
    named.extend(["_sqlx_migrations", "unrated_players"]);
    let listed: Vec<String> = named.iter().map(|name| format!("'{name}'")).collect();
    let others = match database.engine() {
        Engine::Sqlite => "select count(*) from sqlite_master where type = 'table' and name",
        Engine::Postgres => {
            "select count(*) from pg_tables where schemaname = current_schema() and tablename"
        }
    };
    let others = format!("{others} not in ({})", listed.join(", "));
    let others = database.count(&others).await;
    assert_eq!(others, 0, "a table is in no backup: name it in TABLES");
}

async fn a_database_that_has_rounds_is_replaced_by_force_alone(database: &Database) {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on(&database.url_text(), &words(line));
    let exported = || run("export").succeeded().stdout.lines().count();
    let restore = format!("restore {FILE}");
    let change = change("c1", 8, Some(2000));
    folder.write("change.jsonl", format!("{change}\n"));
    run("import change.jsonl").succeeded();
    run(&format!("backup {FILE}")).succeeded();
    run(&restore).failed().says("has 1 admin change");
    run(&format!("{restore} --dry-run"))
        .succeeded()
        .shows("has 1 admin change")
        .shows("without --force, the restore is refused");

    folder.import_lines_on(&database.url_text(), 25);
    let refused = run(&restore).failed();
    refused.says("has 25 rounds").says("which would be deleted");
    let tried = run(&format!("{restore} --dry-run --force"));
    tried.succeeded().shows("Dry run:");
    assert_eq!(exported(), 26);
    let restored = run(&format!("{restore} --force --json"));
    let restored = restored.succeeded().json();
    assert_eq!(fields(&restored, ["rounds", "restored"]), json!([25, true]));
    assert_eq!(exported(), 1);
    run("check").succeeded();
    run("import rounds.jsonl").succeeded();
    assert_eq!(exported(), 26);
}

async fn a_backup_that_is_broken_is_refused_and_changes_nothing(database: &Database) {
    let url = database.url_text();
    let folder = Folder::new();
    folder.import_lines_on(&url, 10);
    folder.run_on(&url, &["backup", FILE]).succeeded();
    let whole = fs::read(folder.path(FILE)).expect("a backup");
    let text = text_of(&folder, FILE);
    let last = text.trim_end().rfind('\n').expect("several lines") + 1;
    for (broken, says) in [
        (whole[..whole.len() / 2].to_vec(), "cannot be used"),
        (compressed(&text[..last]), "cut off"),
        (
            compressed(&text.replacen("public-1:1\"", "public-1:X\"", 1)),
            "SHA-256 differs",
        ),
        (compressed(&format!("{text}{{}}\n")), "data after its end"),
        (
            compressed(&text.replace("\"rbs_backup\":1", "\"rbs_backup\":2")),
            "newer version",
        ),
        (
            compressed(&text.replacen('\n', &format!("\n{}", " ".repeat(34_000_000)), 1)),
            "its line 2 is over 33554432 bytes",
        ),
        (compressed(&lines(3)), "not a backup made by `rbs backup`"),
        (b"nothing".to_vec(), "not a backup made by `rbs backup`"),
    ] {
        folder.write("broken.backup.gz", broken);
        for command in [
            &["restore", "broken.backup.gz", "--force"][..],
            &["check", "broken.backup.gz"],
        ] {
            folder.run_on(&url, command).failed().says(says);
        }
    }
    // A readable backup that fails to restore leaves an empty database.
    let ahead = text.replacen("\"migration\":", "\"migration\":9", 1);
    let changed = text.replacen("\"name\":\"log_length\"", "\"name\":\"length\"", 1);
    for (broken, says) in [
        (&ahead, "newer version"),
        (&changed, "are not those of migration"),
    ] {
        folder.write("broken.backup.gz", compressed(&resealed(broken)));
        let restore = ["restore", "broken.backup.gz", "--force"];
        let refused = folder.run_on(&url, &restore).failed();
        refused.says(says).says("the database was not changed");
    }
    let dry = ["restore", "ahead.backup.gz", "--dry-run"];
    folder.write("ahead.backup.gz", compressed(&resealed(&ahead)));
    folder.run_on(&url, &dry).failed().says("newer version");
    let exported = folder.run_on(&url, &["export"]).succeeded();
    assert_eq!(exported.stdout.lines().count(), 10);
    folder.run_on(&url, &["check"]).succeeded();
}

async fn tables_of_another_program_are_left_alone(database: &Database) {
    let folder = Folder::new();
    folder.import_lines(3);
    folder.run(&["backup", FILE]).succeeded();
    let url = database.url_text();
    let other = Database::create(database.engine()).await;
    let there = other.url_text();
    if let Some(path) = there.strip_prefix("sqlite://") {
        fs::write(path, "").expect("an empty file");
    }
    for statement in [
        "create table players (name varchar(9) primary key)",
        "insert into players values ('alice')",
    ] {
        other.execute(statement).await;
    }
    for further in [&["--dry-run"][..], &["--force"]] {
        let command = [&["restore", FILE], further].concat();
        let refused = folder.run_on(&there, &command).failed();
        refused.says("tables of another program (players)");
    }
    assert_eq!(other.count("select count(*) from players").await, 1);
    other.remove().await;
    folder.run_on(&url, &["restore", FILE]).succeeded();
}

/// Replaces the digest of a backup with the digest of its current text.
fn resealed(text: &str) -> String {
    use std::fmt::Write as _;

    use sha2::{Digest as _, Sha256};

    let last = text.trim_end().rfind('\n').expect("several lines") + 1;
    let mut end: Value = serde_json::from_str(&text[last..]).expect("the end");
    let digest = Sha256::digest(&text.as_bytes()[..last]);
    let mut hex = String::new();
    for byte in digest {
        write!(hex, "{byte:02x}").expect("a text grows");
    }
    end["sha256"] = hex.into();
    format!("{}{end}\n", &text[..last])
}

#[test]
fn a_folder_keeps_the_latest_backups() {
    let folder = Folder::new();
    let nothing = folder.run(&["backup", FILE]).failed();
    nothing.says("there is no database");
    folder.import_lines(3);
    let refused = folder.run(&["backup", FILE, "--keep", "2"]).failed();
    refused.says("--keep needs a folder");
    for name in [
        "rbs-2025-01-01T000000Z.backup.gz",
        "rbs-2025-01-02T000000Z.backup.gz",
        "other.gz",
    ] {
        folder.write(&format!("backups/{name}"), "");
    }
    let made = folder.run(&["backup", "backups", "--keep", "2", "--json"]);
    let made = made.succeeded().json();
    let deleted = json!(["backups/rbs-2025-01-01T000000Z.backup.gz"]);
    assert_eq!(made["deleted"], deleted);
    let file = made["file"].as_str().expect("a file");
    let is_named = file.starts_with("backups/rbs-20") && file.ends_with("Z.backup.gz");
    assert!(is_named, "{made}");
    let left = fs::read_dir(folder.path("backups")).expect("a folder");
    assert_eq!(left.count(), 3);
    folder.run(&["check", file]).succeeded();

    let mut shell = clean("bash", &folder.path("."));
    let script = "set -o pipefail; \"$0\" backup /dev/stdout | cat >piped.backup.gz";
    shell.args(["-c", script, env!("CARGO_BIN_EXE_rbs")]);
    let piped = Process::start(&mut shell).finish().succeeded();
    piped.says("/dev/stdout: 3 rounds");
    folder.run(&["check", "piped.backup.gz"]).succeeded();
    let elsewhere = format!("sqlite://{}", folder.path("restored.db").display());
    let dry = folder.run_on(&elsewhere, &["restore", file, "--dry-run"]);
    dry.succeeded();
    let is_made = folder.path("restored.db").exists();
    assert!(!is_made, "a dry run makes no file");
}

#[test]
fn a_backup_is_its_owners_alone_and_follows_no_link() {
    let folder = Folder::new();
    folder.import_lines(5);
    folder.run(&["backup", "new.gz"]).succeeded();
    folder.write("precious", "of somebody else");
    for (link, to) in [("link.gz", "precious"), ("dangling.gz", "nothing")] {
        symlink(to, folder.path(link)).expect("a link");
        let refused = folder.run(&["backup", link]).failed();
        refused.says("it is a symbolic link");
    }
    let kept = fs::read_to_string(folder.path("precious")).expect("a file");
    assert_eq!(kept, "of somebody else");
    assert!(!folder.path("nothing").exists());
    let mode = fs::metadata(folder.path("new.gz")).expect("a file");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}
