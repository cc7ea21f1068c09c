use std::collections::BTreeMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, ids, round, with};
use crate::support::{ADMIN_SECRET, App, Instance, SECRET, refused, send, settings_from};

on_both_databases!(
    players_are_answered_in_the_order_sent_and_nobody_is_kept,
    ranks_and_divisions_are_those_of_the_leaderboard,
    too_many_players_or_one_twice_are_refused,
);

async fn look_up(app: &App, address: &str, body: &Value) -> Value {
    let request = app.request_to(address, Method::POST, "/v1/players");
    let (status, answer) = send(request.json(body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn players_are_answered_in_the_order_sent_and_nobody_is_kept(app: &App) {
    let address = &app.first.address;
    let new = |n: u64| {
        json!({"id": id(n), "name": null, "rating": 1000, "visible": false, "rounds": 0,
               "rounds_until_visible": 3, "placing_rounds": 0, "rank": null, "division": null})
    };
    let sent = json!({"server": "arena-1",
                      "players": ["[U:1:2]", {"id": id(1), "party": "x", "waited": 3}]});
    assert_eq!(
        look_up(app, address, &sent).await,
        json!({"server": "arena-1", "pool": "arena", "players": [new(2), new(1)]})
    );
    let nobody = json!({"server": "s", "players": []});
    let found = look_up(app, address, &nobody).await;
    assert_eq!(found, with(nobody, json!({"pool": "default"})));
    assert_nothing_stored(app).await;
    app.counted(&round("arena-1", "1", "a", &[1], &[3])).await;
    let found = look_up(app, address, &sent).await;
    assert_eq!(found["players"][0], new(2));
    let known = json!({"rounds": 1, "rounds_until_visible": 2, "rating": 1036});
    assert_has(&found["players"][1], &known);
}

async fn ranks_and_divisions_are_those_of_the_leaderboard(app: &App) {
    let divisions = "[leaderboard]\ndivisions = [{name = \"Gold\", from_percentile = 60}, \
                     {name = \"Silver\", from_percentile = 20}]";
    let secrets = [
        ("RBS_SECRET", Some(SECRET)),
        ("RBS_ADMIN_SECRET", Some(ADMIN_SECRET)),
    ];
    let settings = settings_from(app.settings.database.clone(), divisions, &secrets);
    let instance = Instance::start(&settings, app.clock.clone()).await;
    // Two pairs of equals, a hidden player, and a stale player.
    for number in 0..3 {
        let name = number.to_string();
        app.counted(&round("arena-1", &name, "a", &[1, 2], &[3, 4]))
            .await;
    }
    let mut old = round("arena-1", "old", "draw", &[5], &[6]);
    old["ended_at"] = json!("2026-09-01T12:00:00Z");
    for number in 0..3 {
        old["round_id"] = json!(format!("old-{number}"));
        app.counted(&old).await;
    }
    app.counted(&round("arena-1", "new", "b", &[1], &[7])).await;
    let sent = json!({"server": "arena-1", "players": ids(1..=8)});
    let found = look_up(app, &instance.address, &sent).await;
    let board = app.bare_to(&instance.address, Method::GET, "/v1/leaderboard?pool=arena");
    let (_, board) = send(board.bearer_auth(SECRET)).await;
    let listed = board["players"].as_array().expect("players").iter();
    let listed: BTreeMap<&str, &Value> = listed
        .map(|one| (one["id"].as_str().expect("an id"), one))
        .collect();
    assert_eq!(listed.len(), 4, "{board}");
    for card in found["players"].as_array().expect("players") {
        let none = json!({"rank": null, "division": null});
        let of = listed.get(card["id"].as_str().expect("an id"));
        let of = of.copied().unwrap_or(&none);
        let expected = json!({"rank": of["rank"], "division": of["division"]});
        assert_has(card, &expected);
    }
    let third = listed.values().filter(|one| one["rank"] == 3);
    assert_eq!(third.count(), 2, "{board}");
    let mut divisions = listed.values().map(|one| &one["division"]);
    assert!(divisions.any(|division| *division == "Gold"), "{board}");
    let stale = &found["players"][4];
    assert_has(stale, &json!({"visible": true, "rank": null}));
    instance.stop().await;
}

async fn too_many_players_or_one_twice_are_refused(app: &App) {
    let ask = |players: Value| {
        let body = json!({"server": "s", "players": players});
        app.request(Method::POST, "/v1/players").json(&body)
    };
    let full = json!({"server": "s", "players": ids(1..=128)});
    let most = look_up(app, &app.first.address, &full).await;
    assert_eq!(most["players"].as_array().map(Vec::len), Some(128));
    for (players, field) in [
        (json!(ids(1..=129)), "/players"),
        (json!(["[U:1:1]", "U:1:2", id(1)]), "/players/2"),
        (json!(["BOT"]), "/players/0"),
        (Value::Null, "/players"),
    ] {
        let (_, problem) = refused(ask(players), 422).await;
        assert_eq!(problem["errors"][0]["field"], field, "{problem}");
    }
}
