//! Matches in progress, whose odds use everything that the pool's model has learned.

use serde_json::{Value, json};

use super::Served;
use crate::http::id;
use crate::support::Database;

on_both_engines!(a_side_that_is_ahead_counts_for_the_odds_and_for_who_moves);

async fn a_side_that_is_ahead_counts_for_the_odds_and_for_who_moves(database: &Database) {
    let served = Served::start(database).await;
    let teams = |first: u64, size: u64| {
        let team = |from: u64| -> Vec<String> { (from..from + size).map(id).collect() };
        (team(first), team(first + size))
    };
    // New players each time. Team a wins three of four rounds, and more on one map.
    for number in 0..80 {
        let (team_a, team_b) = teams(1_000 + 4 * number, 2);
        let (map, winner) = match number % 4 {
            0 => ("flat", "b"),
            2 => ("flat", "a"),
            _ => ("uphill", "a"),
        };
        let round = json!({
            "round_id": number.to_string(), "server": "led-1", "winner": winner, "map": map,
            "team_a": team_a, "team_b": team_b,
        });
        served.post("/v1/update", &round).await;
    }
    let (team_a, team_b) = teams(1, 2);
    let ask = async |path: &str, more: Value| {
        let mut request =
            json!({"server": "led-1", "policy": "ns2", "team_a": team_a, "team_b": team_b});
        let fields = request.as_object_mut().expect("an object");
        fields.extend(more.as_object().expect("an object").clone());
        served.post(path, &request).await
    };
    let odds = |teams: &Value| teams["win_probability_a"].as_f64().expect("odds");
    let uphill = ask("/v1/balance", json!({"map": "uphill"})).await;
    let flat = ask("/v1/balance", json!({"map": "flat"})).await;
    let unknown = ask("/v1/balance", json!({})).await;
    let [uphill_odds, flat_odds, unknown_odds] =
        [&uphill, &flat, &unknown].map(|answer| odds(&answer["before"]));
    assert!(
        uphill_odds > unknown_odds && unknown_odds > flat_odds && flat_odds > 0.5,
        "{uphill_odds} {unknown_odds} {flat_odds}"
    );
    let reason = &uphill["reasons"][0];
    assert_eq!(reason["rule"], "win_probability", "{uphill}");
    assert!((reason["value"].as_f64().expect("odds") - uphill_odds).abs() < 1e-12);

    for by in [json!(null), json!("rating"), json!("pub-power")] {
        let joins = json!({"joining": [id(9)], "map": "uphill", "policy": "synelo", "by": by});
        let placed = ask("/v1/place", joins).await;
        assert_eq!(placed["placed"][0]["team"], "b", "{placed}");
        assert!(odds(&placed["after"]) < uphill_odds, "{placed}");
    }
    let shown = format!("{:.1} %", uphill_odds * 100.0);
    let said = uphill["message"].as_str().expect("a sentence");
    assert!(said.contains(&shown), "{shown}: {said}");

    let even = ask("/v1/balance", json!({"server": "s", "map": "uphill"})).await;
    assert_eq!(odds(&even["before"]), 0.5);
    served.stop().await;
}
