use std::fs::OpenOptions;
use std::io::Write as _;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::cli::Folder;
use crate::cli::process::{Process, Stream};
use crate::cli::rounds::{change, compressed, line, lines, quality, tally};
use crate::support::Database;

on_both_engines!(
    an_import_that_was_killed_ends_the_same_when_it_is_run_again,
    two_imports_of_one_file_at_once_count_everything_once,
);

#[test]
fn an_import_counts_prints_the_quality_and_counts_nothing_twice() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(40));
    folder.write("rounds.jsonl.gz", compressed(&lines(60)));
    let url = "sqlite://rbs.db";
    let first = folder.run_on(url, &["import", "rounds.jsonl"]).succeeded();
    assert_eq!(tally(&first), [40, 0, 0, 0]);
    for word in [
        "Pool default: 32 rounds",
        "Pool arena: 8 rounds",
        "Brier score",
        "Log loss",
        "Accuracy",
    ] {
        assert!(quality(&first).contains(word), "{word}: {}", first.stdout);
    }
    let more = folder.run_on(url, &["import", "rounds.jsonl", "rounds.jsonl.gz"]);
    let more = more.succeeded();
    assert_eq!(tally(&more), [20, 80, 0, 0]);
    let again = folder
        .run_on(url, &["import", "rounds.jsonl.gz"])
        .succeeded();
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
    let missing = folder
        .run(&["import", "rounds.jsonl", "nowhere.jsonl"])
        .failed();
    assert!(missing.stderr.contains("nowhere.jsonl"), "{missing:#?}");
    let none = folder.run(&["import"]).failed();
    assert!(none.stderr.contains("FILE"), "{none:#?}");
    // The file is plain text despite its `.gz` suffix.
    folder.write("plain.jsonl.gz", lines(1));
    let plain = folder.run(&["import", "plain.jsonl.gz"]).failed();
    assert!(plain.stderr.contains("plain.jsonl.gz"), "{plain:#?}");
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
        ("not json", "JSON"),
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
        assert!(said.contains("rounds.jsonl:5: "), "{short}: {stopped:#?}");
        assert!(said.contains(reason), "{short}: no {reason:?}: {said}");
        assert_eq!(tally(&stopped), [3, 0, 0, 1], "{short}: {said}");
        assert!(said.contains("run the import again"), "{short}: {said}");

        let went_on = folder.run(&["import", "--keep-going", "rounds.jsonl"]);
        let went_on = went_on.succeeded();
        assert_eq!(tally(&went_on), [1, 3, 0, 1], "{short}");
        let warned = &went_on.stderr;
        assert!(warned.contains("rounds.jsonl:5: "), "{short}: {warned}");
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
    assert!(refused.stderr.contains("rounds.jsonl:1: "), "{refused:#?}");
}

#[test]
fn everything_goes_into_the_pool_that_is_named() {
    let folder = Folder::new();
    let url = "sqlite://rbs.db";
    folder.write(
        "rounds.jsonl",
        format!("{}{}\n", lines(10), change("c", 1, Some(1500))),
    );
    let import = ["import", "--pool", "arena", "rounds.jsonl"];
    let imported = folder.run_on(url, &import).succeeded();
    assert_eq!(tally(&imported), [10, 0, 1, 0]);
    assert!(
        quality(&imported).contains("Pool arena: 10 rounds"),
        "{imported:#?}"
    );
    assert!(
        !quality(&imported).contains("Pool default"),
        "{imported:#?}"
    );
    let exported = folder.run_on(url, &["export"]).succeeded();
    let in_arena = |line: &&str| line.contains("\"pool\":\"arena\"");
    assert_eq!(exported.stdout.lines().filter(in_arena).count(), 11);
    let nowhere = folder.run_on(url, &["import", "--pool", "nope", "rounds.jsonl"]);
    assert!(nowhere.failed().stderr.contains("\"nope\""));
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
    let lacking = folder.run_on(url, &["import", "rounds.jsonl"]).failed();
    let says = "rounds.jsonl:2: the configuration does not declare the pools \"csgo\", \"tf2\"; declare each";
    assert!(lacking.stderr.contains(says), "{lacking:#?}");
    assert!(
        !lacking.stderr.contains("Opened the database"),
        "{lacking:#?}"
    );
    assert_eq!(tally(&lacking), [1, 0, 0, 1]);
    let no_name = folder.run_on(url, &["import", "--pool", "a b", "rounds.jsonl"]);
    assert!(no_name.failed().stderr.contains("--pool"));
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
    let exported = folder.run(&["export"]).succeeded();
    let order: Vec<&str> = exported
        .stdout
        .lines()
        .map(|line| {
            ["\"c1\"", "\"c2\"", "\"c3\"", "public-1:1", "public-1:2"]
                .into_iter()
                .find(|name| line.contains(name))
                .expect("one of them")
        })
        .collect();
    assert_eq!(
        order,
        ["public-1:1", "\"c1\"", "public-1:2", "\"c2\"", "\"c3\""]
    );
}

#[test]
fn a_round_id_that_is_taken_stops_before_the_rounds_behind_it() {
    let folder = Folder::new();
    let taken = line(1, "public-1").replace("Übungs", "Truppenübungs");
    let mended = line(7, "public-1");
    let rest = format!("{}\n{}\n", line(2, "public-1"), line(3, "public-1"));
    folder.write(
        "rounds.jsonl",
        format!("{}\n{taken}\n{rest}", line(1, "public-1")),
    );
    let stopped = folder.run(&["import", "rounds.jsonl"]).failed();
    assert!(stopped.stderr.contains("rounds.jsonl:2: "), "{stopped:#?}");
    assert_eq!(tally(&stopped), [1, 0, 0, 1]);
    // After the line is fixed, the rounds count in the file's order.
    folder.write(
        "rounds.jsonl",
        format!("{}\n{mended}\n{rest}", line(1, "public-1")),
    );
    folder.run(&["import", "rounds.jsonl"]).succeeded();
    let exported = folder.run(&["export"]).succeeded();
    let at = |number: usize| exported.stdout.find(&format!("public-1:{number}\""));
    assert!(
        at(1) < at(7) && at(7) < at(2) && at(2) < at(3),
        "{exported:#?}"
    );
}

async fn an_import_that_was_killed_ends_the_same_when_it_is_run_again(database: &Database) {
    const ROUNDS: usize = 700;
    let folder = Folder::new();
    let all = lines(ROUNDS).replace("arena-1", "arena-2");
    folder.write("rounds.jsonl", &all);
    // Progress through a pipe is known only from the database.
    let pipe = folder.path("pipe.jsonl");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let url = database.url_text();
    let store = database.store().await;
    let import = Process::start(&mut folder.rbs_on(&url, &["import", "pipe.jsonl"]));
    let first: String = all.split_inclusive('\n').take(600).collect();
    let (closed, close) = std::sync::mpsc::channel::<()>();
    let writing = std::thread::spawn(move || {
        let mut pipe = OpenOptions::new().write(true).open(pipe).expect("a pipe");
        // The import may exit before it has read everything.
        let _cut_off = pipe.write_all(first.as_bytes());
        // The pipe stays open, so the import waits for more input until it is killed.
        let _dropped = close.recv();
    });
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let pools = store
            .begin_read()
            .await
            .expect("a unit of work")
            .pools()
            .await;
        let pools = pools.expect("pools");
        let counted: u64 = pools.iter().map(|pool| pool.sums.predictions.rounds).sum();
        if counted > 0 {
            assert!(counted < ROUNDS as u64, "it was not stopped midway");
            break;
        }
        assert!(Instant::now() < deadline, "nothing is counted");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    drop(import);
    drop(closed);
    writing.join().expect("no panic");
    store.close().await;

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
    let mut one = Process::start(&mut folder.rbs_on(&url, &import));
    let mut other = Process::start(&mut folder.rbs_on(&url, &import));
    for import in [&mut one, &mut other] {
        import.wait_for(Stream::Out, "Rounds counted");
    }
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
    assert!(
        stopped.stderr.contains("cannot be read any further"),
        "{stopped:#?}"
    );
    let counted = tally(&stopped)[0];
    assert!(
        counted > 256,
        "only whole batches were counted: {stopped:#?}"
    );
    let again = folder.run(&["import", "broken.jsonl.gz"]).failed();
    assert_eq!(tally(&again), [0, counted, 0, 0]);
    assert!(again.stdout.contains("Unreadable files: 1"), "{again:#?}");
    assert!(!again.stderr.contains("--keep-going"), "{again:#?}");

    folder.write("good.jsonl", line(401, "public-1"));
    let went_on = folder.run(&["import", "--keep-going", "broken.jsonl.gz", "good.jsonl"]);
    let went_on = went_on.failed();
    assert_eq!(tally(&went_on), [1, counted, 0, 0]);
    assert!(
        went_on.stdout.contains("Unreadable files: 1"),
        "{went_on:#?}"
    );
}
