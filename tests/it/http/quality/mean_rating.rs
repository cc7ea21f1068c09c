//! Mean rating of active players, and causes of its changes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{id, round};
use crate::support::{App, Dice, send};

on_both_databases!(
    unrated_losers_raise_the_mean_which_is_warned_of_with_the_cause,
    seasons_and_admins_are_named_until_they_are_undone,
);

/// Number of players of the pool; 24 play each round.
const PLAYERS: u64 = 60;

/// Plays rounds with random teams. The last losing player leaves early and is unrated.
async fn play(app: &App, rounds: u64) {
    let mut dice = Dice::new(24);
    let mut players: Vec<u64> = (1..=PLAYERS).collect();
    let mut rounds: Vec<Value> = (0..rounds)
        .map(|number| {
            for place in 0..24 {
                let other = place + dice.below(players.len() - place);
                players.swap(place, other);
            }
            let a_wins = dice.one_in(2);
            let (winner, losers) = if a_wins {
                ("a", "team_b")
            } else {
                ("b", "team_a")
            };
            let (a, b) = (&players[..12], &players[12..24]);
            let mut round = round("s", &number.to_string(), winner, a, b);
            let last = &mut round[losers][11];
            *last = json!({"id": *last, "participated": false});
            round
        })
        .collect();
    while !rounds.is_empty() {
        let batch: Vec<Value> = rounds.drain(..rounds.len().min(64)).collect();
        let sent = app.request(Method::POST, "/v1/updates");
        let (status, answer) = send(sent.json(&json!({"rounds": batch}))).await;
        assert_eq!(status.as_u16(), 200, "{answer}");
    }
}

/// Returns the change of the mean, after checking that the causes add up to it.
async fn movement(app: &App, query: &str) -> (f64, Value) {
    let quality = app.get(&format!("/v1/admin/quality{query}")).await;
    let mean = &quality["mean_rating"];
    let number = |value: &Value| value.as_f64().expect("a number");
    let moved = number(&mean["to"]) - number(&mean["from"]);
    let causes = mean["causes"].as_array().expect("a list");
    let sum: f64 = causes.iter().map(|cause| number(&cause["points"])).sum();
    assert!((sum - moved).abs() < 1e-6, "{sum} is not {moved}: {mean}");
    (moved, quality)
}

fn points(quality: &Value, cause: &str) -> f64 {
    let causes = quality["mean_rating"]["causes"].as_array();
    let mut causes = causes.expect("a list").iter();
    let found = causes.find(|one| one["cause"] == cause);
    found.expect("the cause")["points"]
        .as_f64()
        .expect("a number")
}

fn warnings(quality: &Value) -> Vec<&str> {
    let warnings = quality["warnings"].as_array().expect("a list").iter();
    let sentences = warnings.filter_map(Value::as_str);
    sentences
        .filter(|one| one.contains("mean rating"))
        .collect()
}

async fn unrated_losers_raise_the_mean_which_is_warned_of_with_the_cause(app: &App) {
    play(app, 320).await;
    let (moved, quality) = movement(app, "").await;
    let mean = &quality["mean_rating"];
    assert_eq!(
        (&mean["players"], &mean["from"]),
        (&json!(PLAYERS), &json!(1000.0))
    );
    assert!(moved > 100.0, "{mean}");
    assert_eq!(mean["causes"][0]["cause"], "unrated");
    assert!(
        (points(&quality, "unrated") / moved - 1.0).abs() < 0.25,
        "{mean}"
    );
    assert_eq!(mean["points"].as_array().map(Vec::len), Some(60));
    assert_eq!(mean["points"][59]["rounds"], 320);
    assert_eq!(mean["points"][59]["mean"], mean["to"]);
    let all = quality["ratings"]["mean"].as_f64().expect("a mean");
    assert!((all - 1000.0 - moved).abs() < 1e-6, "{all}");
    let warnings = warnings(&quality);
    assert_eq!(warnings.len(), 1, "{quality}");
    for part in [
        format!("the 60 active players has risen by {moved:.0} points").as_str(),
        "not rated",
        "\"seconds\"",
        "participation_half_life under [rating]",
        "rbs import-ratings",
        "season",
    ] {
        assert!(warnings[0].contains(part), "{part}: {warnings:?}");
    }
    let scraped = app.admin(Method::GET, "/metrics").send().await;
    let metrics = scraped.expect("an answer").text().await.expect("text");
    for (name, value) in [("", 1000.0 + moved), ("_change", moved)] {
        let series = format!("rbs_pool_mean_rating{name}{{pool=\"default\"}} ");
        let line = metrics.lines().find_map(|line| line.strip_prefix(&series));
        let served: f64 = line.expect("a series").parse().expect("a number");
        assert!((served - value).abs() < 1e-6, "{served}");
    }
    assert!(!metrics.contains("rbs_pool_mean_rating{pool=\"arena\"}"));
    play(app, 321).await;
    let (later, _) = movement(app, "").await;
    let quality = app.get("/v1/admin/quality").await;
    let all = quality["ratings"]["mean"].as_f64().expect("a mean");
    assert!((all - 1000.0 - later).abs() < 1e-6, "{all}");
}

async fn seasons_and_admins_are_named_until_they_are_undone(app: &App) {
    let post = async |path: &str, body: Value| {
        let (status, answer) = send(app.admin(Method::POST, path).json(&body)).await;
        assert_eq!(status.as_u16(), 200, "{answer}");
    };
    app.counted(&round("arena-1", "1", "a", &[1, 2], &[3, 4]))
        .await;
    let (before, _) = movement(app, "?pool=arena").await;
    let path = format!("/v1/admin/players/{}?pool=arena", id(1));
    let body = json!({"rating": 1801, "change_id": "high"});
    let (status, answer) = send(app.admin(Method::PUT, &path).json(&body)).await;
    assert_eq!(status.as_u16(), 200, "{answer}");
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert!((moved - before - points(&quality, "admins")).abs() < 1e-6);
    let set_by_admins = points(&quality, "admins");
    assert!((180.0..200.25).contains(&set_by_admins), "{quality}");
    assert_eq!(warnings(&quality).len(), 1, "{quality}");

    post(
        "/v1/admin/seasons?pool=arena",
        json!({"name": "Winter", "keep": 0, "change_id": "winter"}),
    )
    .await;
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert_eq!(moved, 0.0, "everybody is at 1000: {quality}");
    assert_eq!(points(&quality, "admins"), set_by_admins);
    assert!(points(&quality, "seasons") < -180.0);
    assert_eq!(warnings(&quality), [""; 0]);

    post(
        "/v1/admin/seasons/undo?pool=arena",
        json!({"undoes": "winter"}),
    )
    .await;
    let path = format!("/v1/admin/players/{}/undo?pool=arena", id(1));
    post(&path, json!({"undoes": "high"})).await;
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert_eq!(moved, before);
    assert_eq!(
        (points(&quality, "seasons"), points(&quality, "admins")),
        (0.0, 0.0)
    );
}
