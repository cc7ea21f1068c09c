//! Notices to game servers in answers.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::splits::scramble::set;
use super::{assert_refused, id, ids, posted, round, set_clock, with};
use crate::support::{App, refused, send};

on_both_databases!(
    a_scramble_that_an_admin_asks_for_is_sent_until_it_is_seen_or_too_old,
    a_changed_rating_is_announced_where_the_player_was_within_the_hour,
    only_the_latest_notices_are_kept,
    of_several_rounds_the_last_of_a_server_has_its_notices,
    the_audit_has_who_asked_for_a_scramble_and_why,
);

async fn ask(app: &App, server: &str, body: &Value) -> Value {
    let path = format!("/v1/admin/servers/{server}/scramble");
    let (status, notice) = send(app.admin(Method::POST, &path).json(body)).await;
    assert_eq!(status, StatusCode::OK, "{notice}");
    notice
}

async fn notices_of(app: &App, server: &str, seen: &[&Value]) -> Value {
    let body = json!({"server": server, "notices_seen": seen});
    posted(app, "/v1/hello", &body).await["notices"].clone()
}

async fn a_scramble_that_an_admin_asks_for_is_sent_until_it_is_seen_or_too_old(app: &App) {
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
        let table = posted(app, "/v1/scramble", &body).await;
        assert_eq!(table["notices"], json!([notice]), "{table}");
        assert_eq!(table["splits"].as_array().map(Vec::len), Some(1), "{table}");
    }
    let seen = &notice["name"];
    assert_eq!(notices_of(app, "other", &[seen]).await, json!([]));
    assert_eq!(
        notices_of(app, "s", &[&first["name"], &json!("unheard-of")]).await,
        json!([notice])
    );
    let next = round("s", "2", "b", &[1, 2], &[3, 4]);
    let many = with(next.clone(), json!({"notices_seen": vec!["a"; 65]}));
    assert_refused(app, "/v1/update", &many, "/notices_seen", "").await;
    let next = with(next, json!({"notices_seen": [seen]}));
    assert_eq!(app.counted(&next).await["notices"], json!([]));
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));

    let old = ask(app, "s", &json!({"reason": null})).await;
    set_clock(app, "2026-11-20T12:10:04.999999Z");
    assert_eq!(notices_of(app, "s", &[]).await, json!([old]));
    set_clock(app, "2026-11-20T12:10:05Z");
    assert_eq!(notices_of(app, "s", &[]).await, json!([]));
}

async fn a_changed_rating_is_announced_where_the_player_was_within_the_hour(app: &App) {
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
    set(app, 9, 1500).await;
    set(app, 2, 1000).await;
    let path = format!("/v1/admin/players/{}/reset", id(1));
    assert_eq!(send(app.admin(Method::POST, &path)).await.0, StatusCode::OK);
    let notices = notices_of(app, "s", &[]).await;
    assert_eq!(notices.as_array().map(Vec::len), Some(1), "{notices}");
    assert_eq!(notices[0]["player"], json!(id(1)));
    assert_eq!(notices[0]["rating"], 1000);
    set_clock(app, "2026-11-20T13:00:00Z");
    set(app, 2, 1500).await;
    assert_eq!(
        notices_of(app, "s", &[]).await,
        notices,
        "who has left is of no concern"
    );
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
    let listed = notices.as_array().expect("a list").iter();
    let players: Value = listed.map(|one| one["player"].clone()).collect();
    assert_eq!(players, json!(ids(5..=20)), "the oldest first");
}

async fn of_several_rounds_the_last_of_a_server_has_its_notices(app: &App) {
    let notice = ask(app, "s", &json!({})).await;
    let answered = async |length: &str, seen: &Value| {
        let played = |server: &str, round_id: &str| round(server, round_id, "a", &[1], &[2]);
        let first = with(played("s", "1"), json!({"notices_seen": seen}));
        let rounds = json!([first, played("s", "2"), played("other", "1"), {}]);
        let queue = json!({"rounds": rounds, "answers": length});
        let body = posted(app, "/v1/updates", &queue).await;
        json!([0, 1, 2].map(|index| &body["answers"][index]["body"]["notices"]))
    };
    for length in ["full", "brief"] {
        let found = answered(length, &json!([])).await;
        assert_eq!(found, json!([[], [notice], []]), "{length}");
    }
    let seen = answered("brief", &json!([notice["name"]])).await;
    assert_eq!(seen, json!([[], [], []]));
}

async fn the_audit_has_who_asked_for_a_scramble_and_why(app: &App) {
    let path = "/v1/admin/servers/arena-1/scramble";
    let wordless = app.admin(Method::POST, path).json(&json!({"reason": ""}));
    refused(wordless, 422).await;
    let odd = "/v1/admin/servers/a%20b/scramble";
    refused(app.admin(Method::POST, odd), 422).await;
    assert_eq!(notices_of(app, "arena-1", &[]).await, json!([]));
    let (status, notice) = send(app.admin(Method::POST, path)).await;
    assert_eq!(status, StatusCode::OK, "{notice}");
    set_clock(app, "2026-11-20T12:00:05Z");
    ask(app, "arena-1", &json!({"reason": "dull"})).await;
    let audit = app.get("/v1/admin/audit?pool=arena").await;
    let entries = audit["entries"].as_array().expect("a list");
    assert_eq!(entries.len(), 2, "{audit}");
    for (entry, reason) in entries.iter().zip([json!("dull"), json!(null)]) {
        assert!(entry["secret"].is_string(), "{entry}");
        let found = ["action", "reason", "before", "after"].map(|key| &entry[key]);
        let after = json!({"server": "arena-1"});
        assert_eq!(json!(found), json!(["scramble", reason, null, after]));
    }
}
