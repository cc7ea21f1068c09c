//! Scoreboards of rounds: mode, mutators and numbers of each player.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, ids, round, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    a_scoreboard_is_kept_as_it_was_sent_and_rates_nobody,
    numbers_that_cannot_be_are_named,
    numbers_that_the_pool_does_not_declare_are_named,
);

/// A round of the arena, which declares damage and healing.
fn with_scoreboard() -> Value {
    let stats = json!({"score": -2.5, "kills": 0, "deaths": 7, "assists": 1, "damage": 3120});
    json!({
        "round_id": "1", "server": "arena-1", "winner": "a", "mode": "Last Man Standing",
        "mutators": ["low gravity", "InstaGib", "low gravity"],
        "team_a": [{"id": id(1), "stats": stats}, {"id": id(2), "stats": {}}],
        "team_b": [{"id": id(3), "stats": {"healing": 0.1, "score": null}},
                   {"id": id(4), "at_start": false, "stats": {"score": 9}}],
    })
}

async fn a_scoreboard_is_kept_as_it_was_sent_and_rates_nobody(app: &App) {
    let counted = app.counted(&with_scoreboard()).await;
    let plain = json!({
        "round_id": "2", "server": "arena-1", "winner": "a",
        "team_a": ids([5, 6]), "team_b": [id(7), {"id": id(8), "at_start": false}],
    });
    let plain = app.counted(&plain).await;
    let rated = |answer: &Value| -> Vec<Value> {
        let players = answer["players"].as_array().expect("players").iter();
        players
            .map(|one| json!([one["delta"], one["k"], one["team"]]))
            .collect()
    };
    assert_eq!(rated(&counted), rated(&plain));

    let kept = app.get("/v1/admin/rounds/arena-1/1").await;
    let sent = with_scoreboard();
    let healer = json!({"id": id(3), "stats": {"healing": 0.1}});
    let expected = json!({
        "mode": sent["mode"], "mutators": ["InstaGib", "low gravity"],
        "team_a": [sent["team_a"][0], id(2)], "team_b": [healer, sent["team_b"][1]],
    });
    assert_has(&kept, &expected);
    let listed = app.get("/v1/admin/rounds?pool=arena").await;
    let listed = listed["rounds"].as_array().expect("rounds");
    let modes: Vec<&Value> = listed.iter().map(|round| &round["mode"]).collect();
    assert_eq!(modes, [&Value::Null, &sent["mode"]]);
    assert_eq!(listed[0]["mutators"], json!([]));
}

async fn numbers_that_cannot_be_are_named(app: &App) {
    let changed = json!({"id": id(1), "participated": false, "stats": {"score": 1}});
    let again = json!({"id": id(1), "at_start": false, "stats": {"score": 1}});
    let twice = json!({"team_a": [changed, id(3)], "team_b": [id(2), again]});
    let first = |stats: Value| json!({"team_a": [{"id": id(1), "stats": stats}]});
    let kills = "/team_a/0/stats/kills";
    for (members, field, expected) in [
        (first(json!({"kills": -1})), kills, "from 0 to 1000000"),
        (first(json!([9])), "/team_a/0/stats", "send an object"),
        (twice, "/team_b/1/stats", "once"),
        (json!({"mode": ""}), "/mode", "must be 1 to 64"),
        (json!({"mutators": ["a", "\n"]}), "/mutators/1", "U+000A"),
    ] {
        let request = app.request(Method::POST, "/v1/update");
        let round = with(round("arena-1", "1", "a", &[1], &[2]), members);
        let (_, problem) = refused(request.json(&round), 422).await;
        assert_eq!(fields(&problem), [field], "{problem}");
        let detail = problem["errors"][0]["detail"].as_str().expect("a detail");
        assert!(detail.contains(expected), "{detail}");
    }
    assert_nothing_stored(app).await;
}

async fn numbers_that_the_pool_does_not_declare_are_named(app: &App) {
    let elsewhere = with(with_scoreboard(), json!({"pool": "default"}));
    let request = app.request(Method::POST, "/v1/update").json(&elsewhere);
    let (_, problem) = refused(request, 422).await;
    assert_eq!(
        fields(&problem),
        ["/team_a/0/stats/damage", "/team_b/0/stats/healing"]
    );
    let detail = problem["errors"][0]["detail"].as_str().expect("a detail");
    let expected =
        "is not declared by the pool default, which has only score, kills, deaths and assists";
    assert!(detail.starts_with(expected), "{detail}");
    assert_nothing_stored(app).await;

    let plain = round("arena-1", "2", "b", &[5], &[6]);
    let slip = json!({"team_a": [{"id": id(1), "stats": {"damge": 1}}]});
    let slip = with(round("arena-1", "3", "b", &[5], &[6]), slip);
    let rounds = json!({"rounds": [slip, plain], "answers": "brief"});
    let request = app.request(Method::POST, "/v1/updates").json(&rounds);
    let (status, answer) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let statuses = [0, 1].map(|index| answer["answers"][index]["status"].as_u64());
    assert_eq!(statuses, [Some(422), Some(200)], "{answer}");
}
