//! Commands about what happened in a running service: voids of many rounds, refusals, splits and interventions.

use serde_json::{Value, json};

use crate::cli::running::Running;
use crate::cli::{fields, words};

fn round(id: &str, winner: &str, team_a: &[&str], team_b: &[&str]) -> Value {
    json!({"server": "arena-1", "round_id": id, "winner": winner, "team_a": team_a, "team_b": team_b})
}

#[test]
fn rounds_of_a_server_or_of_a_secret_are_voided_at_once() {
    let running = Running::start();
    let void = |which: &str| running.run(&words(&format!("rounds void {which} --reason swapped")));
    // Every fifth round is on arena-1, one minute apart.
    let of_server = "--server arena-1 --since 1763641200";
    let counted = || running.json(&["quality", "--pool", "arena"])["rounds"].clone();
    let dry = void(&format!("{of_server} --dry-run --json"))
        .succeeded()
        .json();
    assert_eq!(
        fields(&dry, ["rounds", "dry_run"]),
        json!([5, true]),
        "{dry}"
    );
    assert_eq!(counted(), 8, "it was only tried");
    void(of_server).failed().says("--yes");
    void(&format!("{of_server} --yes")).succeeded();
    assert_eq!(counted(), 3);
    let rounds = running.json(&["rounds", "--server", "arena-1"]);
    let rounds = rounds["rounds"].as_array().expect("rounds").iter();
    let are_void: Vec<bool> = rounds.map(|round| !round["void"].is_null()).collect();
    let expected = [true, true, true, true, true, false, false, false];
    assert_eq!(are_void, expected);
    let again = void(&format!("{of_server} --yes")).succeeded();
    again.shows("0 rounds");

    let round = round("sent", "a", &["[U:1:1]"], &["[U:1:2]"]);
    assert_eq!(running.post("/v1/update", &round), "200");
    let show = ["rounds", "show", "arena-1", "sent"];
    let shown = running.json(&show);
    let secret = shown["secret"].as_str().expect("a fingerprint");
    let listed = running.json(&["rounds", "--server", "arena-1", "--secret", secret]);
    let listed = listed["rounds"].as_array().map(Vec::len);
    assert_eq!(listed, Some(1));
    let of_secret = format!("--secret {secret} --received-since 2h");
    let dry = void(&format!("{of_secret} --dry-run")).succeeded();
    dry.shows("1 round would no longer count")
        .shows("arena: 1 round; the ratings of 2 players");
    void(&format!("{of_secret} --yes")).succeeded();
    assert_eq!(running.json(&show)["void"]["reason"], "swapped");
    let of_all = void("--since 2h --dry-run").failed();
    of_all.says("--server");
    running.stop();
}

#[test]
fn what_was_refused_is_listed_with_who_sent_it() {
    let running = Running::start();
    let none = running.run(&["refusals"]).succeeded();
    none.shows("Refused since ").shows("0 requests or rounds");
    let unknown = running.post_with("an-old-secret-of-a-server", "/v1/update", &json!({}));
    assert_eq!(unknown, "401");
    let round = round("x", "red", &["[U:1:1]"], &["[U:1:2]"]);
    for _ in 0..2 {
        assert_eq!(running.post("/v1/update", &round), "422");
    }
    let csv = running.run(&["refusals", "--csv"]).succeeded().stdout;
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 3, "{csv}");
    for (row, part) in rows.iter().zip([
        "last,times,status,request,server,field,why,secret,from",
        ",2,422,POST /v1/update,arena-1,/winner,",
        ",1,401,POST /v1/update,,,",
    ]) {
        assert!(row.contains(part), "{part}: {csv}");
    }
    assert!(rows[1].ends_with(",127.0.0.1"), "{csv}");
    let text = running.run(&["refusals"]).succeeded();
    text.shows("3 requests or rounds");
    let mut lines = text.stdout.lines();
    assert!(lines.all(|line| line.chars().count() <= 120), "{text:#?}");
    running.stop();
}

#[test]
fn the_last_splits_of_a_server_are_shown_with_what_they_cost_and_why() {
    let running = Running::start();
    let players =
        json!([{"id": "[U:1:1]", "name": "Ramona"}, "[U:1:2]", "[U:1:3]", "[U:1:4]", "[U:1:5]"]);
    let scramble = json!({"server": "arena-1", "players": players});
    assert_eq!(running.post("/v1/scramble", &scramble), "200");
    let table = running.json(&["scramble", "show", "arena-1"]);
    let message = table["splits"][0]["message"].as_str().expect("a sentence");
    let text = running.run(&["scramble", "arena-1"]).succeeded();
    for shown in [
        "Server:    arena-1",
        "Pool:      arena",
        "Eligible:  5 players",
        "\n2 v 2\n",
        message,
        "Ramona",
        "\n  waits  ",
    ] {
        text.shows(shown);
    }
    let csv = running.run(&["scramble", "show", "arena-1", "--csv"]);
    csv.succeeded()
        .shows("size,difference,possible,sum a,sum b,odds of a,moves,method,optimal\n2,");

    let of_round = |round: &str| running.run(&["scramble", "arena-1", "--round", round]);
    let unknown = of_round("arena-1:40").failed();
    assert_eq!(unknown.code, Some(3), "{unknown:#?}");
    unknown.says("no splits are stored");
    let (team_a, team_b) = (["[U:1:1]", "[U:1:2]"], ["[U:1:3]", "[U:1:4]"]);
    let round = round("new", "a", &team_a, &team_b);
    assert_eq!(running.post("/v1/update", &round), "200");
    of_round("new").succeeded().shows(message);
    running.stop();
}

#[test]
fn interventions_are_listed_and_counted() {
    let running = Running::start();
    let none = running.run(&["interventions"]).succeeded();
    none.shows("No such interventions in the pool default");
    let team_a = ["[U:1:1]", "[U:1:2]", "[U:1:3]", "[U:1:4]"];
    let teams = json!({"server": "public-1", "team_a": team_a, "team_b": ["[U:1:5]"]});
    assert_eq!(running.post("/v1/balance", &teams), "200");
    let one = running.json(&["interventions"])["interventions"][0].clone();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let moves = one["moves"].as_array().expect("moves").len();
    let shown = running.run(&["interventions", "--csv"]).succeeded();
    shown
        .shows(&text(&one["reasons"][0]["detail"]))
        .shows(&format!("{moves} moved"));
    let summary = running.run(&words("interventions summary --days 1"));
    let summary = summary.succeeded();
    summary.shows("Pool default, today: 1 intervention;");
    let rule = text(&one["reasons"][0]["rule"]);
    let counts = |line: &str| line.starts_with(&rule) && line.ends_with(" 1");
    assert!(summary.stdout.lines().any(counts), "{summary:#?}");
    running.stop();
}
