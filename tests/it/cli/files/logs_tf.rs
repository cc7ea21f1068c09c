//! Imports of match logs of logs.tf.

use serde_json::{Value, json};

use crate::cli::rounds::{compressed, tally};
use crate::cli::{Folder, fields, words};

/// Made-up log of rounds that end at these times, five minutes each; the last one has no winner.
fn log(ends: &[i64]) -> Value {
    let (mut players, mut names) = (json!({}), json!({}));
    for number in 1..=4_usize {
        let (id, team) = (format!("[U:1:{number}]"), ["Red", "Blue"][number % 2]);
        names[&id] = json!(format!("Made up {number}"));
        players[&id] = json!({"team": team, "kills": number, "dmg": 100});
    }
    let round = |end: &i64| {
        json!({
            "start_time": end - 300, "length": 300, "winner": "Blue", "firstcap": null,
            "team": {}, "events": [], "players": players,
        })
    };
    let mut rounds: Vec<Value> = ends.iter().map(round).collect();
    rounds.last_mut().expect("a round")["winner"] = Value::Null;
    json!({
        "version": 3, "success": true, "players": players, "names": names, "rounds": rounds,
        "info": {"map": "koth_made_up", "title": "Made up", "date": ends.last().expect("an end") + 20},
    })
}

const URL: &str = "sqlite://rbs.db";
const LATER: i64 = 1_700_086_400;
const EARLIER: i64 = 1_700_000_000;

/// A folder with two logs, of which the later one comes first by name, and one that combines them.
fn logs() -> Folder {
    let folder = Folder::new();
    let later = log(&[LATER, LATER + 310, LATER + 620]);
    folder.write("log_1002.json", later.to_string());
    let mut earlier = log(&[EARLIER, EARLIER + 310]);
    folder.write("log_1003.json.gz", compressed(&earlier.to_string()));
    earlier["rounds"]
        .as_array_mut()
        .expect("rounds")
        .extend(later["rounds"].as_array().expect("rounds").clone());
    earlier["info"]["date"] = json!(LATER + 9000);
    folder.write("log_1004.json", earlier.to_string());
    folder
}

const IMPORT: &str = "import --format logs-tf --server arena-1";
const LOGS: &str = "log_1002.json log_1003.json.gz log_1004.json";

#[test]
fn logs_are_counted_once_and_in_the_order_of_time() {
    let folder = logs();
    let import = |options: &str| {
        let line = format!("{IMPORT} {LOGS} {options}");
        folder.run_on(URL, &words(&line)).succeeded()
    };
    let dry = import("--dry-run");
    for line in [
        "Dry run:          nothing was imported",
        "Rounds to count:  3",
        "Counted before:   0",
        "Draws:            0",
        "Players:          4",
        "Rounds ended:     between 2023-11-14 22:13:20 and 2023-11-15 22:18:30 UTC",
        "Skipped:          3 rounds, already in another of the logs",
        "Skipped:          4 rounds, without a winner",
    ] {
        dry.shows(line);
    }
    let first = import("");
    assert_eq!(tally(&first), [3, 0, 0, 0]);
    // The server's pool.
    first.shows("Pool arena: 3 rounds");
    assert_eq!(tally(&import("")), [0, 3, 0, 0]);
    let dry = import("--dry-run --json").json();
    assert_eq!(fields(&dry, ["counted", "duplicates"]), json!([0, 3]));
    assert_eq!(dry["preview"]["players"], 0);

    let rounds = rounds(&folder);
    let ids: Vec<&Value> = rounds.iter().map(|round| &round["round_id"]).collect();
    assert_eq!(ids, ["logs.tf:1003:1", "logs.tf:1002:1", "logs.tf:1002:2"]);
    let first = fields(&rounds[0], ["winner", "map"]);
    assert_eq!(first, json!(["b", "koth_made_up"]));
    assert_eq!(ids_of(&rounds[0]["team_a"]), [2, 4], "RED is team a");
    assert_eq!(rounds[0]["team_a"][1]["stats"], json!({"kills": 4}));
}

/// Rounds of an export.
fn rounds(folder: &Folder) -> Vec<Value> {
    let exported = folder.run_on(URL, &["export"]).succeeded().stdout;
    let lines = exported.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a line"))
        .collect()
}

/// Imports a log changed by `change`, and returns its first round and the rest of the export, or else what was skipped.
fn imported(change: impl Fn(&mut Value)) -> (Vec<Value>, String) {
    let folder = Folder::new();
    let mut log = log(&[EARLIER, EARLIER + 310]);
    change(&mut log);
    folder.write("7.json", log.to_string());
    let import = format!("{IMPORT} 7.json");
    let said = folder.run_on(URL, &words(&import)).succeeded().stdout;
    (rounds(&folder), said)
}

fn ids_of(team: &Value) -> Vec<u64> {
    let number = |entry: &Value| {
        let id = entry["id"].as_str().or_else(|| entry.as_str());
        let id = id.expect("an id").parse::<u64>().expect("a number");
        id - 76_561_197_960_265_728
    };
    let team = team.as_array().expect("a team").iter();
    team.map(number).collect()
}

#[test]
fn a_round_has_its_own_players_ends_before_the_upload_and_has_one_map_or_none() {
    let (rounds, _) = imported(|log| {
        // The game server's clock is seven hours ahead of UTC.
        log["info"] = json!({"date": EARLIER + 310 - 7 * 3600, "map": "cp_a + cp_b"});
        let players = &mut log["rounds"][0]["players"];
        players["[U:1:1]"]["team"] = json!("Red");
        players["[U:1:3]"]["team"] = Value::Null;
        players["BOT"] = json!({"team": "Blue", "kills": 1, "dmg": 1});
        players["[U:1:9]"] = json!({"team": "Blue", "kills": 0, "dmg": 0});
    });
    assert_eq!(ids_of(&rounds[0]["team_a"]), [1, 2, 4], "who changed sides");
    let substitute = "a substitute, no spectator and no bot";
    assert_eq!(ids_of(&rounds[0]["team_b"]), [9], "{substitute}");
    assert_eq!(rounds[0]["ended_at"], "2023-11-14T15:13:20Z");
    assert_eq!(rounds[0]["map"], Value::Null);
}

#[test]
fn a_round_that_cannot_be_rated_says_why() {
    let one_player = json!({"[U:1:1]": {"team": "Red", "kills": 1, "dmg": 1}});
    let of_old = json!({"[U:1:1]": {"kills": 1, "dmg": 1}, "[U:1:2]": {"kills": 1, "dmg": 1}});
    for (field, value, reason) in [
        ("start_time", Value::Null, "1 round, without a start time"),
        ("winner", json!("Spectator"), "2 rounds, without a winner"),
        (
            "players",
            one_player,
            "1 round, without players on one team",
        ),
        ("players", of_old, "or without teams, as in old logs"),
    ] {
        let (rounds, said) = imported(|log| log["rounds"][0][field] = value.clone());
        assert!(
            rounds.is_empty() && said.contains(reason),
            "{reason}: {said}"
        );
    }
}

#[test]
fn a_log_that_is_none_is_named_before_anything_is_counted() {
    let folder = logs();
    for (name, text, problem) in [
        (
            "5.json",
            "{\"success\": false, \"error\": \"no such log\"}",
            "/names is missing",
        ),
        ("6.json", "{\"rounds\": [", "it is not a logs.tf log"),
        (
            "7.json",
            &log(&[EARLIER]).to_string().replace("300,", "\"long\","),
            "/rounds/0/length",
        ),
        ("log.json", "{}", "name it like 3025052.json"),
    ] {
        folder.write(name, text);
        let import = format!("{IMPORT} {LOGS} {name}");
        let stopped = folder.run_on(URL, &words(&import)).failed();
        stopped.says(&format!("{name}: ")).says(problem);
        assert_eq!(tally(&stopped), [0; 4], "{name}");
        let go_on = format!("{import} --keep-going");
        let went_on = folder.run_on("sqlite://rbs-2.db", &words(&go_on));
        went_on.failed().shows("Unreadable files: 1");
    }
    for (line, code, says) in [
        ("import log_1002.json", 1, "log_1002.json:1: "),
        ("import --format logs-tf log_1002.json", 2, "--server"),
        (
            "import --server arena-1 log_1002.json",
            1,
            "--format logs-tf",
        ),
    ] {
        let refused = folder.run(&words(line)).failed();
        assert_eq!(refused.code, Some(code), "{line}: {refused:#?}");
        refused.says(says);
    }
}
