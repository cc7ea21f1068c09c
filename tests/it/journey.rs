//! The way of a plugin through the service, once from end to end.

use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::support::App;

on_both_databases!(a_round_is_counted_once_and_seen_everywhere);

async fn a_round_is_counted_once_and_seen_everywhere(app: &App) {
    let round = json!({
        "round_id": "arena-1:1763640000:17", "server": "arena-1", "map": "arena_well",
        "ended_at": "2026-11-20T11:59:00Z", "winner": "a",
        "team_a": ["76561197960265729", {"id": "76561197960265730", "participated": false}],
        "team_b": ["76561197960265731", {"id": "[U:1:4]", "at_start": false}],
    });
    let first = app.counted(&round).await;
    assert_eq!(
        first,
        json!({
            "round_id": "arena-1:1763640000:17", "server": "arena-1", "pool": "arena",
            "duplicate": false, "theta": 1000,
            "win_probability": {"a": 0.731_058_578_630_004_9, "b": 0.268_941_421_369_995_1},
            "players": [
                {"id": "76561197960265729", "team": "a", "before": 1000, "rating": 1019,
                 "delta": 19, "k": 72.0, "rounds": 1, "visible": false},
                {"id": "76561197960265731", "team": "b", "before": 1000, "rating": 981,
                 "delta": -19, "k": 72.0, "rounds": 1, "visible": false},
                {"id": "76561197960265732", "team": "b", "before": 1000, "rating": 981,
                 "delta": -19, "k": 72.0, "rounds": 1, "visible": false},
            ],
            "splits": null, "splits_error": null, "notices": [],
        })
    );
    let mut again = app.counted(&round).await;
    assert_eq!(again["duplicate"], true);
    again["duplicate"] = json!(false);
    assert_eq!(again, first);

    let player = app.get("/v1/players/STEAM_0:1:0?server=arena-1").await;
    assert_eq!(
        player,
        json!({"id": "76561197960265729", "pool": "arena", "rating": 1019, "visible": false,
               "rounds": 1, "stale": false, "placing_rounds": 0, "uncertainty": null, "name": null, "last_played": "2026-11-20T11:59:00Z"})
    );
    let splits =
        json!({"server": "arena-1", "players": ["[U:1:1]", "[U:1:2]", "[U:1:3]", "[U:1:4]"]});
    let request = app.request(Method::POST, "/v1/scramble").json(&splits);
    let (status, mut table) = crate::support::send(request).await;
    assert_eq!(status, StatusCode::OK, "{table}");
    assert_eq!(table["splits"][0]["difference"], 19);
    // A table that is looked up again carries no notices.
    let notices = table.as_object_mut().expect("a table").remove("notices");
    assert_eq!(notices, Some(json!([])));
    assert_eq!(app.get("/v1/scramble?server=arena-1").await, table);
    assert_eq!(app.get("/v1/admin/quality?pool=arena").await["rounds"], 1);
}
