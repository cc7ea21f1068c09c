//! Player names, which are stored from all requests and shown next to ids.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, with};
use crate::support::{App, refused, send};

on_both_databases!(
    the_last_name_that_was_sent_is_shown_wherever_the_player_is,
    a_name_is_cleaned_and_no_round_is_lost_for_one,
    a_round_that_is_sent_again_with_other_names_is_a_duplicate,
    an_alias_stands_above_the_name,
    who_is_forgotten_has_no_name_from_then_on,
    names_of_strangers_are_kept_for_some_time_and_in_some_number,
);

fn called(n: u64, name: &str) -> Value {
    json!({"id": id(n), "name": name})
}

fn named_round(round_id: &str, one: Value, other: Value) -> Value {
    with(
        round("arena-1", round_id, "a", &[1], &[2]),
        json!({"team_a": Value::Array(vec![one]), "team_b": Value::Array(vec![other])}),
    )
}

async fn details(app: &App, n: u64) -> Value {
    app.get(&format!("/v1/admin/players/{}?pool=arena", id(n)))
        .await
}

async fn change(app: &App, n: u64, what: &str, body: &Value) -> Value {
    let now = app.clock.now();
    app.clock.set(now.later(Duration::from_secs(1)));
    let path = format!("/v1/admin/players/{}/{what}?pool=arena", id(n));
    let (status, answer) = send(app.admin(Method::POST, &path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn the_last_name_that_was_sent_is_shown_wherever_the_player_is(app: &App) {
    for number in 1..=3 {
        let one = called(1, &format!("Ramona {number}"));
        app.counted(&named_round(&number.to_string(), one, json!(id(2))))
            .await;
    }
    let board = app.get("/v1/leaderboard?pool=arena").await;
    assert_has(&board["players"][0], &called(1, "Ramona 3"));
    let unnamed = json!({"name": null, "id_hidden": false});
    assert_has(&board["players"][1], &unnamed);
    let path = format!("/v1/players/{}?pool=arena", id(1));
    assert_eq!(app.get(&path).await["name"], "Ramona 3");
    assert_eq!(details(app, 1).await["alias"], Value::Null);

    let whole = app.get("/v1/admin/rounds/arena-1/1").await;
    assert_eq!(whole["players"][0]["name"], "Ramona 3");
    assert_eq!(whole["players"][1]["name"], Value::Null);
    assert_eq!(whole["unrated"], json!([]));
    let listed = app.get("/v1/admin/rounds?pool=arena&limit=1").await;
    assert_eq!(listed["rounds"][0]["largest_gain"]["name"], "Ramona 3");
    assert_eq!(listed["rounds"][0]["largest_loss"]["name"], Value::Null);

    // Names of waiting, playing and joining players are stored, and names of unrated ones.
    let lobby = |n: u64, name: &str| json!({"server": "arena-1", "players": [called(n, name)]});
    let teams = json!({"server": "arena-1", "team_a": [called(5, "Five")], "team_b": [],
                       "joining": [called(6, "Six")]});
    let placed = with(teams.clone(), json!({"joining": [called(7, "Seven")]}));
    for (path, body) in [
        ("/v1/hello", lobby(3, "Three")),
        ("/v1/players", lobby(9, "Nine")),
        ("/v1/scramble", lobby(4, "Four")),
        ("/v1/balance", teams),
        ("/v1/place", placed),
    ] {
        let (status, answer) = send(app.request(Method::POST, path).json(&body)).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
    }
    let named = [
        (3, "Three"),
        (4, "Four"),
        (5, "Five"),
        (6, "Six"),
        (7, "Seven"),
        (9, "Nine"),
    ];
    for (n, name) in named {
        assert_eq!(details(app, n).await["name"], name);
    }
    let away = json!({"id": id(8), "participated": false, "name": "Eight"});
    let body = with(
        named_round("4", json!(id(1)), json!(id(2))),
        json!({"team_b": [id(2), away]}),
    );
    app.counted(&body).await;
    let whole = app.get("/v1/admin/rounds/arena-1/4").await;
    assert_eq!(whole["unrated"], json!([{"id": id(8), "name": "Eight"}]));

    // A round that ended earlier and arrives later does not change the name.
    let mut late = named_round("late", called(1, "Long ago"), json!(id(2)));
    late["ended_at"] = json!("2026-11-01T12:00:00Z");
    app.counted(&late).await;
    assert_eq!(details(app, 1).await["name"], "Ramona 3");
    let answer = app
        .counted(&named_round("5", called(1, "Mona"), json!(id(2))))
        .await;
    assert!(!answer.to_string().contains("Mona"), "{answer}");
}

async fn a_name_is_cleaned_and_no_round_is_lost_for_one(app: &App) {
    let kept = "<b>&'\"%_\\ evil";
    for (number, sent) in [
        json!("\u{202e}  <b>&'\"%_\\\u{0007}\u{200b}  evil "),
        json!("\u{3164}\u{200d}"),
        json!(null),
    ]
    .into_iter()
    .enumerate()
    {
        let one = json!({"id": id(1), "name": sent});
        app.counted(&named_round(&number.to_string(), one, json!(id(2))))
            .await;
        assert_eq!(details(app, 1).await["name"], kept);
    }
    let body = named_round("number", json!({"id": id(1), "name": 5}), json!(id(2)));
    let (_, problem) = refused(app.request(Method::POST, "/v1/update").json(&body), 422).await;
    assert_eq!(problem["errors"][0]["field"], "/team_a/0/name");
}

async fn a_round_that_is_sent_again_with_other_names_is_a_duplicate(app: &App) {
    app.counted(&named_round("1", called(1, "Ada"), json!(id(2))))
        .await;
    let again = named_round("1", called(1, "Eve"), called(2, "Bob"));
    assert_eq!(app.counted(&again).await["duplicate"], true);
    assert_eq!(details(app, 1).await["name"], "Eve");
    assert_eq!(details(app, 2).await["name"], "Bob");
    let whole = app.get("/v1/admin/rounds/arena-1/1").await;
    let unnamed = json!({"team_a": [id(1)], "team_b": [id(2)]});
    assert_has(&whole, &unnamed);
}

async fn an_alias_stands_above_the_name(app: &App) {
    app.counted(&named_round("1", called(1, "xXx"), json!(id(2))))
        .await;
    let alias = json!({"alias": " Ada\u{200b} ", "reason": "known"});
    let answer = change(app, 1, "alias", &alias).await;
    assert_has(&answer, &json!({"name": "Ada", "alias": "Ada"}));
    app.counted(&named_round("2", called(1, "yYy"), json!(id(2))))
        .await;
    assert_eq!(details(app, 1).await["name"], "Ada");
    let audit = app.get("/v1/admin/audit?pool=arena").await;
    let expected = json!({
        "action": "alias", "reason": "known", "player": id(1), "player_name": "Ada", "after": {"has_alias": true},
    });
    assert_has(&audit["entries"][0], &expected);
    change(app, 1, "alias", &json!({"alias": "Ada"})).await;
    let answer = change(app, 1, "alias", &json!({"alias": null})).await;
    assert_has(&answer, &json!({"name": "yYy", "alias": null}));
    let audit = app.get("/v1/admin/audit?pool=arena").await;
    assert_eq!(audit["entries"].as_array().map(Vec::len), Some(2));
    let stranger = change(app, 9, "alias", &json!({"alias": "Zoe"})).await;
    assert_eq!(stranger["name"], "Zoe");
    let path = format!("/v1/admin/players/{}/alias", id(1));
    let blank = app.admin(Method::POST, &path);
    let (_, problem) = refused(blank.json(&json!({"alias": "\u{200b}"})), 422).await;
    assert_eq!(problem["errors"][0]["field"], "/alias");
    let by_server = app.request(Method::POST, &path);
    refused(by_server.json(&json!({"alias": "x"})), 403).await;
}

async fn who_is_forgotten_has_no_name_from_then_on(app: &App) {
    app.counted(&named_round("1", called(1, "Ada"), called(2, "Bob")))
        .await;
    change(app, 1, "alias", &json!({"alias": "Ada L."})).await;
    let answer = change(app, 1, "forget", &json!({"reason": "asked for it"})).await;
    let expected = json!({"name": null, "alias": null, "forgotten": true, "id_hidden": false});
    assert_has(&answer, &expected);
    app.counted(&named_round("2", called(1, "Ada"), called(2, "Bob")))
        .await;
    assert_has(&details(app, 1).await, &json!({"name": null, "rounds": 2}));
    let audit = app.get("/v1/admin/audit?pool=arena").await;
    assert_eq!(audit["entries"][0]["action"], "forget");
    assert!(!audit.to_string().contains("Ada"), "{audit}");

    let answer = change(app, 1, "forget", &json!({"hide_id": true})).await;
    assert_eq!(answer["name"], "forgotten player 1");
    let answer = change(app, 2, "forget", &json!({"hide_id": true})).await;
    assert_eq!(answer["name"], "forgotten player 2");
    app.counted(&named_round("3", called(1, "Ada"), called(2, "Bob")))
        .await;
    let board = app.get("/v1/leaderboard?pool=arena").await;
    let hidden = json!({"name": "forgotten player 1", "id_hidden": true});
    assert_has(&board["players"][0], &hidden);
    let path = format!("/v1/admin/players/{}/alias", id(1));
    let alias = app.admin(Method::POST, &path);
    let (_, problem) = refused(alias.json(&json!({"alias": "Ada"})), 422).await;
    assert!(problem.to_string().contains("forgotten"), "{problem}");

    let answer = change(app, 1, "forget", &json!({"forgotten": false})).await;
    assert_has(&answer, &json!({"name": null, "forgotten": false}));
    app.counted(&named_round("4", called(1, "Ada"), called(2, "Bob")))
        .await;
    assert_eq!(details(app, 1).await["name"], "Ada");
    assert_eq!(details(app, 2).await["name"], "forgotten player 2");
}

async fn names_of_strangers_are_kept_for_some_time_and_in_some_number(app: &App) {
    let ask = async |players: Vec<Value>| {
        let body = json!({"server": "arena-1", "players": players});
        let (status, answer) = send(app.request(Method::POST, "/v1/players").json(&body)).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
    };
    ask(vec![called(1, "One"), called(2, "Two"), called(3, "Three")]).await;
    change(app, 2, "alias", &json!({"alias": "Second"})).await;
    app.counted(&named_round("1", json!(id(1)), json!(id(4))))
        .await;
    ask(vec![called(1, "One")]).await;
    let later = |days: u64| {
        let now = app.clock.now();
        app.clock.set(now.later(Duration::from_hours(24 * days)));
    };
    later(31);
    ask(vec![called(5, "Five")]).await;
    let assert_names = async |names: &[(u64, Value)]| {
        for (n, name) in names {
            assert_eq!(details(app, *n).await["name"], *name, "{n}");
        }
    };
    let (one, second) = (json!("One"), json!("Second"));
    assert_names(&[(1, one), (2, second), (3, Value::Null), (5, json!("Five"))]).await;
    // More names than are kept, at different times.
    for hundred in 0..52 {
        app.clock.set(app.clock.now().later(Duration::from_secs(1)));
        let many = (0..100).map(|n| called(1_000 + 100 * hundred + n, "Nobody"));
        ask(many.collect()).await;
    }
    assert_names(&[
        (5, Value::Null),
        (1_000, Value::Null),
        (1_200, json!("Nobody")),
        (1, json!("One")),
        (2, json!("Second")),
    ])
    .await;
}
