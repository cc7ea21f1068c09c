use serde_json::{Value, json};

use super::Folder;
use super::rounds::line;

/// Duels among eight players of whom the one with the lower number always wins, so that whoever learns faster
/// predicts better.
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
    let loss = |name: &str| found[name].as_f64().expect("a loss");
    let gain = loss("log_loss_usual") - loss("log_loss_fitted");
    let mean = found["gain"]["mean"].as_f64().expect("a gain");
    assert!(gain > 0.0 && (gain - mean).abs() < 1e-9, "{found}");
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
    assert_ne!(one["log_loss_fitted"], other["log_loss_fitted"]);
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
    folder.write("config/rbs.toml", table);
    let settings = folder.run(&["config"]).succeeded().stdout;
    for setting in table.lines().skip(1) {
        let (name, value) = setting.split_once(" = ").expect("a setting");
        let line = settings
            .lines()
            .find(|line| line.contains(&format!("pools.duels.{name}")));
        let value: f64 = value.parse().expect("a number");
        let shown = line.is_some_and(|line| line.contains(&value.to_string()));
        assert!(shown, "{setting}: {settings}");
    }
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
