//! `GET /v1/admin/players` and `GET /v1/admin/notable-players`.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{id, round, with};
use crate::support::{App, fields, refused, send};

on_both_databases!(
    players_are_found_by_name_and_by_id,
    players_are_sorted_filtered_and_come_in_pages_both_ways,
    changes_are_those_of_the_leaderboard_and_more,
    a_history_that_comes_late_has_moved_nobody_who_has_not_played_since,
    of_a_history_out_of_order_the_last_round_of_then_counts,
    who_was_reset_is_rated_as_of_then,
    a_table_that_is_kept_takes_nothing_from_later_rounds,
    who_wins_far_beyond_the_predictions_moves_or_sits_at_the_floor_is_worth_a_look,
    what_makes_no_sense_is_refused,
);

/// The ids of a list.
fn listed(page: &Value) -> Vec<String> {
    let players = page["players"].as_array().expect("players").iter();
    let ids = players.map(|player| player["id"].as_str().expect("an id").to_owned());
    ids.collect()
}

/// Lets more time pass than a list is kept for.
fn later(app: &App) {
    let now = app.clock.now();
    app.clock.set(now.later(std::time::Duration::from_secs(1)));
}

async fn list(app: &App, query: &str) -> Value {
    let (_, answer) = send(app.admin(Method::GET, &format!("/v1/admin/players?{query}"))).await;
    answer
}

async fn set(app: &App, n: u64, rating: i64) {
    let path = format!("/v1/admin/players/{}", id(n));
    send(
        app.admin(Method::PUT, &path)
            .json(&json!({"rating": rating})),
    )
    .await;
}

async fn players_are_found_by_name_and_by_id(app: &App) {
    let names = ["Ramona", "ROMANO", "50%_off", "Übermut", "Bob"];
    let team = names.iter().zip(1..);
    let team: Vec<Value> = team
        .map(|(name, n)| json!({"id": id(n), "name": name}))
        .collect();
    app.counted(&with(
        round("s", "1", "a", &[9], &[8]),
        json!({"team_a": team}),
    ))
    .await;
    for (search, found) in [
        ("mona", vec![1]),
        ("RaM", vec![1]),
        ("roman", vec![2]),
        ("%25_", vec![3]),
        ("%25", vec![3]),
        ("%C3%9CBER", vec![4]),
        ("STEAM_0:1:2", vec![5]),
        ("[U:1:8]", vec![8]),
        (&*id(8), vec![8]),
        ("nobody", vec![]),
        ("", vec![1, 2, 3, 4, 5, 8]),
        ("o", vec![1, 2, 3, 5]),
    ] {
        let page = list(app, &format!("search={search}&sort=rounds")).await;
        let found: Vec<String> = found.into_iter().map(id).collect();
        assert_eq!(listed(&page), found, "{search}: {page}");
        assert_eq!(page["total"], found.len(), "{search}");
    }
    let page = list(app, "search=ramona").await;
    assert_eq!(page["players"][0]["name"], "Ramona");
}

async fn players_are_sorted_filtered_and_come_in_pages_both_ways(app: &App) {
    for number in 0..3 {
        app.counted(&round(
            "arena-1",
            &number.to_string(),
            "a",
            &[1, 2],
            &[3, 4],
        ))
        .await;
    }
    app.counted(&round("arena-1", "new", "b", &[1], &[7])).await;
    let page = async |query: &str| list(app, &format!("pool=arena&{query}")).await;
    let all = page("").await;
    // One who won four times, two equals, the two losers, and at the end who is hidden yet.
    assert_eq!(listed(&all), [2, 1, 3, 4, 7].map(id));
    let ranks: Vec<&Value> = (0..5).map(|place| &all["players"][place]["rank"]).collect();
    assert_eq!(
        ranks,
        [&json!(1), &json!(2), &json!(3), &json!(3), &Value::Null]
    );
    assert_eq!(
        (&all["total"], &all["next"], &all["previous"]),
        (&json!(5), &Value::Null, &Value::Null)
    );

    let first = page("limit=2").await;
    assert_eq!(
        (listed(&first), &first["next"]),
        ([2, 1].map(id).to_vec(), &json!(2))
    );
    let second = page("limit=2&after=2").await;
    assert_eq!(listed(&second), [3, 4].map(id));
    assert_eq!(
        (&second["next"], &second["previous"]),
        (&json!(4), &json!(0))
    );
    let last = page("limit=2&after=4").await;
    assert_eq!((listed(&last), &last["previous"]), (vec![id(7)], &json!(2)));
    assert_eq!(last["next"], Value::Null);
    let from_rank = page("limit=1&rank=3").await;
    assert_eq!(
        (listed(&from_rank), &from_rank["offset"]),
        (vec![id(3)], &json!(2))
    );
    assert_eq!(listed(&page("after=99").await), [""; 0]);

    for (query, found) in [
        ("sort=rating", vec![3, 4, 7, 1, 2]),
        ("sort=-rating", vec![2, 1, 7, 3, 4]),
        ("sort=rounds&filter=ranked", vec![2, 3, 4, 1]),
        ("sort=-rounds&limit=1", vec![1]),
        ("filter=hidden", vec![7]),
        ("filter=stale", vec![]),
        ("filter=floor", vec![]),
        ("filter=new&sort=rounds", vec![7, 2, 3, 4, 1]),
        ("sort=-excess_errors&limit=2", vec![2, 7]),
        ("sort=excess_errors&limit=2", vec![3, 4]),
    ] {
        let found: Vec<String> = found.into_iter().map(id).collect();
        assert_eq!(listed(&page(query).await), found, "{query}");
    }
}

async fn changes_are_those_of_the_leaderboard_and_more(app: &App) {
    let now = app.clock.now();
    // Some play more than what stands in their own rows, some an even number of such rows.
    for (days, rounds) in [(40, 16), (20, 20), (3, 2), (0, 4)] {
        app.clock.set(now.days_earlier(days));
        for number in 0..rounds {
            let name = format!("{days}-{number}");
            app.counted(&round("s", &name, "a", &[1, 2], &[3, 4])).await;
            if days > 20 {
                app.counted(&round("s", &format!("{name}b"), "b", &[5], &[6]))
                    .await;
            }
        }
        if days == 3 {
            set(app, 5, 1500).await;
        }
    }
    later(app);
    let page = list(app, "sort=-change_7_days").await;
    for n in [1, 3] {
        let player = of(&page, n);
        let rating = player["rating"].as_i64().expect("a rating");
        for (key, name) in [
            ("change_1_day", "3-1"),
            ("change_7_days", "20-19"),
            ("change_30_days", "40-15"),
        ] {
            let before = rating_after(app, name, n).await;
            assert_eq!(player[key], rating - before, "{n} {key}: {player}");
        }
    }
    let six = of(&page, 6);
    assert_eq!(
        (&six["change_30_days"], &six["change_1_day"]),
        (&json!(0), &json!(0))
    );
    let five = of(&page, 5);
    assert_eq!(five["change_1_day"], 0);
    let before = rating_after(app, "40-15b", 5).await;
    assert_eq!(five["change_7_days"], 1500 - before);
    assert_eq!(listed(&page)[0], id(5));
    assert!(five["stale"] == true, "{five}");
}

async fn a_history_that_comes_late_has_moved_nobody_who_has_not_played_since(app: &App) {
    // A round of today, as somebody tries the service out, and then the history of years.
    app.counted(&round("s", "today", "a", &[7], &[8])).await;
    for number in 0..33_i64 {
        let old = round("s", &format!("old-{number}"), "a", &[1, 2], &[3, 4]);
        let ended = json!({"ended_at": 1_500_000_000 + number * 3600});
        app.counted(&with(old, ended)).await;
    }
    // One of those plays again.
    app.counted(&round("s", "again", "b", &[1], &[8])).await;
    later(app);
    let page = list(app, "sort=rank").await;
    let change = |n: u64, key: &str| of(&page, n)[key].as_i64().expect("a change");
    for key in ["change_1_day", "change_7_days", "change_30_days"] {
        for n in 2..=4 {
            assert_eq!(change(n, key), 0, "{n} {key}: {page}");
        }
        let again = change(1, key);
        assert!((-60..0).contains(&again), "one round was lost: {again}");
        assert_ne!(change(7, key), 0);
    }
    let found = app.get("/v1/admin/notable-players").await;
    let movers = json!({"players": found["movers"]});
    assert_eq!(listed(&movers).len(), 3, "{movers}");
}

/// What a player was rated after a round of the server `s`.
async fn rating_after(app: &App, name: &str, n: u64) -> i64 {
    let round = app.get(&format!("/v1/admin/rounds/s/{name}")).await;
    let mut players = round["players"].as_array().expect("players").iter();
    let player = players.find(|player| player["id"] == id(n));
    player.expect("the player")["rating"]
        .as_i64()
        .expect("a rating")
}

/// The player of a list.
fn of(page: &Value, n: u64) -> Value {
    let mut players = page["players"].as_array().expect("players").iter();
    players
        .find(|player| player["id"] == id(n))
        .expect("the player")
        .clone()
}

async fn of_a_history_out_of_order_the_last_round_of_then_counts(app: &App) {
    let now = app.clock.now();
    // Two histories, one behind the other: far more of the recent rounds than a few rows have.
    for (what, count, days, teams) in [
        ("old", 20, 60, [1, 2]),
        ("new", 40, 1, [1, 2]),
        ("other", 20, 50, [3, 4]),
    ] {
        for number in 0..count {
            let ended = now.days_earlier(days).unix_micros() / 1_000_000 + number * 60;
            let played = round(
                "s",
                &format!("{what}-{number}"),
                "a",
                &[teams[0]],
                &[teams[1]],
            );
            app.counted(&with(played, json!({"ended_at": ended}))).await;
        }
    }
    later(app);
    for sort in ["rank", "change_30_days"] {
        let page = list(app, &format!("sort={sort}")).await;
        for n in [1, 2] {
            let player = of(&page, n);
            let change =
                rating_after(app, "new-39", n).await - rating_after(app, "old-19", n).await;
            assert_ne!(change, 0);
            assert_eq!(player["change_30_days"], change, "{n}: {player}");
        }
    }
}

async fn who_was_reset_is_rated_as_of_then(app: &App) {
    let now = app.clock.now();
    for (days, name) in [(10, "first"), (2, "second")] {
        app.clock.set(now.days_earlier(days));
        app.counted(&round("s", name, "a", &[1], &[2])).await;
    }
    app.clock.set(now);
    let path = format!("/v1/admin/players/{}/reset", id(1));
    let (status, answer) = send(app.admin(Method::POST, &path).json(&json!({}))).await;
    assert!(status.is_success(), "{answer}");
    later(app);
    let player = of(&list(app, "sort=rank").await, 1);
    let rating = player["rating"].as_i64().expect("a rating");
    assert_eq!(rating, 1000, "{player}");
    let before = rating_after(app, "first", 1).await;
    assert_eq!(player["change_7_days"], rating - before, "{player}");
    let before = rating_after(app, "second", 1).await;
    assert_eq!(player["change_1_day"], rating - before, "{player}");
}

async fn a_table_that_is_kept_takes_nothing_from_later_rounds(app: &App) {
    let now = app.clock.now();
    app.clock.set(now.days_earlier(40));
    for number in 0..5 {
        app.counted(&round("s", &number.to_string(), "a", &[1, 2], &[3, 4]))
            .await;
    }
    app.clock.set(now);
    let start = json!({"name": "Winter", "keep": 0.5, "calibration": 5});
    let (status, answer) = send(app.admin(Method::POST, "/v1/admin/seasons").json(&start)).await;
    assert!(status.is_success(), "{answer}");
    let first = of(&list(app, "sort=rank").await, 1);
    let before = rating_after(app, "4", 1).await;
    let rating = first["rating"].as_i64().expect("a rating");
    assert_ne!(rating, before, "a season has started");
    assert_eq!(first["change_7_days"], rating - before);
    app.counted(&round("s", "later", "b", &[1, 2], &[3, 4]))
        .await;
    let second = of(&list(app, "sort=rank").await, 1);
    assert_eq!(
        second["rating"], rating,
        "the table is kept for some seconds"
    );
    assert_eq!(second["change_7_days"], rating - before);
}

async fn who_wins_far_beyond_the_predictions_moves_or_sits_at_the_floor_is_worth_a_look(app: &App) {
    for number in 0..20_u64 {
        let other = 100 + number % 5;
        let name = number.to_string();
        app.counted(&round("s", &name, "a", &[1], &[other])).await;
        let winner = if number % 2 == 0 { "a" } else { "b" };
        app.counted(&round("s", &format!("{name}e"), winner, &[2], &[3]))
            .await;
    }
    set(app, 104, 100).await;
    later(app);
    let found = app.get("/v1/admin/notable-players").await;
    assert_eq!(listed(&json!({"players": found["newcomers"]})), [id(1)]);
    let errors = found["newcomers"][0]["excess_errors"]
        .as_f64()
        .expect("a number");
    assert!(errors > 3.0, "{found}");
    assert_eq!(found["new_players"], 3, "of at least ten rounds: {found}");
    assert_eq!(found["movers"][0]["id"], id(104));
    assert_eq!(listed(&json!({"players": found["at_floor"]})), [id(104)]);
    let few = app
        .get("/v1/admin/notable-players?limit=1&pool=default")
        .await;
    assert_eq!(few["movers"].as_array().map(Vec::len), Some(1));
}

async fn what_makes_no_sense_is_refused(app: &App) {
    for (query, field) in [
        ("sort=name", "/sort"),
        ("filter=good", "/filter"),
        ("limit=0", "/limit"),
        ("rank=0", "/rank"),
        ("rank=1&sort=rating", "/rank"),
        ("rank=1&after=1", "/rank"),
        ("after=-1", "/after"),
    ] {
        let path = format!("/v1/admin/players?{query}");
        let (_, problem) = refused(app.admin(Method::GET, &path), 422).await;
        assert_eq!(fields(&problem), [field], "{query}");
    }
    refused(app.request(Method::GET, "/v1/admin/players"), 403).await;
    refused(app.admin(Method::GET, "/v1/admin/players?pool=none"), 404).await;
}
