//! `POST /v1/update` with a `scramble`, in one round trip at the end of a round.

use rbs::clock::Clock;
use rbs::domain::Timestamp;
use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, ids, round, with, without};
use crate::support::{App, Database, Instance, SECRET, fields, refused, send, settings};

on_both_databases!(
    a_round_can_bring_the_splits_by_its_new_ratings,
    the_splits_are_by_the_ratings_of_the_rounds_pool,
    nothing_is_counted_where_the_splits_asked_for_make_no_sense,
    a_retry_gets_fresh_splits_whatever_it_asks_for,
    a_round_that_is_refused_brings_no_splits,
    a_round_counts_where_its_splits_have_no_room,
);
on_both_engines!(a_round_counts_where_its_splits_fail);

fn with_splits(round: Value, accounts: std::ops::RangeInclusive<u64>) -> Value {
    with(round, json!({"scramble": {"players": ids(accounts)}}))
}

async fn a_round_can_bring_the_splits_by_its_new_ratings(app: &App) {
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    let answer = app.counted(&with_splits(sent, 1..=5)).await;
    assert_eq!(answer["splits_error"], Value::Null);
    assert_eq!(answer["players"][0]["rating"], 1036);
    let table = &answer["splits"];
    assert_eq!(
        without(table.clone(), "splits"),
        json!({"server": "s", "pool": "default", "by": "rating", "powers": [], "scale": null,
               "eligible": 5, "age": 0, "alternatives": [], "drawn": null, "is_probe": false, "message": null,
               "ratings_changed": false, "computed_at": "2026-11-20T12:00:00Z"})
    );
    // The winners have 1036 each, the losers 964; the others have 1000.
    let split = &table["splits"][0];
    assert_has(
        split,
        &json!({"sum_a": 2000, "sum_b": 2000, "waiting": [id(5)]}),
    );

    let body = json!({"server": "s", "players": ids(1..=5)});
    let request = app.request(Method::POST, "/v1/scramble").json(&body);
    assert_eq!(&without(send(request).await.1, "notices"), table);
    assert_eq!(&app.get("/v1/scramble?server=s").await, table);

    for none in [json!({}), json!({"scramble": null})] {
        let sent = with(round("s", "2", "b", &[1], &[3]), none);
        let answer = app.counted(&sent).await;
        assert_has(&answer, &json!({"splits": null, "splits_error": null}));
    }
    let table = app.get("/v1/scramble?server=s").await;
    assert_eq!(table["ratings_changed"], true);
}

async fn the_splits_are_by_the_ratings_of_the_rounds_pool(app: &App) {
    let sent = with(round("s", "1", "a", &[1], &[2]), json!({"pool": "arena"}));
    let table = app.counted(&with_splits(sent, 1..=4)).await["splits"].clone();
    assert_eq!(table["pool"], "arena");
    assert_eq!(table["splits"][0]["a"], json!(ids([1, 2])));
    let last = app.get("/v1/scramble?server=s").await;
    assert_eq!(last, table);
    let again = app
        .counted(&with_splits(round("s", "1", "a", &[1], &[2]), 1..=4))
        .await;
    assert_has(&again, &json!({"duplicate": true, "splits": table}));
}

async fn nothing_is_counted_where_the_splits_asked_for_make_no_sense(app: &App) {
    let sent = round("s", "1", "a", &[1], &[2]);
    let both = json!({"players": ids([1, 1]), "current": {"a": ids([2, 2]), "b": []}});
    for (scramble, named) in [
        (json!([]), &["/scramble"][..]),
        (json!({}), &["/scramble/players"]),
        (json!({"players": ["x"]}), &["/scramble/players/0"]),
        (json!({"players": [], "pool": "arena"}), &["/scramble/pool"]),
        (both, &["/scramble/players/1", "/scramble/current/a/1"]),
        (json!({"players": [], "server": "s"}), &["/scramble/server"]),
    ] {
        let sent = with(sent.clone(), json!({"scramble": scramble}));
        let request = app.request(Method::POST, "/v1/update").json(&sent);
        let (_, problem) = refused(request, 422).await;
        assert_eq!(fields(&problem), named, "{sent:.200}");
    }
    let sent = with_splits(with(sent, json!({"team_b": []})), 1..=129);
    let request = app.request(Method::POST, "/v1/update").json(&sent);
    let (_, problem) = refused(request, 422).await;
    assert_eq!(fields(&problem), ["/team_b", "/scramble/players"]);
    assert_nothing_stored(app).await;
    refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
}

async fn a_retry_gets_fresh_splits_whatever_it_asks_for(app: &App) {
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    let first = app.counted(&sent).await;
    let duplicate = with(first, json!({"duplicate": true}));
    let count_of = |answer: &Value| answer["splits"]["eligible"].clone();

    let retry = app.counted(&with_splits(sent.clone(), 1..=4)).await;
    assert_eq!(count_of(&retry), 4);
    assert_eq!(with(retry.clone(), json!({"splits": null})), duplicate);
    let other = app.counted(&with_splits(sent.clone(), 1..=6)).await;
    assert_eq!(count_of(&other), 6);
    assert_eq!(app.counted(&sent).await, duplicate);

    app.counted(&round("s", "2", "b", &[1], &[9])).await;
    let later: Timestamp = "2026-11-20T12:30:00Z".parse().expect("a time");
    app.clock.set(later);
    let late = app.counted(&with_splits(sent, 1..=4)).await;
    assert_eq!(late["splits"]["computed_at"], "2026-11-20T12:30:00Z");
    assert_ne!(late["splits"]["splits"], retry["splits"]["splits"]);
    assert_eq!(with(late, json!({"splits": null})), duplicate);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 2);
}

async fn a_round_that_is_refused_brings_no_splits(app: &App) {
    app.counted(&round("s", "1", "a", &[1], &[2])).await;
    let post = |body: Value| app.request(Method::POST, "/v1/update").json(&body);
    let other = with_splits(round("s", "1", "b", &[1], &[2]), 1..=4);
    refused(post(other), 409).await;
    let sent = with(round("s", "2", "b", &[1], &[2]), json!({"pool": "none"}));
    refused(post(with_splits(sent, 1..=4)), 404).await;
    assert_eq!(app.first.service.tables_computed(), 0);
    refused(app.request(Method::GET, "/v1/scramble?server=s"), 404).await;
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
}

async fn a_round_counts_where_its_splits_have_no_room(app: &App) {
    let full = app.first.service.clone().with_solvers(0);
    let full = Instance::over(full, &app.settings).await;
    let sent = with_splits(round("s", "1", "a", &[1, 2], &[3, 4]), 1..=4);
    let post = || {
        let request = app.request_to(&full.address, Method::POST, "/v1/update");
        send(request.json(&sent))
    };
    let (status, answer) = post().await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["players"][0]["rating"], 1036);
    assert_eq!(answer["splits"], Value::Null);
    assert_eq!(
        answer["splits_error"],
        json!({"type": "about:blank", "title": "Too Many Requests", "status": 429,
               "detail": "too many requests are waiting; try again shortly", "errors": null})
    );
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 1);
    let (_, again) = post().await;
    assert_eq!(again, with(answer, json!({"duplicate": true})));
    let again = app.counted(&sent).await;
    assert_eq!(again["duplicate"], true);
    assert_eq!(again["splits"]["eligible"], 4);
    full.stop_serving().await;
}

async fn a_round_counts_where_its_splits_fail(database: &Database) {
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
    let settings = settings(&database.url_text());
    let instance = Instance::start(&settings, Clock::manual(noon)).await;
    database.execute("drop table split_tables").await;
    let client = Client::builder().no_proxy().build().expect("a client");
    let update = |body: Value| {
        let url = format!("{}/v1/update", instance.address);
        send(client.post(url).bearer_auth(SECRET).json(&body))
    };
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    let (status, answer) = update(with_splits(sent.clone(), 1..=4)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_has(&answer, &json!({"duplicate": false, "splits": null}));
    assert_eq!(answer["splits_error"]["status"], 500, "{answer}");
    let (status, again) = update(sent).await;
    assert_eq!(status, StatusCode::OK, "{again}");
    let counted = with(answer, json!({"duplicate": true, "splits_error": null}));
    assert_eq!(again, counted);
    instance.stop().await;
}
