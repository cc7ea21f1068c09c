use std::process::Stdio;

use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::{Process, Stream};
use crate::cli::rounds::{line, lines};
use crate::cli::running::Running;

const CONFIGURATION: &str = "\
[pools.default]
shadow_rounds = 1
stale_days = 3650

[servers.quiet-1]
pool = \"default\"
";

#[test]
fn the_leaderboard_has_ranks_and_pages() {
    let running = Running::start_with(CONFIGURATION);
    let first = running.json(&["leaderboard", "--limit", "3"]);
    let players = first["players"].as_array().expect("players");
    assert_eq!(players.len(), 3, "{first}");
    let shown = running
        .run(&["leaderboard", "--limit", "3"])
        .succeeded()
        .stdout;
    for player in players {
        let id = player["id"].as_str().expect("an id");
        let row = shown.lines().find(|row| row.contains(id)).expect("a row");
        let rank = row.split_whitespace().next().expect("a rank");
        assert_eq!(rank, player["rank"].to_string(), "{shown}");
        assert!(row.contains(&player["rating"].to_string()), "{shown}");
    }
    assert!(
        shown.contains(&format!("{} players have a rank", first["ranked"])),
        "{shown}"
    );
    let next = first["next"].as_str().expect("a second page");
    assert!(shown.contains(next), "{shown}");
    let both = ["leaderboard", "--rank", "3", "--after", next];
    assert_eq!(running.run(&both).failed().code, Some(2));
    let unknown = running.run(&["leaderboard", "--pool", "nowhere"]).failed();
    assert_eq!(unknown.code, Some(3), "{unknown:#?}");

    let pools = running.run(&["pools", "--csv"]).succeeded().stdout;
    assert!(
        pools.contains("default,synelo,") && pools.contains(",1,3650,private,quiet-1"),
        "{pools}"
    );
    running.stop();
}

#[test]
fn a_server_that_nobody_knows_is_not_one_without_rounds() {
    let running = Running::start_with(CONFIGURATION);
    for output in [&[][..], &["--json"]] {
        let unknown = running
            .run(&[&["rounds", "--server", "nope"], output].concat())
            .failed();
        assert_eq!(unknown.code, Some(3), "{unknown:#?}");
        assert!(unknown.stderr.contains("no server nope"), "{unknown:#?}");
    }
    let declared = running.run(&["rounds", "--server", "quiet-1"]).succeeded();
    assert!(declared.stdout.contains("No such rounds"), "{declared:#?}");
    let other = running.run(&["rounds", "--map", "arena_well"]).succeeded();
    assert!(other.stdout.contains("No such rounds"), "{other:#?}");
    let later = ["rounds", "--server", "public-1", "--from", "2026-11-20"];
    assert!(
        running
            .run(&later)
            .succeeded()
            .stdout
            .contains("No such rounds")
    );
    running.stop();
}

#[test]
fn servers_are_listed_with_what_to_do() {
    let running = Running::start_with(CONFIGURATION);
    let table = running.run(&["servers", "--csv"]).succeeded().stdout;
    let (heading, rows) = table.split_once('\n').expect("a heading");
    assert!(
        heading.starts_with("server,pool,needs,last seen"),
        "{table}"
    );
    assert!(rows.contains("quiet-1,default,silent,,0,0,0,,"), "{table}");
    assert!(rows.contains("public-1,default,"), "{table}");
    let text = running.run(&["servers"]).succeeded().stdout;
    assert!(
        text.contains("\nquiet-1: it has never sent a request; install"),
        "{text}"
    );
    let unknown = running.run(&["servers", "--pool", "nowhere"]).failed();
    assert_eq!(unknown.code, Some(3), "{unknown:#?}");
    running.stop();
}

#[test]
fn interventions_are_listed_and_counted() {
    let running = Running::start_with(CONFIGURATION);
    let none = running.run(&["interventions"]).succeeded();
    assert!(
        none.stdout
            .contains("No such interventions in the pool default"),
        "{none:#?}"
    );
    let teams = json!({"server": "public-1", "team_a": ["[U:1:1]", "[U:1:2]", "[U:1:3]", "[U:1:4]"], "team_b": ["[U:1:5]"]});
    assert_eq!(running.post("/v1/balance", &teams), "200");
    let listed = running.json(&["interventions"]);
    let one = &listed["interventions"][0];
    assert_eq!(one["server"], "public-1", "{listed}");
    let shown = running.run(&["interventions", "--csv"]).succeeded().stdout;
    let detail = one["reasons"][0]["detail"].as_str().expect("a reason");
    assert!(shown.contains(detail), "{shown}");
    assert!(
        shown.contains(&format!(
            "{} moved",
            one["moves"].as_array().expect("moves").len()
        )),
        "{shown}"
    );
    let summary = running
        .run(&["interventions", "summary", "--days", "1"])
        .succeeded()
        .stdout;
    assert!(
        summary.starts_with("Pool default, today: 1 intervention;"),
        "{summary}"
    );
    let rule = one["reasons"][0]["rule"].as_str().expect("a rule");
    assert!(
        summary
            .lines()
            .any(|line| line.starts_with(rule) && line.ends_with(" 1")),
        "{summary}"
    );
    running.stop();
}

#[test]
fn rounds_are_followed_until_ctrl_c_or_until_nobody_reads() {
    let running = Running::start();
    let start = |arguments: &[&str]| {
        let follow = [&["rounds", "--follow", "--limit", "2"], arguments].concat();
        let mut command = running.folder.rbs(&follow);
        command.env("RBS_BIND", &running.address);
        command
    };
    let mut text = Process::start(&mut start(&[]));
    let heading = text.wait_for(Stream::Out, "odds of a");
    assert!(heading.starts_with("ended (UTC)"), "{heading}");
    text.wait_for(Stream::Out, "public-1:39");
    let mut lines = Process::start(&mut start(&["--json"]));
    lines.wait_for(Stream::Out, "public-1:39");
    let mut csv = Process::start(&mut start(&["--csv"]));
    csv.wait_for(Stream::Out, "public-1:39");
    let mut left = start(&[])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    drop(left.stdout.take());

    running
        .folder
        .write("more.jsonl", line(41, "public-1") + "\n");
    running.folder.run(&["import", "more.jsonl"]).succeeded();
    text.wait_for(Stream::Out, "public-1:41");
    let new: Value =
        serde_json::from_str(&lines.wait_for(Stream::Out, "public-1:41")).expect("an object");
    assert_eq!(new["round_id"], "public-1:41");
    assert_eq!(
        left.wait().expect("it ends").code(),
        Some(0),
        "nobody reads"
    );

    csv.wait_for(Stream::Out, "public-1:41");
    csv.signal("INT");
    let csv = csv.finish().succeeded().stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 4, "headings, two rounds and a new one: {csv}");
    assert!(rows[0].starts_with("ended,server,round,winner,"), "{csv}");
    assert!(
        rows[1..]
            .iter()
            .all(|row| row.matches(',').count() == rows[0].matches(',').count()),
        "{csv}"
    );
    assert!(rows[3].contains(",public-1,public-1:41,"), "{csv}");

    text.signal("INT");
    let text = text.finish().succeeded();
    assert_eq!(text.stdout.matches("ended (UTC)").count(), 1, "{text:#?}");
    assert_eq!(
        text.stdout.lines().count(),
        4,
        "a heading, two rounds and a new one: {text:#?}"
    );
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
    folder
        .run(&["import", "--pool", "arena", "rounds.jsonl"])
        .succeeded();
    let listed = folder.run(&["season", "list"]).succeeded();
    assert!(listed.stdout.starts_with("Pool arena\n"), "{listed:#?}");
    let running = Running::of(folder, Vec::new());
    for (arguments, shown) in [
        (&["players"][..], "1 to "),
        (&["rounds"], "public-1:39"),
        (&["leaderboard"], "Pool arena"),
        (&["quality"], "Pool arena: 40 rounds"),
        (&["models"], "Pool arena: 40 rounds"),
        (&["player", "show", "[U:1:1]"], "Pool:         arena"),
        (
            &["player", "set", "[U:1:1]", "1500", "--yes"],
            "Pool:         arena",
        ),
        (&["interventions"], "the pool arena"),
    ] {
        let done = running.run(arguments).succeeded();
        assert!(done.stdout.contains(shown), "{arguments:?}: {done:#?}");
    }
    running.folder.write("more.jsonl", line(41, "public-1"));
    running
        .run(&["import", "--pool", "tf2", "more.jsonl"])
        .succeeded();
    for arguments in [&["quality"][..], &["season", "list"]] {
        let unclear = running.run(arguments).failed();
        let says = ": arena (40), tf2 (1); name one with --pool";
        assert!(unclear.stderr.contains(says), "{arguments:?}: {unclear:#?}");
    }
    running.stop();
}
