use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, round, set_clock};
use crate::support::App;

on_both_databases!(
    somebody_unknown_is_a_new_player_and_is_not_kept,
    a_player_graduates_with_the_round_that_ends_the_shadow_period,
    a_player_is_stale_after_thirty_days_and_not_before,
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

async fn look_up(app: &App, n: u64) -> Value {
    app.get(&format!("/v1/players/{}?pool=arena", id(n))).await
}

async fn a_player_graduates_with_the_round_that_ends_the_shadow_period(app: &App) {
    for (number, visible) in [(1, false), (2, false), (3, true), (4, true)] {
        let sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        let answer = app.counted(&sent).await;
        let expected = json!({"rounds": number, "visible": visible});
        for player in answer["players"].as_array().expect("players") {
            assert_has(player, &expected);
        }
        assert_has(&look_up(app, 1).await, &expected);
        let quality = app.get("/v1/admin/quality?pool=arena").await;
        let visible = if visible { 2 } else { 0 };
        assert_eq!(
            quality["players"],
            json!({"total": 2, "hidden": 2 - visible, "visible": visible, "stale": 0})
        );
    }
}

async fn a_player_is_stale_after_thirty_days_and_not_before(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    for (now, stale) in [
        ("2026-11-20T12:00:00Z", false),
        ("2026-12-20T12:00:00Z", false),
        ("2026-12-20T12:00:00.000001Z", true),
        ("2036-12-20T12:00:00Z", true),
    ] {
        set_clock(app, now);
        assert_eq!(look_up(app, 1).await["stale"], stale, "at {now}");
        let quality = app.get("/v1/admin/quality?pool=arena").await;
        let expected = if stale { 2 } else { 0 };
        assert_eq!(quality["players"]["stale"], expected, "at {now}");
    }
    let stranger = look_up(app, 3).await;
    assert_eq!(stranger["stale"], false, "who never played is not stale");
    app.counted(&round("arena-1", "2", "a", &[1], &[3])).await;
    assert_eq!(look_up(app, 1).await["stale"], false, "who plays is back");
    assert_eq!(look_up(app, 2).await["stale"], true);
}
