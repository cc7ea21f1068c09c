//! Commands that talk to a running service.

use crate::cli::process::{Finished, Process};
use crate::cli::running::Running;
use crate::cli::{Folder, words};

#[track_caller]
fn has(finished: &Finished, words: &[&str]) {
    for word in words {
        finished.shows(word);
    }
    for line in finished.stdout.lines() {
        assert!(line.chars().count() <= 80, "over 80 columns: {line:?}");
    }
}

#[test]
fn an_admin_on_the_server_looks_at_players_and_changes_them() {
    let running = Running::start();
    let run = |line: &str| running.run(&words(line)).succeeded();
    let powers = run("player powers [U:1:1]");
    for (power, from) in [
        ("pub-power", "too few games"),
        ("ut2004", "what newcomers get"),
    ] {
        let mut lines = powers.stdout.lines();
        let line = lines.find(|line| line.starts_with(power));
        let said = line.is_some_and(|line| line.ends_with(from));
        assert!(said, "{powers:#?}");
    }
    has(
        &run("player show [U:1:1]"),
        &[
            "Player:       76561197960265729",
            "Pool:         default",
            "Rank:         none yet, ",
            "Record:       ",
            "Peak:         ",
            "public-1:",
        ],
    );
    let elsewhere = run("player show [U:1:1] --pool arena");
    has(&elsewhere, &["Pool:         arena"]);
    let rating = || running.json(&["player", "show", "[U:1:1]"])["rating"].clone();
    let before = rating();

    let nothing = running.run(&words("player undo [U:1:1] --yes")).failed();
    nothing.says("has no change to undo");
    let set = run("player set STEAM_0:1:0 1500 --reason known --yes");
    has(&set, &["Rating:       1500"]);
    run("player undo 76561197960265729 --reason wrong --yes");
    assert_eq!(rating(), before);
    run("player set [U:1:1] 1400 --yes");
    run("player reset STEAM_0:1:0 --yes");
    assert_eq!(rating(), 1000);
    run("audit").shows("known");
    let csv = run("audit --csv");
    for row in [
        format!(",set,default,76561197960265729,{before},1500,known,"),
        format!(",undo,default,76561197960265729,1500,{before},wrong,"),
        ",reset,default,76561197960265729,1400,1000,,".to_owned(),
    ] {
        csv.shows(&row);
    }
    running.stop();
}

#[test]
fn an_admin_on_the_server_looks_at_rounds_and_voids_one() {
    let running = Running::start();
    let run = |line: &str| running.run(&words(line)).succeeded();
    let listed = run("rounds --limit 2");
    has(&listed, &["public-1:39", "public-1:38", "--after"]);
    assert!(!listed.stdout.contains("public-1:37"), "{listed:#?}");
    let page = running.json(&["rounds", "--limit", "2"]);
    let next = page["next"].as_str().expect("a second page");
    let more = running.run(&["rounds", "--limit", "2", "--after", next]);
    has(&more.succeeded(), &["public-1:37", "public-1:36"]);
    let last = run("rounds --server arena-1 --to 1763640301");
    has(&last, &["arena-1:5 "]);
    assert!(!last.stdout.contains("--after"), "the last page: {last:#?}");
    let of_nobody = run("rounds --player [U:1:999]");
    has(&of_nobody, &["No such rounds in the pool default"]);

    let show = words("rounds show public-1 public-1:3");
    let before = running.json(&show);
    has(
        &running.run(&show).succeeded(),
        &[
            "Winner:",
            "team",
            "K",
            "Mode:      Übung",
            "InstaGib, low gravity",
            "score  kills  deaths  assists",
            "4.5      3       0        2",
        ],
    );
    let void = run("void public-1 public-1:3 --reason cheater --yes");
    has(&void, &["Void:", "cheater"]);
    let restored = run("unvoid public-1 public-1:3 --yes");
    assert!(!restored.stdout.contains("Void:"), "{restored:#?}");
    assert_eq!(running.json(&show), before, "all is as it was");

    let figures = ["Pool default: 32 rounds", "of a coin", "public-1"];
    has(&run("quality"), &figures);
    run("quality --csv").shows("\n\nmap,rounds,");
    running.stop();
}

#[test]
fn the_exit_code_says_why_a_service_did_not_do_it() {
    let running = Running::start();
    running.folder.write("wrong.secret", "x".repeat(32));
    let url = format!("http://{}", running.address);
    let elsewhere = format!("quality --url {url}/elsewhere --secret-file rbs.secret");
    // The secret of this machine is sent only to the service on this machine.
    let by_url = format!("quality --url {url}");
    for (line, code, says) in [
        ("rounds show public-1 none", 3, "no round"),
        ("player show nobody", 3, "nobody"),
        (&elsewhere, 3, ""),
        ("quality --secret-file wrong.secret", 4, "--secret-file"),
        ("rounds --after x", 4, "after"),
        ("player powers 0", 2, "SteamID"),
        (
            "player set [U:1:1] 10001",
            2,
            "whole number from 0 to 10000",
        ),
        ("rounds --from gestern", 2, "2026-11-20T12:00:00Z"),
        ("rounds --limit all", 2, "from 1 to 500"),
        ("rounds --csv --json", 2, "--json"),
        ("leaderboard --rank 3 --after x", 2, "--after"),
        ("void public-1 public-1:3", 2, "--reason"),
        ("quality --url 127.0.0.1:8080", 2, "https://"),
        (&by_url, 1, "--secret-file"),
        ("quality --secret-file nowhere", 1, "nowhere"),
    ] {
        let ended = running.run(&words(line)).failed();
        assert_eq!(ended.code, Some(code), "{line}: {ended:#?}");
        ended.says(says);
    }
    let named = running.run(&words(&format!("{by_url} --secret-file rbs.secret")));
    named.succeeded().shows("Brier score");
    let by_environment = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = running.folder.rbs(arguments);
        command.envs(variables.iter().copied());
        Process::start(&mut command).finish()
    };
    let secret = ("RBS_ADMIN_SECRET_FILE", "rbs.secret");
    let both = [("RBS_URL", url.as_str()), secret];
    by_environment(&["quality"], &both).succeeded();
    by_environment(&["quality", "--url", &url], &both).succeeded();
    // The secret from the environment belongs to the service that the environment names.
    for variables in [&[secret][..], &[("RBS_URL", "http://127.0.0.1:1"), secret]] {
        let kept = by_environment(&["quality", "--url", &url], variables).failed();
        assert_eq!(kept.code, Some(1), "{kept:#?}");
        kept.says("no secret was sent to");
    }

    let port = running.address.rsplit(':').next().expect("a port");
    // Nothing can listen here, because the port is held on another address.
    let nobody = format!("http://127.0.0.2:{port}");
    let absent = format!("quality --url {nobody} --secret-file rbs.secret");
    let absent = running.run(&words(&absent)).failed();
    assert_eq!(absent.code, Some(5), "{absent:#?}");
    absent.says("start the service");
    running.stop();

    // Where no service was started, there is no secret to show.
    let folder = Folder::new();
    let ended = folder.run(&["quality"]).failed();
    assert_eq!(ended.code, Some(1));
    for word in ["--secret-file", "RBS_ADMIN_SECRET", "rbs.secret"] {
        ended.says(word);
    }
    assert_eq!(folder.count(), 0, "asking makes no database");
}
