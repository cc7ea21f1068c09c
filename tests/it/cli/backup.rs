use std::fs;
use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use rbs::store::TABLES;
use serde_json::{Value, json};

use super::Folder;
use super::process::{Finished, Process};
use super::rounds::{change, lines};
use crate::support::{Database, Engine, assert_same_in_both};

on_both_engines!(
    a_backup_brings_back_everything_on_either_engine,
    a_backup_has_every_table_but_what_others_make,
    a_database_that_has_rounds_is_replaced_by_force_alone,
    a_backup_that_is_broken_is_refused_and_changes_nothing,
    tables_of_another_program_are_left_alone,
    admin_changes_alone_take_force_too,
);

const FILE: &str = "rbs.backup.gz";

fn fill(folder: &Folder, url: &str) {
    let void = json!({
        "change": "void", "change_id": "v1", "server": "public-1", "round_id": "public-1:7",
        "at": "2026-11-20T12:00:00Z",
    });
    let (set, reset) = (change("c1", 8, Some(2000)), change("c2", 3, None));
    folder.write(
        "rounds.jsonl",
        format!("{}{set}\n{reset}\n{void}\n", lines(120)),
    );
    folder.run_on(url, &["import", "rounds.jsonl"]).succeeded();
    fs::create_dir_all(folder.path("pruned")).expect("a folder");
    let before = "2025-11-20T13:00:01Z";
    let prune = [
        "prune", "--before", before, "--to", "pruned", "--pool", "default",
    ];
    folder.run_on(url, &prune).succeeded();
    let switch = ["switch", "--pool", "arena", "--to", "adaptive"];
    folder.run_on(url, &switch).succeeded();
}

fn content(folder: &Folder, name: &str) -> Vec<String> {
    let file = fs::File::open(folder.path(name)).expect("a backup");
    let mut text = String::new();
    let read = MultiGzDecoder::new(file).read_to_string(&mut text);
    read.expect("a backup is text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[1..lines.len() - 1].to_vec()
}

fn rows(lines: &[String]) -> Vec<(String, Value)> {
    let (mut table, mut columns) = (String::new(), Vec::new());
    let mut rows = Vec::new();
    for line in lines {
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
    let report = json_of(&folder.run_on(&url, &["backup", FILE, "--json"]).succeeded());
    assert_eq!(report["rows"]["rounds"], 120 - 48, "{report}");
    assert_eq!(report["rows"]["pruned_rounds"], 48, "{report}");
    folder.run_on(&url, &["check", FILE]).succeeded();
    let there = rows(&content(&folder, FILE));
    for engine in [Engine::Sqlite, Engine::Postgres] {
        if engine.is_left_out() {
            continue;
        }
        let other = Database::create(engine).await;
        let to = other.url_text();
        let said = folder.run_on(&to, &["restore", FILE, "--dry-run"]);
        let said = said.succeeded().stdout;
        assert!(said.contains("has 0 rounds"), "{said}");
        assert!(
            said.contains("72 rounds of 2 pools, 3 admin changes"),
            "{said}"
        );
        folder.run_on(&to, &["restore", FILE]).succeeded();
        let again = folder.run_on(&to, &["backup", "again.backup.gz"]);
        again.succeeded();
        assert_eq!(
            rows(&content(&folder, "again.backup.gz")),
            there,
            "{engine:?}"
        );
        folder.run_on(&to, &["check"]).succeeded();
        let (one, two) = (database.store().await, other.store().await);
        assert_same_in_both(&one, &two).await;
        one.close().await;
        two.close().await;
        folder.write("more.jsonl", lines(140));
        folder.run_on(&to, &["import", "more.jsonl"]).succeeded();
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
    assert_eq!(
        database.count(&others).await,
        0,
        "a table is in no backup: name it in TABLES"
    );
}

async fn a_database_that_has_rounds_is_replaced_by_force_alone(database: &Database) {
    let url = database.url_text();
    let folder = Folder::new();
    folder.write("few.jsonl", lines(10));
    folder.run_on(&url, &["import", "few.jsonl"]).succeeded();
    folder.run_on(&url, &["backup", FILE]).succeeded();
    folder.write("more.jsonl", lines(25));
    folder.run_on(&url, &["import", "more.jsonl"]).succeeded();
    let exported = || {
        folder
            .run_on(&url, &["export"])
            .succeeded()
            .stdout
            .lines()
            .count()
    };

    let refused = folder.run_on(&url, &["restore", FILE]).failed();
    assert!(
        refused
            .stderr
            .contains("has 25 rounds, which would be deleted"),
        "{refused:#?}"
    );
    let tried = folder
        .run_on(&url, &["restore", FILE, "--dry-run"])
        .succeeded();
    assert!(
        tried
            .stdout
            .contains("without --force, the restore is refused"),
        "{tried:#?}"
    );
    let tried = folder.run_on(&url, &["restore", FILE, "--dry-run", "--force"]);
    assert!(tried.succeeded().stdout.contains("Dry run:"));
    assert_eq!(exported(), 25);
    let restored = folder.run_on(&url, &["restore", FILE, "--force", "--json"]);
    let restored = json_of(&restored.succeeded());
    assert_eq!(
        (&restored["rounds"], &restored["restored"]),
        (&json!(25), &json!(true))
    );
    assert_eq!(exported(), 10);
    folder.run_on(&url, &["check"]).succeeded();
    folder.run_on(&url, &["import", "more.jsonl"]).succeeded();
    assert_eq!(exported(), 25);
}

async fn a_backup_that_is_broken_is_refused_and_changes_nothing(database: &Database) {
    let url = database.url_text();
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(10));
    folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    folder.run_on(&url, &["backup", FILE]).succeeded();
    let whole = fs::read(folder.path(FILE)).expect("a backup");
    let mut text = String::new();
    let read = MultiGzDecoder::new(&*whole).read_to_string(&mut text);
    read.expect("a backup is text");
    let compressed = |text: &str| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory");
        encoder.finish().expect("memory")
    };
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
            let refused = folder.run_on(&url, command).failed();
            assert!(refused.stderr.contains(says), "{says}: {refused:#?}");
        }
    }
    // A readable backup that fails to restore leaves an empty database.
    let ahead = text.replacen("\"migration\":", "\"migration\":9", 1);
    let (ahead, changed) = (
        resealed(&ahead),
        text.replacen("\"name\":\"log_length\"", "\"name\":\"length\"", 1),
    );
    for (broken, says) in [
        (ahead, "newer version"),
        (resealed(&changed), "are not those of migration"),
    ] {
        folder.write("broken.backup.gz", compressed(&broken));
        if says == "newer version" {
            let dry = folder.run_on(&url, &["restore", "broken.backup.gz", "--dry-run"]);
            assert!(dry.failed().stderr.contains(says));
        }
        let refused = folder.run_on(&url, &["restore", "broken.backup.gz", "--force"]);
        let refused = refused.failed();
        assert!(refused.stderr.contains(says), "{says}: {refused:#?}");
        assert!(
            refused.stderr.contains("the database is as it was"),
            "{refused:#?}"
        );
    }
    let exported = folder.run_on(&url, &["export"]).succeeded();
    assert_eq!(exported.stdout.lines().count(), 10);
    folder.run_on(&url, &["check"]).succeeded();
}

async fn tables_of_another_program_are_left_alone(database: &Database) {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
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
        let says = "tables of another program (players)";
        assert!(refused.stderr.contains(says), "{refused:#?}");
    }
    assert_eq!(other.count("select count(*) from players").await, 1);
    other.remove().await;
    folder.run_on(&url, &["restore", FILE]).succeeded();
}

async fn admin_changes_alone_take_force_too(database: &Database) {
    let url = database.url_text();
    let folder = Folder::new();
    folder.write("few.jsonl", format!("{}\n", change("c1", 8, Some(2000))));
    folder.run_on(&url, &["import", "few.jsonl"]).succeeded();
    folder.run_on(&url, &["backup", FILE]).succeeded();
    let refused = folder.run_on(&url, &["restore", FILE]).failed();
    let says = "has 1 admin change";
    assert!(refused.stderr.contains(says), "{refused:#?}");
    let tried = folder.run_on(&url, &["restore", FILE, "--dry-run"]);
    let tried = tried.succeeded();
    assert!(
        tried.stdout.contains(says) && tried.stdout.contains("the restore is refused"),
        "{tried:#?}"
    );
    let restored = folder.run_on(&url, &["restore", FILE, "--force"]);
    restored.succeeded();
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

fn json_of(finished: &Finished) -> Value {
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

#[test]
fn a_folder_keeps_the_latest_backups() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3));
    let nothing = folder.run(&["backup", FILE]).failed();
    assert!(
        nothing.stderr.contains("there is no database"),
        "{nothing:#?}"
    );
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let refused = folder.run(&["backup", FILE, "--keep", "2"]).failed();
    assert!(
        refused.stderr.contains("--keep needs a folder"),
        "{refused:#?}"
    );
    for name in [
        "rbs-2025-01-01T000000Z.backup.gz",
        "rbs-2025-01-02T000000Z.backup.gz",
        "other.gz",
    ] {
        folder.write(&format!("backups/{name}"), "");
    }
    let made = folder.run(&["backup", "backups", "--keep", "2", "--json"]);
    let made = json_of(&made.succeeded());
    assert_eq!(
        made["deleted"],
        json!(["backups/rbs-2025-01-01T000000Z.backup.gz"])
    );
    let file = made["file"].as_str().expect("a file");
    assert!(
        file.starts_with("backups/rbs-20") && file.ends_with("Z.backup.gz"),
        "{made}"
    );
    let mut left: Vec<_> = fs::read_dir(folder.path("backups"))
        .expect("a folder")
        .map(|entry| entry.expect("a file").file_name())
        .collect();
    left.sort();
    assert_eq!(left.len(), 3, "{left:?}");
    folder.run(&["check", file]).succeeded();
    let mut shell = super::clean("bash", &folder.path("."));
    let program = env!("CARGO_BIN_EXE_rbs");
    let piped = format!("set -o pipefail; '{program}' backup /dev/stdout | cat >piped.backup.gz");
    let piped = Process::start(shell.args(["-c", &piped]))
        .finish()
        .succeeded();
    assert!(piped.stderr.contains("/dev/stdout: 3 rounds"), "{piped:#?}");
    folder.run(&["check", "piped.backup.gz"]).succeeded();
    let elsewhere = format!("sqlite://{}", folder.path("restored.db").display());
    let dry = folder.run_on(&elsewhere, &["restore", file, "--dry-run"]);
    dry.succeeded();
    assert!(
        !folder.path("restored.db").exists(),
        "a dry run makes no file"
    );
}
