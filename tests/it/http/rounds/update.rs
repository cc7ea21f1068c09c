//! `POST /v1/update`: effects of a round, exactly once.

use reqwest::Method;
use serde_json::json;

use crate::http::{assert_has, id, ids, round, set_clock, with, without};
use crate::support::{App, refused, send};

on_both_databases!(
    the_same_round_again_gives_the_same_answer_and_counts_nothing,
    ids_in_other_forms_and_what_is_left_out_are_the_same_content,
    any_other_content_under_the_same_round_id_is_a_409_and_changes_nothing,
    the_pool_is_the_one_named_or_the_servers_or_the_default,
    a_round_without_a_time_ends_now,
    the_longest_names_and_the_largest_teams_are_taken,
    a_team_more_likely_to_win_than_numbers_can_tell_is_still_rated,
);

async fn the_same_round_again_gives_the_same_answer_and_counts_nothing(app: &App) {
    app.counted(&round("s", "0", "b", &[1, 2], &[3])).await;
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    let first = app.counted(&sent).await;
    let duplicate = with(first, json!({"duplicate": true}));
    let player = format!("/v1/admin/players/{}", id(1));
    let figures = async || [app.get("/v1/admin/quality").await, app.get(&player).await];
    let before = figures().await;
    for _ in 0..3 {
        assert_eq!(app.counted(&sent).await, duplicate);
    }
    assert_eq!(figures().await, before);
    assert_eq!(before[0]["rounds"], 2);
    app.counted(&round("s", "2", "b", &[1], &[2])).await;
    send(app.admin(Method::POST, &format!("{player}/reset"))).await;
    set_clock(app, "2030-01-01T00:00:00Z");
    assert_eq!(app.counted(&sent).await, duplicate, "years later");
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
    let second = |seconds: u32| json!({"id": id(2), "seconds": seconds, "stats": {"score": 1}});
    let sent = json!({
        "round_id": "1", "server": "s", "map": "m", "winner": "a", "ended_at": 1_795_176_000, "mode": "ctf",
        "mutators": ["low gravity"], "round_seconds": 1800, "team_a": [id(1), second(600)], "team_b": ids([3, 4]),
    });
    app.counted(&sent).await;
    let paths = ["default", "arena"].map(|pool| format!("/v1/admin/quality?pool={pool}"));
    let before = [app.get(&paths[0]).await, app.get(&paths[1]).await];
    let left = json!({"id": id(4), "participated": false});
    let came = json!({"id": id(4), "at_start": false});
    let swapped = json!({"team_a": sent["team_b"], "team_b": sent["team_a"]});
    for (other, named) in [
        (json!({"winner": "b"}), "winner"),
        (json!({"winner": "draw"}), "winner"),
        (json!({"map": "n"}), "map"),
        (json!({"map": null}), "map"),
        (json!({"mode": null}), "mode"),
        (json!({"mutators": []}), "mutators"),
        (json!({"ended_at": 1_795_176_001}), "ended_at"),
        (
            json!({"ended_at": "2026-11-20T12:00:00.000001Z"}),
            "ended_at",
        ),
        (json!({"pool": "arena"}), "pool"),
        (json!({"round_seconds": 1801}), "round_seconds"),
        (json!({"team_a": [id(1), second(601)]}), "team_a"),
        (
            json!({"team_a": [id(1), {"id": id(2), "seconds": 600}]}),
            "team_a",
        ),
        (json!({"team_a": [second(600), id(1)]}), "team_a"),
        (json!({"team_b": ids([3])}), "team_b"),
        (json!({"team_b": ids([3, 4, 5])}), "team_b"),
        (json!({"team_b": [id(3), left]}), "team_b"),
        (json!({"team_b": [id(3), came]}), "team_b"),
        (swapped, "team_a and team_b"),
    ] {
        let sent = with(sent.clone(), other);
        let request = app.request(Method::POST, "/v1/update").json(&sent);
        let (_, problem) = refused(request, 409).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains(&format!("{named} differ")), "{detail}");
    }
    for (path, before) in paths.iter().zip(before) {
        assert_eq!(app.get(path).await, before);
    }
    let stranger = app.get(&format!("/v1/players/{}", id(5))).await;
    assert_eq!(stranger["rounds"], 0);
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
        assert_has(&answer, &json!({"pool": expected, "theta": theta}));
        let path = format!("/v1/players/{}?pool={expected}", id(n));
        assert_eq!(app.get(&path).await["rounds"], 1, "{sent}");
    }
    for pool in ["default", "arena"] {
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        assert_eq!(quality["rounds"], 2);
    }
}

async fn a_round_without_a_time_ends_now(app: &App) {
    set_clock(app, "2026-12-01T10:20:30.123456Z");
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
    let answer = app.counted(&sent).await;
    assert_eq!(answer["win_probability"], json!({"a": 1.0, "b": 0.0}));
    assert_eq!(answer["players"][0]["delta"], -72);
    assert_eq!(answer["players"][64]["delta"], 72);
}
