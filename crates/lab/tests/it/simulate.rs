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
fn a_queue_is_played_by_every_way_and_the_service_is_held_against_the_others() {
    let folder = Folder::new();
    let plots = folder.path("plots");
    let arguments = ["simulate", "--queue", "60", "--days", "1", "--seeds", "1"];
    let plotted = ["--json", "--plots", plots.to_str().expect("a path of text")];
    let once = folder
        .run(&[&arguments[..], &plotted].concat())
        .succeeded()
        .stdout;
    let rows: Vec<Value> = once
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .collect();
    let ways = |row: &Value| row["way"].as_str().map(str::to_owned);
    for way in [
        "service",
        "first come",
        "windows",
        "sort and cut",
        "sort and cut parties",
    ] {
        assert!(
            rows.iter().any(|row| ways(row).as_deref() == Some(way)),
            "{way}"
        );
    }
    for row in &rows {
        assert_eq!(
            (&row["members"], &row["days"], &row["seeds"]),
            (&json!(60), &json!(1), &json!(1))
        );
        assert!(
            row["mean_wait"].as_f64() <= row["p95_wait"].as_f64(),
            "{row}"
        );
        let against = row["against"].as_array().map(Vec::len);
        let is_service = ways(row).as_deref() == Some("service");
        assert_eq!(against, Some(if is_service { 4 } else { 0 }), "{row}");
        let is_whole = ways(row).as_deref() != Some("sort and cut parties");
        assert_eq!(row["parties_kept"] == json!(1.0), is_whole, "{row}");
    }
    let svg = std::fs::read_to_string(plots.join("queue-60.svg")).expect("a plot");
    assert_eq!(svg.matches("<circle").count(), rows.len());

    let table = folder.run(&arguments).succeeded().stdout;
    assert!(
        table.contains("standard, no limits") && table.contains("for as even"),
        "{table}"
    );
}

#[test]
fn what_cannot_be_simulated_is_named() {
    let folder = Folder::new();
    for (arguments, part) in [
        (["--scenario", "5v5"], "4-to-12-200, and all"),
        (["--model", "trueskill2"], "is not a model; the models are"),
        (["--seeds", "0"], "must be a whole number from 1 to 1000"),
        (["--rounds", "9"], "must be a whole number from 10"),
        (
            ["--queue", "19"],
            "must be a whole number of members, 20 to 20000",
        ),
        (["--days", "2"], "--queue"),
    ] {
        let failed = folder
            .run(&[&["simulate"][..], &arguments].concat())
            .failed();
        assert!(failed.stderr.contains(part), "{arguments:?}: {failed:#?}");
    }
}
