//! Commands about changes in a running service: voids, undos, splits and the audit.

use serde_json::json;

use crate::cli::running::Running;

#[test]
fn all_rounds_of_a_server_in_some_time_are_voided_at_once() {
    let running = Running::start();
    // Every fifth round is on arena-1, one minute apart.
    let void = |more: &[&'static str]| {
        let command = [
            "rounds",
            "void",
            "--server",
            "arena-1",
            "--since",
            "1763641200",
        ];
        [&command[..], &["--reason", "teams were swapped"], more].concat()
    };
    let counted = || running.json(&["quality", "--pool", "arena"])["rounds"].clone();
    assert_eq!(counted(), 8);
    let dry = running.json(&void(&["--dry-run"]));
    assert_eq!(
        (&dry["rounds"], &dry["dry_run"]),
        (&json!(5), &json!(true)),
        "{dry}"
    );
    assert_eq!(counted(), 8, "it was only tried");
    let refused = running.run(&void(&[])).failed();
    assert!(refused.stderr.contains("--yes"), "{refused:#?}");
    let done = running.run(&void(&["--yes"])).succeeded();
    assert!(
        done.stdout.contains("5 rounds") || done.stdout.contains("no longer count"),
        "{done:#?}"
    );
    let rounds = running.json(&["rounds", "--server", "arena-1", "--limit", "500"]);
    let rounds = rounds["rounds"].as_array().expect("rounds");
    let are_void: Vec<bool> = rounds
        .iter()
        .map(|round| !round["void"].is_null())
        .collect();
    assert_eq!(
        are_void,
        [true, true, true, true, true, false, false, false]
    );
    assert_eq!(counted(), 3, "the figures follow");
    let csv = running.run(&["audit", "--csv"]).succeeded().stdout;
    assert!(
        csv.contains(",void_rounds,arena,") && csv.contains("teams were swapped"),
        "{csv}"
    );
    let again = running.run(&void(&["--yes"])).succeeded();
    assert!(again.stdout.contains("0 rounds"), "{again:#?}");
    running.stop();
}

#[test]
fn rounds_are_listed_and_voided_by_the_secret_that_they_came_with() {
    let running = Running::start();
    let round = json!({"round_id": "sent", "server": "arena-1", "winner": "a",
                       "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"]});
    assert_eq!(running.post("/v1/update", &round), "200");
    let shown = running.json(&["rounds", "show", "arena-1", "sent"]);
    let secret = shown["secret"].as_str().expect("a fingerprint");
    let listed = running.json(&["rounds", "--server", "arena-1", "--secret", secret]);
    assert_eq!(
        listed["rounds"].as_array().map(Vec::len),
        Some(1),
        "{listed}"
    );
    let void = |more: &str| {
        let command = [
            "rounds",
            "void",
            "--secret",
            secret,
            "--received-since",
            "2h",
        ];
        running.run(&[&command[..], &["--reason", "stolen", more]].concat())
    };
    let dry = void("--dry-run").succeeded().stdout;
    assert!(
        dry.contains("1 round would no longer count")
            && dry.contains("arena: 1 round; the ratings of 2 players"),
        "{dry}"
    );
    void("--yes").succeeded();
    let shown = running.json(&["rounds", "show", "arena-1", "sent"]);
    assert_eq!(shown["void"]["reason"], "stolen");
    let nothing = [
        "rounds",
        "void",
        "--since",
        "2h",
        "--reason",
        "x",
        "--dry-run",
    ];
    let refused = running.run(&nothing).failed();
    assert!(refused.stderr.contains("--server"), "{refused:#?}");
    running.stop();
}

#[test]
fn the_last_change_of_a_player_is_undone() {
    let running = Running::start();
    let undo = [
        "player",
        "undo",
        "[U:1:1]",
        "--reason",
        "the wrong player",
        "--yes",
    ];
    let nothing = running.run(&undo).failed();
    assert!(
        nothing.stderr.contains("has no change to undo"),
        "{nothing:#?}"
    );
    let rating = || running.json(&["player", "show", "[U:1:1]"])["rating"].clone();
    let before = rating();
    let set = [
        "player", "set", "[U:1:1]", "1500", "--reason", "a slip", "--yes",
    ];
    running.run(&set).succeeded();
    assert_eq!(rating(), 1500);
    running.run(&undo).succeeded();
    assert_eq!(rating(), before);
    let csv = running.run(&["audit", "--csv"]).succeeded().stdout;
    let row = format!(",undo,default,76561197960265729,1500,{before},the wrong player,");
    assert!(csv.contains(&row), "{row}: {csv}");
    running.stop();
}

#[test]
fn what_was_refused_is_listed_with_who_sent_it() {
    let running = Running::start();
    let none = running.run(&["refusals"]).succeeded().stdout;
    assert!(
        none.starts_with("Refused since ") && none.contains("0 requests or rounds"),
        "{none}"
    );
    assert_eq!(
        running.post_with("an-old-secret-of-a-server", "/v1/update", &json!({})),
        "401"
    );
    let round = json!({"server": "arena-1", "round_id": "x", "winner": "red", "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"]});
    for _ in 0..2 {
        assert_eq!(running.post("/v1/update", &round), "422");
    }
    let found = running.json(&["refusals"]);
    let refusals = found["refusals"].as_array().expect("refusals");
    assert_eq!(refusals.len(), 2, "{found}");
    let csv = running.run(&["refusals", "--csv"]).succeeded().stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(
        rows[0],
        "last,times,status,request,server,field,why,secret,from"
    );
    assert!(
        rows[1].contains(",2,422,POST /v1/update,arena-1,/winner,"),
        "{csv}"
    );
    assert!(rows[1].ends_with(",127.0.0.1"), "{csv}");
    assert!(rows[2].contains(",1,401,POST /v1/update,,,"), "{csv}");
    let text = running.run(&["refusals"]).succeeded().stdout;
    assert!(text.contains("3 requests or rounds"), "{text}");
    assert!(
        text.lines().all(|line| line.chars().count() <= 120),
        "{text}"
    );
    running.stop();
}

#[test]
fn the_last_splits_of_a_server_are_shown_with_what_they_cost_and_why() {
    let running = Running::start();
    let none = running.run(&["scramble", "arena-1"]).failed();
    assert_eq!(none.code, Some(3), "{none:#?}");
    let players =
        json!([{"id": "[U:1:1]", "name": "Ramona"}, "[U:1:2]", "[U:1:3]", "[U:1:4]", "[U:1:5]"]);
    let scramble = json!({"server": "arena-1", "players": players});
    assert_eq!(running.post("/v1/scramble", &scramble), "200");
    let table = running.json(&["scramble", "show", "arena-1"]);
    let split = &table["splits"][0];
    assert_eq!(split["size"], 2, "{table}");
    let text = running.run(&["scramble", "arena-1"]).succeeded().stdout;
    let message = split["message"].as_str().expect("a sentence");
    for shown in [
        "Server:    arena-1",
        "Pool:      arena",
        "Eligible:  5 players",
        "\n2 v 2\n",
        message,
        "Ramona",
        "\n  waits  ",
    ] {
        assert!(text.contains(shown), "{shown}: {text}");
    }
    let csv = running
        .run(&["scramble", "show", "arena-1", "--csv"])
        .succeeded()
        .stdout;
    assert!(
        csv.starts_with("size,difference,possible,sum a,sum b,odds of a,moves,method,optimal\n2,"),
        "{csv}"
    );

    let of_round = |round: &str| running.run(&["scramble", "arena-1", "--round", round]);
    let unknown = of_round("arena-1:40").failed();
    assert_eq!(unknown.code, Some(3), "{unknown:#?}");
    assert!(
        unknown.stderr.contains("no splits are stored"),
        "{unknown:#?}"
    );
    let round = json!({"server": "arena-1", "round_id": "new", "winner": "a", "team_a": ["[U:1:1]", "[U:1:2]"], "team_b": ["[U:1:3]", "[U:1:4]"]});
    assert_eq!(running.post("/v1/update", &round), "200");
    let shown = of_round("new").succeeded().stdout;
    assert!(shown.contains(message), "{shown}");
    running.stop();
}
