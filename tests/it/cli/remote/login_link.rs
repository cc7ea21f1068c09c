//! Log-in links made by an admin.

use std::process::Command;

use serde_json::json;

use crate::cli::process::Process;
use crate::cli::running::Running;
use crate::cli::terminal::look_at_terminal;
use crate::cli::words;
use crate::support::qr::decoded;

/// Status of a log-in with the token of `link`.
fn open(running: &Running, link: &str) -> String {
    let (_, token) = link.split_once("/#/enter/").expect("a token");
    let mut curl = Command::new("curl");
    curl.args(["-sS", "-o", "/dev/null", "-w", "%{http_code}"])
        .args(["-H", "RBS-Page: 1", "-H", "Content-Type: application/json"])
        .args(["-d", &json!({"token": token}).to_string()])
        .arg(format!("http://{}/session", running.address));
    Process::start(&mut curl).finish().succeeded().stdout
}

#[test]
fn the_link_logs_in_once_and_names_the_address_from_outside() {
    let running = Running::start();
    let run = |line: &str| running.run(&words(line));
    let made = run("login-link").succeeded();
    let link = made.stdout.lines().next().expect("a link");
    let here = format!("http://{}/#/enter/", running.address);
    assert!(link.starts_with(&here), "{link}");
    made.shows("--base");
    let lines = made.stdout.lines().count();
    assert_eq!(lines, 3, "a QR code is for a terminal: {made:#?}");
    assert_eq!(open(&running, link), "200");
    assert_eq!(open(&running, link), "401");

    let named = run("login-link --base https://rbs.example.org/ --json");
    let named = named.succeeded().json();
    let link = named["url"].as_str().expect("a link");
    let outside = "https://rbs.example.org/#/enter/";
    assert!(link.starts_with(outside), "{link}");
    assert_eq!(open(&running, link), "200");
    let odd = run("login-link --base rbs.example.org").failed();
    odd.says("is not the address of a service");

    // A terminal shows a QR code of the link.
    let with_base = words("login-link --base https://rbs.example.org");
    let mut command = running.folder.rbs(&with_base);
    let shown = look_at_terminal(command.env("RBS_BIND", &running.address), 80);
    assert_eq!(shown.code, Some(0), "{}", shown.seen);
    let plain = console::strip_ansi_codes(&shown.seen);
    let lines: Vec<&str> = plain.lines().collect();
    let rows = lines[1..lines.len() - 1].iter().flat_map(|line| {
        let top = line.chars().map(|block| "█▀".contains(block));
        let below = line.chars().map(|block| "█▄".contains(block));
        [top.collect::<Vec<_>>(), below.collect()]
    });
    let rows: Vec<Vec<bool>> = rows.collect();
    let code = 4..rows[0].len() - 4;
    let code: Vec<Vec<bool>> = rows[code.clone()]
        .iter()
        .map(|row| row[code.clone()].to_vec())
        .collect();
    assert_eq!(decoded(&code), lines[0]);
    assert!(
        lines.iter().all(|line| line.chars().count() <= 150),
        "{plain}"
    );
}
