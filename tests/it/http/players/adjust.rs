//! `/v1/admin/players/{id}`: reading, setting and resetting.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_like, assert_nothing_stored, id, round, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    somebody_unknown_is_looked_into_as_a_new_player_and_is_not_kept,
    the_last_ten_rounds_are_told_the_latest_first,
    a_set_changes_the_rating_and_nothing_else,
    a_set_takes_the_floor_to_10000_and_nothing_beyond,
    a_set_makes_an_unknown_player_known,
    a_reason_is_words_or_left_out,
    a_change_that_is_named_is_made_once_however_often_it_is_sent,
    a_reset_makes_a_player_as_new_with_a_body_and_without,
);

fn path(n: u64) -> String {
    format!("/v1/admin/players/{}", id(n))
}

async fn set(app: &App, path: &str, body: &Value) -> Value {
    let (status, answer) = send(app.admin(Method::PUT, path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

fn new_player(n: u64, pool: &str) -> Value {
    json!({
        "id": id(n), "pool": pool, "rating": 1000, "visible": false, "rounds": 0, "stale": false,
        "placing_rounds": 0, "uncertainty": null, "name": null, "alias": null, "forgotten": false, "id_hidden": false,
        "last_played": null, "convergence": 1.0, "k": 72.0,
        "window": {"n": 0, "velocity": 0.0, "win_rate_excess": 0.0, "volatility": 0.0},
        "last_rounds": [], "last_change": null,
    })
}

async fn somebody_unknown_is_looked_into_as_a_new_player_and_is_not_kept(app: &App) {
    assert_eq!(app.get(&path(1)).await, new_player(1, "default"));
    let in_arena = app.get(&format!("{}?pool=arena", path(1))).await;
    assert_eq!(in_arena, new_player(1, "arena"));
    assert_nothing_stored(app).await;
}

async fn the_last_ten_rounds_are_told_the_latest_first(app: &App) {
    for number in 1..=12 {
        let sent = round("s", &number.to_string(), "draw", &[1], &[number + 1]);
        app.counted(&sent).await;
    }
    let player = app.get(&path(1)).await;
    let rounds = player["last_rounds"].as_array().expect("rounds");
    let names: Vec<_> = rounds.iter().map(|round| &round["round_id"]).collect();
    let expected = ["12", "11", "10", "9", "8", "7", "6", "5", "4", "3"];
    assert_eq!(names, expected);
    assert_eq!(player["window"]["n"], 12);
}

async fn a_set_changes_the_rating_and_nothing_else(app: &App) {
    app.counted(&round("s", "1", "a", &[1, 2], &[3])).await;
    app.counted(&round("s", "2", "b", &[1, 2], &[3])).await;
    let before = app.get(&path(1)).await;
    let answer = set(app, &path(1), &json!({"rating": 1400, "reason": "won it"})).await;
    // K depends on the rating: 2 + 70 C exp(-1/2).
    let convergence = before["convergence"].as_f64().expect("a number");
    let k = 2.0 + 70.0 * convergence * (-0.5_f64).exp();
    let change = json!({
        "change": "set", "rating": 1400, "change_id": answer["last_change"]["change_id"],
        "reason": "won it", "at": "2026-11-20T12:00:00Z",
    });
    let expected = json!({"rating": 1400, "k": k, "last_change": change});
    assert_like(&answer, &with(before, expected));
    assert_eq!(app.get(&path(1)).await, answer);
    let next = app.counted(&round("s", "3", "a", &[1], &[4])).await;
    assert_has(&next["players"][0], &json!({"before": 1400, "rounds": 3}));
}

async fn a_set_takes_the_floor_to_10000_and_nothing_beyond(app: &App) {
    for rating in [
        json!(99),
        json!(-1),
        json!(10_001),
        json!(i32::MAX),
        json!(1500.5),
        json!("1500"),
        json!(null),
        json!(2_147_483_648_u32),
    ] {
        let request = app.admin(Method::PUT, &path(1));
        let (_, problem) = refused(request.json(&json!({"rating": rating})), 422).await;
        assert_eq!(fields(&problem), ["/rating"], "{rating}");
        let detail = problem["detail"].as_str().unwrap_or_default();
        let says = "send a number from 100 to 10000";
        let is_whole = rating.as_i64().is_some_and(|n| i32::try_from(n).is_ok());
        assert!(!is_whole || detail.contains(says), "{problem}");
        assert!(!detail.contains("i64"), "{problem}");
    }
    let request = app.admin(Method::PUT, &path(1)).json(&json!({}));
    let (_, problem) = refused(request, 422).await;
    assert_eq!(fields(&problem), ["/rating"]);
    assert_nothing_stored(app).await;
    for rating in [100, 10_000] {
        let answer = set(app, &path(1), &json!({"rating": rating})).await;
        assert_eq!(answer["rating"], rating);
    }
}

async fn a_set_makes_an_unknown_player_known(app: &App) {
    let answer = set(app, &path(1), &json!({"rating": 1400})).await;
    let k = 2.0 + 70.0 * (-0.5_f64).exp();
    let expected = json!({"rating": 1400, "k": k, "last_change": answer["last_change"]});
    assert_like(&answer, &with(new_player(1, "default"), expected));
    let players = json!({"total": 1, "hidden": 1, "visible": 0, "stale": 0});
    let quality = app.get("/v1/admin/quality").await;
    assert_has(&quality, &json!({"players": players, "rounds": 0}));
    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    assert_has(&player, &json!({"rating": 1400, "last_played": null}));
}

async fn a_reason_is_words_or_left_out(app: &App) {
    let long = "r".repeat(501);
    for reason in [json!(""), json!("a\nb"), json!(long), json!(5)] {
        let body = json!({"rating": 1500, "reason": reason});
        let (_, problem) = refused(app.admin(Method::PUT, &path(1)).json(&body), 422).await;
        assert_eq!(fields(&problem), ["/reason"], "{reason}");
        let request = app.admin(Method::POST, &format!("{}/reset", path(1)));
        let (_, problem) = refused(request.json(&json!({"reason": reason})), 422).await;
        assert_eq!(fields(&problem), ["/reason"], "{reason}");
    }
    assert_nothing_stored(app).await;
    for reason in [json!(null), json!("x"), json!("é\u{10ffff}".repeat(250))] {
        set(app, &path(1), &json!({"rating": 1500, "reason": reason})).await;
    }
}

async fn a_change_that_is_named_is_made_once_however_often_it_is_sent(app: &App) {
    let named = json!({"rating": 1500, "change_id": "bet:1"});
    assert_eq!(set(app, &path(1), &named).await["rating"], 1500);
    set(app, &path(1), &json!({"rating": 1600})).await;
    let again = set(app, &path(1), &named).await;
    assert_eq!(again["rating"], 1600, "what came after it stands");
    let other = with(named.clone(), json!({"rating": 1501}));
    let elsewhere = format!("{}?pool=arena", path(1));
    for (path, body) in [(path(1), &other), (path(2), &named), (elsewhere, &named)] {
        let (_, problem) = refused(app.admin(Method::PUT, &path).json(body), 409).await;
        let detail = problem["detail"].as_str().expect("a detail");
        assert!(detail.contains("change_id"), "{detail}");
    }
    let reset = || app.admin(Method::POST, &format!("{}/reset", path(1)));
    let named = json!({"change_id": "r1"});
    assert_eq!(send(reset().json(&named)).await.1["rating"], 1000);
    set(app, &path(1), &json!({"rating": 1700})).await;
    assert_eq!(send(reset().json(&named)).await.1["rating"], 1700);
    for wrong in ["", "a b", &"x".repeat(65)] {
        let wrong = reset().json(&json!({"change_id": wrong}));
        let (_, problem) = refused(wrong, 422).await;
        assert_eq!(fields(&problem), ["/change_id"], "{problem}");
    }
}

async fn a_reset_makes_a_player_as_new_with_a_body_and_without(app: &App) {
    for (n, rounds, body) in [
        (1, 3, None),
        (2, 3, Some(json!({}))),
        (3, 3, Some(json!({"reason": "shared the account"}))),
        (4, 0, None),
    ] {
        for number in 0..rounds {
            let name = format!("{n}:{number}");
            app.counted(&round("s", &name, "a", &[n], &[100])).await;
        }
        let request = app.admin(Method::POST, &format!("{}/reset", path(n)));
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let (status, answer) = send(request).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        assert_eq!(answer["last_change"]["change"], "reset");
        let change = json!({"last_change": answer["last_change"]});
        let expected = with(new_player(n, "default"), change);
        assert_eq!(answer, expected, "{body:?}");
        assert_eq!(app.get(&path(n)).await, answer);
        let player = app.get(&format!("/v1/players/{}", id(n))).await;
        let new = json!({"rating": 1000, "visible": false, "rounds": 0, "last_played": null});
        assert_has(&player, &new);
    }
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 9, "the rounds stay counted");
}
