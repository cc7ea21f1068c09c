use serde_json::{Value, json};

use crate::cli::process::Finished;
use crate::cli::rebuild::void;
use crate::cli::rounds::{change, line};
use crate::cli::{Folder, fields, words};
use crate::support::Database;

on_both_engines!(the_database_is_evaluated_as_the_file_that_was_imported);

fn lines(count: usize) -> String {
    (1..=count)
        .map(|number| line(number, "public-1") + "\n")
        .collect()
}

/// Parses the output, without measured times.
fn objects(finished: &Finished) -> Vec<Value> {
    let objects = finished.stdout.lines().map(|line| {
        let mut object: Value = serde_json::from_str(line).expect("an object a line");
        for model in object["models"].as_array_mut().expect("models") {
            let seconds = model["seconds"].take();
            assert!(
                seconds.as_f64().is_some_and(|seconds| seconds >= 0.0),
                "{seconds}"
            );
        }
        object
    });
    objects.collect()
}

/// Returns the JSON that `rbs evaluate --json` prints about the files.
fn evaluated(folder: &Folder, options: &str) -> Vec<Value> {
    let line = format!("evaluate --json {options}");
    objects(&folder.run(&words(&line)).succeeded())
}

async fn the_database_is_evaluated_as_the_file_that_was_imported(database: &Database) {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(120));
    let url = database.url_text();
    folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    let of_database = words("evaluate --json --pool default");
    let of_database = objects(&folder.run_on(&url, &of_database).succeeded());
    let of_file = evaluated(&folder, "rounds.jsonl");
    let [file, database] = [&of_file[0], &of_database[0]];
    let counted = ["file", "rounds", "rated", "scored"];
    assert_eq!(fields(file, counted), json!(["rounds.jsonl", 120, 120, 96]));
    assert_eq!(fields(database, counted), json!([null, 120, 120, 96]));
    // Figures that are independent of theta are bit-identical; the database has its own theta.
    for model in ["adaptive", "glicko2", "trueskill", "weng-lin", "ns2"] {
        let of = |object: &Value| {
            let models = object["models"].as_array().expect("models").iter();
            let mut its = models.filter(|one| one["model"] == model).cloned();
            let its = its.next().expect("the model");
            (its["log_loss"].clone(), its["brier"].clone())
        };
        assert_eq!(of(file), of(database), "{model}");
    }
}

#[test]
fn every_model_is_compared_with_the_first_in_a_table_in_values_and_in_json() {
    let folder = Folder::new();
    let change = change("c1", 3, Some(1500));
    folder.write("rounds.jsonl", format!("{}{change}\n", lines(120)));
    let models = [
        "synelo",
        "adaptive",
        "elo",
        "glicko2",
        "trueskill",
        "weng-lin",
        "ns2",
        "power kdr-power",
        "power ut2004",
    ];

    let table = folder.run(&["evaluate", "rounds.jsonl"]).succeeded();
    table
        .shows("rounds.jsonl, pool default: 120 rounds; the last 120 were rated")
        .shows("1 admin change left out");
    let mut rows = table.stdout.lines().skip(1);
    let headings = rows.next().expect("headings");
    assert!(headings.starts_with("model "), "{headings}");
    for model in models {
        let row = rows.next().expect("a row a model");
        assert!(row.starts_with(model), "{row}");
        assert_eq!(row.contains('±'), model != "synelo", "{row}");
    }
    let advice = rows.last();
    assert!(advice.is_some_and(|advice| advice.ends_with('.')));

    let values = folder.run(&words("evaluate --csv rounds.jsonl rounds.jsonl"));
    let values = values.succeeded().stdout;
    let rows: Vec<Vec<&str>> = values.lines().map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 2 * models.len());
    assert!(rows.iter().all(|row| row.len() == 12), "{values}");
    assert_eq!(rows[1..10], rows[10..]);

    let object = &evaluated(
        &folder,
        "rounds.jsonl --model adaptive --last 50 --skip 0.5",
    )[0];
    let counts = fields(object, ["rounds", "rated", "scored", "changes"]);
    assert_eq!(counts, json!([120, 50, 25, 1]));
    let models = object["models"].as_array().expect("models").iter();
    let names: Vec<&Value> = models.map(|model| &model["model"]).collect();
    assert_eq!(names, ["synelo", "adaptive"]);
}

#[test]
fn void_rounds_are_left_out_and_pools_are_kept_apart() {
    let folder = Folder::new();
    let all = lines(60);
    let other = "\"pool\":\"duels\",\"round_id\":\"d";
    let other = lines(20).replace("\"round_id\":\"", other);
    let void = void("v1", "public-1", "public-1:1", "void");
    folder.write("rounds.jsonl", format!("{all}{other}{void}\n"));
    let found = evaluated(&folder, "rounds.jsonl");
    let pools = found
        .iter()
        .map(|one| fields(one, ["pool", "rounds", "void"]));
    let expected = [json!(["default", 59, 1]), json!(["duels", 20, 0])];
    assert!(pools.eq(expected), "{found:?}");
    let one = evaluated(&folder, "--pool duels rounds.jsonl");
    assert_eq!(one[0]["models"], found[1]["models"]);
}

#[test]
fn what_cannot_be_evaluated_is_named() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3) + "{\"winner\": \"c\"}\n");
    folder.write("empty.jsonl", "");
    for (options, part) in [
        ("rounds.jsonl", "rounds.jsonl:4: "),
        ("missing.jsonl", "missing.jsonl: the file cannot be read"),
        ("empty.jsonl", "there is no round to evaluate"),
        ("--model SynElo", "the models are synelo, adaptive, elo"),
        ("--skip 2", "must be a number from 0 to 1"),
        ("", "there is no database"),
    ] {
        let failed = folder.run(&words(&format!("evaluate {options}"))).failed();
        failed.says(part);
    }
}

#[test]
fn draws_uneven_teams_and_rounds_with_nobody_to_rate_are_counted() {
    let folder = Folder::new();
    let round = |id: &str, winner: &str, team_b: Value| {
        json!({
            "round_id": id, "server": "s", "ended_at": 1_763_640_000, "winner": winner,
            "team_a": ["[U:1:1]", "[U:1:2]"], "team_b": team_b,
        })
    };
    let both = json!(["[U:1:3]", "[U:1:4]"]);
    let rounds = [
        round("1", "draw", both.clone()),
        round("2", "a", json!(["[U:1:3]"])),
        round("3", "b", json!([{"id": "[U:1:3]", "participated": false}])),
        round("4", "a", both),
    ];
    let text = rounds.map(|round| round.to_string() + "\n").concat();
    folder.write("rounds.jsonl", text);
    let found = &evaluated(&folder, "--skip 0 rounds.jsonl")[0];
    let names = ["rounds", "scored", "draws", "uneven", "unrated"];
    assert_eq!(fields(found, names), json!([4, 4, 1, 2, 1]));
    let text = folder.run(&words("evaluate --skip 0 rounds.jsonl"));
    text.succeeded()
        .shows("(1 draw, 2 with uneven teams, 1 where one team had no rated players)");
}

#[test]
fn synelo_is_compared_with_itself_as_it_is_set() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(120));
    let models = |options: &str| {
        let options = format!("--model synelo rounds.jsonl {options}");
        let found = evaluated(&folder, &options);
        found[0]["models"].as_array().expect("models").clone()
    };
    let plain = models("");
    assert_eq!(plain.len(), 1);
    let same = models("--set k_max=72");
    assert_eq!(same.len(), 2);
    assert_eq!(same[0]["log_loss"], plain[0]["log_loss"]);
    assert_eq!(same[1]["model"], "synelo, as set");
    assert_eq!(same[1]["difference"]["mean"], 0.0);
    let other = models("--set k_max=20 --set=return_boost_days=1");
    assert_eq!(other[0]["log_loss"], plain[0]["log_loss"]);
    assert_ne!(other[1]["difference"]["mean"], 0.0);
    for (setting, code, says) in [
        ("return_boost=1", 2, "return_boost"),
        ("k_max=1", 1, "k_max must"),
    ] {
        let refused = folder.run(&["evaluate", "rounds.jsonl", "--set", setting]);
        assert_eq!(refused.code, Some(code), "{refused:#?}");
        refused.says(says);
    }
}
