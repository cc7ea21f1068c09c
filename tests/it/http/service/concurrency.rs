//! Many clients and two instances on one database give a sequential result.

use std::collections::HashMap;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::http::{id, round, with, without};
use crate::support::{App, send};

on_both_databases!(
    many_rounds_sent_by_many_clients_to_two_instances_follow_one_another,
    rounds_sent_to_two_pools_in_opposite_orders_hold_nobody_up_and_count_once,
    different_rounds_of_one_name_sent_at_once_leave_one,
    sets_and_rounds_at_once_lose_nothing,
);

async fn all_at_once(requests: Vec<reqwest::RequestBuilder>) -> Vec<(StatusCode, Value)> {
    let count = requests.len();
    let mut running = JoinSet::new();
    for (index, request) in requests.into_iter().enumerate() {
        running.spawn(async move { (index, send(request).await) });
    }
    let mut answers: HashMap<usize, _> = running.join_all().await.into_iter().collect();
    (0..count)
        .map(|index| answers.remove(&index).expect("one answer for each"))
        .collect()
}

fn update(app: &App, address: &str, body: &Value) -> reqwest::RequestBuilder {
    app.request_to(address, Method::POST, "/v1/update")
        .json(body)
}

async fn many_rounds_sent_by_many_clients_to_two_instances_follow_one_another(app: &App) {
    const CLIENTS: u64 = 8;
    const ROUNDS_EACH: u64 = 10;
    const PLAYERS: u64 = 12;
    let addresses = [app.first.address.clone(), app.another_instance().await];
    let mut clients = JoinSet::new();
    for client in 0..CLIENTS {
        let requests: Vec<_> = (0..ROUNDS_EACH)
            .map(|number| {
                let start = client * 5 + number * 7;
                let who = |place| (start + place * (1 + client % 2 * 4)) % PLAYERS + 1;
                let winner = ["a", "b", "draw"][usize::try_from(start % 3).expect("0 to 2")];
                let sent = round(
                    &format!("server-{client}"),
                    &number.to_string(),
                    winner,
                    &[who(0), who(1), who(2)],
                    &[who(3), who(4), who(5)],
                );
                let address = |copy: u64| {
                    let index = usize::try_from((client + number + copy) % 2).expect("0 or 1");
                    &addresses[index]
                };
                [0, 1].map(|copy| update(app, address(copy), &sent))
            })
            .collect();
        clients.spawn(async move {
            for copies in requests {
                let answers = all_at_once(copies.into()).await;
                let statuses: Vec<_> = answers.iter().map(|(status, _)| *status).collect();
                assert_eq!(statuses, [StatusCode::OK; 2], "{answers:?}");
                assert_ne!(answers[0].1["duplicate"], answers[1].1["duplicate"]);
                let [first, second] = [0, 1].map(|copy: usize| answers[copy].1.clone());
                assert_eq!(without(first, "duplicate"), without(second, "duplicate"));
            }
        });
    }
    clients.join_all().await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], CLIENTS * ROUNDS_EACH);
    let mut played = 0;
    for n in 1..=PLAYERS {
        let path = format!("/v1/players/{}", id(n));
        played += app.get(&path).await["rounds"].as_u64().expect("a number");
    }
    assert_eq!(played, CLIENTS * ROUNDS_EACH * 6, "six are rated a round");
}

async fn rounds_sent_to_two_pools_in_opposite_orders_hold_nobody_up_and_count_once(app: &App) {
    const ROUNDS: usize = 40;
    let second = app.another_instance().await;
    let sent = |number: usize, pool: &str| {
        let round = round("s", &number.to_string(), "a", &[1], &[2]);
        with(round, json!({"pool": pool}))
    };
    // Alternates the pools so that their transactions interleave; the second instance gets the reverse order.
    let requests = (0..ROUNDS)
        .flat_map(|number| {
            [
                update(app, &app.first.address, &sent(number, "default")),
                update(app, &second, &sent(ROUNDS - 1 - number, "arena")),
            ]
        })
        .collect();
    let answers = all_at_once(requests).await;
    for number in 0..ROUNDS {
        let in_default = answers[2 * number].0.as_u16();
        let in_arena = answers[2 * (ROUNDS - 1 - number) + 1].0.as_u16();
        assert!(
            [(200, 409), (409, 200)].contains(&(in_default, in_arena)),
            "round {number} is answered {in_default} for one pool and {in_arena} for the other: \
             {} {}",
            answers[2 * number].1,
            answers[2 * (ROUNDS - 1 - number) + 1].1
        );
    }
    let mut total = 0;
    for pool in ["default", "arena"] {
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        total += quality["rounds"].as_u64().expect("a number");
    }
    assert_eq!(total, ROUNDS as u64, "each counts in one pool");
}

async fn different_rounds_of_one_name_sent_at_once_leave_one(app: &App) {
    let second = app.another_instance().await;
    let requests = (0..8_u64).map(|n| {
        let address = [&app.first.address, &second][usize::from(n % 2 == 1)];
        update(app, address, &round("s", "1", "a", &[10 + n], &[20 + n]))
    });
    let answers = all_at_once(requests.collect()).await;
    let count = |wanted: u16| {
        let statuses = answers.iter().map(|(status, _)| status.as_u16());
        statuses.filter(|status| *status == wanted).count()
    };
    assert_eq!((count(200), count(409)), (1, 7), "{answers:?}");
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 1);
    assert_eq!(quality["players"]["total"], 2);
}

async fn sets_and_rounds_at_once_lose_nothing(app: &App) {
    let second = app.another_instance().await;
    let mut requests = Vec::new();
    for number in 0..12_u64 {
        let address = [&app.first.address, &second][usize::from(number % 2 == 1)];
        let sent = round("s", &number.to_string(), "a", &[1], &[2]);
        requests.push(update(app, address, &sent));
        let path = format!("/v1/admin/players/{}", id(1 + number % 2));
        let change = app.bare_to(address, Method::PUT, &path);
        let change = change.bearer_auth(crate::support::ADMIN_SECRET);
        requests.push(change.json(&json!({"rating": 1000 + number})));
    }
    for (status, body) in all_at_once(requests).await {
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    for n in [1, 2] {
        let player = app.get(&format!("/v1/players/{}", id(n))).await;
        assert_eq!(player["rounds"], 12);
    }
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 12);
}
