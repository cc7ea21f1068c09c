use serde_json::{Value, json};

use super::Folder;

#[test]
fn the_same_seeds_give_the_same_figures_in_tables_and_in_json() {
    let folder = Folder::new();
    let arguments = [
        "simulate",
        "--scenario",
        "4v4-200",
        "--scenario",
        "12v12-200-arrivals",
        "--seeds",
        "2",
        "--rounds",
        "300",
        "--model",
        "synelo",
        "--model",
        "elo",
    ];
    let once = folder.run(&arguments).succeeded().stdout;
    assert_eq!(once, folder.run(&arguments).succeeded().stdout);
    let rows: Vec<Vec<&str>> = once
        .lines()
        .map(|row| row.split_whitespace().collect())
        .collect();
    let names: Vec<&[&str]> = rows[1..5].iter().map(|row| &row[..3]).collect();
    assert_eq!(
        names,
        [
            ["4v4-200", "synelo", "2"],
            ["4v4-200", "elo", "2"],
            ["12v12-200-arrivals", "synelo", "2"],
            ["12v12-200-arrivals", "elo", "2"],
        ]
    );
    assert!(once.contains("newcomer, after 25 rounds"), "{once}");

    let in_json = folder
        .run(&[&arguments[..], &["--json"]].concat())
        .succeeded();
    let objects: Vec<Value> = in_json
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    assert_eq!(objects.len(), 4);
    for (object, row) in objects.iter().zip(&rows[1..5]) {
        assert_eq!(
            (object["scenario"].as_str(), object["model"].as_str()),
            (Some(row[0]), Some(row[1]))
        );
        assert_eq!(
            (&object["seeds"], &object["rounds"]),
            (&json!(2), &json!(300))
        );
        let ratio = &object["spread_ratio"];
        let mean = ratio["mean"].as_f64().expect("a mean");
        assert_eq!(format!("{mean:.2}"), row[3]);
        assert!(ratio["low"].as_f64() <= Some(mean) && Some(mean) <= ratio["high"].as_f64());
        assert_eq!(object["tenths"].as_array().map(Vec::len), Some(10));
    }
}

#[test]
fn what_cannot_be_simulated_is_named() {
    let folder = Folder::new();
    for (arguments, part) in [
        (["--scenario", "5v5"], "4-to-12-200, and all"),
        (["--model", "trueskill2"], "no model has that name"),
        (["--seeds", "0"], "must be a whole number from 1 to 1000"),
        (["--rounds", "9"], "must be a whole number from 10"),
    ] {
        let failed = folder
            .run(&[&["simulate"][..], &arguments].concat())
            .failed();
        assert!(failed.stderr.contains(part), "{arguments:?}: {failed:#?}");
    }
}
