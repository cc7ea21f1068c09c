//! Output formats of commands: terminal, CSV and quiet.

use crate::cli::Folder;
use crate::cli::process::Process;
use crate::cli::running::Running;
use crate::cli::terminal::{Sat, look_at_terminal};

const LONG: &str = "a-server-whose-name-is-nearly-as-long-as-it-may-ever-be";

fn with_long_name() -> Running {
    let running = Running::start();
    let round = crate::cli::rounds::line(50, LONG);
    running.folder.write("long.jsonl", round + "\n");
    running.folder.run(&["import", "long.jsonl"]).succeeded();
    running
}

impl Running {
    fn look(&self, arguments: &[&str], columns: u16, variables: &[(&str, &str)]) -> String {
        let mut command = self.folder.rbs(arguments);
        command.env("RBS_BIND", &self.address);
        command.envs(variables.iter().copied());
        let Sat { seen, code } = look_at_terminal(&mut command, columns);
        assert_eq!(code, Some(0), "{arguments:?}: {seen}");
        seen
    }
}

fn widest(text: &str) -> usize {
    let lines = text.lines().map(|line| line.chars().count());
    lines.max().unwrap_or(0)
}

#[test]
fn tables_fit_a_terminal_and_are_whole_in_files() {
    let running = with_long_name();
    let plain = [("NO_COLOR", "1")];
    let rounds = ["rounds", "--limit", "2"];
    let seen = running.look(&rounds, 200, &plain);
    assert!(seen.contains("ago"), "{seen}");
    let seen = running.look(&rounds, 140, &plain);
    assert!(seen.contains("…") && !seen.contains("ago"), "{seen}");
    assert!(seen.contains(&format!("{LONG}:50")), "{seen}");
    assert!(widest(&seen) <= 140, "{seen}");
    let named = running.look(&["quality"], 200, &[("NO_COLOR", "1"), ("COLUMNS", "60")]);
    assert!(named.contains('…'), "{named}");
    assert!(widest(table_of(&named, "server")) <= 60, "{named}");

    let servers = running.look(&["servers"], 110, &plain);
    assert!(servers.contains('…'), "{servers}");
    let table = servers.split("\n\n").next().expect("a table");
    assert!(widest(table) <= 110, "{servers}");

    let piped = running.run(&rounds).succeeded().stdout;
    assert!(piped.contains(LONG) && !piped.contains("ago"), "{piped}");
    let settings = running.look(&["config"], 80, &plain);
    assert!(widest(&settings) <= 80, "{settings}");
    running.stop();
}

fn table_of<'text>(text: &'text str, heading: &str) -> &'text str {
    let at = text.find(&format!("\n{heading} ")).expect("a table");
    let rest = &text[at + 1..];
    &rest[..rest.find("\n\n").unwrap_or(rest.len())]
}

#[test]
fn colours_are_for_terminals_unless_somebody_says_otherwise() {
    let running = Running::start();
    let show = ["player", "show", "[U:1:1]"];
    let is_colored = |text: &str| text.contains("\u{1b}[");
    for (arguments, variables, colored) in [
        (&[][..], &[][..], true),
        (&[], &[("NO_COLOR", "1")], false),
        (&["--color", "never"], &[], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
    ] {
        let seen = running.look(&[&show, arguments].concat(), 120, variables);
        assert_eq!(
            is_colored(&seen),
            colored,
            "{arguments:?} {variables:?}: {seen}"
        );
    }
    for (color, colored) in [("auto", false), ("always", true), ("never", false)] {
        let printed = running
            .run(&[&show[..], &["--color", color]].concat())
            .succeeded();
        assert_eq!(is_colored(&printed.stdout), colored, "{color}");
    }
    let refused = running.run(&["audit", "--color", "pink"]).failed();
    assert!(refused.stderr.contains("always"), "{refused:#?}");
    running.stop();
}

#[test]
fn spreadsheets_get_the_tables_with_plain_values() {
    let running = Running::start();
    let printed = running
        .run(&["rounds", "--csv", "--limit", "3"])
        .succeeded()
        .stdout;
    let mut reader = csv::Reader::from_reader(printed.as_bytes());
    let rows: Vec<Vec<String>> = reader
        .records()
        .map(|row| row.expect("a row").iter().map(str::to_owned).collect())
        .collect();
    let listed = running.json(&["rounds", "--limit", "3"]);
    let listed = listed["rounds"].as_array().expect("rounds");
    assert_eq!(rows.len(), listed.len(), "{printed}");
    for (row, round) in rows.iter().zip(listed) {
        assert_eq!(
            row[0],
            round["ended_at"].as_str().expect("a time"),
            "{printed}"
        );
        assert_eq!(
            row[2],
            round["round_id"].as_str().expect("an id"),
            "{printed}"
        );
        let odds: f64 = row[4].parse().expect("a share");
        assert_eq!(
            Some(odds),
            round["win_probability"]["a"].as_f64(),
            "{printed}"
        );
    }
    let figures = running.run(&["quality", "--csv"]).succeeded().stdout;
    assert!(figures.contains("\n\nmap,rounds,"), "{figures}");
    let both = running.run(&["rounds", "--csv", "--json"]).failed();
    assert_eq!(both.code, Some(2), "{both:#?}");
    running.stop();
}

#[test]
fn help_is_short_and_long_and_fits_the_terminal() {
    let folder = Folder::new();
    let short = folder.run(&["rounds", "-h"]).succeeded().stdout;
    let long = folder.run(&["rounds", "--help"]).succeeded().stdout;
    assert!(short.lines().count() + 10 < long.lines().count(), "{short}");
    assert!(long.contains("Examples:") && !short.contains("Examples:"));
    let names: Vec<String> = std::fs::read_dir({
        std::fs::create_dir(folder.path("pages")).expect("a folder");
        folder.run(&["man", "--to", "pages"]).succeeded();
        folder.path("pages")
    })
    .expect("a folder")
    .map(|page| page.expect("a page").file_name().display().to_string())
    .collect();
    for name in names {
        let command = name.trim_end_matches(".1").trim_start_matches("rbs");
        let command = command.trim_start_matches('-');
        if command.is_empty() {
            continue;
        }
        let words: Vec<&str> = match command.split_once('-') {
            Some((
                first @ ("player" | "rounds" | "interventions" | "scramble" | "season" | "secret"),
                second,
            )) => {
                vec![first, second]
            }
            _ => vec![command],
        };
        let mut help = folder.rbs(&[&words[..], &["--help"]].concat());
        let Sat { seen, code } = look_at_terminal(help.env("NO_COLOR", "1"), 70);
        assert_eq!(code, Some(0), "{command}: {seen}");
        assert!(widest(&seen) <= 70, "{command}: {seen}");
    }
}

#[test]
fn short_reads_log_nothing_and_quiet_work_says_how_it_ended_alone() {
    let running = Running::start();
    let tried = running
        .run(&["rebuild", "--dry-run", "--set", "theta=1800"])
        .succeeded();
    assert_eq!(tried.stderr, "", "{tried:#?}");
    let folder = &running.folder;
    let exported = folder
        .run(&["export", "--quiet", "--output", "all.jsonl"])
        .succeeded();
    assert_eq!(exported.stderr, "", "{exported:#?}");
    let mut loud = folder.rbs(&["check", "-q"]);
    let checked = Process::start(loud.env("RBS_LOG", "debug"))
        .finish()
        .succeeded();
    assert_eq!(checked.stderr, "", "{checked:#?}");
    running.stop();
}
