use std::io::{BufRead as _, BufReader};

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use super::Served;
use crate::http::id;
use crate::support::Database;

on_both_engines!(the_reference_and_the_service_rate_the_same_rounds_alike);

/// As many of the known rounds as it takes until most players are shown.
const ROUNDS: usize = 450;

async fn the_reference_and_the_service_rate_the_same_rounds_alike(database: &Database) {
    let served = Served::start(database).await;
    let file = include_bytes!("../../../vectors/adaptive.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(&file[..])).lines();
    let mut shown = 0;
    for (number, line) in lines.take(ROUNDS).enumerate() {
        let known: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let team = |side: &str| -> Vec<String> {
            let numbers = known[side].as_array().expect("a team").iter();
            numbers
                .map(|number| id(1 + number.as_u64().expect("a number")))
                .collect()
        };
        let outcome = known["outcome"].as_f64().expect("an outcome");
        let winner = if outcome > 0.75 {
            "a"
        } else if outcome > 0.25 {
            "draw"
        } else {
            "b"
        };
        let answer = served
            .post(
                "/v1/update",
                &json!({
                    "round_id": number.to_string(), "server": "learned-1", "winner": winner,
                    "ended_at": known["t"], "map": format!("map-{}", known["map"]),
                    "team_a": team("a"), "team_b": team("b"),
                }),
            )
            .await;
        let probability = answer["win_probability"]["a"].as_f64().expect("odds");
        let difference = probability - known["p"].as_f64().expect("odds");
        assert!(difference.abs() < 1e-12, "round {number}: {answer}");
        let players = answer["players"].as_array().expect("players");
        for (member, expected) in [("before", "before"), ("rating", "after")] {
            let ratings: Vec<&Value> = players.iter().map(|player| &player[member]).collect();
            let expected: Vec<&Value> = known[expected]
                .as_array()
                .expect("ratings")
                .iter()
                .collect();
            assert_eq!(ratings, expected, "round {number}: {member}");
        }
        shown += players
            .iter()
            .filter(|player| player["visible"] == true)
            .count();
    }
    assert!(shown > 1_000, "{shown}");
    served.assert_no_differences("learned").await;
    served.stop().await;
}
