//! Figures over time: pools, history of quality and players, and activity.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::time::{sleep, timeout};

use crate::http::{assert_like, id, round, set_in_arena, void, with};
use crate::support::{App, refused, send};

on_both_databases!(
    pools_are_listed_with_what_is_set_for_them,
    the_history_of_quality_ends_at_the_figures_of_now,
    a_pool_without_rounds_has_no_history,
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
    let history = app.get("/v1/admin/quality/history?pool=arena").await;
    let points = history["points"].as_array().expect("a list");
    let rounds: Vec<&Value> = points.iter().map(|point| &point["rounds"]).collect();
    assert_eq!(json!(rounds), json!([8, 9, 10, 11, 12]));
    let times: Vec<&Value> = points.iter().map(|point| &point["ended_at"]).collect();
    let minutes = [8, 9, 10, 11, 13].map(|minute| format!("2026-11-20T11:{minute:02}:00Z"));
    assert_eq!(
        json!(times),
        json!(minutes),
        "the eighth that counts is the ninth"
    );
    for (from, numbers) in [
        ("2026-11-20T11:10:00Z", json!([10, 11, 12])),
        ("2026-11-20T11:10:01Z", json!([11, 12])),
        ("2026-11-20T12:00:00Z", json!([])),
    ] {
        let path = format!("/v1/admin/quality/history?pool=arena&from={from}");
        let later = app.get(&path).await;
        let later = later["points"].as_array().expect("a list");
        let rounds: Vec<&Value> = later.iter().map(|point| &point["rounds"]).collect();
        assert_eq!(json!(rounds), numbers, "from {from}");
        assert!(points.ends_with(later), "the figures from {from} differ");
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
    let thinned = app
        .get("/v1/admin/quality/history?pool=arena&points=2")
        .await;
    assert_eq!(thinned["points"], json!([points[0], points[4]]));
    assert_eq!(thinned["window"], 8);
}

async fn a_pool_without_rounds_has_no_history(app: &App) {
    assert_eq!(
        app.get("/v1/admin/quality/history").await,
        json!({"pool": "default", "window": 500, "points": []})
    );
    app.counted(&round("public-1", "1", "a", &[1], &[2])).await;
    let history = app.get("/v1/admin/quality/history").await;
    assert_eq!(
        history["points"],
        json!([{"rounds": 1, "ended_at": "2026-11-20T12:00:00Z", "brier": 0.25,
                "coin_flip_brier": 0.25, "brier_standard_error": 0.0,
                "log_loss": std::f64::consts::LN_2, "log_loss_standard_error": 0.0}])
    );
    let path = format!("/v1/admin/players/{}/history", id(77));
    assert_eq!(
        app.get(&path).await,
        json!({"id": id(77), "pool": "default", "points": []}),
        "nobody knows this player"
    );
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
        (&nobody["servers"], &nobody["total"]),
        (&json!([]), &json!([0]))
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
    assert_eq!(last_hours(2).await, (2, 1), "it was held no longer");
    assert_eq!(last_hours(1).await, (1, 1));
    app.clock
        .set("2026-11-20T12:59:59Z".parse().expect("a time"));
    assert_eq!(last_hours(3).await, (3, 3), "it was held for long enough");
    let last = json!({"ended_at": "2026-11-20T12:59:59Z"});
    app.counted(&with(round("public-1", "4", "a", &[1], &[2]), last))
        .await;
    app.clock
        .set("2026-11-20T13:00:00Z".parse().expect("a time"));
    let next = app.get("/v1/admin/activity?hours=3").await;
    assert_eq!(
        (&next["from"], &next["total"]),
        (&json!("2026-11-20T11:00:00Z"), &json!([0, 3, 0])),
        "another hour has begun"
    );
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
    let list = async || app.get("/v1/admin/rounds?pool=arena").await["rounds"][0].clone();
    let listed = list().await;
    assert_eq!(listed["players"], 3);
    assert_eq!(delta(0), delta(1));
    assert_eq!(
        listed["largest_gain"],
        json!({"id": id(1), "name": null, "delta": delta(0)})
    );
    assert_eq!(
        listed["largest_loss"],
        json!({"id": id(3), "name": null, "delta": delta(2)})
    );
    void(app, "arena-1/1").await;
    let listed = list().await;
    assert_eq!(listed["players"], 3);
    assert_eq!(
        (&listed["largest_gain"], &listed["largest_loss"]),
        (&Value::Null, &Value::Null),
        "a void round moves nobody"
    );
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
    let change = |change: &str, rating: i32| json!({"at": noon, "rating": rating, "change": change, "round_number": null, "round_id": null, "server": null});
    expected.push(play(5, 1).await);
    expected.push(play(3, 2).await);
    set_in_arena(app, 1, 1700).await;
    expected.push(change("set", 1700));
    expected.push(play(7, 3).await);
    let path = format!("/v1/admin/players/{}/reset?pool=arena", id(1));
    send(app.admin(Method::POST, &path)).await;
    expected.push(change("reset", 1000));
    expected.push(play(8, 4).await);
    let path = format!("/v1/admin/players/{}/history?pool=arena", id(1));
    let history = app.get(&path).await;
    assert_eq!(
        history,
        json!({"id": id(1), "pool": "arena", "points": expected})
    );
    let elsewhere = format!("/v1/admin/players/{}/history", id(1));
    assert_eq!(app.get(&elsewhere).await["points"], json!([]));
    let other = format!("/v1/admin/players/{}/history?pool=arena", id(2));
    let other = app.get(&other).await;
    assert_eq!(other["points"].as_array().expect("a list").len(), 4);
}

async fn a_long_history_is_thinned_but_for_sets_and_resets(app: &App) {
    for batch in 0..2 {
        let rounds: Vec<Value> = (0..50)
            .map(|number| round("arena-1", &format!("{batch}-{number}"), "b", &[1], &[2]))
            .collect();
        let request = app.request(Method::POST, "/v1/updates");
        let (status, _) = send(request.json(&json!({"rounds": rounds}))).await;
        assert_eq!(status, StatusCode::OK);
        set_in_arena(app, 1, 2000).await;
    }
    let history = async |points: u32| {
        let path = format!(
            "/v1/admin/players/{}/history?pool=arena&points={points}",
            id(1)
        );
        app.get(&path).await["points"]
            .as_array()
            .expect("a list")
            .clone()
    };
    let whole = history(2000).await;
    assert_eq!(whole.len(), 102);
    for points in [2, 12, 50] {
        let thinned = history(points).await;
        // Two sets, each with at least its first and last round.
        let wanted = usize::try_from(points.max(4)).expect("small");
        assert_eq!(thinned.len(), wanted, "{thinned:?}");
        let known: BTreeSet<String> = whole.iter().map(Value::to_string).collect();
        assert!(
            thinned
                .iter()
                .all(|point| known.contains(&point.to_string()))
        );
        let sets = thinned.iter().filter(|point| point["change"] == "set");
        assert_eq!(sets.count(), 2);
        assert_eq!((&thinned[0], thinned.last()), (&whole[0], whole.last()));
    }
}

async fn what_is_asked_wrongly_is_refused(app: &App) {
    let player = format!("players/{}/history", id(1));
    for path in [
        "pools?pool=arena",
        "quality/history?points=1",
        "quality/history?points=1001",
        "quality/history?point=2",
        "activity?hours=0",
        "activity?hours=337",
        "activity?hours=x",
        &format!("{player}?points=1"),
        &format!("{player}?points=2001"),
        "players/nobody/history",
    ] {
        refused(app.admin(Method::GET, &format!("/v1/admin/{path}")), 422).await;
    }
    for path in ["quality/history", "activity", &player] {
        let path = format!("/v1/admin/{path}?pool=none");
        refused(app.admin(Method::GET, &path), 404).await;
        refused(app.request(Method::GET, &path), 403).await;
    }
}
