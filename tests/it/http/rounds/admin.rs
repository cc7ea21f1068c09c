//! `/v1/admin/rounds` and `/v1/admin/audit`: lists, single rounds, voids and their audit entries.

use std::collections::BTreeSet;

use rbs::config::Secrets;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, id, round, void, with};
use crate::support::{ADMIN_SECRET, App, fields, refused, send};

on_both_databases!(
    a_void_takes_a_round_out_of_every_rating_and_a_restoration_puts_it_back,
    a_retry_of_a_void_round_is_a_duplicate_that_moved_nobody,
    pages_of_rounds_are_complete_and_have_none_twice,
    rounds_are_found_by_server_player_and_time,
    rounds_are_found_by_map,
    what_admins_do_is_noted_with_who_and_why,
    names_that_are_but_dots_can_be_asked_for,
    what_is_asked_wrongly_is_refused,
);

fn at(minute: u32) -> String {
    format!("2026-11-20T11:{minute:02}:00Z")
}

async fn post(app: &App, path: &str, body: &Value) -> (StatusCode, Value) {
    send(app.admin(Method::POST, path).json(body)).await
}

async fn a_void_takes_a_round_out_of_every_rating_and_a_restoration_puts_it_back(app: &App) {
    app.counted(&round("s", "1", "a", &[1, 2], &[3, 4])).await;
    app.counted(&round("s", "2", "b", &[1, 3], &[2, 4])).await;
    app.counted(&round("s", "3", "a", &[1, 4], &[5, 3])).await;
    let figures = async || {
        let player = app.get(&format!("/v1/admin/players/{}", id(1))).await;
        [player, app.get("/v1/admin/quality").await]
    };
    let before = figures().await;
    let shown = void(app, "s/2").await;
    let at = json!({"reason": "a cheater", "at": "2026-11-20T12:00:00Z"});
    assert_has(&shown["void"], &at);
    for player in shown["players"].as_array().expect("players") {
        let unmoved = json!({"delta": 0, "k": 0.0, "rating": player["before"]});
        assert_has(player, &unmoved);
    }
    let [player, quality] = figures().await;
    assert_ne!(player["rating"], before[0]["rating"]);
    assert_eq!(
        (&quality["rounds"], &player["rounds"]),
        (&json!(2), &json!(2))
    );
    assert_eq!(player["last_rounds"].as_array().map(Vec::len), Some(2));
    let path = "/v1/admin/rounds/s/2/void";
    let (status, again) = post(app, path, &json!({"reason": "another"})).await;
    assert_eq!((status, again), (StatusCode::OK, shown));

    let restore = app.admin(Method::POST, "/v1/admin/rounds/s/2/unvoid");
    let (status, restored) = send(restore).await;
    assert_eq!(status, StatusCode::OK, "{restored}");
    assert_eq!(restored["void"], Value::Null);
    assert_eq!(figures().await, before);
}

async fn a_retry_of_a_void_round_is_a_duplicate_that_moved_nobody(app: &App) {
    let sent = round("s", "1", "a", &[1], &[2]);
    app.counted(&sent).await;
    app.counted(&round("s", "2", "a", &[1], &[2])).await;
    void(app, "s/2").await;
    void(app, "s/1").await;
    let again = app.counted(&sent).await;
    assert_eq!(again["duplicate"], true);
    for player in again["players"].as_array().expect("players") {
        let unmoved = json!({"before": 1000, "rating": 1000, "delta": 0, "rounds": 0});
        assert_has(player, &unmoved);
    }
    let other = with(sent, json!({"winner": "b"}));
    refused(app.request(Method::POST, "/v1/update").json(&other), 409).await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 0);
    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    assert_has(&player, &json!({"rating": 1000, "rounds": 0}));
}

/// Reads every page of a list, checks that it is complete, and returns the members `key` in order.
pub(super) async fn all_pages(
    app: &App,
    path: &str,
    list: &str,
    key: &str,
    size: usize,
) -> Vec<Value> {
    let join = if path.contains('?') { '&' } else { '?' };
    let mut found = Vec::new();
    let mut next = String::new();
    loop {
        let page = app.get(&format!("{path}{join}limit={size}{next}")).await;
        let items = page[list].as_array().expect("a list");
        found.extend(items.iter().map(|item| item[key].clone()));
        match page["next"].as_str() {
            Some(place) => {
                assert_eq!(items.len(), size, "a page before the last is full");
                next = format!("&after={place}");
            }
            None => return found,
        }
    }
}

async fn pages_of_rounds_are_complete_and_have_none_twice(app: &App) {
    // Several rounds ended at the same time, and later ones arrived earlier.
    for number in 0..11_u32 {
        let sent = with(
            round("s", &number.to_string(), "a", &[1], &[2]),
            json!({"ended_at": at((number * 7) % 4)}),
        );
        app.counted(&sent).await;
    }
    let mut expected: Vec<u32> = (0..11).collect();
    expected.sort_by_key(|number| std::cmp::Reverse(((number * 7) % 4, *number)));
    let expected: Vec<Value> = expected
        .iter()
        .map(|number| json!(number.to_string()))
        .collect();
    for size in [1, 3, 4, 11, 500] {
        for path in [
            "/v1/admin/rounds".to_owned(),
            "/v1/admin/rounds?server=s".to_owned(),
            format!("/v1/admin/rounds?player={}", id(1)),
        ] {
            let found = all_pages(app, &path, "rounds", "round_id", size).await;
            assert_eq!(found, expected, "{path} by {size}");
        }
    }
}

/// Round ids of all pages of the rounds that `query` finds, one after the other.
async fn names(app: &App, query: &str) -> String {
    let path = format!("/v1/admin/rounds{query}");
    let found = all_pages(app, &path, "rounds", "round_id", 2).await;
    found.iter().filter_map(Value::as_str).collect()
}

async fn rounds_are_found_by_server_player_and_time(app: &App) {
    for (name, server, a, b, minute) in [
        ("1", "s", 1, 2, 1),
        ("2", "s", 3, 2, 2),
        ("3", "t", 1, 3, 3),
        ("4", "arena-1", 1, 2, 4),
        ("5", "t", 2, 3, 5),
    ] {
        let sent = round(server, name, "a", &[a], &[b]);
        app.counted(&with(sent, json!({"ended_at": at(minute)})))
            .await;
    }
    void(app, "s/1").await;
    let from_2 = format!("?from={}&to={}", at(2), at(5));
    let of_1 = format!("?player={}", id(1));
    for (query, expected) in [
        ("", "5321"),
        ("?pool=arena", "4"),
        ("?server=arena-1", "4"),
        ("?server=t", "53"),
        ("?server=nobody", ""),
        (&of_1, "31"),
        ("?player=STEAM_0:0:1&server=s", "21"),
        (&from_2, "32"),
        ("?from=1763636520", "5321"),
    ] {
        assert_eq!(names(app, query).await, expected, "{query}");
    }
    let page = app.get("/v1/admin/rounds?to=2026-11-20T11:02:00Z").await;
    assert_eq!(page["pool"], "default");
    assert_eq!(page["rounds"][0]["void"]["reason"], "a cheater");
}

async fn rounds_are_found_by_map(app: &App) {
    // Names that a pattern or a case-insensitive comparison would confuse.
    for (minute, map, server) in [
        (1, json!("pl_upward"), "s"),
        (2, json!("PL_UPWARD"), "s"),
        (3, json!("plxupward"), "s"),
        (4, json!("up \"%\\"), "s"),
        (5, json!("pl_upward"), "t"),
        (6, Value::Null, "s"),
    ] {
        let left = json!({"id": id(3), "participated": false});
        let sent = with(
            round(server, &minute.to_string(), "a", &[1], &[2]),
            json!({"ended_at": at(minute), "map": map, "team_a": [id(1), left]}),
        );
        app.counted(&sent).await;
    }
    void(app, "s/1").await;
    let of = |more: String| format!("?map=pl_upward{more}");
    for (query, expected) in [
        (of(String::new()), "51"),
        ("?map=PL_UPWARD".to_owned(), "2"),
        ("?map=up%20%22%25%5C".to_owned(), "4"),
        ("?map=upward".to_owned(), ""),
        (of("&server=t".to_owned()), "5"),
        (of(format!("&player={}", id(1))), "51"),
        (of(format!("&player={}", id(3))), "51"),
        (of(format!("&server=s&player={}", id(1))), "1"),
        (of(format!("&server=s&player={}", id(3))), "1"),
    ] {
        assert_eq!(names(app, &query).await, expected, "{query}");
    }
    refused(app.admin(Method::GET, "/v1/admin/rounds?map="), 422).await;
}

async fn what_admins_do_is_noted_with_who_and_why(app: &App) {
    let named = json!({"team_a": [{"id": id(1), "name": "Ramona"}]});
    app.counted(&with(round("s", "1", "a", &[1], &[2]), named))
        .await;
    let path = format!("/v1/admin/players/{}", id(1));
    let set = app.admin(Method::PUT, &format!("{path}?pool=arena"));
    let set = set.json(&json!({"rating": 1500, "reason": "won a bet"}));
    assert_eq!(send(set).await.0, StatusCode::OK);
    let reset = app.admin(Method::POST, &format!("{path}/reset"));
    assert_eq!(send(reset).await.0, StatusCode::OK);
    void(app, "s/1").await;
    let audit = app.get("/v1/admin/audit").await;
    assert_eq!(audit["next"], Value::Null);
    let mut entries = audit["entries"].as_array().expect("entries").clone();
    entries.sort_by_key(|entry| entry["action"].as_str().map(str::to_owned));
    let secret = Secrets::fingerprint(ADMIN_SECRET).to_string();
    assert_ne!(Secrets::fingerprint("another").to_string(), secret);
    let common = |action: &str, pool: &str| {
        json!({
            "at": "2026-11-20T12:00:00Z", "secret": secret, "action": action, "pool": pool,
            "player": null, "player_name": null, "server": null, "round_id": null, "reason": null,
        })
    };
    let expected = [
        with(
            common("reset", "default"),
            json!({"player": id(1), "player_name": "Ramona", "before": {"rating": 1036, "rounds": 1},
                   "after": {"rating": 1000, "rounds": 0}}),
        ),
        with(
            common("set", "arena"),
            json!({"player": id(1), "player_name": "Ramona", "reason": "won a bet",
                   "before": {"rating": 1000, "rounds": 0},
                   "after": {"rating": 1500, "rounds": 0}}),
        ),
        with(
            common("void", "default"),
            json!({"server": "s", "round_id": "1", "reason": "a cheater",
                   "before": {"void": false, "players": [
                       {"id": id(1), "name": "Ramona", "rating": 1000},
                       {"id": id(2), "name": null, "rating": 964}]},
                   "after": {"void": true, "players": [
                       {"id": id(1), "name": "Ramona", "rating": 1000},
                       {"id": id(2), "name": null, "rating": null}]}}),
        ),
    ];
    assert_eq!(entries, expected);
    for size in [1, 2, 3] {
        for (path, count) in [("/v1/admin/audit", 3), ("/v1/admin/audit?pool=default", 2)] {
            let found = all_pages(app, path, "entries", "action", size).await;
            let different: BTreeSet<_> = found.iter().map(Value::to_string).collect();
            assert_eq!((found.len(), different.len()), (count, count), "{found:?}");
        }
    }
}

async fn names_that_are_but_dots_can_be_asked_for(app: &App) {
    // Clients remove path segments of dots, so these segments must be encoded.
    for (server, round_id, path) in [
        (".", "..", ".~/..~"),
        ("..", ".", "..~/.~"),
        ("..", ".~", "..~/.~~"),
        ("...", "..~~", ".../..~~~"),
    ] {
        app.counted(&round(server, round_id, "a", &[1], &[2])).await;
        let path = format!("/v1/admin/rounds/{path}");
        let found = app.get(&path).await;
        assert_has(&found, &json!({"server": server, "round_id": round_id}));
        let (status, body) = post(app, &format!("{path}/void"), &json!({"reason": "a test"})).await;
        assert_eq!(status, StatusCode::OK, "{body}");
        assert_eq!(app.get(&path).await["void"]["reason"], "a test");
    }
}

async fn what_is_asked_wrongly_is_refused(app: &App) {
    app.counted(&round("s", "1", "a", &[1], &[2])).await;
    let get = |query: &str| app.admin(Method::GET, &format!("/v1/admin/rounds{query}"));
    for (query, field) in [
        ("?limit=0", "/limit"),
        ("?limit=501", "/limit"),
        ("?limit=x", "/limit"),
        ("?after=x", "/after"),
        ("?from=yesterday", "/from"),
        ("?player=1", "/player"),
        ("?server=a%20b", "/server"),
        ("?mode=ash", "/mode"),
    ] {
        let (_, problem) = refused(get(query), 422).await;
        assert_eq!(fields(&problem), [field], "{query}: {problem}");
    }
    refused(get("?pool=nope"), 404).await;
    refused(get("/a%20b/1"), 422).await;
    let void = |path: &str| app.admin(Method::POST, &format!("/v1/admin/rounds/{path}/void"));
    let (_, problem) = refused(void("s/1").json(&json!({})), 422).await;
    assert_eq!(fields(&problem), ["/reason"], "{problem}");
    refused(void("s/1").json(&json!({"reason": ""})), 422).await;
    refused(void("s/1"), 415).await;
    refused(void("s/2").json(&json!({"reason": "x"})), 404).await;
    let audit = |query: &str| app.admin(Method::GET, &format!("/v1/admin/audit{query}"));
    refused(audit("?pool=nope"), 404).await;
    refused(audit("?after=1"), 422).await;
    for path in [
        "/v1/admin/rounds",
        "/v1/admin/rounds/s/1",
        "/v1/admin/audit",
    ] {
        refused(app.request(Method::GET, path), 403).await;
        refused(app.bare(Method::GET, path), 401).await;
    }
    let round = app.get("/v1/admin/rounds/s/1").await;
    assert_eq!(round["void"], Value::Null, "nothing was done");
}
