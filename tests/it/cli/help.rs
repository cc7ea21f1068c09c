//! Help, manual pages and completions.

use std::fs;

use super::process::Process;
use super::terminal::{Sat, look_at_terminal};
use super::{Folder, clean};

#[test]
fn help_names_every_setting_and_printing_it_makes_no_database() {
    let folder = Folder::new();
    let help = folder.run(&["--help"]).succeeded();
    for word in [
        "RBS_URL",
        "RBS_CA_FILE",
        "--config",
        "--bind",
        "RBS_SECRET ",
        "RBS_SECRET_FILE",
        "RBS_ADMIN_SECRET ",
        "RBS_ADMIN_SECRET_FILE",
        "RBS_READ_SECRET ",
        "RBS_READ_SECRET_FILE",
        "RBS_LOG",
    ] {
        help.shows(word);
    }
    let version = folder.run(&["--version"]).succeeded();
    let expected = format!("rbs {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(version.stdout, expected);
    let described = folder.run(&["openapi"]).succeeded();
    assert_eq!(described.stdout, rbs::http::openapi_json());
    assert_eq!(folder.count(), 0, "asking for help makes no database");
}

/// Manual pages by name, made in a folder of this name.
fn pages(folder: &Folder, name: &str) -> Vec<(String, String)> {
    fs::create_dir(folder.path(name)).expect("a folder");
    folder.run(&["man", "--to", name]).succeeded();
    let mut pages: Vec<(String, String)> = fs::read_dir(folder.path(name))
        .expect("a folder")
        .map(|entry| {
            let entry = entry.expect("a file");
            let text = fs::read_to_string(entry.path()).expect("a page");
            (entry.file_name().display().to_string(), text)
        })
        .collect();
    pages.sort();
    pages
}

#[test]
fn the_manual_has_a_page_for_every_command_the_same_each_time() {
    let folder = Folder::new();
    let printed = folder.run(&["man"]).succeeded().stdout;
    let first = pages(&folder, "first");
    let named = |name: &str| first.iter().find(|(found, _)| found == name);
    assert_eq!(named("rbs.1").map(|(_, page)| page), Some(&printed));
    for (name, option) in [
        ("rbs.1", "RBS_ADMIN_SECRET_FILE"),
        ("rbs-serve.1", "bind"),
        ("rbs-import.1", "keep\\-going"),
        ("rbs-player-set.1", "reason"),
    ] {
        let (_, page) = named(name).unwrap_or_else(|| panic!("there is no {name}"));
        assert!(page.contains(option), "{name}: {page}");
    }
    assert!(!first.iter().any(|(name, _)| name.contains("help")));
    assert_eq!(pages(&folder, "second"), first);
    let nowhere = folder.run(&["man", "--to", "nowhere"]).failed();
    nowhere.says("nowhere").says("--to");
}

#[test]
fn the_help_of_a_command_is_short_and_long_and_fits_the_terminal() {
    let folder = Folder::new();
    let short = folder.run(&["rounds", "-h"]).succeeded().stdout;
    let long = folder.run(&["rounds", "--help"]).succeeded().stdout;
    assert!(short.lines().count() + 10 < long.lines().count(), "{short}");
    assert!(long.contains("Examples:") && !short.contains("Examples:"));
    for (name, _) in pages(&folder, "pages") {
        let name = name.trim_end_matches(".1");
        let Some(command) = name.strip_prefix("rbs-") else {
            continue;
        };
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
        let widest = seen.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(70), "{command}: {seen}");
    }
}

#[test]
fn bash_completes_commands_and_their_options() {
    let folder = Folder::new();
    let script = folder.run(&["completions", "bash"]).succeeded();
    folder.write("rbs.bash", &script.stdout);
    for (words, completed) in [
        ("rbs pla", "player players"),
        ("rbs player sh", "show"),
        ("rbs rounds --ser", "--server"),
    ] {
        let line = format!(
            "source rbs.bash; COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); \
             _rbs rbs \"${{COMP_WORDS[-1]}}\" \"${{COMP_WORDS[-2]}}\"; echo \"${{COMPREPLY[@]}}\""
        );
        let mut bash = clean("bash", folder.0.path());
        let tried = Process::start(bash.args(["-c", &line])).finish();
        let tried = tried.succeeded().stdout;
        assert_eq!(tried.trim(), completed, "{words}");
    }
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let script = folder.run(&["completions", shell]).succeeded();
        script.shows("unvoid");
    }
    assert_eq!(folder.run(&["completions", "dos"]).failed().code, Some(2));
}
