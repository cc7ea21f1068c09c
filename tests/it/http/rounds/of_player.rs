//! Rounds of a player, in all states.

use serde_json::{Value, json};

use crate::http::{id, void, with};
use crate::support::App;

on_both_databases!(
    rounds_that_did_not_rate_the_player_are_found,
    a_void_round_is_found_by_everybody_who_stands_in_it,
    a_round_that_only_has_a_players_id_as_a_name_is_not_found,
);

/// A round on server `s`, `number` minutes after eleven.
fn round(number: u32, team_a: &Value, team_b: &Value) -> Value {
    json!({
        "round_id": number.to_string(), "server": "s", "winner": "a", "round_seconds": 1800,
        "ended_at": format!("2026-11-20T11:{number:02}:00Z"), "team_a": team_a, "team_b": team_b,
    })
}

async fn found(app: &App, player: u64, query: &str) -> Vec<String> {
    let path = format!("/v1/admin/rounds?player={}&limit=2{query}", id(player));
    let (mut found, mut after) = (Vec::new(), String::new());
    loop {
        let page = app.get(&format!("{path}{after}")).await;
        let rounds = page["rounds"].as_array().expect("a list");
        let names = rounds.iter().map(|round| round["round_id"].as_str());
        found.extend(names.map(|name| name.expect("a name").to_owned()));
        match page["next"].as_str() {
            Some(place) => after = format!("&after={place}"),
            None => return found,
        }
    }
}

/// Six rounds in which player 1 is rated, leaves, has zero seconds, changes sides, is absent, and is rated.
async fn play(app: &App) {
    let left = json!({"id": id(1), "participated": false});
    let absent = json!({"id": id(1), "seconds": 0});
    let joined = json!({"id": id(1), "at_start": false, "seconds": 600});
    for (number, team_a, team_b) in [
        (1, json!([id(1)]), json!([id(2)])),
        (2, json!([left, id(3)]), json!([id(2)])),
        (3, json!([id(3), absent]), json!([id(2)])),
        (4, json!([left, id(3)]), json!([id(2), joined])),
        (
            5,
            json!([{"id": id(3), "participated": false}, id(4)]),
            json!([id(2)]),
        ),
        (6, json!([id(2)]), json!([id(3), id(1)])),
    ] {
        app.counted(&round(number, &team_a, &team_b)).await;
    }
}

async fn rounds_that_did_not_rate_the_player_are_found(app: &App) {
    play(app).await;
    assert_eq!(found(app, 1, "").await, ["6", "4", "3", "2", "1"]);
    assert_eq!(found(app, 1, "&server=s").await, ["6", "4", "3", "2", "1"]);
    assert_eq!(found(app, 1, "&server=t").await, [""; 0]);
    assert_eq!(found(app, 3, "").await, ["6", "5", "4", "3", "2"]);
    assert_eq!(found(app, 4, "").await, ["5"]);
    assert_eq!(found(app, 5, "").await, [""; 0]);
    let between = "&from=2026-11-20T11:02:00Z&to=2026-11-20T11:04:00Z";
    assert_eq!(found(app, 1, between).await, ["3", "2"]);
    assert_eq!(found(app, 1, "&pool=arena").await, [""; 0]);
}

async fn a_void_round_is_found_by_everybody_who_stands_in_it(app: &App) {
    play(app).await;
    for number in 1..=6 {
        void(app, &format!("s/{number}")).await;
    }
    assert_eq!(found(app, 1, "").await, ["6", "4", "3", "2", "1"]);
    assert_eq!(found(app, 2, "").await, ["6", "5", "4", "3", "2", "1"]);
    assert_eq!(found(app, 3, "").await, ["6", "5", "4", "3", "2"]);
    assert_eq!(found(app, 4, "").await, ["5"]);
}

async fn a_round_that_only_has_a_players_id_as_a_name_is_not_found(app: &App) {
    let name = id(9);
    let other = round(1, &json!([id(1)]), &json!([id(2)]));
    for sent in [
        with(other.clone(), json!({"round_id": name})),
        with(other.clone(), json!({"server": name})),
        with(
            other,
            json!({"map": format!("[{name},\"{name}\",\"id\":\"{name}\"")}),
        ),
    ] {
        app.counted(&sent).await;
    }
    for path in [format!("s/{name}"), format!("{name}/1"), "s/1".to_owned()] {
        void(app, &path).await;
    }
    assert_eq!(found(app, 9, "").await, [""; 0]);
    assert_eq!(found(app, 1, "").await.len(), 3);
}
