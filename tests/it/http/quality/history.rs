//! Figures over time: history of quality and players, and activity.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::http::{assert_like, id, round, set_clock, set_in_arena, void, with};
use crate::support::{App, answered, refused, send};

on_both_databases!(
    pools_are_listed_with_what_is_set_for_them,
    the_history_of_quality_ends_at_the_figures_of_now,
    activity_counts_the_rounds_of_each_hour_by_server,
    activity_is_held_for_some_seconds_for_whoever_asks_for_whichever_hours,
    activity_is_counted_to_the_end_though_nobody_waits_so_long,
    a_listed_round_names_whom_it_moved_most,
    a_players_history_has_every_round_set_and_reset,
    a_long_history_is_thinned_but_for_sets_and_resets,
    what_is_asked_wrongly_is_refused,
);

async fn pools_are_listed_with_what_is_set_for_them(app: &App) {
    app.counted(&round("arena-1", "1", "a", &[1], &[2])).await;
    let summary = |missing: u64, rounds: u64| {
        let message =
            format!("Too few rounds to judge the predictions: {missing} more rounds are needed.");
        json!({"verdict": "too_few_rounds", "message": message, "rounds_24_hours": rounds,
               "players": 2 * rounds, "servers_in_need": 0})
    };
    assert_eq!(
        app.get("/v1/admin/pools").await,
        json!({"version": env!("CARGO_PKG_VERSION"), "pools": [
            {"pool": "arena", "model": "synelo", "theta": 1000, "rounds": 1, "window": 8, "initial_rating": 1000,
             "min_rating": 100, "shadow_rounds": 3, "stale_days": 30, "servers": ["arena-1"],
             "leaderboard_public": false, "player_pages_public": false, "summary": summary(499, 1)},
            {"pool": "default", "model": "synelo", "theta": 2400, "rounds": 0, "window": 500, "initial_rating": 1000,
             "min_rating": 100, "shadow_rounds": 50, "stale_days": 30, "servers": [],
             "leaderboard_public": false, "player_pages_public": false, "summary": summary(500, 0)},
        ]})
    );
    // One round more, and one that is refused.
    app.counted(&round("arena-1", "2", "a", &[1], &[3])).await;
    let odd = round("arena-1", "3", "red", &[1], &[3]);
    refused(app.request(Method::POST, "/v1/update").json(&odd), 422).await;
    let pools = app.get("/v1/admin/pools").await;
    let found = &pools["pools"][0]["summary"];
    let figures = ["players", "servers_in_need"].map(|key| &found[key]);
    assert_eq!(figures, [3, 1], "{found}");
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(found["message"], quality["verdict"]["message"]);
}

async fn the_history_of_quality_ends_at_the_figures_of_now(app: &App) {
    let path = "/v1/admin/quality/history?pool=arena";
    assert_eq!(app.get(path).await["points"], json!([]));
    // One void round before, one within and one after the listed range.
    for number in 0..14 {
        let winner = ["a", "b", "a", "draw"][number % 4];
        let sent = round("arena-1", &number.to_string(), winner, &[1, 2], &[3]);
        let ended_at = format!("2026-11-20T11:{number:02}:00Z");
        app.counted(&with(sent, json!({"ended_at": ended_at})))
            .await;
        if number == 7 || number == 12 {
            void(app, &format!("arena-1/{number}")).await;
        }
    }
    let history = app.get(path).await;
    let points = history["points"].as_array().expect("a list");
    let rounds = points
        .iter()
        .map(|point| json!([point["rounds"], point["ended_at"]]));
    // The eighth that counts is the ninth.
    let expected = [(8, 8), (9, 9), (10, 10), (11, 11), (12, 13)]
        .map(|(rounds, minute)| json!([rounds, format!("2026-11-20T11:{minute:02}:00Z")]));
    assert_eq!(rounds.collect::<Vec<_>>(), expected);
    for (from, listed) in [
        ("2026-11-20T11:10:00Z", 3),
        ("2026-11-20T11:10:01Z", 2),
        ("2026-11-20T12:00:00Z", 0),
    ] {
        let later = app.get(&format!("{path}&from={from}")).await["points"].clone();
        assert_eq!(later, json!(points[5 - listed..]), "from {from}");
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let last = &points[4];
    assert_like(
        &json!([last["brier"], last["coin_flip_brier"], last["log_loss"]]),
        &json!([
            quality["brier"]["window"],
            quality["coin_flip"]["brier"]["window"],
            quality["log_loss"]["window"]
        ]),
    );
    let thinned = app.get(&format!("{path}&points=2")).await;
    assert_eq!(thinned["points"], json!([points[0], points[4]]));
    assert_eq!(thinned["window"], 8);
}

async fn activity_counts_the_rounds_of_each_hour_by_server(app: &App) {
    let rounds = [
        ("arena-1", "2026-11-20T12:00:00Z"),
        ("arena-1", "2026-11-20T11:59:59Z"),
        ("arena-2", "2026-11-20T11:00:00Z"),
        ("arena-1", "2026-11-20T10:00:00Z"),
        ("arena-1", "2026-11-20T10:30:00Z"),
        ("arena-1", "2026-11-20T09:59:59Z"),
    ];
    for (number, (server, ended_at)) in rounds.iter().enumerate() {
        let sent = round(server, &number.to_string(), "a", &[1], &[2]);
        let sent = with(sent, json!({"ended_at": ended_at, "pool": "arena"}));
        app.counted(&sent).await;
    }
    void(app, "arena-1/4").await;
    assert_eq!(
        app.get("/v1/admin/activity?pool=arena&hours=3").await,
        json!({"pool": "arena", "from": "2026-11-20T10:00:00Z", "hours": 3,
               "servers": [{"server": "arena-1", "rounds": [1, 1, 1]},
                           {"server": "arena-2", "rounds": [0, 1, 0]}],
               "others": [0, 0, 0], "total": [1, 2, 1]})
    );
    let two_days = app.get("/v1/admin/activity?pool=arena").await;
    let total = two_days["total"].as_array().expect("a list");
    assert_eq!(json!(total[44..]), json!([1, 1, 2, 1]));
    assert_eq!((total.len(), &two_days["hours"]), (48, &json!(48)));
    let nobody = app.get("/v1/admin/activity?hours=1").await;
    assert_eq!(
        json!([nobody["servers"], nobody["total"]]),
        json!([[], [0]])
    );
}

async fn activity_is_held_for_some_seconds_for_whoever_asks_for_whichever_hours(app: &App) {
    let last_hours = async |hours: u32| {
        let path = format!("/v1/admin/activity?hours={hours}");
        let total = app.get(&path).await["total"].clone();
        let total: Vec<u64> = serde_json::from_value(total).expect("counts");
        (total.len(), total.iter().sum::<u64>())
    };
    app.counted(&round("public-1", "1", "a", &[1], &[2])).await;
    assert_eq!(last_hours(2).await, (2, 1));
    app.counted(&round("public-1", "2", "a", &[1], &[2])).await;
    assert_eq!(last_hours(2).await, (2, 1), "it is held");
    let before = json!({"ended_at": "2026-11-20T10:00:00Z"});
    app.counted(&with(round("public-1", "3", "a", &[1], &[2]), before))
        .await;
    assert_eq!(last_hours(3).await, (3, 2), "what was missing is counted");
    set_clock(app, "2026-11-20T13:00:00Z");
    let next = app.get("/v1/admin/activity?hours=4").await;
    assert_eq!(next["from"], "2026-11-20T10:00:00Z");
    assert_eq!(next["total"], json!([1, 0, 2, 0]), "another hour has begun");
}

async fn activity_is_counted_to_the_end_though_nobody_waits_so_long(app: &App) {
    app.counted(&round("public-1", "1", "a", &[1], &[2])).await;
    let service = &app.first.service;
    let pool = service.pool(None, None).expect("the default pool");
    for _ in 0..3000 {
        let counting = service.get_activity(&pool, 336);
        if let Ok(counted) = timeout(Duration::ZERO, counting).await {
            let counted = counted.expect("what was counted");
            assert_eq!((counted.total.len(), counted.total[335]), (336, 1));
            return;
        }
        sleep(Duration::from_millis(10)).await;
    }
    panic!("what was counted is thrown away when whoever asked goes");
}

async fn a_listed_round_names_whom_it_moved_most(app: &App) {
    let first = round("arena-1", "1", "a", &[1, 2], &[3]);
    let late = json!({"team_a": [id(1), id(2), {"id": id(4), "participated": false}]});
    let answer = app.counted(&with(first, late)).await;
    let delta = |index: usize| answer["players"][index]["delta"].clone();
    let moved = async || {
        let listed = app.get("/v1/admin/rounds?pool=arena").await["rounds"][0].clone();
        ["players", "largest_gain", "largest_loss"].map(|key| listed[key].clone())
    };
    let by = |n: u64, delta: Value| json!({"id": id(n), "name": null, "delta": delta});
    assert_eq!(delta(0), delta(1));
    let expected = [json!(3), by(1, delta(0)), by(3, delta(2))];
    assert_eq!(moved().await, expected);
    void(app, "arena-1/1").await;
    let nobody = [json!(3), Value::Null, Value::Null];
    assert_eq!(moved().await, nobody, "a void round moves nobody");
}

async fn a_players_history_has_every_round_set_and_reset(app: &App) {
    let mut expected = Vec::new();
    let play = async |number: u32, place: u64| {
        let sent = round("arena-1", &number.to_string(), "a", &[1], &[2]);
        let ended_at = format!("2026-11-20T11:{number:02}:00Z");
        let sent = with(sent, json!({"ended_at": ended_at}));
        let answer = app.counted(&sent).await;
        json!({"at": ended_at, "rating": answer["players"][0]["rating"], "change": "round",
               "round_number": place, "round_id": number.to_string(), "server": "arena-1"})
    };
    let noon = "2026-11-20T12:00:00Z";
    let change = |change: &str, rating: i32| {
        json!({"at": noon, "rating": rating, "change": change, "round_number": null, "round_id": null,
               "server": null})
    };
    expected.push(play(5, 1).await);
    expected.push(play(3, 2).await);
    set_in_arena(app, 1, 1700).await;
    expected.push(change("set", 1700));
    expected.push(play(7, 3).await);
    let path = format!("/v1/admin/players/{}/reset?pool=arena", id(1));
    send(app.admin(Method::POST, &path)).await;
    expected.push(change("reset", 1000));
    expected.push(play(8, 4).await);
    let history = async |n: u64, pool: &str| {
        let path = format!("/v1/admin/players/{}/history?pool={pool}", id(n));
        app.get(&path).await["points"].clone()
    };
    assert_eq!(history(1, "arena").await, json!(expected));
    assert_eq!(history(1, "default").await, json!([]));
    let other = history(2, "arena").await;
    assert_eq!(other.as_array().expect("a list").len(), 4);
}

async fn a_long_history_is_thinned_but_for_sets_and_resets(app: &App) {
    for batch in 0..2 {
        let rounds: Vec<Value> = (0..50)
            .map(|number| round("arena-1", &format!("{batch}-{number}"), "b", &[1], &[2]))
            .collect();
        let request = app.request(Method::POST, "/v1/updates");
        answered(request.json(&json!({"rounds": rounds}))).await;
        set_in_arena(app, 1, 2000).await;
    }
    let path = format!("/v1/admin/players/{}/history?pool=arena", id(1));
    let history = async |points: u32| {
        let answer = app.get(&format!("{path}&points={points}")).await;
        answer["points"].as_array().expect("a list").clone()
    };
    let whole = history(2000).await;
    assert_eq!(whole.len(), 102);
    for points in [2, 12] {
        let thinned = history(points).await;
        // Two sets, each with at least its first and last round.
        let wanted = usize::try_from(points.max(4)).expect("small");
        assert_eq!(thinned.len(), wanted, "{thinned:?}");
        assert!(thinned.iter().all(|point| whole.contains(point)));
        let sets = thinned.iter().filter(|point| point["change"] == "set");
        assert_eq!(sets.count(), 2);
        assert_eq!((&thinned[0], thinned.last()), (&whole[0], whole.last()));
    }
}

async fn what_is_asked_wrongly_is_refused(app: &App) {
    let player = format!("players/{}/history?points=", id(1));
    for path in [
        "pools?pool=arena",
        "quality/history?points=1",
        "quality/history?points=1001",
        "quality/history?point=2",
        "activity?hours=0",
        "activity?hours=337",
        "activity?hours=x",
        &format!("{player}1"),
        &format!("{player}2001"),
        "players/nobody/history",
    ] {
        refused(app.admin(Method::GET, &format!("/v1/admin/{path}")), 422).await;
    }
}
