//! Endpoints that show rating models: learnt figures, splits, changes and challengers.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::Served;
use crate::http::service::metrics::{assert_value, scrape};
use crate::http::{id, round};
use crate::support::{App, Database};

on_both_databases!(challengers_are_compared_and_their_lag_is_measured);
on_both_engines!(
    what_was_learnt_is_told_and_splits_make_up_for_a_map_that_leans,
    a_rating_that_is_set_is_shown_and_a_reset_makes_new,
);

/// Plays rounds of the same six players. Team a wins on one map.
async fn play(served: &Served, rounds: u64) {
    for number in 0..rounds {
        let (map, winner) = match number % 4 {
            0 | 2 => ("uphill", "a"),
            1 => ("flat", "b"),
            _ => ("flat", "a"),
        };
        let players: Vec<String> = (0..6).map(|place| id(1 + (number + place) % 6)).collect();
        let round = json!({
            "round_id": number.to_string(), "server": "quick-1", "winner": winner, "map": map,
            "team_a": players[..3], "team_b": players[3..],
        });
        served.post("/v1/update", &round).await;
    }
}

async fn what_was_learnt_is_told_and_splits_make_up_for_a_map_that_leans(database: &Database) {
    let served = Served::start(database).await;
    let none = served.get("/v1/admin/quality?pool=quick").await;
    assert_eq!(none["learnt"], Value::Null, "nobody has played");
    play(&served, 60).await;
    let learnt = &served.get("/v1/admin/quality?pool=quick").await["learnt"];
    let shares = learnt["observers"].as_array().expect("observers").iter();
    let shares = shares.map(|one| one["share"].as_f64().expect("a share"));
    assert!((shares.sum::<f64>() - 1.0).abs() < 1e-9, "{learnt}");
    let figure = |of: &Value| {
        let member = |name: &str| of[name].as_f64().expect("a figure");
        (member("value"), member("standard_error"))
    };
    for name in ["temperature", "side", "extra_player", "experience"] {
        let (_, error) = figure(&learnt[name]);
        assert!(error > 0.0, "{name}: {learnt}");
    }
    assert!(figure(&learnt["side"]).0 > 0.0, "{learnt}");
    let maps = learnt["maps"].as_array().expect("maps");
    assert_eq!(maps[0]["map"], "flat");
    assert_eq!(maps[1]["map"], "uphill");
    assert!(figure(&maps[1]).0 > figure(&maps[0]).0, "{learnt}");
    let message = learnt["message"].as_str().expect("sentences");
    assert!(
        message.starts_with("Players' strengths seem to vary by about"),
        "{message}"
    );

    let pools = served.get("/v1/admin/pools").await;
    let pools = pools["pools"].as_array().expect("pools").iter();
    let models: Value = pools.map(|pool| pool["model"].clone()).collect();
    let expected = json!(["synelo", "synelo", "adaptive", "ns2", "adaptive"]);
    assert_eq!(models, expected);
    let leaderboard = served.get("/v1/leaderboard?pool=quick").await;
    assert_eq!(leaderboard["ranked"], 6);

    let mut leads = Vec::new();
    for (number, map) in (1_000..).zip(["uphill", "flat"]) {
        let players: Vec<String> = (1..=6).map(id).collect();
        let wanted = json!({"server": "quick-1", "players": players, "sizes": [3], "map": map,
                            "alternatives": {"size": 3, "count": 10}});
        let table = served.post("/v1/scramble", &wanted).await;
        let split = &table["splits"][0];
        // The chosen split is the nearest to even by the model's odds.
        let alternatives = table["alternatives"].as_array().expect("splits").iter();
        let distances = alternatives.map(|one| one["difference"].as_i64().expect("a difference"));
        let distance = distances.min().expect("splits");
        assert_eq!(split["difference"], distance, "{split}");
        let sum = |name: &str| split[name].as_i64().expect("a sum");
        leads.push(distance - (sum("sum_a") - sum("sum_b")));
        let round = json!({
            "round_id": number.to_string(), "server": "quick-1", "winner": "draw", "map": map,
            "team_a": split["a"], "team_b": split["b"],
        });
        let played = served.post("/v1/update", &round).await;
        let (odds, predicted) = (&split["win_probability_a"], &played["win_probability"]["a"]);
        let distance = odds.as_f64().expect("odds") - predicted.as_f64().expect("odds");
        assert!(distance.abs() < 1e-12, "{map}: {odds} {played}");
    }
    assert!(leads[0] > leads[1], "team a leads by {leads:?} on the maps");
    served.assert_no_differences("quick").await;
    served.stop().await;
}

async fn a_rating_that_is_set_is_shown_and_a_reset_makes_new(database: &Database) {
    let served = Served::start(database).await;
    for pool in ["learned", "quick", "led"] {
        let path = format!("/v1/admin/players/{}?pool={pool}", id(99));
        served.put(&path, &json!({"rating": 1_300})).await;
        served.assert_no_differences(pool).await;
    }
    play(&served, 20).await;
    let path = |number: u64| format!("/v1/admin/players/{}?pool=quick", id(number));
    for (number, points) in [(1, 1_600), (1, 100), (2, 10_000), (77, 1_234)] {
        let set = served.put(&path(number), &json!({"rating": points})).await;
        assert_eq!(set["rating"], points);
        assert_eq!(served.get(&path(number)).await["rating"], points);
    }
    let player = served
        .get(&format!("/v1/players/{}?pool=quick", id(1)))
        .await;
    let uncertainty = player["uncertainty"].as_f64().expect("an uncertainty");
    assert!((10.0..2_000.0).contains(&uncertainty), "{player}");
    let known = served.get(&path(1)).await["uncertainty"].as_f64();
    let unknown = served.get(&path(500)).await["uncertainty"].as_f64();
    assert!(known < unknown, "{known:?} {unknown:?}");
    let other = served.get(&format!("/v1/players/{}", id(1))).await;
    assert_eq!(other["uncertainty"], Value::Null, "SynElo knows none");

    let reset = format!("/v1/admin/players/{}/reset?pool=quick", id(1));
    let new = served.post(&reset, &json!({})).await;
    assert_eq!((&new["rating"], &new["rounds"]), (&json!(1000), &json!(0)));
    assert_eq!(new["uncertainty"].as_f64(), unknown);
    play(&served, 24).await;
    served.assert_no_differences("quick").await;
    served.stop().await;
}

/// Figures of `arena` once its challengers have processed the last round.
async fn caught_up(app: &App) -> Value {
    for _ in 0..400 {
        let answer = app.get("/v1/admin/models?pool=arena").await;
        if answer["caught_up_to"] == answer["rounds"] && answer["models"] != json!([]) {
            return answer;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("the challengers do not catch up");
}

async fn challengers_are_compared_and_their_lag_is_measured(app: &App) {
    const LAG: &str = "rbs_pool_challenger_lag_rounds{pool=\"arena\"}";
    for number in 0..12 {
        let winner = ["a", "a", "b", "draw"][number % 4];
        let team_b = &[3, 4][number % 2..];
        let round_id = number.to_string();
        app.counted(&round("arena-1", &round_id, winner, &[1, 2], team_b))
            .await;
    }
    let behind = app.get("/v1/admin/models?pool=arena").await;
    let says = "too early to tell: the challengers have caught up to round 0 of 12";
    assert_eq!(behind["advice"], says);
    let metrics = scrape(app.request(Method::GET, "/metrics")).await;
    assert_value(&metrics, LAG, 12.0);
    assert!(
        !metrics.contains("challenger_lag_rounds{pool=\"default\"}"),
        "{metrics}"
    );

    app.first.service.follow_logs().expect("random numbers");
    let answer = caught_up(app).await;
    assert_eq!(
        answer["compared"],
        json!({"rounds": 12, "draws": 3, "uneven": 6, "unrated": 0})
    );
    let says = "too early to tell: 12 rounds compared, 500 needed";
    assert_eq!(answer["advice"], says);
    let models = answer["models"].as_array().expect("models");
    let names: Vec<&Value> = models.iter().map(|model| &model["model"]).collect();
    assert_eq!(names, ["synelo", "adaptive", "elo"]);
    let another = app.another_instance().await;
    let metrics = app.request_to(&another, Method::GET, "/metrics");
    assert_value(&scrape(metrics).await, LAG, 0.0);
}
