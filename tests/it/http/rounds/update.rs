//! `POST /v1/update`: what a round does, and that it does it once.

use rbs::domain::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_like, id, ids, round, with, without};
use crate::support::{App, refused};

on_both_databases!(
    two_rounds_are_answered_with_every_field,
    the_same_round_again_gives_the_same_answer_and_counts_nothing,
    ids_in_other_forms_and_what_is_left_out_are_the_same_content,
    any_other_content_under_the_same_round_id_is_a_409_and_changes_nothing,
    the_same_round_id_on_another_server_is_another_round,
    a_round_keeps_its_answer_when_it_is_sent_again_much_later,
    the_pool_is_the_one_named_or_the_servers_or_the_default,
    a_round_without_a_time_ends_now,
    the_longest_names_and_the_largest_teams_are_taken,
    a_joiner_is_rated_and_counts_into_no_sum,
    a_leaver_counts_into_the_sum_and_is_not_rated,
    who_neither_started_nor_took_part_changes_nothing,
    a_side_changer_is_rated_once_with_the_team_joined,
    a_round_that_rates_nobody_counts_as_a_prediction,
    a_draw_moves_the_favourite_down,
    a_team_more_likely_to_win_than_numbers_can_tell_is_still_rated,
);

fn player(n: u64, team: &str, before: i32, rating: i32, k: f64, rounds: u32) -> Value {
    json!({"id": id(n), "team": team, "before": before, "rating": rating,
           "delta": rating - before, "k": k, "rounds": rounds, "visible": false})
}

async fn two_rounds_are_answered_with_every_field(app: &App) {
    let first = app.counted(&round("s", "1", "a", &[1, 2], &[3, 4])).await;
    assert_like(
        &first,
        &json!({
            "round_id": "1", "server": "s", "pool": "default", "duplicate": false,
            "win_probability": {"a": 0.5, "b": 0.5}, "theta": 2400,
            "players": [
                player(1, "a", 1000, 1036, 72.0, 1), player(2, "a", 1000, 1036, 72.0, 1),
                player(3, "b", 1000, 964, 72.0, 1), player(4, "b", 1000, 964, 72.0, 1),
            ],
            "splits": null, "splits_error": null, "notices": [],
        }),
    );
    let second = app.counted(&round("s", "2", "b", &[2, 1], &[4, 3])).await;
    let k = 71.717_073_313_265_94;
    assert_like(
        &second,
        &json!({
            "round_id": "2", "server": "s", "pool": "default", "duplicate": false,
            "win_probability": {"a": 0.514_995_501_619_41, "b": 0.485_004_498_380_59},
            "theta": 2400,
            "players": [
                player(2, "a", 1036, 999, k, 2), player(1, "a", 1036, 999, k, 2),
                player(4, "b", 964, 1001, k, 2), player(3, "b", 964, 1001, k, 2),
            ],
            "splits": null, "splits_error": null, "notices": [],
        }),
    );
}

async fn the_same_round_again_gives_the_same_answer_and_counts_nothing(app: &App) {
    app.counted(&round("s", "0", "b", &[1, 2], &[3])).await;
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    let first = app.counted(&sent).await;
    let quality = app.get("/v1/admin/quality").await;
    let player = app.get(&format!("/v1/admin/players/{}", id(1))).await;
    for _ in 0..3 {
        let again = app.counted(&sent).await;
        assert_eq!(again, with(first.clone(), json!({"duplicate": true})));
    }
    assert_eq!(app.get("/v1/admin/quality").await, quality);
    assert_eq!(
        app.get(&format!("/v1/admin/players/{}", id(1))).await,
        player
    );
    assert_eq!(quality["rounds"], 2);
}

async fn ids_in_other_forms_and_what_is_left_out_are_the_same_content(app: &App) {
    let sent = json!({
        "round_id": "1", "server": "arena-1", "map": null, "winner": "a",
        "team_a": [id(1), {"id": id(2), "participated": false}], "team_b": [id(3)],
    });
    let first = app.counted(&sent).await;
    let expected = with(first, json!({"duplicate": true}));
    for same in [
        json!({"team_a": ["STEAM_0:1:0", {"id": "[U:1:2]", "participated": false}]}),
        json!({"team_b": [76_561_197_960_265_731_u64]}),
        json!({"team_b": [{"id": "STEAM_1:1:1", "at_start": true, "participated": true}]}),
        json!({"ended_at": "2026-11-20T12:00:00Z"}),
        json!({"ended_at": "2026-11-20T13:00:00.000+01:00"}),
        json!({"ended_at": 1_795_176_000}),
        json!({"ended_at": null}),
        json!({"pool": "arena"}),
        json!({"pool": null}),
    ] {
        let again = with(sent.clone(), same);
        assert_eq!(app.counted(&again).await, expected, "{again}");
    }
    assert_eq!(app.counted(&without(sent, "map")).await, expected);

    // The other way round: the time and the pool are given first and left out later.
    let output = json!({"round_id": "2", "pool": "default", "ended_at": 1_795_000_000});
    let output = with(round("arena-1", "2", "a", &[1], &[2]), output);
    let first = app.counted(&output).await;
    assert_eq!(first["pool"], "default");
    let again = app
        .counted(&without(without(output, "pool"), "ended_at"))
        .await;
    assert_eq!(again, with(first, json!({"duplicate": true})));
}

async fn any_other_content_under_the_same_round_id_is_a_409_and_changes_nothing(app: &App) {
    let sent = json!({
        "round_id": "1", "server": "s", "map": "m", "winner": "a", "ended_at": 1_795_176_000,
        "team_a": ids([1, 2]), "team_b": ids([3, 4]),
    });
    app.counted(&sent).await;
    let paths = ["default", "arena"].map(|pool| format!("/v1/admin/quality?pool={pool}"));
    let before = [app.get(&paths[0]).await, app.get(&paths[1]).await];
    for other in [
        json!({"winner": "b"}),
        json!({"winner": "draw"}),
        json!({"map": "n"}),
        json!({"map": null}),
        json!({"ended_at": 1_795_176_001}),
        json!({"ended_at": "2026-11-20T12:00:00.000001Z"}),
        json!({"pool": "arena"}),
        json!({"team_a": ids([2, 1])}),
        json!({"team_a": ids([1])}),
        json!({"team_a": ids([1, 2, 5])}),
        json!({"team_a": [id(1), {"id": id(2), "participated": false}]}),
        json!({"team_a": [id(1), {"id": id(2), "at_start": false}]}),
        json!({"team_a": ids([3, 4]), "team_b": ids([1, 2])}),
    ] {
        let sent = with(sent.clone(), other);
        refused(app.request(Method::POST, "/v1/update").json(&sent), 409).await;
    }
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(app.get(path).await, before);
    }
    assert_eq!(
        app.get(&format!("/v1/players/{}", id(5))).await["rounds"],
        0
    );
}

async fn the_same_round_id_on_another_server_is_another_round(app: &App) {
    for (server, pool, rounds) in [
        ("s", "default", 1),
        ("S", "default", 2),
        ("arena-1", "arena", 1),
    ] {
        let answer = app.counted(&round(server, "1", "a", &[1], &[2])).await;
        assert_eq!(answer["duplicate"], false, "{server}");
        assert_eq!(answer["pool"], pool, "{server}");
        assert_eq!(answer["players"][0]["rounds"], rounds, "{server}");
    }
}

async fn a_round_keeps_its_answer_when_it_is_sent_again_much_later(app: &App) {
    let sent = round("s", "1", "a", &[1], &[2]);
    let first = app.counted(&sent).await;
    for n in 2..6 {
        app.counted(&round("s", &n.to_string(), "b", &[1], &[2]))
            .await;
    }
    let reset = format!("/v1/admin/players/{}/reset", id(1));
    crate::support::send(app.admin(Method::POST, &reset)).await;
    let later: Timestamp = "2030-01-01T00:00:00Z".parse().expect("a time");
    app.clock.set(later);
    assert_eq!(
        app.counted(&sent).await,
        with(first, json!({"duplicate": true}))
    );
}

async fn the_pool_is_the_one_named_or_the_servers_or_the_default(app: &App) {
    for (n, server, pool, expected, theta) in [
        (1, "unknown", None, "default", 2400),
        (2, "arena-1", None, "arena", 1000),
        (3, "arena-1", Some("default"), "default", 2400),
        (4, "unknown", Some("arena"), "arena", 1000),
    ] {
        let sent = with(
            round(server, "1", "a", &[n], &[100 + n]),
            json!({"round_id": n.to_string(), "pool": pool}),
        );
        let answer = app.counted(&sent).await;
        assert_eq!(answer["pool"], expected, "{sent}");
        assert_eq!(answer["theta"], theta, "{sent}");
        let path = format!("/v1/players/{}?pool={expected}", id(n));
        assert_eq!(app.get(&path).await["rounds"], 1, "{sent}");
    }
    for pool in ["default", "arena"] {
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        assert_eq!(quality["rounds"], 2);
    }
}

async fn a_round_without_a_time_ends_now(app: &App) {
    let time: Timestamp = "2026-12-01T10:20:30.123456Z".parse().expect("a time");
    app.clock.set(time);
    app.counted(&round("s", "1", "a", &[1], &[2])).await;
    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    assert_eq!(player["last_played"], "2026-12-01T10:20:30.123456Z");
}

async fn the_longest_names_and_the_largest_teams_are_taken(app: &App) {
    let round_id: String = ('!'..='~').take(64).collect();
    let sent = json!({
        "round_id": round_id, "server": format!("A.b_c-{}", "9".repeat(58)),
        "map": "\u{10ffff}\"\\é'".repeat(12) + "1234", "winner": "b",
        "ended_at": "2026-11-20T12:09:59.999999Z",
        "team_a": ids(1..=64), "team_b": ids(4_294_967_232..=4_294_967_295),
    });
    let answer = app.counted(&sent).await;
    assert_eq!(answer["round_id"], sent["round_id"]);
    assert_eq!(answer["server"], sent["server"]);
    assert_eq!(answer["players"].as_array().map(Vec::len), Some(128));
    let details = app.get(&format!("/v1/admin/players/{}", id(64))).await;
    assert_eq!(details["last_rounds"][0]["map"], sent["map"]);
    assert_eq!(details["last_played"], sent["ended_at"]);
    let again = app.counted(&sent).await;
    assert_eq!(again, with(answer, json!({"duplicate": true})));
}

/// What P_A is in the pool `arena` with players of 1000 points, `lead` more of them on team a's
/// roster than on team b's.
fn probability(lead: i32) -> f64 {
    let favourite = 0.731_058_578_630_004_9;
    match lead {
        1 => favourite,
        -1 => 1.0 - favourite,
        _ => 0.5,
    }
}

async fn play(app: &App, team_a: Value, team_b: Value) -> Value {
    let sent = json!({"round_id": "1", "server": "arena-1", "winner": "a",
                      "team_a": team_a, "team_b": team_b});
    app.counted(&sent).await
}

fn rated(answer: &Value) -> Vec<(String, String, i64)> {
    let players = answer["players"].as_array().expect("players");
    let text = |player: &Value, key: &str| player[key].as_str().expect("text").to_owned();
    players
        .iter()
        .map(|player| {
            let delta = player["delta"].as_i64().expect("a whole number");
            (text(player, "id"), text(player, "team"), delta)
        })
        .collect()
}

fn rating(n: u64, team: &str, delta: i64) -> (String, String, i64) {
    (id(n), team.to_owned(), delta)
}

async fn a_joiner_is_rated_and_counts_into_no_sum(app: &App) {
    let team_b = json!([id(2), {"id": id(3), "at_start": false}]);
    let answer = play(app, json!([id(1)]), team_b).await;
    assert_eq!(answer["win_probability"]["a"], probability(0));
    assert_eq!(
        rated(&answer),
        [rating(1, "a", 36), rating(2, "b", -36), rating(3, "b", -36)]
    );
}

async fn a_leaver_counts_into_the_sum_and_is_not_rated(app: &App) {
    let team_a = json!([{"id": id(4), "participated": false}, id(1)]);
    let answer = play(app, team_a, json!([id(2)])).await;
    assert_eq!(answer["win_probability"]["a"], probability(1));
    assert_eq!(rated(&answer), [rating(1, "a", 19), rating(2, "b", -19)]);
    let leaver = app.get(&format!("/v1/players/{}?pool=arena", id(4))).await;
    assert_eq!(leaver["rounds"], 0);
    assert_eq!(leaver["last_played"], Value::Null);
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(
        quality["players"]["total"], 2,
        "who is not rated is not kept"
    );
}

async fn who_neither_started_nor_took_part_changes_nothing(app: &App) {
    let bystander = json!({"id": id(5), "at_start": false, "participated": false});
    let answer = play(app, json!([id(1), bystander]), json!([id(2)])).await;
    assert_eq!(answer["win_probability"]["a"], probability(0));
    assert_eq!(rated(&answer), [rating(1, "a", 36), rating(2, "b", -36)]);
}

async fn a_side_changer_is_rated_once_with_the_team_joined(app: &App) {
    let left = json!([id(1), {"id": id(3), "participated": false}]);
    let joined = json!([{"id": "[U:1:3]", "at_start": false}, id(2)]);
    let answer = play(app, left, joined).await;
    assert_eq!(
        answer["win_probability"]["a"],
        probability(1),
        "who changed sides counts where the round started"
    );
    assert_eq!(
        rated(&answer),
        [rating(1, "a", 19), rating(3, "b", -19), rating(2, "b", -19)]
    );
    let changer = app
        .get(&format!("/v1/admin/players/{}?pool=arena", id(3)))
        .await;
    assert_eq!(changer["rounds"], 1);
    assert_eq!(changer["last_rounds"][0]["team"], "b");
    assert_eq!(
        changer["last_rounds"][0]["win_probability"],
        probability(-1)
    );
}

async fn a_round_that_rates_nobody_counts_as_a_prediction(app: &App) {
    let gone = |n| json!([{"id": id(n), "participated": false}]);
    let answer = play(app, gone(1), gone(2)).await;
    assert_eq!(answer["players"], json!([]));
    assert_eq!(answer["win_probability"], json!({"a": 0.5, "b": 0.5}));
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["rounds"], 1);
    assert_eq!(quality["players"]["total"], 0);
    let again = play(app, gone(1), gone(2)).await;
    assert_eq!(again["duplicate"], true);
}

async fn a_draw_moves_the_favourite_down(app: &App) {
    let sent = json!({"round_id": "1", "server": "arena-1", "winner": "draw",
                      "team_a": ids([1, 2]), "team_b": ids([3])});
    let answer = app.counted(&sent).await;
    // 72 x (0.5 - 0.731) = -16.6, and 72 x (0.5 - 0.269) = 16.6.
    assert_eq!(
        rated(&answer),
        [rating(1, "a", -17), rating(2, "a", -17), rating(3, "b", 17)]
    );
}

async fn a_team_more_likely_to_win_than_numbers_can_tell_is_still_rated(app: &App) {
    let sent = json!({"round_id": "1", "server": "arena-1", "winner": "b",
                      "team_a": ids(1..=64), "team_b": ids([65])});
    let (status, answer) = app.update(&sent).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["win_probability"], json!({"a": 1.0, "b": 0.0}));
    assert_eq!(answer["players"][0]["delta"], -72);
    assert_eq!(answer["players"][64]["delta"], 72);
    assert_nothing_stored_in_default(app).await;
}

async fn assert_nothing_stored_in_default(app: &App) {
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 0);
}
