use std::fs::{self, File};
use std::io::Write as _;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::cli::process::{Process, Stream};
use crate::cli::rounds::{change, compressed, line, lines, quality, tally};
use crate::cli::{Folder, clean, fields, words};
use crate::support::Database;

on_both_engines!(
    an_import_that_was_killed_ends_the_same_when_it_is_run_again,
    two_imports_of_one_file_at_once_count_everything_once,
);

#[test]
fn an_import_counts_prints_the_quality_and_counts_nothing_twice() {
    let folder = Folder::new();
    // What a file holds decides how it is read, and not its name.
    folder.write("marked.jsonl", format!("\u{feff}{}", lines(40)));
    folder.write("zipped.jsonl", compressed(&lines(60)));
    let import = |files: &str| {
        let line = format!("import {files}");
        folder.run_on("sqlite://rbs.db", &words(&line)).succeeded()
    };
    let first = import("marked.jsonl");
    assert_eq!(tally(&first), [40, 0, 0, 0]);
    first.shows("\nPool default: 32 rounds");
    first.shows("\nPool arena: 8 rounds");
    for word in ["Brier score", "Log loss", "Accuracy"] {
        first.shows(word);
    }
    let more = import("marked.jsonl zipped.jsonl");
    assert_eq!(tally(&more), [20, 80, 0, 0]);
    let again = import("zipped.jsonl");
    assert_eq!(tally(&again), [0, 60, 0, 0]);
    assert_eq!(quality(&again), quality(&more));
}

#[test]
fn an_empty_file_is_no_error_and_a_missing_one_is() {
    let folder = Folder::new();
    folder.write("empty.jsonl", "");
    folder.write("blank.jsonl", "\n \r\n\n");
    folder.write("empty.jsonl.gz", compressed(""));
    let empty = folder.run(&["import", "empty.jsonl", "blank.jsonl", "empty.jsonl.gz"]);
    assert_eq!(tally(&empty.succeeded()), [0; 4]);
    folder.write("rounds.jsonl", lines(1));
    let missing = folder.run(&["import", "rounds.jsonl", "nowhere.jsonl"]);
    missing.failed().says("nowhere.jsonl");
    folder.run(&["import"]).failed().says("FILE");
    folder.write("plain.jsonl.gz", lines(1));
    let plain = folder.run(&["import", "plain.jsonl.gz"]).failed();
    plain.says("plain.jsonl.gz").says("is not compressed");
    let counted = folder.run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&counted), [1, 0, 0, 0], "what failed counted nothing");
}

#[test]
fn a_bad_line_is_named_and_stops_the_import_behind_the_good_ones() {
    let bad_id = line(4, "public-1").replace("[U:1:", "[X:1:");
    let unknown_field = line(4, "public-1").replace("\"map\"", "\"mapp\"");
    let with_splits = line(4, "public-1").replace("\"map\"", "\"scramble\":{},\"map\"");
    let unknown_pool = line(4, "public-1").replace("\"map\"", "\"pool\":\"nope\",\"map\"");
    let taken = line(2, "public-1").replace("Übungs", "Truppenübungs");
    let pad = "x".repeat(256 * 1024);
    let too_long = line(4, "public-1").replace("Übungsgelände", &pad);
    let no_rating = change("c", 1, Some(5)).replace("\"rating\"", "\"ratting\"");
    let change_elsewhere = change("c", 1, None).replace("default", "nope");
    for (bad, reason) in [
        ("not json", " at column "),
        ("{\"round_id\": ", " at column "),
        ("{\"round_id\": \"x\"}", "missing"),
        ("[1, 2]", ""),
        (bad_id.as_str(), "/team_a/0"),
        (unknown_field.as_str(), "mapp"),
        (with_splits.as_str(), "/scramble is not a field here"),
        (unknown_pool.as_str(), "\"nope\""),
        (taken.as_str(), "public-1:2"),
        (too_long.as_str(), "262144 bytes"),
        (no_rating.as_str(), "ratting"),
        (change_elsewhere.as_str(), "\"nope\""),
    ] {
        let folder = Folder::new();
        let good: Vec<String> = (1..=3).map(|number| line(number, "public-1")).collect();
        let last = line(9, "public-1");
        let text = format!("{}\n\n{bad}\n{last}\n", good.join("\n"));
        folder.write("rounds.jsonl", text);
        let stopped = folder.run(&["import", "rounds.jsonl"]).failed();
        let short = &bad[..bad.len().min(90)];
        let said = stopped.stderr.lines().last().unwrap_or_default();
        for part in ["rounds.jsonl:5: ", reason, "run the import again"] {
            assert!(said.contains(part), "{short}: no {part:?}: {said}");
        }
        // The file's own line is named, and not that of the part of it that was parsed.
        assert!(!said.contains("line 1 "), "{said}");
        assert_eq!(tally(&stopped), [3, 0, 0, 1], "{short}: {said}");

        let went_on = folder.run(&["import", "--keep-going", "rounds.jsonl"]);
        let went_on = went_on.succeeded();
        assert_eq!(tally(&went_on), [1, 3, 0, 1], "{short}");
        went_on.says("rounds.jsonl:5: ");
    }
}

#[test]
fn a_line_of_the_greatest_length_is_read_and_a_last_line_needs_no_end() {
    let folder = Folder::new();
    let round = line(1, "public-1");
    let padded = |length: usize| {
        let spaces = " ".repeat(length - round.len());
        round.replacen('{', &format!("{{{spaces}"), 1)
    };
    let longest = padded(256 * 1024);
    folder.write("rounds.jsonl", format!("{longest}\n{longest}"));
    let read = folder.run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&read), [1, 1, 0, 0]);
    folder.write("rounds.jsonl", padded(256 * 1024 + 1));
    let refused = folder.run(&["import", "rounds.jsonl"]).failed();
    refused.says("rounds.jsonl:1: ");
}

#[test]
fn everything_goes_into_the_pool_that_is_named() {
    let folder = Folder::new();
    let run = |line: &str| folder.run_on("sqlite://rbs.db", &words(line));
    let change = change("c", 1, Some(1500));
    folder.write("rounds.jsonl", format!("{}{change}\n", lines(10)));
    let imported = run("import --pool arena rounds.jsonl").succeeded();
    assert_eq!(tally(&imported), [10, 0, 1, 0]);
    imported.shows("Pool arena: 10 rounds");
    assert!(!imported.stdout.contains("Pool default"), "{imported:#?}");
    let exported = run("export").succeeded().stdout;
    assert_eq!(exported.matches("\"pool\":\"arena\"").count(), 11);
    let nowhere = run("import --pool nope rounds.jsonl").failed();
    nowhere.says("\"nope\"");
    let of = |number, pool| {
        line(number, "public-1").replace("\"map\"", &format!("\"pool\":\"{pool}\",\"map\""))
    };
    let exported = [
        of(11, "arena"),
        of(12, "tf2"),
        of(13, "csgo"),
        of(14, "tf2"),
    ];
    folder.write("rounds.jsonl", exported.join("\n"));
    let lacking = run("import rounds.jsonl").failed();
    lacking.says("rounds.jsonl:2: the configuration does not declare the pools \"csgo\", \"tf2\"; declare each");
    assert_eq!(tally(&lacking), [1, 0, 0, 1]);
}

#[test]
fn an_admins_changes_count_in_their_place_and_once() {
    let folder = Folder::new();
    let server = "public-1";
    let text = [
        line(1, server),
        change("c1", 8, Some(2000)),
        line(2, server),
        change("c2", 8, None),
        change("c3", 8, Some(700)),
    ];
    folder.write("rounds.jsonl", text.join("\n"));
    let first = folder.run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&first), [2, 0, 3, 0]);
    let again = folder.run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&again), [0, 5, 0, 0]);
    let exported = folder.run(&["export"]).succeeded().stdout;
    assert_eq!(exported.lines().count(), 5);
    let order = ["public-1:1", "\"c1\"", "public-1:2", "\"c2\"", "\"c3\""];
    for (line, name) in exported.lines().zip(order) {
        assert!(line.contains(name), "{name}: {exported}");
    }
}

async fn an_import_that_was_killed_ends_the_same_when_it_is_run_again(database: &Database) {
    const ROUNDS: usize = 700;
    let folder = Folder::new();
    let all = lines(ROUNDS).replace("arena-1", "arena-2");
    folder.write("rounds.jsonl", &all);
    // Progress through a pipe is known only from the database.
    let pipe = folder.make_pipe("pipe.jsonl");
    let url = database.url_text();
    database.store().await.close().await;
    let import = Process::start(&mut folder.rbs_on(&url, &["import", "pipe.jsonl"]));
    let first: String = all.split_inclusive('\n').take(600).collect();
    let (closed, close) = std::sync::mpsc::channel::<()>();
    let writing = std::thread::spawn(move || {
        let mut pipe = File::options().write(true).open(pipe).expect("a pipe");
        // The import may exit before it has read everything.
        let _cut_off = pipe.write_all(first.as_bytes());
        // The pipe stays open, so the import waits for more input until it is killed.
        let _dropped = close.recv();
    });
    let deadline = Instant::now() + Duration::from_mins(1);
    let rounds = "select count(*) from rounds";
    while database.count(rounds).await == 0 {
        assert!(Instant::now() < deadline, "nothing is counted");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(import);
    drop(closed);
    writing.join().expect("no panic");

    let resumed = folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    let [counted, before, ..] = tally(&resumed);
    assert!(counted > 0 && before > 0, "{resumed:#?}");
    assert_eq!(counted + before, ROUNDS as u64);
    let fresh = Folder::new();
    fresh.write("rounds.jsonl", &all);
    let once = fresh.run_on("sqlite://once.db", &["import", "rounds.jsonl"]);
    let once = once.succeeded();
    assert_eq!(quality(&resumed), quality(&once));
    let exported = folder.run_on(&url, &["export"]).succeeded();
    let expected = fresh.run_on("sqlite://once.db", &["export"]).succeeded();
    assert_eq!(exported.stdout, expected.stdout);
}

async fn two_imports_of_one_file_at_once_count_everything_once(database: &Database) {
    const LINES: u64 = 601;
    let folder = Folder::new();
    let text = format!("{}{}\n", lines(600), change("c", 1, Some(1500)));
    folder.write("rounds.jsonl", text);
    let url = database.url_text();
    let import = ["import", "rounds.jsonl"];
    let one = Process::start(&mut folder.rbs_on(&url, &import));
    let other = Process::start(&mut folder.rbs_on(&url, &import));
    let (one, other) = (one.finish().succeeded(), other.finish().succeeded());
    let (one, other) = (tally(&one), tally(&other));
    assert_eq!(one[0] + other[0], 600, "rounds: {one:?} {other:?}");
    assert_eq!(one[2] + other[2], 1, "changes: {one:?} {other:?}");
    assert_eq!(one[1] + other[1], LINES, "duplicates: {one:?} {other:?}");
    let exported = folder.run_on(&url, &["export"]).succeeded();
    assert_eq!(exported.stdout.lines().count() as u64, LINES);
}

#[test]
fn what_stands_before_a_files_broken_end_is_counted() {
    let folder = Folder::new();
    let text: String = (1..=400).map(|n| line(n, "public-1") + "\n").collect();
    let mut whole = compressed(&text);
    whole.truncate(whole.len() - 100);
    folder.write("broken.jsonl.gz", whole);
    let stopped = folder.run(&["import", "broken.jsonl.gz"]).failed();
    stopped.says("cannot be read any further");
    let counted = tally(&stopped)[0];
    assert!(
        counted > 256,
        "only whole batches were counted: {stopped:#?}"
    );
    let again = folder.run(&["import", "broken.jsonl.gz"]).failed();
    assert_eq!(tally(&again), [0, counted, 0, 0]);
    again.shows("Unreadable files: 1");
    assert!(!again.stderr.contains("--keep-going"), "{again:#?}");

    folder.write("good.jsonl", line(401, "public-1"));
    let went_on = folder.run(&["import", "--keep-going", "broken.jsonl.gz", "good.jsonl"]);
    let went_on = went_on.failed();
    assert_eq!(tally(&went_on), [1, counted, 0, 0]);
    went_on.shows("Unreadable files: 1");
}

#[test]
fn standard_input_is_a_file_too() {
    let folder = Folder::new();
    folder.write("rounds.jsonl.gz", compressed(&lines(7)));
    let mut bash = clean("bash", folder.0.path());
    let script = "\"$0\" import - < rounds.jsonl.gz; echo '{}' | \"$0\" import -";
    bash.args(["-c", script, env!("CARGO_BIN_EXE_rbs")]);
    let ended = Process::start(&mut bash).finish().failed();
    assert_eq!(tally(&ended), [7, 0, 0, 0]);
    ended.says("standard input:1: ");
}

#[test]
fn what_keeps_going_fails_where_nothing_was_good() {
    let folder = Folder::new();
    folder.write("bad.jsonl", "nonsense\n{}\n");
    folder.write("good.jsonl", line(1, "public-1"));
    let all_bad = ["import", "--keep-going", "bad.jsonl"];
    let failed = folder.run(&all_bad).failed();
    assert_eq!(failed.code, Some(1));
    assert_eq!(tally(&failed), [0, 0, 0, 2]);
    failed.says("no line was valid");
    let some = folder.run(&["import", "--keep-going", "bad.jsonl", "good.jsonl"]);
    assert_eq!(tally(&some.succeeded()), [1, 0, 0, 2]);

    fs::create_dir(folder.path("folder")).expect("a folder");
    let read = folder.run(&["import", "--keep-going", "folder"]).failed();
    read.says("folder: it is a folder");
}

#[test]
fn rounds_of_the_future_and_of_long_ago_are_counted_and_warned_of() {
    let folder = Folder::new();
    let ended = |number: usize, at: &str| {
        let mut round: Value = serde_json::from_str(&line(number, "public-1")).expect("JSON");
        round["ended_at"] = json!(at);
        format!("{round}\n")
    };
    let old = ended(7, "1999-12-31T23:59:59Z") + &ended(8, "0001-01-01T00:00:00Z");
    folder.write(
        "rounds.jsonl",
        lines(6) + &old + &ended(9, "9999-12-31T23:59:59Z"),
    );
    let counted = folder.run(&["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&counted), [9, 0, 0, 0]);
    let warning =
        "3 rounds ended before the year 2000 or in the future, the first at rounds.jsonl:7; ";
    counted.shows(warning);
    let again = folder.run(&["import", "--json", "rounds.jsonl"]);
    let report = again.succeeded().json();
    assert_eq!(fields(&report, ["duplicates", "bad"]), json!([9, 0]));
    let warned = report["warning"].as_str().unwrap_or_default();
    assert!(warned.starts_with(warning), "{report}");
}

#[test]
fn an_import_that_is_told_to_stop_says_what_it_has_counted() {
    for signal in ["INT", "TERM"] {
        let folder = Folder::new();
        let pipe = folder.make_pipe("pipe.jsonl");
        folder.write("rounds.jsonl", lines(5));
        let mut import = folder.rbs(&["import", "rounds.jsonl", "nothing.jsonl", "pipe.jsonl"]);
        // A refused line proves that the lines before it were counted.
        folder.write("nothing.jsonl", "nonsense\n");
        let mut import = Process::start(import.arg("--keep-going"));
        let held_open = File::options().write(true).open(&pipe).expect("a pipe");
        import.wait_for(Stream::Err, "nothing.jsonl:1: ");
        import.signal(signal);
        let stopped = import.finish().failed();
        drop(held_open);
        assert_eq!(stopped.code, Some(130), "SIG{signal}: {stopped:#?}");
        assert_eq!(tally(&stopped), [5, 0, 0, 1], "SIG{signal}");
        stopped.says("run the command again");
    }
}
