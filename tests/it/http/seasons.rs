//! `/v1/admin/seasons`: start, list and undo.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::{id, round, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    a_season_is_started_listed_and_undone,
    a_start_is_refused_with_the_field_that_is_wrong,
    a_pool_has_seasons_of_its_own,
    players_are_placed_after_the_rounds_of_calibration,
    the_standings_of_a_season_that_ended_stay,
    a_season_is_tried,
);

const PATH: &str = "/v1/admin/seasons";

async fn start(app: &App, query: &str, body: &Value) -> Value {
    let path = format!("{PATH}{query}");
    let (status, answer) = send(app.admin(Method::POST, &path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

fn before_the_first(ended_at: &Value, players: &Value) -> Value {
    json!({
        "number": 0, "name": null, "keep": null, "calibration": null, "started_at": null, "ended_at": ended_at,
        "players": players, "ranked": if players.is_null() { Value::Null } else { json!(0) }, "reason": null,
        "change_id": null,
    })
}

async fn a_season_is_started_listed_and_undone(app: &App) {
    let seasons = app.get(PATH).await;
    let first = before_the_first(&Value::Null, &Value::Null);
    assert_eq!(seasons, json!({"pool": "default", "seasons": [first]}));
    app.counted(&round("s", "1", "a", &[1, 2], &[3, 4])).await;
    let rating = async |n| app.get(&format!("/v1/players/{}", id(n))).await["rating"].clone();
    assert_eq!(rating(1).await, 1036);
    let body =
        json!({"name": "Winter 2027", "keep": 0.25, "reason": "a new year", "change_id": "w"});
    let answer = start(app, "", &body).await;
    let now = answer["seasons"][0]["started_at"].clone();
    assert!(now.is_string(), "{answer}");
    let winter = json!({
        "number": 1, "name": "Winter 2027", "keep": 0.25, "calibration": 10, "started_at": now, "ended_at": null,
        "players": null, "ranked": null, "reason": "a new year", "change_id": "w",
    });
    let first = before_the_first(&now, &json!(4));
    assert_eq!(answer["seasons"], json!([winter, first]));
    assert_eq!(app.get(PATH).await, answer);
    assert_eq!(
        (rating(1).await, rating(3).await),
        (json!(1009), json!(991))
    );
    assert_eq!(start(app, "", &body).await, answer);
    assert_eq!(rating(1).await, 1009);
    let audit = app.get("/v1/admin/audit?limit=1").await;
    assert_eq!(audit["entries"][0]["action"], "season");
    assert_eq!(audit["entries"][0]["after"]["season"], "Winter 2027");
    let undone = start(app, "/undo", &json!({"undoes": "w"})).await;
    assert_eq!(
        undone["seasons"].as_array().map(Vec::len),
        Some(1),
        "{undone}"
    );
    assert_eq!(rating(1).await, 1036);
    let audit = app.get("/v1/admin/audit?limit=2").await;
    let entries = audit["entries"].as_array().expect("a list");
    assert!(
        entries.iter().any(|entry| entry["action"] == "undo_season"),
        "{audit}"
    );
}

async fn a_start_is_refused_with_the_field_that_is_wrong(app: &App) {
    let body = json!({"name": "Winter", "keep": 0.5});
    for (wrong, field) in [
        (json!({"keep": 1.5}), "/keep"),
        (json!({"keep": 0.5001}), "/keep"),
        (json!({"name": ""}), "/name"),
        (json!({"name": "n".repeat(41)}), "/name"),
        (json!({"calibration": 501}), "/calibration"),
    ] {
        let body = with(body.clone(), wrong);
        let (_, answer) = refused(app.admin(Method::POST, PATH).json(&body), 422).await;
        assert_eq!(fields(&answer), [field], "{body}");
    }
    start(app, "", &body).await;
    refused(app.admin(Method::POST, PATH).json(&body), 409).await;
    let unknown = json!({"undoes": "nothing"});
    let undo = app
        .admin(Method::POST, &format!("{PATH}/undo"))
        .json(&unknown);
    refused(undo, 404).await;
}

async fn a_pool_has_seasons_of_its_own(app: &App) {
    let body = json!({"name": "Winter", "keep": 0.5, "change_id": "w"});
    let answer = start(app, "?pool=arena", &body).await;
    assert_eq!(answer["pool"], "arena");
    assert_eq!(
        app.get(PATH).await["seasons"].as_array().map(Vec::len),
        Some(1)
    );
    let undo = json!({"undoes": "w"});
    let undo = app.admin(Method::POST, &format!("{PATH}/undo")).json(&undo);
    refused(undo, 404).await;
}

async fn win(app: &App, number: u32) {
    app.counted(&round(
        "arena-1",
        &number.to_string(),
        "a",
        &[1, 2],
        &[3, 4],
    ))
    .await;
}

async fn players_are_placed_after_the_rounds_of_calibration(app: &App) {
    let left = async |n: u64| {
        let player = app.get(&format!("/v1/players/{}?pool=arena", id(n))).await;
        let body = json!({"server": "arena-1", "players": [id(n)]});
        let (_, cards) = send(app.request(Method::POST, "/v1/players").json(&body)).await;
        assert_eq!(
            cards["players"][0]["placing_rounds"],
            player["placing_rounds"]
        );
        // Advances the clock past the cached table of players.
        let earlier = app.clock.now().earlier(Duration::from_millis(1));
        app.clock.set(earlier);
        let path = format!("/v1/admin/players?pool=arena&search={}", id(n));
        let list = app.get(&path).await;
        if let Some(listed) = list["players"].get(0) {
            assert_eq!(listed["placing_rounds"], player["placing_rounds"]);
        }
        player["placing_rounds"].clone()
    };
    win(app, 1).await;
    assert_eq!(left(1).await, 0, "no season has started");
    let body = json!({"name": "Winter", "keep": 1, "calibration": 2, "change_id": "w"});
    start(app, "?pool=arena", &body).await;
    assert_eq!((left(1).await, left(9).await), (json!(2), json!(2)));
    win(app, 2).await;
    assert_eq!((left(1).await, left(9).await), (json!(1), json!(2)));
    win(app, 3).await;
    assert_eq!(left(1).await, 0);
    start(app, "/undo?pool=arena", &json!({"undoes": "w"})).await;
    assert_eq!(left(9).await, 0);
}

async fn a_season_is_tried(app: &App) {
    let tried = async |keep: f64| {
        let path = format!("{PATH}/trial?pool=arena");
        let request = app.admin(Method::POST, &path).json(&json!({"keep": keep}));
        let (status, answer) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer
    };
    let none = tried(0.5).await;
    let nobody = json!({"players": 0, "points": 0, "largest": []});
    assert_eq!(none["moved"], nobody);
    assert_eq!(none["predictions"], Value::Null, "no round was played");
    for number in 1..=4 {
        win(app, number).await;
    }
    let seasons = app.get("/v1/admin/seasons?pool=arena").await;
    let board = app.get("/v1/leaderboard?pool=arena").await;
    let trial = tried(0.0).await;
    assert_eq!(trial["moved"]["players"], 4);
    let best = &board["players"][0];
    let largest = trial["moved"]["largest"].as_array().expect("ratings");
    let moved = largest.iter().find(|moved| moved["id"] == best["id"]);
    let moved = moved.expect("the best player");
    assert_eq!(
        (&moved["before"], &moved["after"]),
        (&best["rating"], &json!(1000))
    );
    let predictions = &trial["predictions"];
    assert_eq!(
        (&predictions["rounds"], &predictions["gain"]),
        (&json!(4), &json!(0.0)),
        "{predictions}"
    );
    assert_eq!(app.get("/v1/admin/seasons?pool=arena").await, seasons);

    let body = json!({"name": "Winter", "keep": 0.5});
    let started = start(app, "?pool=arena", &body).await;
    win(app, 5).await;
    let all = tried(1.0).await["predictions"].clone();
    assert_eq!(all["started_at"], started["seasons"][0]["started_at"]);
    assert_eq!((&all["rounds"], &all["gain"]), (&json!(1), &json!(0.0)));
    let half = tried(0.5).await["predictions"].clone();
    assert_eq!(half["log_loss"], all["log_loss"]);
    assert!(half["gain"].as_f64().expect("a number") < 0.0, "{half}");
    let wrong = app.admin(Method::POST, &format!("{PATH}/trial"));
    let (_, problem) = refused(wrong.json(&json!({"keep": 2})), 422).await;
    assert_eq!(fields(&problem), ["/keep"]);
}

async fn the_standings_of_a_season_that_ended_stay(app: &App) {
    for number in 1..=4 {
        win(app, number).await;
    }
    let board = async |query: &str| app.get(&format!("/v1/leaderboard?pool=arena{query}")).await;
    let before = board("").await;
    assert_eq!(
        (&before["season"], &before["ranked"]),
        (&json!(0), &json!(4)),
        "{before}"
    );
    let body = json!({"name": "Winter", "keep": 0, "calibration": 1});
    start(app, "?pool=arena", &body).await;
    win(app, 5).await;
    let now = board("").await;
    assert_eq!(
        (&now["season"], &now["season_name"]),
        (&json!(1), &json!("Winter"))
    );
    assert_ne!(now["players"], before["players"]);
    let past = board("&season=0").await;
    assert_eq!(
        (&past["season"], &past["season_name"]),
        (&json!(0), &Value::Null)
    );
    let figures = |board: &Value| -> Vec<Value> {
        let players = board["players"].as_array().expect("a list").iter();
        let figure = |player: &Value| {
            json!([
                player["rank"],
                player["id"],
                player["rating"],
                player["rounds"]
            ])
        };
        players.map(figure).collect()
    };
    assert_eq!(figures(&past), figures(&before));
    assert_eq!(past["players"][0]["change_30_days"], Value::Null);
    let mut pages = Vec::new();
    let mut after = String::new();
    loop {
        let page = board(&format!("&season=0&limit=1{after}")).await;
        pages.extend(figures(&page));
        let Some(next) = page["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    assert_eq!(pages, figures(&before));
    let unknown = app.admin(Method::GET, "/v1/leaderboard?pool=arena&season=2");
    refused(unknown, 404).await;
    let profile = app
        .get(&format!("/v1/players/{}/profile?pool=arena", id(1)))
        .await;
    let season = &profile["seasons"][0];
    assert_eq!(
        (&season["number"], &season["rounds"]),
        (&json!(0), &json!(4)),
        "{season}"
    );
    assert_eq!(season["rating"], before["players"][0]["rating"]);
    assert_eq!(profile["seasons"].as_array().map(Vec::len), Some(1));

    let history = async |query: &str| {
        let path = format!("/v1/admin/players/{}/history?pool=arena{query}", id(1));
        let answer = app.get(&path).await;
        let points = answer["points"].as_array().expect("a list").iter();
        points
            .map(|point| point["change"].clone())
            .collect::<Vec<_>>()
    };
    let all = ["round", "round", "round", "round", "season", "round"];
    assert_eq!(history("").await, all);
    assert_eq!(history("&season=0").await, all[..4]);
    assert_eq!(history("&season=1").await, all[5..]);
    let players = app.get("/v1/admin/players?pool=arena").await;
    let first = players["players"]
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["id"] == id(1));
    let first = first.expect("the player");
    let rating = first["rating"].as_i64().expect("a rating");
    assert_eq!(first["change_30_days"], rating - 1000, "{first}");
}
