//! Notices to game servers in answers.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::splits::scramble::set;
use super::{id, ids, round, set_clock, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    a_scramble_that_an_admin_asks_for_is_sent_until_it_is_seen,
    what_is_too_old_is_sent_no_more,
    a_changed_rating_is_announced_where_the_player_was_last,
    who_is_not_there_any_more_is_of_no_concern,
    only_the_latest_notices_are_kept,
    of_several_rounds_the_last_of_a_server_has_its_notices,
    only_admins_ask_for_a_scramble_and_the_audit_has_it,
    too_many_names_are_refused,
);

async fn ask(app: &App, server: &str, body: &Value) -> Value {
    let path = format!("/v1/admin/servers/{server}/scramble");
    let (status, notice) = send(app.admin(Method::POST, &path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{notice}");
    notice
}

async fn notices_of(app: &App, server: &str, seen: &[&Value]) -> Value {
    let body = json!({"server": server, "notices_seen": seen});
    let (status, answer) = send(app.request(Method::POST, "/v1/hello").json(&body)).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer["notices"].clone()
}

async fn a_scramble_that_an_admin_asks_for_is_sent_until_it_is_seen(app: &App) {
    let first = ask(app, "s", &json!({})).await;
    let name = first["name"].as_str().expect("a name");
    assert_eq!(
        first,
        json!({"name": name, "kind": "scramble", "player": null, "rating": null,
               "made_at": "2026-11-20T12:00:00Z", "expires_at": "2026-11-20T12:10:00Z",
               "message": "An admin asks for a scramble."})
    );
    assert_eq!(notices_of(app, "s", &[]).await, json!([first]));
    assert_eq!(notices_of(app, "other", &[]).await, json!([]));
    set_clock(app, "2026-11-20T12:00:05Z");
    let notice = ask(app, "s", &json!({"reason": "teams are unfair"})).await;
    assert_eq!(
        notice["message"],
        "An admin asks for a scramble: teams are unfair"
    );
    assert_ne!(notice["name"], first["name"]);
    let sent = round("s", "1", "a", &[1, 2], &[3, 4]);
    for _ in 0..2 {
        assert_eq!(app.counted(&sent).await["notices"], json!([notice]));
    }
    for seats in ["lists", "letters"] {
        let body = json!({"server": "s", "players": ids(1..=4), "seats": seats});
        let (_, table) = send(app.request(Method::POST, "/v1/scramble").json(&body)).await;
        assert_eq!(table["notices"], json!([notice]), "{table}");
        assert_eq!(table["splits"].as_array().map(Vec::len), Some(1), "{table}");
    }
    let seen = &notice["name"];
    assert_eq!(notices_of(app, "other", &[seen]).await, json!([]));
    assert_eq!(
        notices_of(app, "s", &[&first["name"], &json!("unheard-of")]).await,
        json!([notice])
    );
    let next = with(
        round("s", "2", "b", &[1, 2], &[3, 4]),
        json!({"notices_seen": [seen]}),
    );
    assert_eq!(app.counted(&next).await["notices"], json!([]));
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));
}

async fn what_is_too_old_is_sent_no_more(app: &App) {
    let notice = ask(app, "s", &json!({"reason": null})).await;
    set_clock(app, "2026-11-20T12:09:59.999999Z");
    assert_eq!(notices_of(app, "s", &[]).await, json!([notice]));
    set_clock(app, "2026-11-20T12:10:00Z");
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));
}

async fn a_changed_rating_is_announced_where_the_player_was_last(app: &App) {
    app.counted(&round("before", "1", "draw", &[1], &[2])).await;
    app.counted(&round("s", "1", "draw", &[1], &[2])).await;
    set_clock(app, "2026-11-20T12:30:00Z");
    set(app, 1, 1500).await;
    let notices = notices_of(app, "s", &[]).await;
    let name = &notices[0]["name"];
    assert_eq!(
        notices,
        json!([{"name": name, "kind": "rating", "player": id(1), "rating": 1500,
                "made_at": "2026-11-20T12:30:00Z", "expires_at": "2026-11-20T13:30:00Z",
                "message": format!("An admin changed the rating of {} from 1000 to 1500.", id(1))}])
    );
    assert_eq!(notices_of(app, "before", &[]).await, json!([]));
    set(app, 2, 1200).await;
    let path = format!("/v1/admin/players/{}/reset", id(1));
    assert_eq!(send(app.admin(Method::POST, &path)).await.0, StatusCode::OK);
    let notices = notices_of(app, "s", &[]).await;
    let mut ratings: Vec<(&str, i64)> = notices
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            (
                one["player"].as_str().expect("an id"),
                one["rating"].as_i64().expect("a rating"),
            )
        })
        .collect();
    ratings.sort_unstable();
    assert_eq!(ratings, [(id(1).as_str(), 1000), (id(2).as_str(), 1200)]);
}

async fn who_is_not_there_any_more_is_of_no_concern(app: &App) {
    app.counted(&round("s", "1", "draw", &[1], &[2])).await;
    set(app, 9, 1500).await;
    set(app, 1, 1000).await;
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));
    set_clock(app, "2026-11-20T13:00:00Z");
    set(app, 1, 1500).await;
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));
}

async fn only_the_latest_notices_are_kept(app: &App) {
    let team = |first: u64| (first..first + 10).collect::<Vec<u64>>();
    app.counted(&round("s", "1", "draw", &team(1), &team(11)))
        .await;
    for n in 1..=20 {
        set_clock(app, &format!("2026-11-20T12:{n:02}:00Z"));
        set(app, n, 1500).await;
    }
    let notices = notices_of(app, "s", &[]).await;
    let players: Vec<&Value> = notices
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["player"])
        .collect();
    assert_eq!(json!(players), json!(ids(5..=20)), "the oldest first");
}

async fn of_several_rounds_the_last_of_a_server_has_its_notices(app: &App) {
    let notice = ask(app, "s", &json!({})).await;
    let queue = |length: &str, seen: Value| {
        let rounds = json!([
            with(
                round("s", "1", "a", &[1], &[2]),
                json!({"notices_seen": seen})
            ),
            round("s", "2", "a", &[1], &[2]),
            round("other", "1", "a", &[1], &[2]),
            {},
        ]);
        app.request(Method::POST, "/v1/updates")
            .json(&json!({"rounds": rounds, "answers": length}))
    };
    for length in ["full", "brief"] {
        let (_, body) = send(queue(length, json!([]))).await;
        let of = |index: usize| body["answers"][index]["body"]["notices"].clone();
        assert_eq!(
            [of(0), of(1), of(2)],
            [json!([]), json!([notice]), json!([])],
            "{body}"
        );
    }
    let (_, body) = send(queue("brief", json!([notice["name"]]))).await;
    assert_eq!(body["answers"][1]["body"]["notices"], json!([]));
}

async fn only_admins_ask_for_a_scramble_and_the_audit_has_it(app: &App) {
    let path = "/v1/admin/servers/arena-1/scramble";
    refused(app.request(Method::POST, path), 403).await;
    refused(
        app.admin(Method::POST, "/v1/admin/servers/a%20b/scramble"),
        422,
    )
    .await;
    refused(
        app.admin(Method::POST, path).json(&json!({"reason": ""})),
        422,
    )
    .await;
    assert_eq!(notices_of(app, "arena-1", &[]).await, json!([]));
    let (status, notice) = send(app.admin(Method::POST, path)).await;
    assert_eq!(status, StatusCode::OK, "{notice}");
    ask(app, "arena-1", &json!({"reason": "dull"})).await;
    let audit = app.get("/v1/admin/audit?pool=arena").await;
    let entry = &audit["entries"][0];
    assert!(entry["secret"].is_string(), "{entry}");
    let reasons = audit["entries"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["reason"].clone());
    let mut reasons: Vec<String> = reasons.map(|reason| reason.to_string()).collect();
    reasons.sort_unstable();
    assert_eq!(reasons, ["\"dull\"", "null"]);
    for (key, value) in [
        ("action", json!("scramble")),
        ("before", Value::Null),
        ("after", json!({"server": "arena-1"})),
    ] {
        assert_eq!(entry[key], value, "{entry}");
    }
}

async fn too_many_names_are_refused(app: &App) {
    let names = |count: usize| vec!["a"; count];
    for count in [64, 65] {
        let sent = with(
            round("s", "1", "a", &[1], &[2]),
            json!({"notices_seen": names(count)}),
        );
        let hello = json!({"server": "s", "notices_seen": names(count)});
        for (path, body) in [("/v1/update", sent), ("/v1/hello", hello)] {
            let request = app.request(Method::POST, path).json(&body);
            if count == 64 {
                assert_eq!(send(request).await.0, StatusCode::OK, "{path}");
            } else {
                let (_, problem) = refused(request, 422).await;
                assert_eq!(fields(&problem), ["/notices_seen"], "{problem}");
            }
        }
    }
}
