//! Input formats of imports, and their exit codes.

use std::fs::File;
use std::process::Command;

use serde_json::{Value, json};

use crate::cli::process::{Process, Stream};
use crate::cli::rounds::{compressed, line, lines, tally};
use crate::cli::{Folder, clean};

#[test]
fn a_file_is_read_by_what_it_holds() {
    let folder = Folder::new();
    folder.write("zipped.jsonl", compressed(&lines(3)));
    let text = lines(5);
    folder.write("marked.jsonl", format!("\u{feff}{text}"));
    let read = folder.run(&["import", "zipped.jsonl", "marked.jsonl"]);
    assert_eq!(tally(&read.succeeded()), [5, 3, 0, 0]);

    folder.write("plain.jsonl.gz", &text);
    let plain = folder.run(&["import", "plain.jsonl.gz"]).failed();
    assert!(plain.stderr.contains("is not compressed"), "{plain:#?}");
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
    assert!(ended.stderr.contains("standard input:1: "), "{ended:#?}");
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
    assert!(failed.stderr.contains("no line was valid"), "{failed:#?}");
    let some = folder.run(&["import", "--keep-going", "bad.jsonl", "good.jsonl"]);
    assert_eq!(tally(&some.succeeded()), [1, 0, 0, 2]);

    std::fs::create_dir(folder.path("folder")).expect("a folder");
    let read = folder.run(&["import", "--keep-going", "folder"]).failed();
    assert!(read.stderr.contains("folder: it is a folder"), "{read:#?}");
}

#[test]
fn a_line_that_is_no_json_is_named_by_its_place_in_the_file_alone() {
    let folder = Folder::new();
    let good = lines(6);
    for bad in ["{\"round_id\": x}", "{\"round_id\": ", "nonsense"] {
        folder.write("rounds.jsonl", format!("{good}{bad}\n"));
        let stopped = folder.run(&["import", "rounds.jsonl"]).failed();
        let said = &stopped.stderr;
        assert!(said.contains("rounds.jsonl:7: "), "{said}");
        assert!(said.contains(" at column "), "{said}");
        assert!(
            !said.contains("line 1 ") && !said.contains("line 2 "),
            "{said}"
        );
    }
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
    assert_eq!(
        counted.stdout.matches("Warning:").count(),
        1,
        "{counted:#?}"
    );
    assert!(counted.stdout.contains(warning), "{counted:#?}");
    let again = folder
        .run(&["import", "--json", "rounds.jsonl"])
        .succeeded();
    let report: Value = serde_json::from_str(&again.stdout).expect("the report");
    assert_eq!(
        (&report["duplicates"], &report["bad"]),
        (&json!(9), &json!(0))
    );
    assert!(
        report["warning"]
            .as_str()
            .is_some_and(|text| text.starts_with(warning)),
        "{report}"
    );
}

#[test]
fn a_report_that_nobody_reads_to_its_end_is_no_failure() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3));
    let mut bash = clean("bash", folder.0.path());
    let script = "\"$0\" import rounds.jsonl | true; exit ${PIPESTATUS[0]}";
    bash.args(["-c", script, env!("CARGO_BIN_EXE_rbs")]);
    let ended = Process::start(&mut bash).finish().succeeded();
    assert!(!ended.stderr.contains("panicked"), "{ended:#?}");
}

#[test]
fn an_import_that_is_told_to_stop_says_what_it_has_counted() {
    for signal in ["INT", "TERM"] {
        let folder = Folder::new();
        let pipe = folder.path("pipe.jsonl");
        let made = Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("mkfifo runs").success());
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
        assert!(
            stopped.stderr.contains("run the command again"),
            "{stopped:#?}"
        );
    }
}
