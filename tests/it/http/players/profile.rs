use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_has, assert_nothing_stored, id, round, set_in_arena, void, with};
use crate::support::{App, send};

on_both_databases!(
    somebody_unknown_has_no_record_and_is_not_kept,
    a_profile_counts_what_was_played_and_with_whom,
    a_reset_begins_the_record_anew,
    ranks_and_shares_are_of_those_who_have_a_rank,
    a_long_record_is_whole_and_its_details_are_of_the_latest_rounds,
);

async fn profile(app: &App, n: u64) -> Value {
    app.get(&format!("/v1/players/{}/profile?pool=arena", id(n)))
        .await
}

async fn somebody_unknown_has_no_record_and_is_not_kept(app: &App) {
    let found = app
        .get(&format!("/v1/players/{}/profile?server=arena-1", id(1)))
        .await;
    assert_eq!(found, profile(app, 1).await);
    let empty = json!({"rounds": 0, "won": 0, "drawn": 0, "lost": 0, "expected": 0.0, "since": null,
                       "streak": null, "longest_winning": null, "longest_losing": null, "peak": null});
    let expected = json!({
        "id": id(1), "pool": "arena", "rounds_until_visible": 3, "rank": null, "better_than": null,
        "division": null, "next_division": null, "record": empty, "last_rounds": [],
    });
    assert_has(&found, &expected);
    assert_nothing_stored(app).await;
}

/// Plays five rounds of 2 v 2. Returns the sum of the first player's odds, and the player's highest rating with its
/// time.
async fn play_five_rounds(app: &App) -> (f64, (i64, String)) {
    let mut expected = 0.0;
    let mut best = (0, String::new());
    for (number, winner, map, a, b) in [
        (1, "a", Some("well"), [1, 2], [3, 4]),
        (2, "a", Some("well"), [1, 2], [3, 5]),
        (3, "draw", None, [3, 2], [1, 4]),
        (4, "a", Some("mill"), [1, 3], [2, 4]),
        (5, "b", Some("mill"), [1, 2], [3, 4]),
    ] {
        let sent = round("arena-1", &number.to_string(), winner, &a, &b);
        let ended_at = format!("2026-11-20T11:0{number}:00Z");
        let sent = with(sent, json!({"ended_at": ended_at, "map": map}));
        let answer = app.counted(&sent).await;
        let side = if a.contains(&1) { "a" } else { "b" };
        expected += answer["win_probability"][side].as_f64().expect("a number");
        let players = answer["players"].as_array().expect("a list");
        let own = players.iter().find(|player| player["id"] == id(1));
        let rating = own.expect("the player")["rating"]
            .as_i64()
            .expect("a rating");
        if rating > best.0 {
            best = (rating, ended_at);
        }
    }
    (expected, best)
}

async fn a_profile_counts_what_was_played_and_with_whom(app: &App) {
    let (expected, best) = play_five_rounds(app).await;
    app.counted(&with(
        round("arena-1", "void", "b", &[1], &[9]),
        json!({"ended_at": "2026-11-20T11:30:00Z"}),
    ))
    .await;
    void(app, "arena-1/void").await;

    let found = profile(app, 1).await;
    let record = &found["record"];
    let at = |minute: u32| json!(format!("2026-11-20T11:0{minute}:00Z"));
    let streak = |result: &str, rounds: u8, minute| json!({"result": result, "rounds": rounds, "ended_at": at(minute)});
    let expected_record = json!({
        "rounds": 5, "won": 3, "drawn": 1, "lost": 1, "since": at(1), "streak": streak("lost", 1, 5),
        "longest_winning": streak("won", 2, 2), "longest_losing": streak("lost", 1, 5),
        "peak": {"rating": best.0, "at": best.1},
    });
    assert_has(record, &expected_record);
    let sum = record["expected"].as_f64().expect("a number");
    assert!((sum - expected).abs() < 1e-9, "{sum} is not {expected}");

    let recent = &found["recent"];
    assert_eq!((&recent["rounds"], &recent["since"]), (&json!(5), &at(1)));
    for (list, key, expected) in [
        (
            "by_map",
            "map",
            json!([
                ["mill", 2, 1, 0, 1],
                ["well", 2, 2, 0, 0],
                [null, 1, 0, 1, 0]
            ]),
        ),
        ("by_server", "server", json!([["arena-1", 5, 3, 1, 1]])),
        (
            "partners",
            "id",
            json!([
                [id(2), 3, 2, 0, 1],
                [id(3), 1, 1, 0, 0],
                [id(4), 1, 0, 1, 0]
            ]),
        ),
        (
            "opponents",
            "id",
            json!([
                [id(3), 4, 2, 1, 1],
                [id(4), 3, 2, 0, 1],
                [id(2), 2, 1, 1, 0],
                [id(5), 1, 1, 0, 0]
            ]),
        ),
    ] {
        let rows = recent[list].as_array().expect("a list").iter();
        let figures =
            |one: &Value| [key, "rounds", "won", "drawn", "lost"].map(|key| one[key].clone());
        let tallies: Vec<_> = rows.map(figures).collect();
        assert_eq!(json!(tallies), expected, "{list}");
    }
    let details = format!("/v1/admin/players/{}?pool=arena", id(1));
    let details = app.get(&details).await;
    assert_eq!(found["last_rounds"], details["last_rounds"]);
}

async fn a_reset_begins_the_record_anew(app: &App) {
    for number in 0..20 {
        app.counted(&round("arena-1", &format!("old-{number}"), "a", &[1], &[2]))
            .await;
    }
    set_in_arena(app, 1, 3000).await;
    let path = format!("/v1/admin/players/{}/reset?pool=arena", id(1));
    send(app.admin(Method::POST, &path)).await;
    let found = profile(app, 1).await;
    assert_has(&found["record"], &json!({"rounds": 0, "peak": null}));
    app.counted(&round("arena-1", "new", "b", &[1], &[2])).await;
    set_in_arena(app, 1, 1200).await;
    let found = profile(app, 1).await;
    assert_has(&found["record"], &json!({"rounds": 1, "lost": 1}));
    assert_eq!(found["recent"]["rounds"], 1);
    let peak = &found["record"]["peak"]["rating"];
    assert_eq!(*peak, 1200, "a rating that was given counts");
}

async fn ranks_and_shares_are_of_those_who_have_a_rank(app: &App) {
    for number in 0..3 {
        let sent = round("arena-1", &format!("x{number}"), "a", &[1, 2], &[3, 4]);
        app.counted(&sent).await;
    }
    app.counted(&round("arena-1", "few", "a", &[5], &[6])).await;
    for (n, rating) in [(1, 1500), (2, 1400), (3, 1400), (4, 1000), (5, 9000)] {
        set_in_arena(app, n, rating).await;
    }
    for (n, rank, better_than) in [
        (1, 1, 1.0),
        (2, 2, 1.0 / 3.0),
        (3, 2, 1.0 / 3.0),
        (4, 4, 0.0),
    ] {
        let found = profile(app, n).await;
        let expected = json!({"rank": rank, "ranked": 4, "better_than": better_than});
        assert_has(&found, &expected);
        let bins = found["distribution"].as_array().expect("a list");
        let players: u64 = bins.iter().filter_map(|bin| bin["players"].as_u64()).sum();
        assert_eq!((players, &bins[0]["from"]), (4, &json!(1000)));
    }
    let hidden = json!({"rank": null, "visible": false, "rounds_until_visible": 2});
    assert_has(&profile(app, 5).await, &hidden);
}

async fn a_long_record_is_whole_and_its_details_are_of_the_latest_rounds(app: &App) {
    for batch in 0..12 {
        let rounds: Vec<Value> = (0..50)
            .map(|number| {
                let winner = if number % 4 == 0 { "b" } else { "a" };
                let partner = if batch < 2 { 8 } else { 7 };
                let name = format!("{batch}-{number}");
                round("arena-1", &name, winner, &[1, partner], &[2])
            })
            .collect();
        let request = app.request(Method::POST, "/v1/updates");
        let (status, _) = send(request.json(&json!({"rounds": rounds}))).await;
        assert_eq!(status, StatusCode::OK);
    }
    let found = profile(app, 1).await;
    let record = &found["record"];
    assert_has(record, &json!({"rounds": 600, "won": 444, "lost": 156}));
    assert_eq!(record["longest_winning"]["rounds"], 3);
    assert_eq!(found["recent"]["rounds"], 500);
    let partners = found["recent"]["partners"].as_array().expect("a list");
    assert_eq!((partners.len(), &partners[0]["id"]), (1, &json!(id(7))));
    assert_eq!(found["last_rounds"].as_array().map(Vec::len), Some(20));
}
