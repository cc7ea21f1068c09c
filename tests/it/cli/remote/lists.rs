//! Lists of a running service.

use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::process::{Process, Stream};
use crate::cli::rounds::{line, lines};
use crate::cli::running::Running;
use crate::cli::{Folder, words};

const CONFIGURATION: &str = "\
[pools.default]
shadow_rounds = 1
stale_days = 3650

[servers.quiet-1]
pool = \"default\"
";

#[test]
fn the_leaderboard_pools_and_servers_are_listed_and_unknown_ones_are_not_empty() {
    let running = Running::start_with(CONFIGURATION);
    let run = |line: &str| running.run(&words(line));
    let first = running.json(&["leaderboard", "--limit", "3"]);
    let players = first["players"].as_array().expect("players");
    assert_eq!(players.len(), 3, "{first}");
    let shown = run("leaderboard --limit 3").succeeded();
    for player in players {
        let id = player["id"].as_str().expect("an id");
        let mut rows = shown.stdout.lines();
        let row = rows.find(|row| row.contains(id)).expect("a row");
        let rank = row.split_whitespace().next().expect("a rank");
        assert_eq!(rank, player["rank"].to_string(), "{shown:#?}");
        assert!(row.contains(&player["rating"].to_string()), "{shown:#?}");
    }
    shown
        .shows(&format!("{} players have a rank", first["ranked"]))
        .shows(first["next"].as_str().expect("a second page"));
    let pools = run("pools --csv").succeeded();
    pools.shows("default,synelo,");
    pools.shows(",1,3650,private,quiet-1");
    let table = run("servers --csv").succeeded();
    table
        .shows("server,pool,needs,last seen")
        .shows("quiet-1,default,silent,,0,0,0,,")
        .shows("public-1,default,");
    let text = run("servers").succeeded();
    text.shows("\nquiet-1: it has never sent a request; install");

    for line in [
        "rounds --server quiet-1",
        "rounds --map arena_well",
        "rounds --server public-1 --from 2026-11-20",
    ] {
        run(line).succeeded().shows("No such rounds");
    }
    for (line, says) in [
        ("leaderboard --pool nowhere", "\"nowhere\""),
        ("servers --pool nowhere", "\"nowhere\""),
        ("models --pool nowhere", "there is no pool \"nowhere\""),
        ("rounds --server nope", "no server nope"),
        ("rounds --server nope --json", "no server nope"),
    ] {
        let unknown = run(line).failed();
        assert_eq!(unknown.code, Some(3), "{line}: {unknown:#?}");
        unknown.says(says);
    }
    running.stop();
}

#[test]
fn rounds_are_followed_until_ctrl_c_or_until_nobody_reads() {
    let running = Running::start();
    let start = |format: &str| {
        let line = format!("rounds --follow --limit 2 {format}");
        let mut command = running.folder.rbs(&words(&line));
        command.env("RBS_BIND", &running.address);
        command
    };
    let mut text = Process::start(&mut start(""));
    let heading = text.wait_for(Stream::Out, "odds of a");
    assert!(heading.starts_with("ended (UTC)"), "{heading}");
    text.wait_for(Stream::Out, "public-1:39");
    let mut lines = Process::start(&mut start("--json"));
    lines.wait_for(Stream::Out, "public-1:39");
    let mut csv = Process::start(&mut start("--csv"));
    csv.wait_for(Stream::Out, "public-1:39");
    let mut left = start("")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(left.stdout.take());

    running.folder.write("more.jsonl", line(41, "public-1"));
    running.folder.run(&["import", "more.jsonl"]).succeeded();
    text.wait_for(Stream::Out, "public-1:41");
    let new = lines.wait_for(Stream::Out, "public-1:41");
    let new: Value = serde_json::from_str(&new).expect("an object");
    assert_eq!(new["round_id"], "public-1:41");
    let ended = left.wait().expect("it ends");
    assert_eq!(ended.code(), Some(0), "nobody reads");

    csv.wait_for(Stream::Out, "public-1:41");
    csv.signal("INT");
    let csv = csv.finish().succeeded().stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 4, "headings, two rounds and a new one: {csv}");
    assert!(rows[0].starts_with("ended,server,round,winner,"), "{csv}");
    let columns = |row: &str| row.matches(',').count();
    assert_eq!(columns(rows[3]), columns(rows[0]), "{csv}");
    assert!(rows[3].contains(",public-1,public-1:41,"), "{csv}");

    text.signal("INT");
    let text = text.finish().succeeded();
    assert_eq!(text.stdout.matches("ended (UTC)").count(), 1, "{text:#?}");
    assert_eq!(text.stdout.lines().count(), 4, "{text:#?}");
    lines.signal("TERM");
    let lines = lines.finish().succeeded();
    assert_eq!(lines.stdout.lines().count(), 3, "{lines:#?}");
    running.stop();
}

#[test]
fn the_only_pool_with_rounds_need_not_be_named() {
    let folder = Folder::new();
    folder.write("config/rbs.toml", "[pools.arena]\n[pools.tf2]\n");
    folder.write("rounds.jsonl", lines(40));
    let import = folder.run(&words("import --pool arena rounds.jsonl"));
    import.succeeded();
    let listed = folder.run(&["season", "list"]).succeeded();
    listed.shows("Pool arena\n");
    let running = Running::of(folder, Vec::new());
    for (line, shown) in [
        ("players", "1 to "),
        ("rounds", "public-1:39"),
        ("leaderboard", "Pool arena"),
        ("quality", "Pool arena: 40 rounds"),
        ("models", "Pool arena: 40 rounds"),
        ("player show [U:1:1]", "Pool:         arena"),
        ("player set [U:1:1] 1500 --yes", "Pool:         arena"),
        ("interventions", "the pool arena"),
    ] {
        running.run(&words(line)).succeeded().shows(shown);
    }
    running.folder.write("more.jsonl", line(41, "public-1"));
    let import = running.run(&words("import --pool tf2 more.jsonl"));
    import.succeeded();
    for arguments in [&["quality"][..], &["season", "list"]] {
        let unclear = running.run(arguments).failed();
        unclear.says(": arena (40), tf2 (1); name one with --pool");
    }
    running.stop();
}

#[test]
fn challengers_follow_in_a_running_service_and_are_shown_in_tables() {
    let running = Running::start_with("[rating]\nchallengers = [\"adaptive\", \"weng-lin\"]\n");
    let deadline = Instant::now() + Duration::from_secs(40);
    let answer = loop {
        let answer = running.json(&["models"]);
        if answer["caught_up_to"] == answer["rounds"] {
            break answer;
        }
        assert!(Instant::now() < deadline, "{answer}");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!(answer["compared"]["rounds"], 40);
    let shown = running.run(&["models"]).succeeded();
    for line in shown.stdout.lines() {
        assert!(line.chars().count() <= 80, "over 80 columns: {line:?}");
    }
    for model in answer["models"].as_array().expect("models") {
        let name = model["model"].as_str().expect("a name");
        let lines = shown.stdout.lines();
        let rows: Vec<&str> = lines.filter(|line| line.starts_with(name)).collect();
        assert_eq!(rows.len(), 2, "{name}: {shown:#?}");
        for (row, over) in rows.iter().zip(["all", "window"]) {
            let loss = model["log_loss"][over].as_f64().expect("a figure");
            assert!(row.contains(&format!("{loss:.4}")), "{row} {model}");
        }
    }
    shown
        .shows("Pool default: 40 rounds, rated by synelo\n")
        .shows("Advice: too early to tell: 40 rounds compared, 500 needed\n");
    running.stop();
}
