//! Invalid fields of a round: each is named, and nothing is stored.

use reqwest::Method;
use serde_json::{Value, json};

use super::errors::{good, post};
use crate::http::{assert_nothing_stored, id, ids, with, without};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    each_name_time_and_word_that_is_not_acceptable_is_named,
    each_team_that_is_not_acceptable_is_named,
    a_player_who_stands_twice_without_changing_sides_is_named,
    all_wrong_lists_are_named_at_once,
    an_unknown_field_is_named_wherever_it_stands,
);

/// Sends a valid round with `member` as each of `values`. The refusal must name `pointer` and contain `says`.
async fn assert_refused(app: &App, member: &str, values: Vec<Value>, pointer: &str, says: &str) {
    for value in values {
        let body = with(good(), json!({ member: value }));
        let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
        assert_eq!(fields(&problem), [pointer], "{body:.200}: {problem}");
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains(says),
            "{body:.200} is answered without saying \"{says}\": {problem}"
        );
    }
}

async fn each_name_time_and_word_that_is_not_acceptable_is_named(app: &App) {
    for field in ["round_id", "server", "winner", "team_a", "team_b"] {
        let body = without(good(), field).to_string();
        let (_, problem) = refused(post(app, "/v1/update", body), 422).await;
        assert_eq!(fields(&problem), [format!("/{field}")]);
        assert_eq!(problem["errors"][0]["detail"], "is missing; send it");
    }
    let long = || json!("x".repeat(65));
    for (member, values, says) in [
        ("round_id", vec![json!(""), long()], "1 to 64"),
        (
            "round_id",
            vec![json!("a\nb"), json!("a b"), json!("a\u{0}b"), json!("ä")],
            "visible ASCII",
        ),
        (
            "round_id",
            vec![json!(17), json!(null), json!({})],
            "send a string",
        ),
        ("server", vec![json!(""), long()], "1 to 64"),
        (
            "server",
            vec![json!("a:b"), json!("a\u{0}"), json!("a\n"), json!("ä")],
            "letters",
        ),
        ("server", vec![json!(5), json!(null)], "send a string"),
        ("map", vec![json!(""), long()], "1 to 64"),
        ("map", vec![json!("a\u{0}b"), json!("a\nb")], "control"),
        ("map", vec![json!(5), json!(["m"])], "send a string"),
        ("pool", vec![json!(""), long()], "1 to 64"),
        ("pool", vec![json!("no/pool"), json!("a\u{0}")], "letters"),
        (
            "ended_at",
            vec![
                json!("yesterday"),
                json!("2026-11-20 12:00"),
                json!("2026-11-20T12:00:00"),
                json!("1795176000"),
                json!(1.5),
                json!(1e300),
                json!(true),
                json!({}),
            ],
            "RFC 3339",
        ),
        (
            "ended_at",
            vec![json!(u64::MAX), json!(i64::MIN), json!(253_402_300_800_u64)],
            "unix seconds",
        ),
        (
            "winner",
            vec![
                json!("c"),
                json!("A"),
                json!(""),
                json!(1),
                json!(null),
                json!(["a"]),
                json!({"a": null}),
            ],
            "\"a\", \"b\" or \"draw\"",
        ),
    ] {
        assert_refused(app, member, values, &format!("/{member}"), says).await;
    }
    assert_nothing_stored(app).await;
}

async fn each_team_that_is_not_acceptable_is_named(app: &App) {
    let crowd = json!(ids(10..75));
    let late = json!([{"id": id(9), "at_start": false}]);
    let stranger = json!([{"id": id(9), "at_start": false, "participated": false}]);
    for team in ["team_a", "team_b"] {
        let here = format!("/{team}");
        for (values, says) in [
            (vec![json!([])], "has 0 players; send 1 to 64 players"),
            (vec![crowd.clone()], "has 65 players; send 1 to 64 players"),
            (vec![json!({}), json!(id(1)), json!(null)], "send a list"),
            (
                vec![late.clone(), stranger.clone()],
                "no player who was on the team",
            ),
        ] {
            assert_refused(app, team, values, &here, says).await;
        }
        for (member, values, says) in [
            (
                "id",
                vec![json!([{"at_start": true}]), json!([{}])],
                "is missing; send it",
            ),
            (
                "at_start",
                vec![
                    json!([{"id": id(9), "at_start": 1}]),
                    json!([{"id": id(9), "at_start": "true"}]),
                ],
                "send true or false",
            ),
            (
                "participated",
                vec![json!([{"id": id(9), "participated": null}])],
                "send true or false",
            ),
        ] {
            assert_refused(app, team, values, &format!("{here}/0/{member}"), says).await;
        }
    }
    assert_nothing_stored(app).await;
}

async fn a_player_who_stands_twice_without_changing_sides_is_named(app: &App) {
    for (team_b, pointer) in [
        (json!([id(1)]), "/team_b/0"),
        (json!([id(2), "[U:1:2]"]), "/team_b/1"),
        (json!([id(2), "STEAM_0:1:0"]), "/team_b/1"),
        (
            json!([id(2), {"id": id(1), "participated": false}]),
            "/team_b/1",
        ),
        (
            json!([id(2), {"id": id(1), "at_start": false}]),
            "/team_b/1",
        ),
        (
            json!([{"id": id(2), "participated": false}, {"id": id(2), "at_start": false}]),
            "/team_b/1",
        ),
    ] {
        assert_refused(app, "team_b", vec![team_b], pointer, "is listed twice").await;
    }
    assert_nothing_stored(app).await;
}

async fn all_wrong_lists_are_named_at_once(app: &App) {
    let late = json!([{"id": id(1), "at_start": false}]);
    let body = with(good(), json!({"team_a": [], "team_b": late}));
    let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a", "/team_b"]);
    let body = with(good(), json!({"team_a": ids([1, 1, 2, 2])}));
    let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a/1", "/team_a/3", "/team_b/0"]);
    assert_nothing_stored(app).await;
}

async fn an_unknown_field_is_named_wherever_it_stands(app: &App) {
    let player = json!({"id": id(1), "participate": false});
    let path = format!("/v1/admin/players/{}", id(1));
    let scramble = json!({"server": "s", "players": []});
    for (method, path, body, field) in [
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"winer": "a"})),
            "/winer",
        ),
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"team_a": [player]})),
            "/team_a/0/participate",
        ),
        (
            Method::POST,
            "/v1/update",
            with(good(), json!({"a/b~c": 1})),
            "/a~1b~0c",
        ),
        (
            Method::POST,
            "/v1/scramble",
            with(scramble.clone(), json!({"pol": "arena"})),
            "/pol",
        ),
        (
            Method::POST,
            "/v1/scramble",
            with(
                scramble,
                json!({"current": {"a": [], "b": [], "spectators": []}}),
            ),
            "/current/spectators",
        ),
        (
            Method::PUT,
            &path,
            json!({"rating": 1500, "rounds": 5}),
            "/rounds",
        ),
        (
            Method::POST,
            &format!("{path}/reset"),
            json!({"rating": 1500}),
            "/rating",
        ),
    ] {
        let (_, problem) = refused(app.admin(method, path).json(&body), 422).await;
        assert_eq!(fields(&problem), [field], "{body} to {path}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        assert!(
            detail.contains("is not a field here"),
            "{body} to {path}: {problem}"
        );
    }
    assert_nothing_stored(app).await;
}
