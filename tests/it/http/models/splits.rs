use serde_json::{Value, json};

use super::Served;
use crate::http::id;
use crate::support::{Database, Dice};

on_both_engines!(teams_make_up_for_a_map_that_leans_and_the_odds_are_those_of_the_round);

async fn teams_make_up_for_a_map_that_leans_and_the_odds_are_those_of_the_round(
    database: &Database,
) {
    let served = Served::start(database).await;
    let mut dice = Dice::new(11);
    let play = async |number: u64, map: &str, team_a: &[Value], team_b: &[Value], winner| {
        let round = json!({
            "round_id": number.to_string(), "server": "quick-1", "winner": winner, "map": map,
            "team_a": team_a, "team_b": team_b,
        });
        served.post("/v1/update", &round).await
    };
    // Team a wins on one map; the other map is nearly even.
    for number in 0..160 {
        let mut lobby: Vec<Value> = (1..=6).map(|player| json!(id(player))).collect();
        for place in 0..5 {
            lobby.swap(place, place + dice.below(6 - place));
        }
        let (a, b) = lobby.split_at(3);
        let (map, winner) = match (number % 2, dice.below(2)) {
            (0, _) => ("uphill", "a"),
            (_, 0) => ("flat", "a"),
            _ => ("flat", "b"),
        };
        play(number, map, a, b, winner).await;
    }
    let lobby: Vec<String> = (1..=6).map(id).collect();
    let mut differences = Vec::new();
    for (number, map) in (1_000..).zip(["uphill", "flat"]) {
        let wanted = json!({"server": "quick-1", "players": lobby, "sizes": [3], "map": map,
                            "alternatives": {"size": 3, "count": 10}});
        let table = served.post("/v1/scramble", &wanted).await;
        let split = &table["splits"][0];
        let team = |name: &str| split[name].as_array().expect("a team").clone();
        let sum = |name: &str| split[name].as_i64().expect("a sum");
        // The chosen split is the nearest to even by the model's odds.
        let distances = table["alternatives"].as_array().expect("splits").iter();
        let distances = distances.map(|one| one["difference"].as_u64().expect("a difference"));
        assert_eq!(distances.min(), split["difference"].as_u64());
        differences.push((
            sum("sum_a") - sum("sum_b"),
            split["difference"].as_i64().expect("a distance"),
        ));
        let odds = split["win_probability_a"].as_f64().expect("odds");
        let played = play(number, map, &team("a"), &team("b"), "draw").await;
        let predicted = played["win_probability"]["a"].as_f64().expect("odds");
        assert!((odds - predicted).abs() < 1e-12, "{map}: {odds} {played}");
    }
    let [(uphill, of_uphill), (flat, of_flat)] = differences[..] else {
        panic!("two maps");
    };
    assert!(uphill < 0 && flat < 0, "{differences:?}");
    assert!(of_uphill - uphill > of_flat - flat, "{differences:?}");
    served.stop().await;
}
