use serde_json::{Value, json};

use crate::cli::Folder;
use crate::cli::process::Finished;
use crate::cli::rounds::{change, line};
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

async fn the_database_is_evaluated_as_the_file_that_was_imported(database: &Database) {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(120));
    let url = database.url_text();
    folder.run_on(&url, &["import", "rounds.jsonl"]).succeeded();
    let of_file = folder
        .run(&["evaluate", "--json", "rounds.jsonl"])
        .succeeded();
    let of_database = folder.run_on(&url, &["evaluate", "--json", "--pool", "default"]);
    let (of_file, of_database) = (objects(&of_file), objects(&of_database.succeeded()));
    let [file, database] = [&of_file[0], &of_database[0]];
    assert_eq!(
        (&file["file"], &database["file"]),
        (&json!("rounds.jsonl"), &Value::Null)
    );
    for object in [file, database] {
        let counts = [&object["rounds"], &object["rated"], &object["scored"]];
        assert_eq!(counts, [&json!(120), &json!(120), &json!(96)]);
    }
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

/// A round of six of twelve players. The better players have more points, and the better team wins. `has_stats` adds
/// the points.
fn skilled(number: u64, has_stats: bool) -> String {
    let skill = |player: u64| (player * 5) % 12;
    // Steps coprime to twelve select six distinct players.
    let step = [1, 5, 7, 11][usize::try_from(number / 12 % 4).unwrap_or_default()];
    let drawn = (0..6).map(|seat| 1 + (number + step * seat) % 12);
    let players: Vec<u64> = drawn.collect();
    let (a, b) = players.split_at(3);
    let sum = |team: &[u64]| team.iter().map(|player| skill(*player)).sum::<u64>();
    let entry = |player: &u64| {
        let (id, skill) = (format!("[U:1:{player}]"), skill(*player));
        let stats = json!({"score": 100 * skill + number % 90, "kills": skill, "deaths": 4});
        json!({"id": id, "stats": if has_stats { stats } else { Value::Null }})
    };
    let winner = if sum(a) > sum(b) { "a" } else { "b" };
    let round = json!({
        "round_id": number.to_string(), "server": "public-1", "winner": winner, "mode": "ctf",
        "ended_at": 1_763_640_000 + 600 * number,
        "team_a": a.iter().map(entry).collect::<Vec<_>>(), "team_b": b.iter().map(entry).collect::<Vec<_>>(),
    });
    round.to_string() + "\n"
}

#[test]
fn powers_are_compared_with_the_models_where_rounds_have_stats() {
    let folder = Folder::new();
    for (name, has_stats) in [("plain.jsonl", false), ("stats.jsonl", true)] {
        let rounds = (0..240).map(|number| skilled(number, has_stats));
        folder.write(name, rounds.collect::<String>());
    }
    let names = |arguments: &[&str]| -> Vec<(String, f64)> {
        let arguments = [&["evaluate", "--json"], arguments].concat();
        let object = objects(&folder.run(&arguments).succeeded()).remove(0);
        let models = object["models"].as_array().expect("models").clone();
        let powers = models.into_iter().filter_map(|model| {
            let name = model["model"].as_str()?.strip_prefix("power ")?.to_owned();
            Some((name, model["log_loss"].as_f64()?))
        });
        powers.collect()
    };
    assert_eq!(names(&["plain.jsonl"]), []);
    assert_eq!(names(&["--model", "elo", "stats.jsonl"]), []);
    let powers = names(&["stats.jsonl"]);
    let found: Vec<&str> = powers.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(found, ["kdr-power", "pub-power", "ut2004"]);
    for (name, loss) in &powers {
        assert!(*loss < 0.65, "{name} is no better than a coin: {loss}");
    }
}

#[test]
fn every_model_is_compared_with_the_first_in_a_table_in_values_and_in_json() {
    let folder = Folder::new();
    let mut text = lines(120);
    text.push_str(&change("c1", 3, Some(1500)));
    text.push('\n');
    folder.write("rounds.jsonl", &text);
    let models = [
        "synelo",
        "adaptive",
        "elo",
        "glicko2",
        "trueskill",
        "weng-lin",
        "ns2",
    ];

    let table = folder.run(&["evaluate", "rounds.jsonl"]).succeeded().stdout;
    let mut rows = table.lines();
    let head = rows.next().expect("a line about the file");
    assert!(
        head.starts_with("rounds.jsonl, pool default: 120 rounds; the last 120 were rated"),
        "{head}"
    );
    assert!(head.contains("1 admin change left out"), "{head}");
    assert_eq!(
        rows.next().expect("headings").split_whitespace().next(),
        Some("model")
    );
    for model in models {
        let row = rows.next().expect("a row a model");
        assert!(row.starts_with(model), "{row}");
        assert_eq!(row.contains('±'), model != "synelo", "{row}");
    }
    let advice = rows.last();
    assert!(advice.is_some_and(|advice| advice.ends_with('.')));

    let values = folder
        .run(&["evaluate", "--csv", "rounds.jsonl", "rounds.jsonl"])
        .succeeded()
        .stdout;
    let rows = values.lines().filter(|row| !row.contains(",power "));
    let rows: Vec<Vec<&str>> = rows.map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 1 + 2 * models.len());
    assert!(rows.iter().all(|row| row.len() == 12), "{values}");
    assert_eq!(rows[1..8], rows[8..]);

    let arguments = [
        "evaluate",
        "--json",
        "rounds.jsonl",
        "--model",
        "adaptive",
        "--last",
        "50",
        "--skip",
        "0.5",
    ];
    let object = &objects(&folder.run(&arguments).succeeded())[0];
    let counts = [
        &object["rounds"],
        &object["rated"],
        &object["scored"],
        &object["changes"],
    ];
    assert_eq!(counts, [&json!(120), &json!(50), &json!(25), &json!(1)]);
    let names: Vec<&Value> = object["models"]
        .as_array()
        .expect("models")
        .iter()
        .map(|model| &model["model"])
        .collect();
    assert_eq!(names, ["synelo", "adaptive"]);
}

#[test]
fn void_rounds_are_left_out_and_pools_are_kept_apart() {
    let folder = Folder::new();
    let all = lines(60);
    let other: String = lines(20)
        .lines()
        .map(|line| line.replacen('{', r#"{"pool":"duels","#, 1) + "\n")
        .map(|line| line.replace(r#""round_id":""#, r#""round_id":"d"#))
        .collect();
    let void = json!({
        "change": "void", "change_id": "v1", "server": "public-1", "round_id": "public-1:1",
        "reason": null, "at": "2026-11-20T12:00:00Z",
    });
    folder.write("rounds.jsonl", format!("{all}{other}{void}\n"));
    let found = objects(
        &folder
            .run(&["evaluate", "--json", "rounds.jsonl"])
            .succeeded(),
    );
    let pools: Vec<_> = found
        .iter()
        .map(|one| (&one["pool"], &one["rounds"], &one["void"]))
        .collect();
    assert_eq!(
        pools,
        [
            (&json!("default"), &json!(59), &json!(1)),
            (&json!("duels"), &json!(20), &json!(0))
        ]
    );
    let one = objects(
        &folder
            .run(&["evaluate", "--json", "--pool", "duels", "rounds.jsonl"])
            .succeeded(),
    );
    assert_eq!(one[0]["models"], found[1]["models"]);
}

#[test]
fn what_cannot_be_evaluated_is_named() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(3) + "{\"winner\": \"c\"}\n");
    folder.write("empty.jsonl", "");
    for (arguments, part) in [
        (&["rounds.jsonl"][..], "rounds.jsonl:4: "),
        (&["missing.jsonl"], "missing.jsonl: the file cannot be read"),
        (&["empty.jsonl"], "there is no round to evaluate"),
        (
            &["rounds.jsonl", "--model", "SynElo"],
            "the models are synelo, adaptive, elo",
        ),
        (
            &["rounds.jsonl", "--skip", "2"],
            "must be a number from 0 to 1",
        ),
        (&[], "there is no database"),
    ] {
        let arguments = [&["evaluate"], arguments].concat();
        let failed = folder.run(&arguments).failed();
        assert!(failed.stderr.contains(part), "{arguments:?}: {failed:#?}");
    }
}

#[test]
fn draws_uneven_teams_and_rounds_with_nobody_to_rate_are_counted() {
    let folder = Folder::new();
    let player = |number: u64| format!("[U:1:{number}]");
    let round = |id: &str, winner: &str, team_b: Value| {
        json!({
            "round_id": id, "server": "s", "ended_at": 1_763_640_000, "winner": winner,
            "team_a": [player(1), player(2)], "team_b": team_b,
        })
    };
    let both = json!([player(3), player(4)]);
    let rounds = [
        round("1", "draw", both.clone()),
        round("2", "a", json!([player(3)])),
        round("3", "b", json!([{"id": player(3), "participated": false}])),
        round("4", "a", both),
    ];
    let text = rounds.map(|round| round.to_string() + "\n").concat();
    folder.write("rounds.jsonl", text);
    let arguments = ["evaluate", "--skip", "0", "--json", "rounds.jsonl"];
    let found = &objects(&folder.run(&arguments).succeeded())[0];
    let counts = ["rounds", "scored", "draws", "uneven", "unrated"].map(|name| &found[name]);
    assert_eq!(counts, [4, 4, 1, 2, 1].map(|count| json!(count)).each_ref());
    let text = folder
        .run(&["evaluate", "--skip", "0", "rounds.jsonl"])
        .succeeded()
        .stdout;
    assert!(
        text.contains("(1 draw, 2 with uneven teams, 1 with a team without rated players)"),
        "{text}"
    );
}

#[test]
fn synelo_is_compared_with_itself_as_it_is_set() {
    let folder = Folder::new();
    folder.write("rounds.jsonl", lines(120));
    let with = |settings: &[&str]| {
        let asked = ["evaluate", "--json", "--model", "synelo", "rounds.jsonl"];
        folder.run(&[&asked[..], settings].concat())
    };
    let models = |settings: &[&str]| {
        let found = objects(&with(settings).succeeded());
        found[0]["models"].as_array().expect("models").clone()
    };
    let [plain] = &models(&[])[..] else {
        panic!("one model");
    };
    let same = models(&["--set", "k_max=72"]);
    assert_eq!((same.len(), &same[0]["log_loss"]), (2, &plain["log_loss"]));
    assert_eq!(same[1]["model"], "synelo, as set");
    assert_eq!(same[1]["difference"]["mean"], 0.0);
    let other = models(&["--set", "k_max=20", "--set=return_boost_days=1"]);
    assert_eq!(other[0]["log_loss"], plain["log_loss"]);
    assert_ne!(other[1]["difference"]["mean"], 0.0);
    let refused = with(&["--set", "return_boost=1"]);
    assert_eq!(refused.code, Some(2), "{refused:#?}");
    let refused = with(&["--set", "k_max=1"]);
    assert_eq!(refused.code, Some(1), "{refused:#?}");
    assert!(refused.stderr.contains("k_max must"), "{refused:#?}");
}
