use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use super::service::metrics::{assert_value, metrics};
use super::splits::scramble::set;
use super::{id, ids, with};
use crate::support::{App, fields, refused, send};

same_on_both_databases!(
    those_who_wait_are_matched_and_the_others_learn_why_not,
    the_same_request_gets_the_same_answer,
    roles_modes_and_servers_are_kept,
    what_is_not_acceptable_is_named,
);

fn ticket(name: &str, players: &[u64], since: &str) -> Value {
    json!({"id": name, "players": ids(players.iter().copied()), "since": since})
}

fn queue() -> Value {
    let at = |minute: u32| format!("2026-11-20T11:{minute}:00Z");
    json!({
        "now": "2026-11-20T12:00:00Z",
        "tickets": [
            ticket("a", &[1], &at(59)), ticket("b", &[2], &at(58)), ticket("c", &[3, 4], &at(57)),
            ticket("d", &[5], &at(59)), ticket("e", &[6], &at(40)),
        ],
        "servers": [{"name": "eu-1", "region": "eu", "sizes": [2]}],
    })
}

async fn ask(app: &App, body: &Value) -> Value {
    let asked = app.request(Method::POST, "/v1/match").json(body);
    let (status, answer) = send(asked).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    answer
}

async fn those_who_wait_are_matched_and_the_others_learn_why_not(app: &App) {
    for (n, rating) in [
        (1, 1300),
        (2, 1100),
        (3, 1250),
        (4, 1200),
        (5, 1000),
        (6, 1190),
    ] {
        set(app, n, rating).await;
    }
    let answer = ask(app, &queue()).await;
    let made = &answer["matches"][0];
    assert_eq!(answer["matches"].as_array().unwrap().len(), 1, "{answer}");
    let tickets = [&made["tickets_a"], &made["tickets_b"]].map(|team| team.as_array().unwrap());
    let all: Vec<&Value> = tickets.into_iter().flatten().collect();
    assert!(all.contains(&&json!("e")), "its wait is due: {answer}");
    assert_eq!(made["limits"], Value::Null, "{made}");
    assert_eq!(made["longest_wait_seconds"], 1200);
    let sums = [&made["sum_a"], &made["sum_b"]].map(|sum| sum.as_i64().unwrap());
    assert_eq!(made["difference"], sums[0].abs_diff(sums[1]));
    assert_eq!(answer["waiting"].as_array().unwrap().len() + all.len(), 5);
    for waiting in answer["waiting"].as_array().unwrap() {
        assert_eq!(waiting["why"], "taken", "{answer}");
    }
    let metrics = metrics(app).await;
    assert_value(&metrics, "rbs_matches_made_total{pool=\"default\"}", 1.0);

    let mut alone = queue();
    alone["tickets"] = json!([ticket("a", &[1], "2026-11-20T11:59:30Z")]);
    let answer = ask(app, &alone).await;
    let waiting = &answer["waiting"][0];
    assert_eq!(
        (
            &waiting["why"],
            &waiting["waited_seconds"],
            &waiting["due_in_seconds"]
        ),
        (&json!("too_few"), &json!(30), &json!(270)),
        "{answer}"
    );
}

async fn the_same_request_gets_the_same_answer(app: &App) {
    assert_eq!(ask(app, &queue()).await, ask(app, &queue()).await);
}

async fn roles_modes_and_servers_are_kept(app: &App) {
    let since = "2026-11-20T12:00:00Z";
    let medic = |n: u64| {
        with(
            ticket(&n.to_string(), &[n], since),
            json!({"roles": {"medic": [id(n)]}}),
        )
    };
    let body = json!({
        "now": since, "sizes": [2], "roles": [{"name": "medic"}],
        "tickets": [
            medic(1), medic(2), ticket("3", &[3], since), ticket("4", &[4], since),
            with(ticket("5", &[5], since), json!({"servers": {"elsewhere": null}})),
            with(ticket("6", &[6], since), json!({"modes": ["koth"]})),
        ],
        "servers": [{"name": "eu-1", "region": "eu", "modes": ["cp"]}],
    });
    let answer = ask(app, &body).await;
    let made = &answer["matches"][0];
    assert_eq!(
        (&made["mode"], &made["missing_roles"]),
        (&json!("cp"), &json!([])),
        "{answer}"
    );
    for team in ["a", "b"] {
        let medics = ids([1, 2])
            .iter()
            .filter(|id| made[team].as_array().unwrap().contains(&json!(id)))
            .count();
        assert_eq!(medics, 1, "{made}");
    }
    for waiting in answer["waiting"].as_array().unwrap() {
        assert_eq!(waiting["why"], "no_server", "{answer}");
    }
}

async fn what_is_not_acceptable_is_named(app: &App) {
    let changed = |change: fn(&mut Value)| {
        let mut body = queue();
        change(&mut body);
        body
    };
    for (body, expected) in [
        (changed(|body| body["policy"] = json!("best")), "/policy"),
        (
            changed(|body| body["tickets"][1]["id"] = json!("a")),
            "/tickets/1/id",
        ),
        (
            changed(|body| body["tickets"][1]["players"] = json!(ids([1]))),
            "/tickets/1/players/0",
        ),
        (
            changed(|body| body["tickets"][1]["players"] = json!([])),
            "/tickets/1/players",
        ),
        (
            changed(|body| body["tickets"][0]["roles"] = json!({"medic": []})),
            "/tickets/0/roles/medic",
        ),
        (
            changed(|body| body["tickets"][0]["regions"] = json!({"eu": -1})),
            "/tickets/0/regions/eu",
        ),
        (
            changed(|body| body["servers"][0]["sizes"] = json!([])),
            "/servers/0/sizes",
        ),
        (
            changed(|body| body["servers"][0]["sizes"] = json!([65])),
            "/servers/0/sizes/0",
        ),
        (
            changed(|body| body["servers"] = json!(vec![body["servers"][0].clone(); 2])),
            "/servers/1/name",
        ),
        (
            changed(|body| body["servers"] = json!(vec![json!({"name": "s"}); 65])),
            "/servers",
        ),
        (
            changed(|body| body["tickets"] = json!(vec![body["tickets"][0].clone(); 1001])),
            "/tickets",
        ),
    ] {
        let asked = app.request(Method::POST, "/v1/match").json(&body);
        let (_, problem) = refused(asked, 422).await;
        assert_eq!(fields(&problem), [expected], "{problem}");
    }
}
