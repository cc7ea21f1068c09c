use serde_json::{Value, json};

use super::{Folder, line};
use rbs::config::{Flags, Settings};

/// Duels among eight players. The player with the lower number always wins, so a faster-learning model predicts better.
fn duels(count: usize) -> String {
    let duel = |number: usize| {
        let player = |number: usize| format!("[U:1:{}]", number % 8 + 1);
        let (one, other) = (number, number + 1 + number / 8 % 7);
        let winner = if one % 8 < other % 8 { "a" } else { "b" };
        let round = json!({
            "round_id": format!("d{number}"), "server": "duels-1", "ended_at": 1_763_640_000 + 60 * number,
            "winner": winner, "team_a": [player(one)], "team_b": [player(other)], "pool": "duels",
        });
        format!("{round}\n")
    };
    (0..count).map(duel).collect()
}

fn tuned(folder: &Folder, arguments: &[&str]) -> Value {
    let arguments = [&["tune", "--json"], arguments].concat();
    let found = folder.run(&arguments).succeeded();
    serde_json::from_str(&found.stdout).expect("an object")
}

#[test]
fn constants_are_fitted_to_the_earlier_rounds_and_measured_on_the_later_ones() {
    let folder = Folder::new();
    folder.write("duels.jsonl", duels(1_200));
    let arguments = ["--model", "elo", "--held-out", "0.45", "duels.jsonl"];
    let found = tuned(&folder, &arguments);
    assert_eq!(found, tuned(&folder, &arguments), "the same every time");
    let counts = [&found["rounds"], &found["fitted"], &found["scored"]];
    assert_eq!(counts, [&json!(1_200), &json!(660), &json!(540)]);
    assert_eq!(found["verdict"], "better");
    let constant = &found["constants"][0];
    assert_eq!(
        (&constant["name"], &constant["usual"]),
        (&json!("k"), &json!(32.0))
    );
    assert!(constant["fitted"].as_f64() > Some(64.0), "{constant}");
    let loss = |name: &str| found[name]["log_loss"].as_f64().expect("a loss");
    let difference = loss("scores_fitted") - loss("scores_usual");
    let mean = &found["scores_fitted"]["difference"]["mean"];
    let mean = mean.as_f64().expect("a difference");
    assert!(
        difference < 0.0 && (difference - mean).abs() < 1e-9,
        "{found}"
    );
}

#[test]
fn what_happens_later_does_not_touch_what_is_fitted() {
    let folder = Folder::new();
    let all = duels(1_200);
    let at = all.lines().take(660).map(|line| line.len() + 1).sum();
    let (earlier, later) = all.split_at(at);
    let turned = later.replace(r#""winner":"a""#, r#""winner":"draw""#);
    assert_ne!(later, turned);
    folder.write("one.jsonl", &all);
    folder.write("other.jsonl", earlier.to_owned() + &turned);
    let [one, other] = ["one.jsonl", "other.jsonl"].map(|file| {
        tuned(
            &folder,
            &[
                "--model",
                "trueskill",
                "--held-out",
                "0.45",
                "--looks",
                "20",
                file,
            ],
        )
    });
    assert_eq!(one["constants"], other["constants"]);
    assert_ne!(one["scores_fitted"], other["scores_fitted"]);
}

#[test]
fn what_is_printed_for_synelo_is_a_part_of_the_configuration() {
    let folder = Folder::new();
    folder.write("duels.jsonl", duels(1_200));
    let arguments = ["tune", "--held-out", "0.45", "--looks", "30", "duels.jsonl"];
    let text = folder.run(&arguments).succeeded().stdout;
    let (report, table) = text.split_once("\n\n").expect("a table to paste");
    assert!(report.ends_with("paste into the configuration:"), "{text}");
    assert!(table.starts_with("[pools.duels]\ntheta = "), "{text}");
    folder.write("rbs.toml", table);
    let flags = Flags {
        config: Some(folder.path("rbs.toml")),
        ..Flags::default()
    };
    let settings = Settings::load(&flags, |_| None).expect("settings");
    let pool = &settings.pools[&"duels".parse().expect("a name")];
    let theta = format!("\ntheta = {}\n", pool.parameters.theta);
    assert!(table.contains(&theta), "{theta}: {table}");
}

#[test]
fn too_few_rounds_and_what_cannot_be_fitted_are_named() {
    let folder = Folder::new();
    let lines: String = (1..=120)
        .map(|number| line(number, "public-1") + "\n")
        .collect();
    folder.write("rounds.jsonl", lines);
    let text = folder
        .run(&["tune", "--looks", "10", "rounds.jsonl"])
        .succeeded()
        .stdout;
    assert!(
        text.contains("There are too few rounds to know: it takes 500"),
        "{text}"
    );
    assert!(!text.contains("[pools"), "{text}");
    for (arguments, part) in [
        (
            &["--model", "adaptive", "rounds.jsonl"][..],
            "adaptive has no constants to fit",
        ),
        (
            &["--held-out", "1.5", "rounds.jsonl"],
            "must be a number from 0 to 1",
        ),
        (
            &["--pool", "nobody", "rounds.jsonl"],
            "there is no round to fit to",
        ),
        (&[], "<FILE>"),
    ] {
        let failed = folder.run(&[&["tune"], arguments].concat()).failed();
        assert!(failed.stderr.contains(part), "{arguments:?}: {failed:#?}");
    }
}

/// Duels among eight equal players, each with a bot. An expert bot wins three of four against a novice bot.
fn with_bots(count: usize) -> String {
    let duel = |number: usize| {
        let player = |number: usize| format!("[U:1:{}]", number % 8 + 1);
        let expert_is_on_a = number.is_multiple_of(2);
        let (on_a, on_b) = if expert_is_on_a {
            ("expert", "easy")
        } else {
            ("easy", "expert")
        };
        let expert_wins = ((number * 2_654_435_761) >> 12) % 4 != 3;
        let round = json!({
            "round_id": format!("b{number}"), "server": "duels-1", "ended_at": 1_763_640_000 + 60 * number,
            "winner": if expert_wins == expert_is_on_a { "a" } else { "b" },
            "team_a": [player(number)], "team_b": [player(number + 1 + number / 8 % 7)],
            "bots": {"a": {on_a: 1}, "b": {on_b: 1}}, "map": "hill",
        });
        format!("{round}\n")
    };
    (0..count).map(duel).collect()
}

#[test]
fn bots_are_fitted_by_level_and_printed_as_a_table_to_paste() {
    let folder = Folder::new();
    folder.write("bots.jsonl", with_bots(1_000));
    let found = tuned(&folder, &["--bots", "bots.jsonl"]);
    assert_eq!(
        (&found["rounds"], &found["theta"]),
        (&json!(1_000), &json!(400.0))
    );
    let (easy, expert) = (&found["levels"][0], &found["levels"][1]);
    assert_eq!(
        (&easy["level"], &expert["level"]),
        (&json!("easy"), &json!("expert"))
    );
    assert_eq!(expert["rounds"], 800, "the first fifth is not scored");
    let rating = |level: &Value| level["rating"].as_f64().expect("a rating");
    // Three of four are 400 ln 3 points.
    let apart = rating(expert) - rating(easy);
    assert!((apart - 439.0).abs() < 120.0, "{found}");
    // Only the difference of the two levels is known, not their absolute ratings.
    assert_eq!(easy["known"], false, "{found}");
    let text = folder.run(&["tune", "--bots", "bots.jsonl"]).succeeded();
    let expected = "too few rounds to know what these are worth: easy, expert";
    assert!(text.stdout.contains(expected), "{text:?}");

    // One level alone against no bots.
    folder.write(
        "alone.jsonl",
        with_bots(1_000).replace(r#"{"easy":1}"#, "{}"),
    );
    let text = folder
        .run(&["tune", "--bots", "alone.jsonl"])
        .succeeded()
        .stdout;
    let table = text
        .split_once("[pools.default.bots]\n")
        .expect("a table")
        .1;
    assert!(table.starts_with("expert = "), "{text}");
    folder.write("none.jsonl", duels(20));
    let text = folder.run(&["tune", "--bots", "none.jsonl"]).succeeded();
    assert!(text.stdout.contains("No bots played in them."), "{text:?}");
    folder
        .run(&["tune", "--bots", "--model", "elo", "none.jsonl"])
        .failed();
}

#[test]
fn what_teams_are_ahead_by_counts_in_files_too() {
    let folder = Folder::new();
    folder.write("bots.jsonl", with_bots(200));
    let evaluated = |more: &[&str]| {
        let arguments = [
            &[
                "evaluate",
                "--html",
                "page.html",
                "--json",
                "--model",
                "synelo",
            ],
            more,
            &["bots.jsonl"],
        ]
        .concat();
        let found = folder.run(&arguments).succeeded();
        let found: Value = serde_json::from_str(&found.stdout).expect("an object");
        found["models"][0]["log_loss"].as_f64().expect("a loss")
    };
    let plain = evaluated(&[]);
    let bots = evaluated(&["--bot", "expert=1200", "--bot", "easy=800"]);
    assert!(bots < plain - 0.02, "{bots} {plain}");
    let uphill = evaluated(&["--advantage", "hill=-4000"]);
    assert!(uphill > plain + 0.5, "{uphill} {plain}");
}
