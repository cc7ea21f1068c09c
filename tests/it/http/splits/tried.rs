//! `POST /v1/admin/scramble`, which stores nothing, and `GET /v1/admin/rounds/{server}/{round_id}/scramble`.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{id, round, with};
use crate::support::{App, refused, send};

on_both_databases!(
    what_is_tried_is_what_would_be_answered_and_is_kept_nowhere,
    a_round_has_the_table_that_was_computed_before_it,
);

fn lobby(server: &str) -> Value {
    let players: Vec<String> = (1..=6).map(id).collect();
    json!({"server": server, "players": players, "parties": [[id(1), id(2)]]})
}

async fn what_is_tried_is_what_would_be_answered_and_is_kept_nowhere(app: &App) {
    app.counted(&round("s", "1", "a", &[1, 2], &[3, 4])).await;
    let tried = app.admin(Method::POST, "/v1/admin/scramble");
    let (status, mut tried) = send(tried.json(&lobby("s"))).await;
    assert_eq!(status, 200, "{tried}");
    assert_eq!(tried["splits"].as_array().map(Vec::len), Some(2));
    refused(app.admin(Method::GET, "/v1/scramble?server=s"), 404).await;
    let before = app.get("/v1/admin/rounds/s/1/scramble").await;
    assert_eq!(before, json!({"table": null}));
    let asked = app.admin(Method::POST, "/v1/scramble").json(&lobby("s"));
    let (_, mut asked) = send(asked).await;
    asked.as_object_mut().expect("an object").remove("notices");
    for table in [&mut tried, &mut asked] {
        table["computed_at"] = Value::Null;
    }
    assert_eq!(tried, asked);
    let by_server = app.request(Method::POST, "/v1/admin/scramble");
    refused(by_server.json(&lobby("s")), 403).await;
    let wrong = with(lobby("s"), json!({"sizes": []}));
    let wrong = app.admin(Method::POST, "/v1/admin/scramble").json(&wrong);
    refused(wrong, 422).await;
}

async fn a_round_has_the_table_that_was_computed_before_it(app: &App) {
    let path = |name: &str| format!("/v1/admin/rounds/s/{name}/scramble");
    let wait = |minutes: u64| {
        let now = app.clock.now().later(Duration::from_secs(60 * minutes));
        app.clock.set(now);
    };
    let play = async |name: &str| {
        let played = round("s", name, "a", &[1, 2, 3], &[4, 5, 6]);
        app.counted(&played).await;
    };
    play("1").await;
    wait(1);
    let asked = app.admin(Method::POST, "/v1/scramble").json(&lobby("s"));
    let (_, first) = send(asked).await;
    let (_, other) = send(app.admin(Method::POST, "/v1/scramble").json(&lobby("t"))).await;
    assert_eq!(other["server"], "t");
    wait(10);
    play("2").await;
    wait(10);
    play("3").await;
    wait(1);
    let (_, later) = send(app.admin(Method::POST, "/v1/scramble").json(&lobby("s"))).await;
    assert_ne!(later["computed_at"], first["computed_at"]);
    let of_second = app.get(&path("2")).await["table"].take();
    for key in ["computed_at", "splits", "server", "pool", "eligible"] {
        assert_eq!(of_second[key], first[key], "{key}");
    }
    assert_eq!(of_second["age"], 21 * 60);
    assert_eq!(of_second["ratings_changed"], Value::Null);
    for name in ["1", "3"] {
        assert_eq!(app.get(&path(name)).await, json!({"table": null}), "{name}");
    }
    refused(app.admin(Method::GET, &path("unknown")), 404).await;
    wait(4 * 60);
    play("4").await;
    assert_eq!(app.get(&path("4")).await, json!({"table": null}));
}
