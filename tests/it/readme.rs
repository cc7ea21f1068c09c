//! The README's worked example, run as it stands: what it prints must be what really comes.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

const README: &str = include_str!("../../README.md");

/// The page that the README leaves the settings of balance to.
const BALANCE: &str = include_str!("../../docs/balance.md");

/// Answers that are the time of the run, and cannot be printed beforehand.
const TIMES: [&str; 3] = ["computed_at", "ended_at", "last_played"];

/// The service, ended with the test however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Already gone is as good.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}

#[test]
fn every_printed_answer_is_real() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut running = Running(
        Command::new(env!("CARGO_BIN_EXE_rbs"))
            .current_dir(folder.path())
            .env_clear()
            .env("RBS_BIND", "127.0.0.1:0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the service starts"),
    );
    let output = running.0.stdout.take().expect("its output");
    let first = BufReader::new(output)
        .lines()
        .next()
        .expect("a line")
        .expect("a line");
    let url = first.rsplit(' ').next().expect("an address").to_owned();

    let mut preamble = None;
    let mut checked = 0;
    let mut blocks = blocks().peekable();
    while let Some((language, code)) = blocks.next() {
        if language == "sh" && code.starts_with("AUTH=") {
            preamble = Some(code.replace("http://127.0.0.1:8080", &url));
        }
        let Some(("json", printed)) = blocks.peek() else {
            continue;
        };
        let preamble = preamble
            .as_ref()
            .expect("the secret stands before the first request");
        let real = json(&run(folder.path(), &format!("{preamble}\n{code}")), code);
        assert_eq!(
            without_times(real),
            without_times(json(printed, code)),
            "{code}"
        );
        checked += 1;
    }
    assert_eq!(
        checked, 7,
        "a round, its repeat, a lookup, a scramble without and with wishes, an admin change, \
         the history of quality"
    );
}

#[test]
fn the_printed_table_of_splits_is_real() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let built = "target/release/rbs split ";
    let mut blocks = blocks().skip_while(|(_, code)| !code.starts_with(built));
    let (_, code) = blocks.next().expect("a list to split");
    let code = code.replace(built, &format!("'{}' split ", env!("CARGO_BIN_EXE_rbs")));
    let printed = blocks.next().map(|(_, printed)| format!("{printed}\n"));
    let real = run(folder.path(), &code);
    assert_eq!(Some(real), printed);
}

#[test]
fn every_setting_is_listed() {
    let configuration = include_str!("../../config/rbs.toml");
    let mut settings = 0;
    for line in configuration.lines() {
        let line = line.strip_prefix("# ").unwrap_or(line);
        let Some((name, _)) = line.split_once(" = ") else {
            continue;
        };
        if name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
        {
            let listed = format!("`{name}`");
            assert!(
                README.contains(&listed)
                    || README.contains(&format!("{name} ="))
                    || BALANCE.contains(&listed),
                "{name} is listed nowhere"
            );
            settings += 1;
        }
    }
    assert!(
        settings >= 20,
        "only {settings} settings were found in the file"
    );
}

/// The fenced blocks: their language and content.
fn blocks() -> impl Iterator<Item = (&'static str, &'static str)> {
    let fenced = README.split("\n```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n'))
}

fn run(folder: &Path, script: &str) -> String {
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(folder)
        .output()
        .expect("the README's example needs bash and curl");
    String::from_utf8(output.stdout).expect("text")
}

fn json(text: &str, code: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{code}: {error}: {text}"))
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
