//! `POST /v1/updates`: several rounds in one request, each answered as if sent alone.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tokio::task::JoinSet;

use rbs::api::LogLine;
use rbs::service::LogReader;

use crate::http::{assert_has, assert_nothing_stored, id, ids, round, with, without};
use crate::support::{App, Instance, fields, refused, send, send_for_headers};

on_both_databases!(
    what_is_wrong_with_one_round_is_no_matter_of_the_others,
    rounds_of_several_servers_and_pools_may_come_together,
    sixty_four_rounds_are_the_most_and_none_is_well,
    brief_answers_leave_the_ratings_out_and_nothing_else,
    a_late_round_is_rated_when_it_arrives_and_keeps_both_times,
    queues_of_two_instances_keep_their_order_among_other_rounds,
    without_a_database_the_whole_queue_is_to_be_sent_again,
);

async fn updates(app: &App, rounds: &[Value]) -> Vec<(u64, Value)> {
    let request = app.request(Method::POST, "/v1/updates");
    let (status, body) = send(request.json(&json!({"rounds": rounds}))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(1));
    let answers = body["answers"].as_array().expect("a list of answers");
    assert_eq!(answers.len(), rounds.len(), "one answer for each round");
    let one = |answer: &Value| {
        let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
        assert_eq!(keys, ["body", "retry_after", "status"], "{answer}");
        let status = answer["status"].as_u64().expect("a status");
        (status, answer["body"].clone())
    };
    answers.iter().map(one).collect()
}

async fn brief_answers_leave_the_ratings_out_and_nothing_else(app: &App) {
    let post = |length: Value, rounds: Value| {
        let body = json!({"rounds": rounds, "answers": length});
        app.request(Method::POST, "/v1/updates").json(&body)
    };
    let teams = |name| round("s", name, "a", &[1, 2], &[3, 4]);
    let scramble = json!({"scramble": {"players": ids(1..=4)}});
    let rounds = json!([
        teams("1"),
        teams("1"),
        round("s", "1", "b", &[1], &[2]),
        json!({}),
        with(teams("2"), scramble),
    ]);
    let (status, brief) = send(post(json!("brief"), rounds.clone())).await;
    assert_eq!(status, StatusCode::OK, "{brief}");
    let (_, full) = send(post(json!("full"), rounds.clone())).await;
    assert_eq!(send(post(Value::Null, rounds)).await.1, full);
    let list = |answers: &Value| answers["answers"].as_array().expect("a list").clone();
    let wanted = [
        (200, false),
        (200, true),
        (409, false),
        (422, false),
        (200, false),
    ];
    for ((brief, full), (status, duplicate)) in list(&brief).iter().zip(list(&full)).zip(wanted) {
        assert_eq!(brief["status"], status, "{brief}");
        if status == 200 {
            assert!(full["body"]["round_id"].is_string(), "{full}");
            let expected = json!({"duplicate": duplicate, "splits": full["body"]["splits"], "splits_error": null,
                                  "notices": []});
            assert_eq!(brief["body"], expected);
        } else {
            assert_eq!(*brief, full);
        }
    }
    assert_eq!(brief["answers"][4]["body"]["splits"]["eligible"], 4);
    let (_, problem) = refused(post(json!("short"), json!([])), 422).await;
    assert_eq!(fields(&problem), ["/answers"], "{problem}");
}

fn statuses(answers: &[(u64, Value)]) -> Vec<u64> {
    answers.iter().map(|(status, _)| *status).collect()
}

fn queue(server: &str, count: usize) -> Vec<Value> {
    let names = (0..count).map(|number| number.to_string());
    names
        .map(|name| round(server, &name, "a", &[1], &[2]))
        .collect()
}

async fn what_is_wrong_with_one_round_is_no_matter_of_the_others(app: &App) {
    app.counted(&round("s", "taken", "a", &[1], &[2])).await;
    let good = |name| round("s", name, "a", &[1], &[2]);
    let rounds = [
        good("1"),
        json!(5),
        json!([]),
        without(good("x"), "winner"),
        with(good("x"), json!({"scramble": {"players": [id(1), id(1)]}})),
        with(good("x"), json!({"team_b": [id(1)]})),
        with(good("x"), json!({"pool": "nowhere"})),
        round("s", "taken", "b", &[1], &[2]),
        json!(null),
        good("2"),
    ];
    let answers = updates(app, &rounds).await;
    assert_eq!(
        statuses(&answers),
        [200, 400, 400, 422, 422, 422, 404, 409, 400, 200]
    );
    for (round, (status, body)) in rounds.iter().zip(&answers) {
        let request = app.request(Method::POST, "/v1/update");
        let (alone, wanted) = send(request.json(round)).await;
        assert_eq!(u64::from(alone.as_u16()), *status, "{wanted}");
        if *status == 200 {
            assert_eq!(&with(body.clone(), json!({"duplicate": true})), &wanted);
        } else {
            assert_eq!(body, &wanted);
        }
    }
    assert_eq!(fields(&answers[3].1), ["/winner"]);
    assert_eq!(app.get("/v1/admin/quality").await["rounds"], 3);
}

async fn rounds_of_several_servers_and_pools_may_come_together(app: &App) {
    let rounds = [
        round("s", "1", "a", &[1], &[2]),
        round("arena-1", "1", "a", &[1], &[2]),
        round("t", "1", "a", &[1], &[2]),
        with(round("t", "2", "b", &[1], &[2]), json!({"pool": "arena"})),
        round("s", "2", "a", &[1], &[2]),
    ];
    let answers = updates(app, &rounds).await;
    let output = answers
        .iter()
        .map(|(_, body)| json!([body["pool"], body["players"][0]["rounds"]]));
    let [default, arena] = ["default", "arena"];
    let expected = json!([
        [default, 1],
        [arena, 1],
        [default, 2],
        [arena, 2],
        [default, 3]
    ]);
    assert_eq!(output.collect::<Value>(), expected);
    for (pool, rounds) in [(default, 3), (arena, 2)] {
        let quality = app.get(&format!("/v1/admin/quality?pool={pool}")).await;
        assert_eq!(quality["rounds"], rounds);
    }
}

async fn sixty_four_rounds_are_the_most_and_none_is_well(app: &App) {
    assert_eq!(updates(app, &[]).await, []);
    let post = |body: &Value| app.request(Method::POST, "/v1/updates").json(body);
    let (_, problem) = refused(post(&json!({"rounds": queue("s", 65)})), 422).await;
    assert_eq!(fields(&problem), ["/rounds"]);
    for (body, status) in [
        (json!({}), 422),
        (json!({"rounds": {}}), 422),
        (json!({"rounds": [], "round": 1}), 422),
        (json!([]), 400),
        (round("s", "1", "a", &[1], &[2]), 422),
    ] {
        refused(post(&body), status).await;
    }
    assert_nothing_stored(app).await;

    let answers = updates(app, &queue("s", 64)).await;
    assert!(answers.iter().all(|(status, _)| *status == 200));
    assert_eq!(answers[63].1["players"][0]["rounds"], 64);
}

async fn queues_of_two_instances_keep_their_order_among_other_rounds(app: &App) {
    const QUEUES: usize = 6;
    const LENGTH: usize = 40;
    let addresses = [app.first.address.clone(), app.another_instance().await];
    let mut clients = JoinSet::new();
    for number in 0..QUEUES {
        let address = &addresses[number % 2];
        let rounds = queue(&format!("queue-{number}"), LENGTH);
        let request = app.request_to(address, Method::POST, "/v1/updates");
        clients.spawn(send(request.json(&json!({"rounds": rounds}))));
        let alone = round(&format!("alone-{number}"), "1", "b", &[1], &[2]);
        let request = app.request_to(address, Method::POST, "/v1/update");
        clients.spawn(send(request.json(&alone)));
    }
    for (status, body) in clients.join_all().await {
        assert_eq!(status, StatusCode::OK, "{body}");
    }
    let pools = app.first.service.stored_pools().await.expect("pools");
    let pool = pools.iter().find(|pool| pool.name.as_str() == "default");
    let mut reader = LogReader::default();
    let pool = pool.expect("the pool");
    let log = app.first.service.read_log(pool, &mut reader, 1000);
    let mut seen = std::collections::HashMap::new();
    let log = log.await.expect("the log").expect("rounds are in it");
    for line in log {
        let LogLine::Round(round) = line else {
            panic!("nothing but rounds was sent, and in the log stands {line:?}");
        };
        let parts = round.parts();
        let next = seen.entry(parts.server.to_string()).or_insert(0_usize);
        if parts.server.as_str().starts_with("queue") {
            assert_eq!(parts.round_id.as_str(), next.to_string(), "out of order");
        }
        *next += 1;
    }
    for number in 0..QUEUES {
        assert_eq!(seen[&format!("queue-{number}")], LENGTH);
        assert_eq!(seen[&format!("alone-{number}")], 1);
    }
}

async fn without_a_database_the_whole_queue_is_to_be_sent_again(app: &App) {
    let cut_off = Instance::start(&app.settings, app.clock.clone()).await;
    cut_off.service.close().await;
    let post = |rounds: &Value| {
        app.request_to(&cut_off.address, Method::POST, "/v1/updates")
            .json(&json!({"rounds": rounds}))
    };
    let good = round("s", "1", "a", &[1], &[2]);
    let other = round("arena-1", "1", "a", &[1], &[2]);
    refused(post(&json!([good, other])), 503).await;
    let (status, headers, body) = send_for_headers(post(&json!([good, 5, other]))).await;
    assert_eq!(status, StatusCode::OK, "{body}");
    assert_eq!(headers["retry-after"], "5");
    for (place, (status, retry_after)) in [(503, json!(5)), (400, Value::Null), (503, json!(5))]
        .into_iter()
        .enumerate()
    {
        let expected = json!({"status": status, "retry_after": retry_after});
        assert_has(&body["answers"][place], &expected);
    }
    cut_off.stop().await;
    assert_nothing_stored(app).await;
    assert_eq!(statuses(&updates(app, &[good, other]).await), [200, 200]);
}

async fn a_late_round_is_rated_when_it_arrives_and_keeps_both_times(app: &App) {
    let ended = |name, time: &str| {
        let ended_at = format!("2026-11-20T{time}:00Z");
        with(
            round("s", name, "a", &[1], &[2]),
            json!({"ended_at": ended_at}),
        )
    };
    app.counted(&ended("newer", "11:55")).await;
    let month_old = json!({"ended_at": "2026-10-01T00:00:00Z"});
    let queue = [
        with(round("s", "oldest", "a", &[1], &[2]), month_old),
        ended("older", "11:30"),
    ];
    let answers = updates(app, &queue).await;
    let befores: Vec<_> = answers
        .iter()
        .map(|(_, body)| body["players"][0]["rounds"].clone())
        .collect();
    assert_eq!(befores, [json!(2), json!(3)], "rated in order of arrival");

    let player = app.get(&format!("/v1/players/{}", id(1))).await;
    assert_eq!(player["last_played"], "2026-11-20T11:55:00Z");
    assert_eq!(player["stale"], false, "the latest counts");

    let pool = app.first.service.pool(None, None).expect("the pool");
    let who = id(1).parse().expect("an id");
    let details = app.first.service.get_player_details(&pool, who).await;
    let rounds = details.expect("a player").last_rounds;
    let mut times = Vec::new();
    for one in rounds {
        let round = app.first.service.get_round(one.server, one.round_id).await;
        let round = round.expect("the round").round;
        times.push((round.ended_at.to_string(), round.received_at.to_string()));
    }
    let noon = "2026-11-20T12:00:00Z";
    let wanted = [
        ("2026-11-20T11:30:00Z", noon),
        ("2026-10-01T00:00:00Z", noon),
        ("2026-11-20T11:55:00Z", noon),
    ];
    assert_eq!(
        times,
        wanted.map(|(ended, received)| (ended.to_owned(), received.to_owned())),
        "the log keeps when a round ended and when it came, in order of arrival"
    );
}
