//! Roles of players, which a model may rate separately.

use serde_json::json;

use super::Served;
use crate::http::id;
use crate::support::Database;

on_both_engines!(commanders_are_rated_apart_and_the_role_is_kept_with_the_round);

async fn commanders_are_rated_apart_and_the_role_is_kept_with_the_round(database: &Database) {
    let served = Served::start(database).await;
    let commander = |number| json!({"id": id(number), "role": "commander"});
    let round = |number: u64, pool: &str, winner: &str| {
        json!({
            "round_id": number.to_string(), "server": format!("{pool}-1"), "winner": winner,
            "map": "ns2_summit",
            "team_a": [commander(1), id(2), {"id": id(3), "role": "medic"}],
            "team_b": [commander(4), id(5), id(6)],
        })
    };
    let mut answer = json!(null);
    for number in 0..20 {
        let winner = if number % 4 == 3 { "b" } else { "a" };
        answer = served
            .post("/v1/update", &round(number, "led", winner))
            .await;
    }
    let players = answer["players"].as_array().expect("players");
    let rating = |place: usize| players[place]["rating"].as_i64().expect("a rating");
    assert_eq!((rating(0), rating(3)), (1000, 1000), "{answer}");
    assert!(
        rating(1) > 1000 && rating(2) == rating(1) && rating(4) < 1000,
        "{answer}"
    );
    assert!(
        answer["win_probability"]["a"].as_f64() > Some(0.6),
        "{answer}"
    );

    let told = served.get("/v1/admin/rounds/led-1/0").await;
    assert_eq!(told["team_a"][0], commander(1));
    assert_eq!(told["team_a"][1], id(2));
    assert_eq!(told["team_a"][2]["role"], "medic");

    let learnt = &served.get("/v1/admin/quality?pool=led").await["learnt"];
    assert_eq!(learnt["temperature"], json!(null));
    assert_eq!(learnt["maps"][0]["map"], "ns2_summit", "{learnt}");
    let lobby =
        json!({"server": "led-1", "players": [id(2), id(3), id(5), id(6)], "map": "ns2_summit"});
    let split = &served.post("/v1/scramble", &lobby).await["splits"][0];
    assert!(split["win_probability_a"].as_f64() > Some(0.4), "{split}");

    let answer = served.post("/v1/update", &round(0, "s", "a")).await;
    assert_eq!(
        answer["players"][0]["rating"],
        answer["players"][1]["rating"]
    );
    served.assert_no_differences("led").await;
    served.stop().await;
}
