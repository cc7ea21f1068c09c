//! `GET /v1/players/{id}`.

use rbs::domain::Timestamp;
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, ids, round, with};
use crate::support::App;

on_both_databases!(
    somebody_unknown_is_a_new_player_and_is_not_kept,
    a_player_is_looked_up_in_the_pool_named_or_the_servers_or_the_default,
    a_player_graduates_with_the_round_that_ends_the_shadow_period,
    the_cap_holds_in_the_round_of_graduation_alone,
    a_player_is_stale_after_thirty_days_and_not_before,
    last_played_is_the_latest_end_in_whatever_order_rounds_arrive,
);

async fn somebody_unknown_is_a_new_player_and_is_not_kept(app: &App) {
    for (query, pool) in [
        ("", "default"),
        ("?pool=default", "default"),
        ("?pool=arena", "arena"),
        ("?server=arena-1", "arena"),
        ("?server=unheard-of", "default"),
        ("?server=arena-1&pool=default", "default"),
    ] {
        assert_eq!(
            app.get(&format!("/v1/players/{}{query}", id(1))).await,
            json!({"id": id(1), "pool": pool, "rating": 1000, "visible": false, "rounds": 0,
                   "stale": false, "placing_rounds": 0, "uncertainty": null, "name": null, "last_played": null}),
            "{query}"
        );
    }
    assert_nothing_stored(app).await;
}

async fn a_player_is_looked_up_in_the_pool_named_or_the_servers_or_the_default(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    app.counted(&round("s", "1", "b", &[1], &[2])).await;
    for (query, rating) in [
        ("", 964),
        ("?server=arena-1", 1036),
        ("?server=s", 964),
        ("?pool=arena", 1036),
        ("?pool=default&server=arena-1", 964),
        ("?pool=arena&server=s", 1036),
    ] {
        let player = app.get(&format!("/v1/players/{}{query}", id(1))).await;
        assert_eq!(player["rating"], rating, "{query}");
    }
}

async fn look_up(app: &App, n: u64) -> Value {
    app.get(&format!("/v1/players/{}?pool=arena", id(n))).await
}

async fn set(app: &App, n: u64, rating: i32) {
    let path = format!("/v1/admin/players/{}?pool=arena", id(n));
    let request = app.admin(reqwest::Method::PUT, &path);
    let (status, body) = crate::support::send(request.json(&json!({"rating": rating}))).await;
    assert_eq!(status.as_u16(), 200, "{body}");
}

async fn a_player_graduates_with_the_round_that_ends_the_shadow_period(app: &App) {
    for (number, visible) in [(1, false), (2, false), (3, true), (4, true)] {
        let sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        let answer = app.counted(&sent).await;
        for player in answer["players"].as_array().expect("players") {
            assert_eq!(player["rounds"], number);
            assert_eq!(player["visible"], visible, "after {number} rounds");
        }
        let player = look_up(app, 1).await;
        assert_eq!(player["visible"], visible, "after {number} rounds");
        assert_eq!(player["rounds"], number);
        let quality = app.get("/v1/admin/quality?pool=arena").await;
        let visible = if visible { 2 } else { 0 };
        assert_eq!(
            quality["players"],
            json!({"total": 2, "hidden": 2 - visible, "visible": visible, "stale": 0})
        );
    }
}

async fn the_cap_holds_in_the_round_of_graduation_alone(app: &App) {
    set(app, 1, 9000).await;
    let play = async |number: u32| {
        let sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        app.counted(&sent).await["players"][0].clone()
    };
    for number in 1..=2 {
        let player = play(number).await;
        assert_eq!(player["rating"], 9000, "round {number} does not cap");
    }
    assert_eq!(
        play(3).await,
        json!({"id": id(1), "team": "a", "before": 9000, "rating": 2200, "delta": -6800, "k": 2.0,
               "rounds": 3, "visible": true})
    );
    set(app, 1, 9000).await;
    assert_eq!(play(4).await["rating"], 9000, "the cap holds once");
}

async fn a_player_is_stale_after_thirty_days_and_not_before(app: &App) {
    let sent = with(
        round("arena-1", "1", "a", &[1], &[2]),
        json!({"ended_at": "2026-11-20T12:00:00Z"}),
    );
    app.counted(&sent).await;
    for (now, stale) in [
        ("2026-11-20T12:00:00Z", false),
        ("2026-12-20T12:00:00Z", false),
        ("2026-12-20T12:00:00.000001Z", true),
        ("2036-12-20T12:00:00Z", true),
    ] {
        app.clock.set(now.parse().expect("a time"));
        assert_eq!(look_up(app, 1).await["stale"], stale, "at {now}");
        let quality = app.get("/v1/admin/quality?pool=arena").await;
        let expected = if stale { 2 } else { 0 };
        assert_eq!(quality["players"]["stale"], expected, "at {now}");
    }
    assert_eq!(
        look_up(app, 3).await["stale"],
        false,
        "who never played is not stale"
    );
    app.counted(&round("arena-1", "2", "a", &[1], &[3])).await;
    assert_eq!(look_up(app, 1).await["stale"], false, "who plays is back");
    assert_eq!(look_up(app, 2).await["stale"], true);
}

async fn last_played_is_the_latest_end_in_whatever_order_rounds_arrive(app: &App) {
    let day = |day: u32| format!("2026-11-{day:02}T12:00:00Z");
    for (number, ended, latest) in [(1, 10, 10), (2, 5, 10), (3, 12, 12), (4, 11, 12)] {
        let sent = with(
            round("s", &number.to_string(), "draw", &[1], &[2]),
            json!({"ended_at": day(ended)}),
        );
        app.counted(&sent).await;
        for id in ids([1, 2]) {
            let player = app.get(&format!("/v1/players/{id}")).await;
            assert_eq!(player["last_played"], day(latest), "after round {number}");
        }
    }
    // Time zones do not matter, moments do.
    let sent = with(
        round("s", "5", "draw", &[1], &[2]),
        json!({"ended_at": "2026-11-12T13:30:00+01:00"}),
    );
    app.counted(&sent).await;
    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    let last: Timestamp = player["last_played"]
        .as_str()
        .and_then(|text| text.parse().ok())
        .expect("a time");
    assert_eq!(last.to_string(), "2026-11-12T12:30:00Z");
}
