//! Rounds of a player, in all states.

use serde_json::{Value, json};

use super::admin::all_pages;
use crate::http::{id, void, with};
use crate::support::App;

on_both_databases!(
    rounds_that_did_not_rate_the_player_are_found_void_or_not,
    a_round_that_only_has_a_players_id_as_a_name_is_not_found,
);

/// A round on server `s`, `number` minutes after eleven.
fn round(number: u32, team_a: &Value, team_b: &Value) -> Value {
    json!({
        "round_id": number.to_string(), "server": "s", "winner": "a", "round_seconds": 1800,
        "ended_at": format!("2026-11-20T11:{number:02}:00Z"), "team_a": team_a, "team_b": team_b,
    })
}

async fn found(app: &App, player: u64, query: &str) -> String {
    let path = format!("/v1/admin/rounds?player={}{query}", id(player));
    let found = all_pages(app, &path, "rounds", "round_id", 2).await;
    found.iter().filter_map(Value::as_str).collect()
}

async fn rounds_that_did_not_rate_the_player_are_found_void_or_not(app: &App) {
    // Player 1 is rated, leaves, has zero seconds, changes sides, is absent, and is rated.
    let left = json!({"id": id(1), "participated": false});
    let absent = json!({"id": id(1), "seconds": 0});
    let joined = json!({"id": id(1), "at_start": false, "seconds": 600});
    let other_left = json!({"id": id(3), "participated": false});
    for (number, team_a, team_b) in [
        (1, json!([id(1)]), json!([id(2)])),
        (2, json!([left, id(3)]), json!([id(2)])),
        (3, json!([id(3), absent]), json!([id(2)])),
        (4, json!([left, id(3)]), json!([id(2), joined])),
        (5, json!([other_left, id(4)]), json!([id(2)])),
        (6, json!([id(2)]), json!([id(3), id(1)])),
    ] {
        app.counted(&round(number, &team_a, &team_b)).await;
    }
    let between = "&from=2026-11-20T11:02:00Z&to=2026-11-20T11:04:00Z";
    for are_void in [false, true] {
        for (player, query, expected) in [
            (1, "", "64321"),
            (1, "&server=s", "64321"),
            (1, "&server=t", ""),
            (2, "", "654321"),
            (3, "", "65432"),
            (4, "", "5"),
            (5, "", ""),
            (1, between, "32"),
            (1, "&pool=arena", ""),
        ] {
            let found = found(app, player, query).await;
            assert_eq!(found, expected, "{player}{query}, void: {are_void}");
        }
        for number in 1..=6 {
            void(app, &format!("s/{number}")).await;
        }
    }
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
    assert_eq!(found(app, 9, "").await, "");
    let path = format!("/v1/admin/rounds?player={}", id(1));
    assert_eq!(
        all_pages(app, &path, "rounds", "round_id", 2).await.len(),
        3
    );
}
