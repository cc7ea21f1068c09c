//! Checks README.md and docs against the program: runs the examples, compares the tables with the code, and resolves
//! the links.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::support::Need;

mod balance;
mod comments;

const README: &str = include_str!("../../README.md");
const API: &str = include_str!("../../docs/api.md");
const BALANCE: &str = include_str!("../../docs/balance.md");
const MATCHMAKING: &str = include_str!("../../docs/matchmaking.md");
const CLI: &str = include_str!("../../docs/cli.md");
const SETTINGS: &str = include_str!("../../docs/settings.md");
const SPLITS: &str = include_str!("../../docs/splits.md");
const FIRST_WEEKS: &str = include_str!("../../docs/first-weeks.md");
const OPENAPI: &str = include_str!("../../docs/openapi.json");
const CONFIGURATION: &str = include_str!("../../config/rbs.toml");

/// Keys whose values depend on the time of the run.
const TIMES: [&str; 3] = ["computed_at", "ended_at", "last_played"];

struct Running {
    service: Child,
    folder: TempDir,
    url: String,
}

impl Running {
    fn start() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut service = Command::new(env!("CARGO_BIN_EXE_rbs"))
            .current_dir(folder.path())
            .env_clear()
            .env("RBS_BIND", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service starts");
        let output = service.stdout.take().expect("its output");
        let first = BufReader::new(output)
            .lines()
            .next()
            .expect("a line")
            .expect("a line");
        let url = first.rsplit(' ').next().expect("an address").to_owned();
        Self {
            service,
            folder,
            url,
        }
    }

    /// Runs every request of `page` that is followed by an answer. Returns the printed answer, the real answer, and the
    /// request.
    fn ask(&self, preamble: &str, page: &'static str) -> Vec<(Value, Value, &'static str)> {
        let preamble = preamble.replace("http://127.0.0.1:8080", &self.url);
        let blocks: Vec<(&str, &str)> = blocks(page).collect();
        blocks
            .windows(2)
            .filter(|pair| pair[0].0 == "sh" && pair[1].0 == "json")
            .map(|pair| {
                let code = pair[0].1;
                let real = run(self.folder.path(), &format!("{preamble}\n{code}"));
                let [printed, real] = [pair[1].1, &real].map(|text| json(text, code));
                (without_times(printed), without_times(real), code)
            })
            .collect()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Fails if the process has already ended.
        let _ended = self.service.kill();
        let _reaped = self.service.wait();
    }
}

#[test]
fn every_answer_in_the_readme_is_real() {
    if Need::Program("curl").is_left_out() {
        return;
    }
    let answers = Running::start().ask(preamble(README), README);
    assert_eq!(answers.len(), 2, "a round and a scramble");
    for (printed, real, code) in answers {
        assert!(shows(&printed, &real), "{code}\n{printed}\n{real}");
    }
}

#[test]
fn every_answer_in_the_pages_on_the_api_and_on_splits_is_real() {
    if Need::Program("curl").is_left_out() {
        return;
    }
    let running = Running::start();
    let mut answers = running.ask(preamble(API), API);
    assert_eq!(
        answers.len(),
        7,
        "a round, its repeat, a lookup, a scramble, an admin's change, the history of quality, a scoreboard"
    );
    answers.extend(running.ask(preamble(API), SPLITS));
    assert_eq!(answers.len(), 8, "a scramble with wishes");
    for (printed, mut real, code) in answers {
        // These values are random or depend on the time.
        for key in ["change_id", "at"] {
            let place = format!("/last_change/{key}");
            if let (Some(real), Some(printed)) = (real.pointer_mut(&place), printed.pointer(&place))
            {
                *real = printed.clone();
            }
        }
        assert_eq!(printed, real, "{code}");
    }
}

/// Made-up match log of logs.tf, with one round.
const LOG: &str = r#"{"names": {}, "info": {}, "rounds": [{
    "start_time": 1700000000, "length": 300, "winner": "Red",
    "players": {"[U:1:1]": {"team": "Red", "kills": 1}, "[U:1:2]": {"team": "Blue", "kills": 0}}
}]}"#;

/// Writes the page's tables into the configuration, runs its commands, and compares the output.
#[test]
fn every_command_in_the_first_weeks_works_as_printed() {
    let running = Running::start();
    let folder = running.folder.path();
    fs::create_dir(folder.join("config")).expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_rbs"));
    let programs = program.parent().expect("a folder").display();
    let bind = running.url.trim_start_matches("http://");
    let preamble = format!(
        "set -e; unset ${{!RBS_*}} ${{!DATABASE_*}}; export RBS_BIND={bind} PATH=\"{programs}:$PATH\""
    );
    fs::create_dir(folder.join("logs")).expect("a folder");
    fs::write(folder.join("logs/3025052.json"), LOG).expect("a log");
    let mut printed = String::new();
    let mut commands = 0;
    for (language, code) in blocks(FIRST_WEEKS) {
        match language {
            "toml" => fs::write(folder.join("config/rbs.toml"), code).expect("a configuration"),
            "sh" => {
                // Missing if a command failed.
                printed = run(folder, &format!("{preamble}\n{code}\necho done"));
                assert!(printed.ends_with("\ndone\n"), "{code}\n{printed}");
                commands += 1;
            }
            _ => assert!(printed.contains(&format!("{code}\n")), "{code}\n{printed}"),
        }
    }
    assert_eq!(
        commands, 5,
        "quality, a dry run, a new database, ratings of a table, and rounds of logs.tf"
    );
}

#[test]
fn every_sentence_in_the_page_on_balance_is_real() {
    if Need::Program("curl").is_left_out() {
        return;
    }
    let running = Running::start();
    // Readers arrive from the README with its rounds.
    running.ask(preamble(README), README);
    let preamble = preamble(README).replace("http://127.0.0.1:8080", &running.url);
    let requests = blocks(BALANCE).filter(|(_, code)| code.starts_with("curl "));
    let mut asked = 0;
    for (_, code) in requests {
        let answer = run(running.folder.path(), &format!("{preamble}\n{code}"));
        let answer: Value = serde_json::from_str(&answer).expect("an answer");
        assert!(
            BALANCE.contains(&format!("`{}`", answer["message"])),
            "{code}\n{answer}"
        );
        asked += 1;
    }
    assert_eq!(
        asked, 4,
        "a match, who joins one, and both of several teams"
    );
}

#[test]
fn the_printed_tables_of_splits_are_real() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut blocks = blocks(CLI).skip_while(|(_, code)| !code.starts_with("rbs split "));
    let (_, code) = blocks.next().expect("something to compute");
    let program = env!("CARGO_BIN_EXE_rbs");
    let code = code.replace("rbs split ", &format!("'{program}' split "));
    let printed = blocks.next().map(|(_, printed)| format!("{printed}\n"));
    let real = run(folder.path(), &code);
    assert_eq!(Some(real), printed);
}

#[test]
fn every_setting_is_listed() {
    let names: Vec<&str> = settings().collect();
    assert!(names.len() >= 20, "only {} settings", names.len());
    for name in names {
        let listed = format!("`{name}`");
        assert!(
            [SETTINGS, BALANCE, MATCHMAKING]
                .map(|page| page.contains(&listed))
                .contains(&true)
                || SETTINGS.contains(&format!("{name} =")),
            "{name} is listed nowhere"
        );
    }
}

#[test]
fn every_setting_that_is_listed_is_there() {
    let names: Vec<&str> = settings().collect();
    let mut listed = 0;
    for row in SETTINGS.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').collect();
        // Rating settings are in the first cell, others in the fourth.
        let cell = if row.starts_with("| `") { 1 } else { 4 };
        let cell = cells.get(cell).copied().unwrap_or_default();
        for name in cell.split('`').skip(1).step_by(2) {
            assert!(names.contains(&name), "there is no setting {name}");
            listed += 1;
        }
    }
    assert!(listed >= 20, "only {listed} settings are listed");
}

#[test]
fn every_wish_and_every_path_is_listed() {
    let api: Value = serde_json::from_str(OPENAPI).expect("the description");
    let wishes = &api["components"]["schemas"]["ScrambleRequest"]["properties"];
    for wish in wishes.as_object().expect("fields").keys() {
        assert!(SPLITS.contains(&format!("`{wish}`")), "{wish} is no wish");
    }
    for path in api["paths"].as_object().expect("paths").keys() {
        let (_, last) = path.rsplit_once('/').expect("a path");
        assert!(
            API.contains(&format!(" {path}`")) || API.contains(&format!("…/{last}`")),
            "docs/api.md leaves {path} out"
        );
    }
}

#[test]
fn every_command_is_listed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let help = run(
        folder.path(),
        &format!("'{}' --help", env!("CARGO_BIN_EXE_rbs")),
    );
    let commands: Vec<&str> = help
        .lines()
        .take_while(|line| *line != "Options:")
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|command| *command != "help")
        .collect();
    assert!(commands.len() > 30, "{commands:?}");
    for command in commands {
        assert!(
            CLI.contains(&format!("`rbs {command}`")),
            "docs/cli.md leaves rbs {command} out"
        );
    }
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut links = 0;
    for folder in [root.to_owned(), root.join("docs"), root.join("benches")] {
        for page in fs::read_dir(&folder).expect("a folder") {
            let page = page.expect("a file").path();
            if page.extension().is_none_or(|extension| extension != "md") {
                continue;
            }
            let text = fs::read_to_string(&page).expect("a text");
            for link in text.split("](").skip(1) {
                let link = link.split(')').next().unwrap_or_default();
                if link.starts_with("https://") {
                    continue;
                }
                let (file, heading) = link.split_once('#').unwrap_or((link, ""));
                let target = if file.is_empty() {
                    page.clone()
                } else {
                    folder.join(file)
                };
                assert!(target.exists(), "{}: {link}", page.display());
                if !heading.is_empty() {
                    let target = fs::read_to_string(target).expect("a text");
                    let found = target.lines().any(|line| anchor(line) == heading);
                    assert!(found, "{}: {link}", page.display());
                }
                links += 1;
            }
        }
    }
    assert!(links > 50, "only {links} links");
}

/// Anchor of a heading; empty for other lines.
fn anchor(line: &str) -> String {
    let heading = line.trim_start_matches('#');
    if heading.len() == line.len() {
        return String::new();
    }
    let kept = heading.trim().chars();
    kept.filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| {
            if c == ' ' {
                '-'
            } else {
                c.to_ascii_lowercase()
            }
        })
        .collect()
}

/// Names of all settings in the configuration file, including commented-out ones.
fn settings() -> impl Iterator<Item = &'static str> {
    CONFIGURATION
        .lines()
        .filter_map(|line| {
            let line = line.strip_prefix("# ").unwrap_or(line);
            line.split_once(" = ").map(|(name, _)| name)
        })
        .filter(|name| {
            name.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        })
}

/// Language and content of each fenced block of a page.
fn blocks(page: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let fenced = page.split("\n```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n'))
}

fn preamble(page: &'static str) -> &'static str {
    let mut blocks = blocks(page).filter(|(_, code)| code.starts_with("AUTH="));
    blocks.next().expect("the secret is read first").1
}

fn run(folder: &Path, script: &str) -> String {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .output()
        .expect("the examples need bash and curl");
    String::from_utf8(output.stdout).expect("text")
}

fn json(text: &str, code: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{code}: {error}: {text}"))
}

/// `true` if `printed` equals `real`, except for omitted keys and the rest of lists that end in "…".
fn shows(printed: &Value, real: &Value) -> bool {
    match (printed, real) {
        (Value::Object(printed), Value::Object(real)) => printed
            .iter()
            .all(|(key, value)| real.get(key).is_some_and(|real| shows(value, real))),
        (Value::Array(printed), Value::Array(real)) => {
            let (shown, whole) = match printed.split_last() {
                Some((last, shown)) if last == "…" => (shown, false),
                _ => (printed.as_slice(), true),
            };
            (shown.len() == real.len() || !whole && shown.len() < real.len())
                && shown.iter().zip(real).all(|(one, other)| shows(one, other))
        }
        _ => printed == real,
    }
}

fn without_times(mut value: Value) -> Value {
    match &mut value {
        Value::Object(fields) => {
            for (name, field) in fields {
                *field = if TIMES.contains(&name.as_str()) && field.is_string() {
                    "some time".into()
                } else {
                    without_times(field.take())
                };
            }
        }
        Value::Array(items) => {
            for item in items {
                *item = without_times(item.take());
            }
        }
        _ => {}
    }
    value
}
