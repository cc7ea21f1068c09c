//! Invalid fields of a round: each is named, and nothing is stored.

use reqwest::Method;
use serde_json::{Value, json};

use super::errors::{good, post};
use crate::http::{assert_nothing_stored, id, ids, with};
use crate::support::{App, fields, refused, refused_saying};

same_on_both_databases!(
    each_name_time_and_word_that_is_not_acceptable_is_named,
    each_team_that_is_not_acceptable_is_named,
    a_player_who_stands_twice_without_changing_sides_is_named,
    an_unknown_field_is_named_wherever_it_stands,
);

/// Sends a valid round with `member` as each of `values`. The refusal must name `pointer` and contain `says`.
async fn assert_refused(app: &App, member: &str, values: &Value, pointer: &str, says: &str) {
    for value in values.as_array().expect("a list") {
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
    let lengths = json!(["", "x".repeat(65)]);
    let times = json!([
        "yesterday",
        "2026-11-20 12:00",
        "2026-11-20T12:00:00",
        "1795176000",
        1.5,
        1e300,
        true,
        {},
    ]);
    let seconds = json!([u64::MAX, i64::MIN, 253_402_300_800_u64]);
    let winners = json!(["c", "A", "", 1, null, ["a"], {"a": null}]);
    let round_ids = json!(["a\nb", "a b", "a\u{0}b", "ä"]);
    let servers = json!(["a:b", "a\u{0}", "a\n", "ä"]);
    for (member, values, says) in [
        ("round_id", &lengths, "1 to 64"),
        ("round_id", &round_ids, "visible ASCII"),
        ("round_id", &json!([17, null, {}]), "send a string"),
        ("server", &lengths, "1 to 64"),
        ("server", &servers, "letters"),
        ("server", &json!([5, null]), "send a string"),
        ("map", &lengths, "1 to 64"),
        ("map", &json!(["a\u{0}b", "a\nb"]), "control"),
        ("map", &json!([5, ["m"]]), "send a string"),
        ("pool", &lengths, "1 to 64"),
        ("pool", &json!(["no/pool", "a\u{0}"]), "letters"),
        ("ended_at", &times, "RFC 3339"),
        ("ended_at", &seconds, "unix seconds"),
        ("winner", &winners, "\"a\", \"b\" or \"draw\""),
    ] {
        assert_refused(app, member, values, &format!("/{member}"), says).await;
    }
    assert_nothing_stored(app).await;
}

async fn each_team_that_is_not_acceptable_is_named(app: &App) {
    let crowd = ids(10..75);
    let nine = |members: Value| json!([with(json!({"id": id(9)}), members)]);
    let late = nine(json!({"at_start": false}));
    let stranger = nine(json!({"at_start": false, "participated": false}));
    let odd_starts = json!([
        nine(json!({"at_start": 1})),
        nine(json!({"at_start": "true"}))
    ]);
    let odd_parts = json!([nine(json!({"participated": null}))]);
    for team in ["team_a", "team_b"] {
        for (place, values, says) in [
            ("", json!([[]]), "has 0 players; send 1 to 64 players"),
            ("", json!([crowd]), "has 65 players; send 1 to 64 players"),
            ("", json!([{}, id(1), null]), "send a list"),
            ("", json!([late, stranger]), "no player who was on the team"),
            (
                "/0/id",
                json!([[{"at_start": true}], [{}]]),
                "is missing; send it",
            ),
            ("/0/at_start", odd_starts.clone(), "send true or false"),
            ("/0/participated", odd_parts.clone(), "send true or false"),
        ] {
            assert_refused(app, team, &values, &format!("/{team}{place}"), says).await;
        }
    }
    assert_nothing_stored(app).await;
}

async fn a_player_who_stands_twice_without_changing_sides_is_named(app: &App) {
    let second = json!([
        [id(2), "[U:1:2]"],
        [id(2), "STEAM_0:1:0"],
        [id(2), {"id": id(1), "participated": false}],
        [id(2), {"id": id(1), "at_start": false}],
        [{"id": id(2), "participated": false}, {"id": id(2), "at_start": false}],
    ]);
    for (values, pointer) in [(json!([[id(1)]]), "/team_b/0"), (second, "/team_b/1")] {
        assert_refused(app, "team_b", &values, pointer, "is listed twice").await;
    }
    let body = with(good(), json!({"team_a": ids([1, 1, 2, 2])}));
    let (_, problem) = refused(post(app, "/v1/update", body.to_string()), 422).await;
    assert_eq!(fields(&problem), ["/team_a/1", "/team_a/3", "/team_b/0"]);
    assert_nothing_stored(app).await;
}

async fn an_unknown_field_is_named_wherever_it_stands(app: &App) {
    let path = format!("/v1/admin/players/{}", id(1));
    let reset = app.admin(Method::POST, &format!("{path}/reset"));
    let request = |path: &str, body: Value, more: Value| {
        app.admin(Method::POST, path).json(&with(body, more))
    };
    let update = |more| request("/v1/update", good(), more);
    let lobby = json!({"server": "s", "players": []});
    let scramble = |more| request("/v1/scramble", lobby.clone(), more);
    let player = json!({"id": id(1), "participate": false});
    let current = json!({"a": [], "b": [], "spectators": []});
    let set = json!({"rating": 1500, "rounds": 5});
    for (request, field) in [
        (update(json!({"winer": "a"})), "/winer"),
        (update(json!({"team_a": [player]})), "/team_a/0/participate"),
        (update(json!({"a/b~c": 1})), "/a~1b~0c"),
        (scramble(json!({"pol": "arena"})), "/pol"),
        (scramble(json!({"current": current})), "/current/spectators"),
        (app.admin(Method::PUT, &path).json(&set), "/rounds"),
        (reset.json(&json!({"rating": 1500})), "/rating"),
    ] {
        let problem = refused_saying(request, 422, "is not a field here").await;
        assert_eq!(fields(&problem), [field]);
    }
    assert_nothing_stored(app).await;
}
