//! Output of commands at a terminal, in files and with --quiet.

use crate::cli::process::Process;
use crate::cli::rounds::line;
use crate::cli::running::Running;
use crate::cli::terminal::{Sat, look_at_terminal};
use crate::cli::words;

const LONG: &str = "a-server-whose-name-is-nearly-as-long-as-it-may-ever-be";

impl Running {
    fn look(&self, command: &str, columns: u16, variables: &[(&str, &str)]) -> String {
        let mut started = self.folder.rbs(&words(command));
        started.env("RBS_BIND", &self.address);
        started.envs(variables.iter().copied());
        let Sat { seen, code } = look_at_terminal(&mut started, columns);
        assert_eq!(code, Some(0), "{command}: {seen}");
        seen
    }
}

fn widest(text: &str) -> usize {
    let lines = text.lines().map(|line| line.chars().count());
    lines.max().unwrap_or(0)
}

#[test]
fn tables_fit_a_terminal_and_are_whole_in_files() {
    let running = Running::start();
    running.folder.write("long.jsonl", line(50, LONG) + "\n");
    running.folder.run(&["import", "long.jsonl"]).succeeded();
    let plain = [("NO_COLOR", "1")];
    let rounds = "rounds --limit 2";
    let seen = running.look(rounds, 200, &plain);
    assert!(seen.contains("ago"), "{seen}");
    let seen = running.look(rounds, 140, &plain);
    assert!(seen.contains("…") && !seen.contains("ago"), "{seen}");
    assert!(seen.contains(&format!("{LONG}:50")), "{seen}");
    assert!(widest(&seen) <= 140, "{seen}");
    let named = [("NO_COLOR", "1"), ("COLUMNS", "110")];
    let servers = running.look("servers", 200, &named);
    assert!(servers.contains('…'), "{servers}");
    let table = servers.split("\n\n").next().expect("a table");
    assert!(widest(table) <= 110, "{servers}");
    let settings = running.look("config", 80, &plain);
    assert!(widest(&settings) <= 80, "{settings}");

    let piped = running.run(&words(rounds)).succeeded().stdout;
    assert!(piped.contains(LONG) && !piped.contains("ago"), "{piped}");
    running.stop();
}

#[test]
fn colours_are_for_terminals_unless_somebody_says_otherwise() {
    let running = Running::start();
    let show = "player show [U:1:1]";
    let is_colored = |text: &str| text.contains("\u{1b}[");
    for (option, variables, colored) in [
        ("", &[][..], true),
        ("", &[("NO_COLOR", "1")], false),
        ("--color never", &[], false),
        ("--color always", &[("NO_COLOR", "1")], true),
    ] {
        let seen = running.look(&format!("{show} {option}"), 120, variables);
        assert_eq!(is_colored(&seen), colored, "{option} {variables:?}: {seen}");
    }
    for (color, colored) in [("auto", false), ("always", true)] {
        let printed = running.run(&words(&format!("{show} --color {color}")));
        let printed = printed.succeeded().stdout;
        assert_eq!(is_colored(&printed), colored, "{color}");
    }
    running.stop();
}

#[test]
fn short_reads_log_nothing_and_quiet_work_says_how_it_ended_alone() {
    let running = Running::start();
    let tried = running.run(&words("rebuild --dry-run --set theta=1800"));
    assert_eq!(tried.succeeded().stderr, "");
    let exported = running.run(&words("export --quiet --output all.jsonl"));
    assert_eq!(exported.succeeded().stderr, "");
    let mut loud = running.folder.rbs(&["check", "-q"]);
    let checked = Process::start(loud.env("RBS_LOG", "debug")).finish();
    assert_eq!(checked.succeeded().stderr, "");
    running.stop();
}
