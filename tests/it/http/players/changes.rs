//! Rating changes in the list of players.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};

use super::listing::{later, list, listed};
use crate::http::splits::scramble::set;
use crate::http::{assert_has, id, round, void, with};
use crate::support::{App, Dice, send};

const HOUR: Duration = Duration::from_hours(1);

on_both_databases!(
    changes_are_those_of_the_leaderboard_and_more,
    a_history_that_comes_late_has_moved_nobody_who_has_not_played_since,
    of_a_history_out_of_order_the_last_round_of_then_counts,
    who_was_reset_is_rated_as_of_then,
    a_table_that_is_kept_takes_nothing_from_later_rounds,
    lists_of_later_are_sorted_by_what_they_show,
);

async fn rating_after(app: &App, name: &str, n: u64) -> i64 {
    let round = app.get(&format!("/v1/admin/rounds/s/{name}")).await;
    let mut players = round["players"].as_array().expect("players").iter();
    rating(
        players
            .find(|player| player["id"] == id(n))
            .expect("the player"),
    )
}

fn of(page: &Value, n: u64) -> Value {
    let mut players = page["players"].as_array().expect("players").iter();
    let player = players.find(|player| player["id"] == id(n));
    player.expect("the player").clone()
}

fn rating(player: &Value) -> i64 {
    player["rating"].as_i64().expect("a rating")
}

/// Counts a round that ended at `ended`, in seconds since 1970.
async fn play_then(app: &App, name: &str, ended: i64, a: &[u64], b: &[u64]) {
    let played = round("s", name, "a", a, b);
    app.counted(&with(played, json!({"ended_at": ended}))).await;
}

async fn start_season(app: &App) {
    let start = json!({"name": "Winter", "keep": 0.5, "calibration": 5});
    let request = app.admin(Method::POST, "/v1/admin/seasons");
    let (status, answer) = send(request.json(&start)).await;
    assert!(status.is_success(), "{answer}");
}

async fn changes_are_those_of_the_leaderboard_and_more(app: &App) {
    let now = app.clock.now();
    // Some players have more rounds than a row of entries holds, some fill rows exactly.
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
        for (key, name) in [
            ("change_1_day", "3-1"),
            ("change_7_days", "20-19"),
            ("change_30_days", "40-15"),
        ] {
            let change = rating(&player) - rating_after(app, name, n).await;
            assert_eq!(player[key], change, "{n} {key}: {player}");
        }
    }
    let unmoved = json!({"change_30_days": 0, "change_1_day": 0});
    assert_has(&of(&page, 6), &unmoved);
    let change = 1500 - rating_after(app, "40-15b", 5).await;
    let expected = json!({"change_1_day": 0, "change_7_days": change, "stale": true});
    assert_has(&of(&page, 5), &expected);
    assert_eq!(listed(&page)[0], id(5));
}

async fn a_history_that_comes_late_has_moved_nobody_who_has_not_played_since(app: &App) {
    app.counted(&round("s", "today", "a", &[7], &[8])).await;
    for number in 0..33_i64 {
        let ended = 1_500_000_000 + number * 3600;
        play_then(app, &format!("old-{number}"), ended, &[1, 2], &[3, 4]).await;
    }
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
}

async fn of_a_history_out_of_order_the_last_round_of_then_counts(app: &App) {
    let now = app.clock.now();
    // Two histories in sequence: far more recent rounds than a few rows hold.
    for (what, count, days, teams) in [
        ("old", 20, 60, [1, 2]),
        ("new", 40, 1, [1, 2]),
        ("other", 20, 50, [3, 4]),
    ] {
        for number in 0..count {
            let ended = now.days_earlier(days).unix_micros() / 1_000_000 + number * 60;
            let name = format!("{what}-{number}");
            play_then(app, &name, ended, &teams[..1], &teams[1..]).await;
        }
    }
    later(app);
    for sort in ["rank", "change_30_days"] {
        let page = list(app, &format!("sort={sort}")).await;
        for n in [1, 2] {
            let old = rating_after(app, "old-19", n).await;
            let change = rating_after(app, "new-39", n).await - old;
            assert_ne!(change, 0);
            assert_has(&of(&page, n), &json!({"change_30_days": change}));
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
    let week = 1000 - rating_after(app, "first", 1).await;
    let day = 1000 - rating_after(app, "second", 1).await;
    let expected = json!({"rating": 1000, "change_7_days": week, "change_1_day": day});
    assert_has(&player, &expected);
}

async fn a_table_that_is_kept_takes_nothing_from_later_rounds(app: &App) {
    let now = app.clock.now();
    app.clock.set(now.days_earlier(40));
    for number in 0..5 {
        app.counted(&round("s", &number.to_string(), "a", &[1, 2], &[3, 4]))
            .await;
    }
    app.clock.set(now);
    start_season(app).await;
    let first = of(&list(app, "sort=rank").await, 1);
    let change = rating(&first) - rating_after(app, "4", 1).await;
    assert_ne!(change, 0, "a season has started");
    assert_eq!(first["change_7_days"], change);
    app.counted(&round("s", "later", "b", &[1, 2], &[3, 4]))
        .await;
    let second = of(&list(app, "sort=rank").await, 1);
    assert_eq!(second, first, "the table is kept for some seconds");
}

async fn lists_of_later_are_sorted_by_what_they_show(app: &App) {
    let mut dice = Dice::new(25);
    let began = app.clock.now();
    let mut moved = [0; 3];
    let mut names = Vec::new();
    for day in 0..80_i64 {
        app.clock
            .set(began.later(HOUR * u32::try_from(24 * day).expect("some days")));
        for number in 0..dice.below(6) {
            let players: Vec<u64> = (1..=12).filter(|_| dice.one_in(3)).collect();
            let (a, b) = players.split_at(players.len() / 2);
            if a.is_empty() {
                continue;
            }
            let winner = if dice.one_in(2) { "a" } else { "b" };
            let name = format!("{day}-{number}");
            let played = round("s", &name, winner, a, b);
            names.push(name);
            // Some rounds arrive days late, from a server without a connection.
            let late = if dice.one_in(8) { 86_400 * 9 } else { 0 };
            let ended = app.clock.now().unix_micros() / 1_000_000 - late;
            app.counted(&with(played, json!({"ended_at": ended}))).await;
        }
        match day {
            30 => set(app, 3, 1900).await,
            45 => {
                void(app, &format!("s/{}", names[names.len() / 2])).await;
            }
            50 => start_season(app).await,
            _ => {}
        }
        // The table is older than any client sees, but what was found for it stays cached.
        for _ in 0..dice.below(3) {
            app.clock.set(app.clock.now().later(HOUR));
            for (key, moved) in ["change_1_day", "change_7_days", "change_30_days"]
                .iter()
                .zip(&mut moved)
            {
                let page = list(app, &format!("sort=-{key}")).await;
                let players = page["players"].as_array().expect("players").iter();
                let changes: Vec<i64> = players
                    .map(|player| player[key].as_i64().expect("a change"))
                    .collect();
                assert!(
                    changes.is_sorted_by(|one, next| one >= next),
                    "{key}, day {day}: {page}"
                );
                *moved += changes.iter().filter(|change| **change != 0).count();
            }
        }
    }
    assert!(moved.iter().all(|moved| *moved > 20), "{moved:?}");
}
