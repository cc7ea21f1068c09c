//! Commands that talk to a running service.

use serde_json::Value;

use crate::cli::Folder;
use crate::cli::process::{Finished, Process};
use crate::cli::running::Running;

#[track_caller]
fn has(finished: &Finished, words: &[&str]) {
    for word in words {
        assert!(finished.stdout.contains(word), "{word:?}: {finished:#?}");
    }
    for line in finished.stdout.lines() {
        assert!(line.chars().count() <= 80, "over 80 columns: {line:?}");
    }
}

#[test]
fn an_admin_on_the_server_looks_at_players_and_changes_them() {
    let running = Running::start();
    let powers = running.run(&["player", "powers", "[U:1:1]"]).succeeded();
    for (power, from) in [
        ("pub-power", "too few games"),
        ("ut2004", "what newcomers get"),
    ] {
        let mut lines = powers.stdout.lines();
        let line = lines.find(|line| line.starts_with(power));
        assert!(
            line.is_some_and(|line| line.ends_with(from)),
            "{}",
            powers.stdout
        );
    }
    let shown = running.run(&["player", "show", "[U:1:1]"]).succeeded();
    has(
        &shown,
        &[
            "Player:       76561197960265729",
            "Pool:         default",
            "Rank:         none yet, ",
            "Record:       ",
            "Peak:         ",
            "public-1:",
        ],
    );
    let whole = running.json(&["player", "show", "[U:1:1]"]);
    assert_eq!(whole["profile"]["id"], whole["id"]);
    assert_eq!(whole["profile"]["record"]["rounds"], whole["rounds"]);
    let before = running.json(&["player", "show", "[U:1:1]"])["rating"].clone();

    let set = running
        .run(&[
            "player",
            "set",
            "STEAM_0:1:0",
            "1500",
            "--reason",
            "known elsewhere",
            "--yes",
        ])
        .succeeded();
    has(&set, &["Rating:       1500"]);
    let now = running.json(&["player", "show", "76561197960265729"]);
    assert_eq!(now["rating"], 1500);
    let reset = running.json(&["player", "reset", "STEAM_0:1:0", "--yes"]);
    assert_eq!(
        (&reset["rating"], &reset["rounds"]),
        (&1000.into(), &0.into())
    );

    let audit = running.run(&["audit"]).succeeded();
    assert!(audit.stdout.contains("known elsewhere"), "{audit:#?}");
    let csv = running.run(&["audit", "--csv"]).succeeded().stdout;
    for row in [
        format!(",set,default,76561197960265729,{before},1500,known elsewhere,"),
        ",reset,default,76561197960265729,1500,1000,,".to_owned(),
    ] {
        assert!(csv.contains(&row), "{row}: {csv}");
    }

    let elsewhere = running.run(&["player", "show", "[U:1:1]", "--pool", "arena"]);
    has(&elsewhere.succeeded(), &["Pool:         arena"]);
    running.stop();
}

#[test]
fn an_admin_on_the_server_looks_at_rounds_and_voids_one() {
    let running = Running::start();
    let listed = running.run(&["rounds", "--limit", "2"]).succeeded();
    has(&listed, &["public-1:39", "public-1:38", "--after"]);
    assert!(!listed.stdout.contains("public-1:37"), "{listed:#?}");
    let page = running.json(&["rounds", "--limit", "2"]);
    let next = page["next"].as_str().expect("a second page");
    let more = running.run(&["rounds", "--limit", "2", "--after", next]);
    has(&more.succeeded(), &["public-1:37", "public-1:36"]);
    let last = running.run(&["rounds", "--server", "arena-1", "--to", "1763640301"]);
    let last = last.succeeded();
    has(&last, &["arena-1:5 "]);
    assert!(!last.stdout.contains("--after"), "the last page: {last:#?}");
    let of_nobody = running
        .run(&["rounds", "--player", "[U:1:999]"])
        .succeeded();
    has(&of_nobody, &["No such rounds in the pool default"]);

    let round = ["public-1", "public-1:3"];
    let show = [&["rounds", "show"], &round[..]].concat();
    let before = running.json(&show);
    assert_eq!(before["void"], Value::Null);
    let shown = running.run(&show).succeeded();
    has(&shown, &["Winner:", "team", "K"]);
    has(&shown, &["Mode:      Übung", "InstaGib, low gravity"]);
    has(
        &shown,
        &[
            "score  kills  deaths  assists",
            "4.5      3       0        2",
        ],
    );
    let void = [&["void"], &round[..], &["--reason", "a cheater", "--yes"]].concat();
    has(&running.run(&void).succeeded(), &["Void:", "a cheater"]);
    assert_eq!(running.json(&show)["void"]["reason"], "a cheater");
    let unvoid = [&["unvoid"], &round[..], &["--yes"]].concat();
    let restored = running.run(&unvoid).succeeded();
    assert!(!restored.stdout.contains("Void:"), "{restored:#?}");
    assert_eq!(running.json(&show), before, "all is as it was");

    let quality = running.run(&["quality"]).succeeded();
    has(
        &quality,
        &[
            "Pool default: 32 rounds",
            "Brier score",
            "of a coin",
            "public-1",
        ],
    );
    assert_eq!(running.json(&["quality", "--pool", "arena"])["rounds"], 8);
    running.stop();
}

#[test]
fn the_exit_code_says_why_a_service_did_not_do_it() {
    let running = Running::start();
    running.folder.write("wrong.secret", "x".repeat(32));
    let url = format!("http://{}", running.address);
    for (arguments, code, says) in [
        (&["rounds", "show", "public-1", "none"][..], 3, "no round"),
        (&["quality", "--pool", "none"], 3, "none"),
        (
            &["quality", "--secret-file", "wrong.secret"],
            4,
            "--secret-file",
        ),
        (
            &["void", "public-1", "public-1:3", "--reason", "", "--yes"],
            4,
            "reason",
        ),
        (&["rounds", "--after", "x"], 4, "after"),
        (&["player", "show", "nobody"], 3, "nobody"),
        (&["player", "powers", "0"], 2, "SteamID"),
        (
            &["player", "set", "[U:1:1]", "much"],
            2,
            "must be a whole number from 0 to 10000",
        ),
        (&["rounds", "--from", "gestern"], 2, "2026-11-20T12:00:00Z"),
        (&["rounds", "--limit", "all"], 2, "from 1 to 500"),
        (&["player", "set", "[U:1:1]", "10001"], 2, "10000"),
        (&["void", "public-1", "public-1:3"], 2, "--reason"),
        (&["quality", "--url", "127.0.0.1:8080"], 2, "https://"),
        // The secret of this machine is sent only to the service on this machine.
        (&["quality", "--url", &url], 1, "--secret-file"),
        (&["quality", "--secret-file", "nowhere"], 1, "nowhere"),
        (
            &[
                "quality",
                "--url",
                &format!("{url}/elsewhere"),
                "--secret-file",
                "rbs.secret",
            ],
            3,
            "",
        ),
    ] {
        let ended = running.run(arguments).failed();
        assert_eq!(ended.code, Some(code), "{arguments:?}: {ended:#?}");
        assert!(ended.stderr.contains(says), "{arguments:?}: {ended:#?}");
    }
    let named = running
        .run(&["quality", "--url", &url, "--secret-file", "rbs.secret"])
        .succeeded();
    has(&named, &["Brier score"]);
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
        assert!(kept.stderr.contains("no secret was sent to"), "{kept:#?}");
    }

    let port = running.address.rsplit(':').next().expect("a port");
    // Nothing can listen here, because the port is held on another address.
    let nobody = format!("http://127.0.0.2:{port}");
    let absent = running
        .run(&["quality", "--url", &nobody, "--secret-file", "rbs.secret"])
        .failed();
    assert_eq!(absent.code, Some(5), "{absent:#?}");
    assert!(absent.stderr.contains("start the service"), "{absent:#?}");
    running.stop();
}

#[test]
fn where_no_service_was_started_there_is_no_secret_to_show() {
    let folder = Folder::new();
    let ended = folder.run(&["quality"]).failed();
    assert_eq!(ended.code, Some(1));
    for word in ["--secret-file", "RBS_ADMIN_SECRET", "rbs.secret"] {
        assert!(ended.stderr.contains(word), "{word}: {ended:#?}");
    }
    assert!(!folder.path("rbs.db").exists(), "asking makes no database");
}
