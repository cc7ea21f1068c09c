//! Log-in instructions of the service on a terminal.

use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::Process;
use crate::cli::terminal::terminal;

/// Maximum number of lines.
pub(super) const MAX_LINES: usize = 10;

pub(super) fn ask(url: &str, jar: &Path, body: Option<&Value>) -> (Option<i32>, String) {
    let mut curl = Command::new("curl");
    curl.args(["-sS", "--fail", url, "-H", "RBS-Page: 1"]);
    curl.arg("-b").arg(jar).arg("-c").arg(jar);
    if let Some(body) = body {
        let json = ["-H", "Content-Type: application/json", "-d"];
        curl.args(json).arg(body.to_string());
    }
    let asked = Process::start(&mut curl).finish();
    (asked.code, asked.stdout)
}

#[test]
fn at_a_terminal_it_shows_a_link_that_logs_in_once() {
    let folder = Folder::new();
    let (mut shows, printed_to) = terminal();
    let mut command = folder.serve();
    let mut service = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(printed_to))
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // Closes this process's copy of the service's end.
    drop(command);
    let mut log = service.stderr.take().expect("its log");
    let mut said = String::new();
    while !said.contains("curl ") || !said.ends_with('\n') {
        let mut some = [0; 4096];
        let read = shows.read(&mut some).expect("it says something");
        said += &String::from_utf8_lossy(&some[..read]);
    }
    assert!(said.lines().count() <= MAX_LINES, "{said}");
    assert!(said.contains("/docs"), "{said}");
    let (before, rest) = said.split_once("/#/enter/").expect("a link");
    let url = before.split_whitespace().last().expect("an address");
    let token = rest.split_whitespace().next().expect("a token");
    let session = format!("{url}/session");
    let jar = folder.path("cookies");
    let (code, answer) = ask(&session, &jar, Some(&json!({"token": token})));
    assert_eq!(code, Some(0), "{answer}");
    let (code, pools) = ask(&format!("{url}/v1/admin/pools"), &jar, None);
    assert_eq!(code, Some(0), "{pools}");
    assert!(pools.contains("\"default\""), "{pools}");
    let cookies = std::fs::read_to_string(&jar).expect("the cookie");
    let cookie = cookies.split_whitespace().last().expect("its value");
    assert!(cookie.len() > 64, "{cookies}");
    let (code, again) = ask(&session, &jar, Some(&json!({"token": token})));
    assert_eq!(code, Some(22), "{again}");

    let id = service.id().to_string();
    let sent = Command::new("kill").args(["-s", "TERM", &id]).status();
    assert!(sent.expect("kill runs").success());
    assert!(service.wait().expect("it ends").success());
    let mut logged = String::new();
    log.read_to_string(&mut logged).expect("its log");
    for hidden in [token, cookie] {
        assert!(!logged.contains(hidden), "the log has it: {logged}");
    }
}
