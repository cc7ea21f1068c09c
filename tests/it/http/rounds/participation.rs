//! Effect of the seconds of a round and of its players on ratings.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{assert_has, assert_like, assert_nothing_stored, id, with};
use crate::support::{App, fields, refused};

on_both_databases!(
    a_part_of_a_round_weighs_less_where_the_pool_says_so,
    whoever_was_there_for_no_second_is_not_rated,
    seconds_that_cannot_be_are_named,
);

/// Half an hour: one player leaves after ten minutes, another joins for the last ten.
fn round(server: &str) -> Value {
    json!({
        "round_id": "1", "server": server, "winner": "a", "round_seconds": 1800,
        "team_a": [id(1), {"id": id(2), "seconds": 600}],
        "team_b": [id(3), {"id": id(4), "seconds": 1800},
                   {"id": id(5), "at_start": false, "seconds": 600}],
    })
}

async fn a_part_of_a_round_weighs_less_where_the_pool_says_so(app: &App) {
    // The arena's half-life is ten minutes, so the three players weigh 4, 2 and 1 of 7.
    let figures = |answer: &Value| -> Value {
        let players = answer["players"].as_array().expect("players");
        players
            .iter()
            .map(|one| json!([one["k"], one["rating"], one["rounds"]]))
            .collect()
    };
    let answer = app.counted(&round("arena-1")).await;
    assert_eq!(answer["win_probability"]["a"], 0.5, "{answer}");
    assert_like(
        &figures(&answer),
        &json!([
            [72.0, 1036, 1],
            [72.0 * 4.0 / 7.0, 1021, 1],
            [72.0, 964, 1],
            [72.0, 964, 1],
            [72.0 / 7.0, 995, 1],
        ]),
    );
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let whole_rounds = json!({"entries": 5, "k": 72.0});
    assert_has(&quality["by_rounds_played"][0], &whole_rounds);
    let answer = app.counted(&round("s")).await;
    let (won, lost) = (json!([72.0, 1036, 1]), json!([72.0, 964, 1]));
    assert_like(&figures(&answer), &json!([won, won, lost, lost, lost]));
}

async fn whoever_was_there_for_no_second_is_not_rated(app: &App) {
    for server in ["arena-1", "s"] {
        let nobody = json!({"id": id(2), "seconds": 0});
        let round = with(round(server), json!({"team_a": [id(1), nobody]}));
        let answer = app.counted(&round).await;
        assert_eq!(answer["win_probability"]["a"], 0.5, "{answer}");
        let rated: Vec<&Value> = answer["players"]
            .as_array()
            .expect("players")
            .iter()
            .map(|one| &one["id"])
            .collect();
        assert_eq!(rated, [&id(1), &id(3), &id(4), &id(5)], "{answer}");
    }
}

async fn seconds_that_cannot_be_are_named(app: &App) {
    let first = |seconds: Value| json!({"team_a": [{"id": id(1), "seconds": seconds}]});
    let unknown_length = json!({"round_seconds": null, "team_b": [id(3)]});
    for (output, field) in [
        (json!({"round_seconds": 0}), "/round_seconds"),
        (json!({"round_seconds": 86_401}), "/round_seconds"),
        (json!({"round_seconds": "long"}), "/round_seconds"),
        (unknown_length, "/team_a/1/seconds"),
        (first(json!(1801)), "/team_a/0/seconds"),
        (first(json!(-1)), "/team_a/0/seconds"),
        (first(json!(0.5)), "/team_a/0/seconds"),
    ] {
        let body = with(round("s"), output);
        let request = app.request(Method::POST, "/v1/update").json(&body);
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), [field], "{body}: {problem}");
    }
    assert_nothing_stored(app).await;
}
