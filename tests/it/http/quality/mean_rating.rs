//! Mean rating of active players, and causes of its changes.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::service::metrics::{metrics, value};
use crate::http::{id, round};
use crate::support::{App, Dice, answered, send};

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
    let rounds: Vec<Value> = (0..rounds)
        .map(|number| {
            for place in 0..24 {
                let other = place + dice.below(players.len() - place);
                players.swap(place, other);
            }
            let (winner, losers) = [("a", "team_b"), ("b", "team_a")][dice.below(2)];
            let (a, b) = (&players[..12], &players[12..24]);
            let mut round = round("s", &number.to_string(), winner, a, b);
            let last = &mut round[losers][11];
            *last = json!({"id": *last, "participated": false});
            round
        })
        .collect();
    for batch in rounds.chunks(64) {
        let sent = app.request(Method::POST, "/v1/updates");
        answered(sent.json(&json!({"rounds": batch}))).await;
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
    let found = causes.find(|one| one["cause"] == cause).expect("the cause");
    found["points"].as_f64().expect("a number")
}

fn warnings(quality: &Value) -> Vec<&str> {
    let warnings = quality["warnings"].as_array().expect("a list").iter();
    let sentences = warnings.filter_map(Value::as_str);
    let of_the_mean = sentences.filter(|one| one.contains("mean rating"));
    of_the_mean.collect()
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
    let metrics = metrics(app).await;
    for (name, expected) in [("", 1000.0 + moved), ("_change", moved)] {
        let series = format!("rbs_pool_mean_rating{name}{{pool=\"default\"}}");
        let served = value(&metrics, &series).expect("a series");
        assert!((served - expected).abs() < 1e-6, "{served}");
    }
    let of_arena = "rbs_pool_mean_rating{pool=\"arena\"}";
    assert_eq!(value(&metrics, of_arena), None);
}

async fn seasons_and_admins_are_named_until_they_are_undone(app: &App) {
    let post = async |path: &str, body: Value| {
        answered(app.admin(Method::POST, path).json(&body)).await;
    };
    app.counted(&round("arena-1", "1", "a", &[1, 2], &[3, 4]))
        .await;
    let (before, _) = movement(app, "?pool=arena").await;
    let path = format!("/v1/admin/players/{}?pool=arena", id(1));
    let body = json!({"rating": 1801, "change_id": "high"});
    send(app.admin(Method::PUT, &path).json(&body)).await;
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert!((moved - before - points(&quality, "admins")).abs() < 1e-6);
    let set_by_admins = points(&quality, "admins");
    assert!((180.0..200.25).contains(&set_by_admins), "{quality}");
    assert_eq!(warnings(&quality).len(), 1, "{quality}");

    let season = json!({"name": "Winter", "keep": 0, "change_id": "winter"});
    post("/v1/admin/seasons?pool=arena", season).await;
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert_eq!(moved, 0.0, "everybody is at 1000: {quality}");
    assert_eq!(points(&quality, "admins"), set_by_admins);
    assert!(points(&quality, "seasons") < -180.0);
    assert_eq!(warnings(&quality), [""; 0]);

    let season = json!({"undoes": "winter"});
    post("/v1/admin/seasons/undo?pool=arena", season).await;
    let path = format!("/v1/admin/players/{}/undo?pool=arena", id(1));
    post(&path, json!({"undoes": "high"})).await;
    let (moved, quality) = movement(app, "?pool=arena").await;
    assert_eq!(moved, before);
    assert_eq!(
        (points(&quality, "seasons"), points(&quality, "admins")),
        (0.0, 0.0)
    );
}
