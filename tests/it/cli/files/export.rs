use std::fs::{self, Permissions};
use std::io::Read as _;
use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

use flate2::read::GzDecoder;

use crate::cli::process::{Finished, Process};
use crate::cli::rounds::{change, lines, quality, tally};
use crate::cli::{Folder, clean, words};
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
    // A number that the pool no longer declares.
    let rest = rest.replace("\"kills\":120,", "\"damage\":120,");
    folder.write("rounds.jsonl", format!("{half}{changes}\n{rest}{later}\n"));
    let first = folder.run_on(&database.url_text(), &["import", "rounds.jsonl"]);
    let first = first.succeeded();
    assert_eq!(tally(&first), [120, 0, 3, 0]);

    let export = |url: &str| -> Finished { folder.run_on(url, &["export"]).succeeded() };
    let here = export(&database.url_text());
    here.shows("\"damage\":120");
    folder.write("export.jsonl", &here.stdout);
    let second = folder.run_on(&other.url_text(), &["import", "export.jsonl"]);
    let second = second.succeeded();
    assert_eq!(tally(&second), [120, 0, 3, 0]);
    let there = export(&other.url_text());
    assert_eq!(there.stdout, here.stdout, "the exports are the same bytes");
    assert_eq!(quality(&second), quality(&first));
    let (one, two) = (database.store().await, other.store().await);
    let (rounds, players) = (120, 2 * 23);
    let compared = assert_same_in_both(&one, &two).await;
    assert_eq!(compared, Compared { rounds, players });
    one.close().await;
    two.close().await;
    other.remove().await;
}

#[test]
fn an_export_of_one_pool_or_into_a_file_holds_what_was_asked_for() {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on("sqlite://rbs.db", &words(line));
    folder.import_lines_on("sqlite://rbs.db", 25);
    let all = run("export").succeeded().stdout;
    let arena = run("export --pool arena").succeeded().stdout;
    let default = run("export --pool default").succeeded().stdout;
    assert_eq!(arena.lines().count(), 5);
    assert_eq!(format!("{arena}{default}"), all);

    let plain = run("export -o all.jsonl").succeeded();
    assert_eq!(plain.stdout, "");
    let written = fs::read_to_string(folder.path("all.jsonl")).expect("a file");
    assert_eq!(written, all);
    run("export --output all.jsonl.gz").succeeded();
    let file = fs::File::open(folder.path("all.jsonl.gz")).expect("a file");
    let mut text = String::new();
    let read = GzDecoder::new(file).read_to_string(&mut text);
    read.expect("compressed");
    assert_eq!(text, all);
    let nowhere = run("export -o no/such/folder.jsonl").failed();
    nowhere.says("no/such/folder.jsonl: there is no folder no/such;");
}

#[test]
fn an_export_replaces_a_file_and_nothing_but_a_file() {
    let folder = Folder::new();
    folder.import_lines(5);
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

    let pipe = folder.make_pipe("pipe.jsonl");
    let reading = std::thread::spawn({
        let pipe = pipe.clone();
        move || fs::read_to_string(pipe).expect("what is written")
    });
    folder.run(&["export", "-o", "pipe.jsonl"]).succeeded();
    assert_eq!(reading.join().expect("no panic"), all);
    let kind = fs::symlink_metadata(&pipe).expect("a pipe").file_type();
    assert!(kind.is_fifo(), "the pipe was replaced");

    let refused = folder.run(&["export", "-o", "kept"]).failed();
    refused.says("kept: it is a folder");
    // A failed export leaves the existing file unchanged.
    let nope = ["export", "--pool", "nope", "-o", "kept/backup.jsonl"];
    folder.run(&nope).failed().says("it has: default");
    assert_eq!(fs::read_to_string(&backup).expect("a file"), all);
    let left = fs::read_dir(folder.path("kept")).expect("a folder").count();
    assert_eq!(left, 2, "an unfinished file was left");
}

#[test]
fn an_export_of_an_empty_database_is_empty_and_one_of_none_is_refused() {
    let folder = Folder::new();
    let refused = folder.run(&["export", "--output", "backup.jsonl"]);
    refused.failed().says("DATABASE_URL");
    assert_eq!(folder.count(), 0, "a database or an empty backup is made");
    folder.write("none.jsonl", "");
    folder.run(&["import", "none.jsonl"]).succeeded();
    let exported = folder.run(&["export"]).succeeded();
    assert_eq!(exported.stdout, "");
}

#[test]
fn an_export_whose_reader_has_seen_enough_ends_quietly() {
    let folder = Folder::new();
    // Exceeds the pipe's buffer, so the export meets the closed end.
    folder.import_lines(500);
    let mut bash = clean("bash", folder.0.path());
    let script = "\"$0\" export | head -n 1; exit ${PIPESTATUS[0]}";
    bash.args(["-c", script, env!("CARGO_BIN_EXE_rbs")]);
    let ended = Process::start(&mut bash).finish().succeeded();
    assert_eq!(ended.stdout.lines().count(), 1);
    let is_info = |line: &str| line.contains("\"level\":\"INFO\"");
    assert!(ended.stderr.lines().all(is_info), "{ended:#?}");
}
