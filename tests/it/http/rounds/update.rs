//! `POST /v1/update`: effects of a round, exactly once.

use rbs::domain::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::http::{id, ids, round, with, without};
use crate::support::{App, refused};

on_both_databases!(
    the_same_round_again_gives_the_same_answer_and_counts_nothing,
    ids_in_other_forms_and_what_is_left_out_are_the_same_content,
    any_other_content_under_the_same_round_id_is_a_409_and_changes_nothing,
    a_round_keeps_its_answer_when_it_is_sent_again_much_later,
    the_pool_is_the_one_named_or_the_servers_or_the_default,
    a_round_without_a_time_ends_now,
    the_longest_names_and_the_largest_teams_are_taken,
    a_team_more_likely_to_win_than_numbers_can_tell_is_still_rated,
);

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
