//! Last games of players, from which powers are computed.

use std::collections::HashMap;

use rbs::domain::{GameWindow, PastGame, PlayerId, Score};
use serde_json::{Value, json};

use crate::http::{id, void};
use crate::support::App;

on_both_databases!(
    each_player_has_the_last_games_that_count,
    games_beyond_a_full_row_of_entries_are_found,
    a_window_of_days_leaves_out_what_ended_before,
);

fn round(number: u32, team_a: &Value, team_b: &Value) -> Value {
    json!({
        "round_id": number.to_string(), "server": "arena-1", "winner": "a", "round_seconds": 600,
        "map": format!("map-{number}"), "mode": "ctf",
        "ended_at": format!("2026-11-20T10:{number:02}:00Z"), "team_a": team_a, "team_b": team_b,
    })
}

fn scored(number: u64, score: i64) -> Value {
    json!({"id": id(number), "stats": {"score": score}})
}

async fn past_games(
    app: &App,
    players: &[u64],
    window: GameWindow,
) -> HashMap<PlayerId, Vec<PastGame>> {
    let service = &app.first.service;
    let arena = "arena".parse().expect("a name");
    let pool = service.pool(Some(&arena), None).expect("the arena");
    let players: Vec<PlayerId> = players.iter().map(|number| player(*number)).collect();
    let games = service.past_games(&pool, &players, window).await;
    games.expect("games")
}

fn player(number: u64) -> PlayerId {
    id(number).parse().expect("an id")
}

fn maps(games: &HashMap<PlayerId, Vec<PastGame>>, number: u64) -> Vec<&str> {
    let games = games.get(&player(number)).into_iter().flatten();
    games
        .map(|game| game.map.as_ref().expect("a map").as_str())
        .collect()
}

async fn each_player_has_the_last_games_that_count(app: &App) {
    let left = json!({"id": id(1), "participated": false, "stats": {"score": 3}});
    let first = json!([scored(1, 9), scored(3, 2)]);
    for (number, team_a, team_b) in [
        (1, first, json!([scored(2, 9)])),
        (2, json!([left, id(3)]), json!([id(2)])),
        (3, json!([id(1)]), json!([id(2)])),
        (4, json!([id(2)]), json!([scored(1, 1)])),
    ] {
        app.counted(&round(number, &team_a, &team_b)).await;
    }
    void(app, "arena-1/3").await;

    let games = past_games(app, &[1, 2, 9], GameWindow::last(50)).await;
    assert_eq!(maps(&games, 1), ["map-4", "map-2", "map-1"]);
    assert_eq!(maps(&games, 2), ["map-4", "map-2", "map-1"]);
    assert_eq!(games.len(), 2, "nobody else was asked for, or has played");
    let of_first = &games[&player(1)];
    let known = of_first.iter().map(|game| {
        let place = game.place.map(|place| (place.place, place.of));
        (game.result, game.seconds, place, game.is_rated)
    });
    let expected = [
        (Score::LOSS, Some(600), Some((1.0, 1)), true),
        (Score::WIN, None, Some((1.0, 1)), false),
        (Score::WIN, Some(600), Some((1.5, 3)), true),
    ];
    assert_eq!(known.collect::<Vec<_>>(), expected);
    let ctf = Some("ctf".parse().expect("a name"));
    assert!(of_first.iter().all(|game| game.mode == ctf));

    let last = past_games(app, &[1], GameWindow::last(2)).await;
    assert_eq!(maps(&last, 1), ["map-4", "map-2"]);
    assert!(past_games(app, &[1], GameWindow::last(0)).await.is_empty());
    assert!(past_games(app, &[], GameWindow::last(5)).await.is_empty());
}

async fn games_beyond_a_full_row_of_entries_are_found(app: &App) {
    for number in 1..=40 {
        let plain = round(number, &json!([scored(1, number.into())]), &json!([id(2)]));
        app.counted(&plain).await;
    }
    for (games, oldest) in [(1, 40), (8, 33), (9, 32), (20, 21), (40, 1), (200, 1)] {
        let found = past_games(app, &[1, 2], GameWindow::last(games)).await;
        let expected: Vec<String> = (oldest..=40)
            .rev()
            .map(|map| format!("map-{map}"))
            .collect();
        assert_eq!(maps(&found, 1), expected);
        assert_eq!(maps(&found, 2), expected);
        let scores = found[&player(1)].iter().map(|game| {
            let stats = game.stats.as_ref().expect("stats");
            format!("map-{}", stats.score.expect("a score"))
        });
        assert_eq!(scores.collect::<Vec<_>>(), expected);
    }
}

async fn a_window_of_days_leaves_out_what_ended_before(app: &App) {
    for number in [1, 2, 4, 3] {
        let team_b = json!([{"id": id(2), "participated": number != 1}, id(3)]);
        app.counted(&round(number, &json!([id(1)]), &team_b)).await;
    }
    let window = GameWindow::since("2026-11-20T10:02:00Z".parse().expect("a time"));
    let games = past_games(app, &[1, 2], window).await;
    assert_eq!(maps(&games, 1), ["map-4", "map-3", "map-2"]);
    assert_eq!(maps(&games, 2), ["map-4", "map-3", "map-2"]);
    let last = past_games(app, &[1], GameWindow::last(2)).await;
    assert_eq!(maps(&last, 1), ["map-4", "map-3"]);
    let none = GameWindow::since("2026-11-21T00:00:00Z".parse().expect("a time"));
    assert!(past_games(app, &[1, 2], none).await.is_empty());
}
