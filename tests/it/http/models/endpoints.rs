use serde_json::{Value, json};

use super::Served;
use crate::http::id;
use crate::support::Database;

on_both_engines!(
    what_was_learnt_is_told_and_every_endpoint_answers,
    a_rating_that_is_set_is_shown_and_a_reset_makes_new,
    a_pool_without_rounds_is_what_its_log_gives,
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

async fn what_was_learnt_is_told_and_every_endpoint_answers(database: &Database) {
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
    assert_eq!(
        (&maps[0]["map"], &maps[1]["map"]),
        (&json!("flat"), &json!("uphill"))
    );
    assert!(figure(&maps[1]).0 > figure(&maps[0]).0, "{learnt}");
    let message = learnt["message"].as_str().expect("sentences");
    assert!(
        message.starts_with("Players' strengths seem to vary by about"),
        "{message}"
    );

    let pools = served.get("/v1/admin/pools").await;
    let pools = pools["pools"].as_array().expect("pools").iter();
    let models: Vec<(&str, &str)> = pools
        .map(|pool| {
            let member = |name: &str| pool[name].as_str().expect("a name");
            (member("pool"), member("model"))
        })
        .collect();
    assert_eq!(
        models,
        [
            ("arena", "synelo"),
            ("default", "synelo"),
            ("learned", "adaptive"),
            ("led", "ns2"),
            ("quick", "adaptive")
        ]
    );
    let leaderboard = served.get("/v1/leaderboard?pool=quick").await;
    assert_eq!(leaderboard["ranked"], 6);
    let history = format!("/v1/admin/players/{}/history?pool=quick", id(1));
    assert_eq!(
        served.get(&history).await["points"]
            .as_array()
            .map(Vec::len),
        Some(60)
    );
    let rounds = served.get("/v1/admin/rounds?pool=quick&limit=60").await;
    for round in rounds["rounds"].as_array().expect("rounds") {
        assert!(
            round["largest_gain"]["delta"].as_i64().unwrap_or(0) <= 72,
            "{round}"
        );
    }
    let lobby = |players: [u64; 3]| players.map(id);
    let teams =
        json!({"server": "quick-1", "team_a": lobby([1, 2, 3]), "team_b": lobby([4, 5, 6])});
    served.post("/v1/balance", &teams).await;
    let joining =
        json!({"server": "quick-1", "team_a": lobby([1, 2, 3]), "team_b": [], "joining": [id(9)]});
    served.post("/v1/place", &joining).await;
    served.assert_no_differences("quick").await;
    served.stop().await;
}

async fn a_pool_without_rounds_is_what_its_log_gives(database: &Database) {
    let served = Served::start(database).await;
    for pool in ["learned", "quick", "led"] {
        served.assert_no_differences(pool).await;
        let path = format!("/v1/admin/players/{}?pool={pool}", id(1));
        served.put(&path, &json!({"rating": 1_300})).await;
        served.assert_no_differences(pool).await;
    }
    served.stop().await;
}

async fn a_rating_that_is_set_is_shown_and_a_reset_makes_new(database: &Database) {
    let served = Served::start(database).await;
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
