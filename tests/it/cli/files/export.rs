use std::fmt::Write as _;
use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
use std::process::Command;

use flate2::read::GzDecoder;
use serde_json::json;

use crate::cli::process::{Finished, Process};
use crate::cli::rounds::{change, lines, quality, tally};
use crate::cli::{Folder, clean};
use crate::support::{Compared, Database, Engine, assert_same_in_both};

on_both_engines!(an_export_makes_the_same_database_on_the_other_engine);

async fn an_export_makes_the_same_database_on_the_other_engine(database: &Database) {
    let other = match database.engine() {
        Engine::Sqlite => Engine::Postgres,
        Engine::Postgres => Engine::Sqlite,
    };
    if other.is_left_out() {
        return;
    }
    let other = Database::create(other).await;
    let folder = Folder::new();
    let (half, rest) = (lines(60), lines(120));
    let rest = rest
        .strip_prefix(&half)
        .expect("the first lines are the same");
    let changes = [change("c1", 8, Some(2000)), change("c2", 3, None)].join("\n");
    let later = change("c3", 8, None);
    folder.write("rounds.jsonl", format!("{half}{changes}\n{rest}{later}\n"));
    let first = folder.run_on(&database.url_text(), &["import", "rounds.jsonl"]);
    let first = first.succeeded();
    assert_eq!(tally(&first), [120, 0, 3, 0]);

    let export = |url: &str| -> Finished { folder.run_on(url, &["export"]).succeeded() };
    let here = export(&database.url_text());
    folder.write("export.jsonl", &here.stdout);
    let second = folder.run_on(&other.url_text(), &["import", "export.jsonl"]);
    let second = second.succeeded();
    assert_eq!(tally(&second), [120, 0, 3, 0]);
    let there = export(&other.url_text());
    assert_eq!(there.stdout, here.stdout, "the exports are the same bytes");
    assert_eq!(quality(&second), quality(&first));
    compare(database, &other).await;
    other.remove().await;
}

/// Asserts that the databases are bit-identical.
async fn compare(one: &Database, other: &Database) {
    let (one, other) = (one.store().await, other.store().await);
    let compared = assert_same_in_both(&one, &other).await;
    let players = 2 * 23;
    assert_eq!(
        compared,
        Compared {
            rounds: 120,
            players
        }
    );
    one.close().await;
    other.close().await;
}

#[test]
fn an_export_of_one_pool_or_into_a_file_holds_what_was_asked_for() {
    let folder = Folder::new();
    let url = "sqlite://rbs.db";
    folder.write("rounds.jsonl", lines(25));
    folder.run_on(url, &["import", "rounds.jsonl"]).succeeded();
    let all = folder.run_on(url, &["export"]).succeeded().stdout;
    let arena = folder
        .run_on(url, &["export", "--pool", "arena"])
        .succeeded();
    let default = folder
        .run_on(url, &["export", "--pool", "default"])
        .succeeded();
    assert_eq!(arena.stdout.lines().count(), 5);
    assert_eq!(format!("{}{}", arena.stdout, default.stdout), all);
    let nope = folder.run_on(url, &["export", "--pool", "nope"]).failed();
    assert!(nope.stderr.contains("\"nope\""), "{nope:#?}");

    let plain = folder
        .run_on(url, &["export", "-o", "all.jsonl"])
        .succeeded();
    assert_eq!(plain.stdout, "");
    let written = std::fs::read_to_string(folder.path("all.jsonl")).expect("a file");
    assert_eq!(written, all);
    folder
        .run_on(url, &["export", "--output", "all.jsonl.gz"])
        .succeeded();
    let file = std::fs::File::open(folder.path("all.jsonl.gz")).expect("a file");
    let mut text = String::new();
    GzDecoder::new(file)
        .read_to_string(&mut text)
        .expect("compressed");
    assert_eq!(text, all);
    let again = folder.run_on("sqlite://again.db", &["import", "all.jsonl.gz"]);
    assert_eq!(tally(&again.succeeded()), [25, 0, 0, 0]);

    let nowhere = folder.run_on(url, &["export", "-o", "no/such/folder.jsonl"]);
    let said = nowhere.failed().stderr;
    assert!(
        said.contains("no/such/folder.jsonl: there is no folder no/such;"),
        "{said}"
    );
}

#[test]
fn an_export_replaces_a_file_and_nothing_but_a_file() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(5));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let all = folder.run(&["export"]).succeeded().stdout;

    // A symbolic link remains; the target file is replaced and keeps its permissions.
    folder.write("kept/backup.jsonl", "an older backup\n");
    let backup = folder.path("kept/backup.jsonl");
    fs::set_permissions(&backup, Permissions::from_mode(0o640)).expect("permissions");
    symlink("kept/backup.jsonl", folder.path("link.jsonl")).expect("a link");
    symlink("kept/new.jsonl", folder.path("dangling.jsonl")).expect("a link");
    for (link, file) in [
        ("link.jsonl", "kept/backup.jsonl"),
        ("dangling.jsonl", "kept/new.jsonl"),
    ] {
        folder.run(&["export", "-o", link]).succeeded();
        let kind = fs::symlink_metadata(folder.path(link)).expect("a link");
        assert!(kind.file_type().is_symlink(), "{link} was replaced");
        assert_eq!(fs::read_to_string(folder.path(file)).expect("a file"), all);
    }
    for (file, expected) in [("kept/backup.jsonl", 0o640), ("kept/new.jsonl", 0o600)] {
        let found = fs::metadata(folder.path(file)).expect("a file");
        assert_eq!(found.permissions().mode() & 0o777, expected, "{file}");
    }

    let pipe = folder.path("pipe.jsonl");
    let piped = Command::new("mkfifo").arg(&pipe).status();
    assert!(piped.expect("mkfifo runs").success());
    let reading = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("what is written")
    });
    folder.run(&["export", "-o", "pipe.jsonl"]).succeeded();
    assert_eq!(reading.join().expect("no panic"), all);
    let kind = fs::symlink_metadata(&pipe).expect("a pipe").file_type();
    assert!(kind.is_fifo(), "the pipe was replaced");

    let refused = folder.run(&["export", "-o", "kept"]).failed();
    assert!(
        refused.stderr.contains("kept: it is a folder"),
        "{refused:?}"
    );
    // A failed export leaves the existing file unchanged.
    let nope = ["export", "--pool", "nope", "-o", "kept/backup.jsonl"];
    let refused = folder.run(&nope).failed();
    assert!(refused.stderr.contains("it has: default"), "{refused:?}");
    assert_eq!(fs::read_to_string(&backup).expect("a file"), all);
    let left = fs::read_dir(folder.path("kept")).expect("a folder").count();
    assert_eq!(left, 2, "an unfinished file was left");
}

#[test]
fn an_export_of_an_empty_database_is_empty_and_one_of_none_is_refused() {
    let folder = Folder::new();
    let refused = folder.run(&["export", "--output", "backup.jsonl"]);
    assert_ne!(refused.code, Some(0), "{refused:?}");
    assert!(refused.stderr.contains("DATABASE_URL"), "{refused:?}");
    assert!(
        !folder.path("backup.jsonl").exists(),
        "nothing may replace a backup"
    );
    assert!(!folder.path("rbs.db").exists(), "no database may be made");
    std::fs::write(folder.path("none.jsonl"), "").unwrap();
    folder.run(&["import", "none.jsonl"]).succeeded();
    let exported = folder.run(&["export"]).succeeded();
    assert_eq!(exported.stdout, "");
}

#[test]
fn an_export_whose_reader_has_seen_enough_ends_quietly() {
    let folder = Folder::new();
    // Exceeds the pipe's buffer, so the export meets the closed end.
    let crowd = |from: usize| -> Vec<String> {
        (from..from + 64).map(|id| format!("[U:1:{id}]")).collect()
    };
    let mut text = String::new();
    for number in 0..120 {
        let round = json!({
            "round_id": format!("{number}"), "server": "s", "winner": "a",
            "team_a": crowd(1), "team_b": crowd(65),
        });
        writeln!(text, "{round}").expect("a text grows");
    }
    folder.write("rounds.jsonl", text);
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let mut bash = clean("bash", folder.0.path());
    let script = "\"$0\" export | head -n 1; exit ${PIPESTATUS[0]}";
    bash.args(["-c", script, env!("CARGO_BIN_EXE_rbs")]);
    let ended = Process::start(&mut bash).finish().succeeded();
    assert_eq!(ended.stdout.lines().count(), 1);
    let complaints = ended
        .stderr
        .lines()
        .filter(|line| !line.contains("\"level\":\"INFO\""));
    assert_eq!(complaints.count(), 0, "{}", ended.stderr);
}

#[test]
fn a_backup_is_its_owners_alone_and_follows_no_link() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(5));
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    folder.run(&["backup", "new.gz"]).succeeded();
    folder.write("precious", "of somebody else");
    for (link, to) in [("link.gz", "precious"), ("dangling.gz", "nothing")] {
        symlink(to, folder.path(link)).expect("a link");
        let refused = folder.run(&["backup", link]).failed();
        let says = "it is a symbolic link";
        assert!(refused.stderr.contains(says), "{refused:#?}");
    }
    let kept = fs::read_to_string(folder.path("precious")).expect("a file");
    assert_eq!(kept, "of somebody else");
    assert!(!folder.path("nothing").exists());
    let mode = fs::metadata(folder.path("new.gz")).expect("a file");
    assert_eq!(mode.permissions().mode() & 0o777, 0o600);
}
