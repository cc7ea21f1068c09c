//! Clients that send too many requests do not block others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rbs::config::Settings;
use rbs::http::Limits;
use rbs::metrics::Format;
use reqwest::{Method, RequestBuilder, StatusCode};
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;

use super::limits::{LONG, connect, until_hung_up};
use crate::http::{id, ids, round};
use crate::support::{ADMIN_SECRET, App, Instance, LIMITS, answered, send, settings_with_secrets};

on_both_databases!(
    a_flood_of_large_splits_from_one_secret_refuses_no_other,
    long_queues_of_one_secret_hold_up_no_other,
    a_flood_of_heavy_reads_and_renames_from_one_secret_refuses_no_other,
    one_secret_leaves_room_for_the_requests_of_others,
    a_closed_connection_ends_its_computation,
    bodies_on_their_way_take_no_place_of_a_request,
    of_one_secret_only_so_many_bodies_are_waited_for,
);

const GREEDY: &str = "the-secret-of-a-greedy-one";
const MODEST: &str = "the-secret-of-a-modest-one";

fn settings(app: &App) -> Settings {
    let secrets = format!("{GREEDY},{MODEST}");
    settings_with_secrets(app.settings.database.clone(), &secrets, Some(ADMIN_SECRET))
}

fn scramble(app: &App, to: &Instance, secret: &str, question: &Value) -> RequestBuilder {
    let request = app.bare_to(&to.address, Method::POST, "/v1/scramble");
    request.bearer_auth(secret).json(question)
}

/// A service that computes one table at a time, and requests that take minutes without compiler optimization.
async fn solving(app: &App) -> (Instance, impl Fn(usize) -> Value) {
    for number in 1..=100 {
        let path = format!("/v1/admin/players/{}", id(number));
        let rating = json!({"rating": 100 + number * 7919 % 9901});
        answered(app.admin(Method::PUT, &path).json(&rating)).await;
    }
    let service = app.first.service.clone().with_solvers(1);
    let instance = Instance::over(service, &settings(app)).await;
    let question =
        |tolerance| json!({"server": "s", "players": ids(1..=100), "tolerance": tolerance});
    (instance, question)
}

fn metrics(instance: &Instance) -> String {
    let metrics = instance.service.metrics();
    metrics.text(Format::Plain).expect("the metrics")
}

async fn until(is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(LONG, waiting)
        .await
        .expect("it comes about");
}

async fn a_flood_of_large_splits_from_one_secret_refuses_no_other(app: &App) {
    let (instance, question) = solving(app).await;
    let mut flood = JoinSet::new();
    for number in 0..80 {
        flood.spawn(send(scramble(app, &instance, GREEDY, &question(number))));
    }
    // More requests arrived than may wait, and the first is being computed.
    let (status, answer) = flood.join_next().await.expect("one").expect("an answer");
    assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
    until(|| instance.service.tables_computed() > 0).await;
    for number in 0..5 {
        let modest = json!({"server": "m", "players": ids(200..=206 + number)});
        answered(scramble(app, &instance, MODEST, &modest)).await;
    }
    flood.shutdown().await;
    instance.stop_serving().await;
}

/// A queue of that many tickets, with a server for every eight of them. A long queue takes seconds.
fn queue(tickets: u64) -> Value {
    let ticket = |number: u64| {
        let since = format!("2026-11-20T11:{:02}:00Z", number % 60);
        json!({"id": number.to_string(), "players": [id(number)], "since": since})
    };
    let server = |number: u64| json!({"name": format!("eu-{number}"), "sizes": [4, 8]});
    json!({
        "tickets": (1..=tickets).map(ticket).collect::<Vec<_>>(),
        "servers": (0..tickets / 16).map(server).collect::<Vec<_>>(),
    })
}

async fn long_queues_of_one_secret_hold_up_no_other(app: &App) {
    let service = app.first.service.clone().with_solvers(1);
    let instance = Instance::over(service, &settings(app)).await;
    let ask = |secret: &str, path: &str, body: &Value| {
        let request = app.bare_to(&instance.address, Method::POST, path);
        send(request.bearer_auth(secret).json(body))
    };
    let mut flood: JoinSet<()> = JoinSet::new();
    for _ in 0..24 {
        let request = app.bare_to(&instance.address, Method::POST, "/v1/match");
        let request = request.bearer_auth(GREEDY).json(&queue(1000));
        flood.spawn(async move {
            loop {
                let request = request.try_clone().expect("a request without a stream");
                send(request).await;
            }
        });
    }
    until(|| metrics(&instance).contains("rbs_http_requests_in_flight 24\n")).await;
    let teams = json!({"server": "m", "team_a": ids(1..=8), "team_b": ids(9..=16)});
    let joining = json!({"server": "m", "team_a": ids(1..=8), "team_b": ids(9..=16), "joining": ids(17..=18)});
    for number in 0..5 {
        let lobby = json!({"server": "m", "players": ids(200..=206 + number)});
        for (path, body) in [
            ("/v1/match", &queue(16 + number)),
            ("/v1/scramble", &lobby),
            ("/v1/balance", &teams),
            ("/v1/place", &joining),
        ] {
            let (status, answer) = ask(MODEST, path, body).await;
            assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        }
    }
    flood.shutdown().await;
    instance.stop_serving().await;
}

async fn a_flood_of_heavy_reads_and_renames_from_one_secret_refuses_no_other(app: &App) {
    const CONNECTIONS: u64 = 128;
    let instance = Instance::over(app.first.service.clone(), &settings(app)).await;
    for batch in 0..4 {
        let rounds = (0..64).map(|number| {
            let round_id = format!("{batch}-{number}");
            round("s", &round_id, "a", &[1, 2, 3, 4], &[5, 6, 7, 8])
        });
        let request = app.bare_to(&instance.address, Method::POST, "/v1/updates");
        let request = request.json(&json!({"rounds": rounds.collect::<Vec<_>>()}));
        answered(request.bearer_auth(MODEST)).await;
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let mut flood = JoinSet::new();
    for number in 0..CONNECTIONS {
        let to = |method, path: &str| {
            let request = app.bare_to(&instance.address, method, path);
            request.bearer_auth(GREEDY)
        };
        let profile = format!("/v1/players/{}/profile", id(1 + number % 8));
        let named = |player: u64| json!({"id": id(player), "name": format!("{number} {player}")});
        let named: Vec<Value> = (100..200).map(named).collect();
        let request = match number % 4 {
            0 => to(Method::GET, "/v1/leaderboard?limit=500"),
            1 => to(Method::POST, "/v1/players").json(&json!({"server": "s", "players": named})),
            _ => to(Method::GET, &profile),
        };
        let is_over = Arc::clone(&is_over);
        flood.spawn(async move {
            let mut answered = 0;
            while !is_over.load(Ordering::Relaxed) {
                let request = request.try_clone().expect("a request without a stream");
                let (status, answer) = send(request).await;
                let is_refused = status == StatusCode::TOO_MANY_REQUESTS;
                assert!(is_refused || status == StatusCode::OK, "{status}: {answer}");
                answered += usize::from(!is_refused);
            }
            answered
        });
    }
    for number in 0..10_u64 {
        let lobby = json!({"server": "m", "players": ids(200..=206 + number)});
        let played = round("m", &number.to_string(), "a", &[1, 2], &[3, 4]);
        for (path, body) in [
            ("/v1/update", played),
            ("/v1/hello", lobby.clone()),
            ("/v1/players", lobby.clone()),
            ("/v1/scramble", lobby),
        ] {
            let request = app.bare_to(&instance.address, Method::POST, path);
            answered(request.bearer_auth(MODEST).json(&body)).await;
        }
    }
    is_over.store(true, Ordering::Relaxed);
    let answered: usize = flood.join_all().await.into_iter().sum();
    assert!(answered > 0, "the flood has its own share");
    instance.stop_serving().await;
}

async fn one_secret_leaves_room_for_the_requests_of_others(app: &App) {
    let (unlimited, question) = solving(app).await;
    let service = unlimited.stop_serving().await;
    let limits = Limits {
        requests: 4,
        ..LIMITS
    };
    let instance = Instance::within(limits, service, &settings(app)).await;
    let mut flood = JoinSet::new();
    for number in 0..4 {
        flood.spawn(send(scramble(app, &instance, GREEDY, &question(number))));
    }
    for _ in 0..2 {
        let (status, answer) = flood.join_next().await.expect("one").expect("an answer");
        assert_eq!(status, StatusCode::TOO_MANY_REQUESTS, "{answer}");
    }
    answered(update(app, &instance, MODEST, "1")).await;
    flood.shutdown().await;
    instance.stop_serving().await;
}

async fn a_closed_connection_ends_its_computation(app: &App) {
    let (instance, question) = solving(app).await;
    let abandoned =
        |count| metrics(&instance).contains(&format!("rbs_splits_abandoned_total {count}\n"));
    assert!(abandoned(0));
    let asking = tokio::spawn(send(scramble(app, &instance, GREEDY, &question(0))));
    until(|| instance.service.tables_computed() == 1).await;
    asking.abort();
    until(|| abandoned(1)).await;
    let text = metrics(&instance);
    let mut lines = text.lines();
    let computed = lines.find(|line| {
        line.starts_with("rbs_split_duration_seconds_count{") && !line.ends_with(" 0")
    });
    assert_eq!(computed, None);
    let small = json!({"server": "s", "players": ids(1..=4)});
    answered(scramble(app, &instance, GREEDY, &small)).await;
    instance.stop_serving().await;
}

/// Starts sending a round's body with the greedy secret, and never ends.
async fn trickle(to: &Instance) -> tokio::net::TcpStream {
    let mut stream = connect(to).await;
    let head = format!(
        "POST /v1/update HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
         authorization: Bearer {GREEDY}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{{"
    );
    stream.write_all(head.as_bytes()).await.expect("it is sent");
    stream
}

fn update(app: &App, to: &Instance, secret: &str, round_id: &str) -> RequestBuilder {
    let request = app.bare_to(&to.address, Method::POST, "/v1/update");
    let round = round("s", round_id, "a", &[1], &[2]);
    request.bearer_auth(secret).json(&round)
}

async fn bodies_on_their_way_take_no_place_of_a_request(app: &App) {
    let limits = Limits {
        requests: 1,
        ..LIMITS
    };
    let service = app.first.service.clone();
    let instance = Instance::within(limits, service, &settings(app)).await;
    let mut slow = Vec::new();
    for _ in 0..3 {
        slow.push(trickle(&instance).await);
    }
    // Answers on new connections prove that the earlier connections were accepted.
    for (secret, round_id) in [(MODEST, "1"), (GREEDY, "2")] {
        answered(update(app, &instance, secret, round_id)).await;
    }
    let rest = round("s", "3", "a", &[1], &[2]).to_string();
    let rest = rest.strip_prefix('{').expect("an object");
    let mut last = slow.pop().expect("one");
    let padded = format!("{rest}{}", " ".repeat(999 - rest.len()));
    last.write_all(padded.as_bytes()).await.expect("it is sent");
    let answer = until_hung_up(&mut last).await;
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    drop(slow);
    instance.stop_serving().await;
}

async fn of_one_secret_only_so_many_bodies_are_waited_for(app: &App) {
    const MAX: usize = 128;
    let settings = Settings {
        request_timeout: Duration::from_secs(15),
        ..settings(app)
    };
    let instance = Instance::over(app.first.service.clone(), &settings).await;
    let mut slow = Vec::new();
    for _ in 0..MAX + 3 {
        slow.push(trickle(&instance).await);
    }
    let mut answers = JoinSet::new();
    for mut stream in slow {
        answers.spawn(async move { until_hung_up(&mut stream).await });
    }
    let first = answers.join_next().await.expect("one").expect("an answer");
    assert!(first.starts_with("HTTP/1.1 429 "), "{first}");
    assert!(first.contains("retry-after: 1\r\n"), "{first}");
    answered(update(app, &instance, MODEST, "1")).await;
    let answers = answers.join_all().await;
    let given_up = answers
        .iter()
        .filter(|answer| answer.starts_with("HTTP/1.1 503 "));
    assert_eq!(given_up.count(), MAX);
    instance.stop_serving().await;
}
