use serde_json::{Value, json};

use super::service::metrics::{assert_value, metrics};
use super::splits::scramble::set;
use super::{assert_refused, id, ids, posted, with};
use crate::support::App;

const MATCH: &str = "/v1/match";

same_on_both_databases!(
    those_who_wait_are_matched_and_the_others_learn_why_not,
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

async fn those_who_wait_are_matched_and_the_others_learn_why_not(app: &App) {
    for (n, rating) in (1..).zip([1300, 1100, 1250, 1200, 1000, 1190]) {
        set(app, n, rating).await;
    }
    let answer = posted(app, MATCH, &queue()).await;
    let made = &answer["matches"][0];
    assert_eq!(answer["matches"].as_array().unwrap().len(), 1, "{answer}");
    let tickets = [&made["tickets_a"], &made["tickets_b"]].map(|team| team.as_array().unwrap());
    let all: Vec<&Value> = tickets.into_iter().flatten().collect();
    assert!(all.contains(&&json!("e")), "its wait is due: {answer}");
    assert_eq!(made["limits"], Value::Null, "{made}");
    assert_eq!(made["longest_wait_seconds"], 1200);
    let sums = [&made["sum_a"], &made["sum_b"]].map(|sum| sum.as_i64().unwrap());
    assert_eq!(made["difference"], sums[0].abs_diff(sums[1]));
    let waiting = answer["waiting"].as_array().unwrap();
    assert_eq!(waiting.len() + all.len(), 5, "{answer}");
    assert!(waiting.iter().all(|one| one["why"] == "taken"), "{answer}");
    let metrics = metrics(app).await;
    assert_value(&metrics, "rbs_matches_made_total{pool=\"default\"}", 1.0);

    let mut alone = queue();
    alone["tickets"] = json!([ticket("a", &[1], "2026-11-20T11:59:30Z")]);
    let answer = posted(app, MATCH, &alone).await;
    let keys = ["why", "waited_seconds", "due_in_seconds"];
    let found = keys.map(|key| &answer["waiting"][0][key]);
    assert_eq!(json!(found), json!(["too_few", 30, 270]), "{answer}");
}

async fn roles_modes_and_servers_are_kept(app: &App) {
    let since = "2026-11-20T12:00:00Z";
    let medic = |n: u64| {
        let alone = ticket(&n.to_string(), &[n], since);
        with(alone, json!({"roles": {"medic": [id(n)]}}))
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
    let answer = posted(app, MATCH, &body).await;
    let made = &answer["matches"][0];
    assert_eq!(made["mode"], "cp", "{answer}");
    assert_eq!(made["missing_roles"], json!([]), "{answer}");
    for team in ["a", "b"] {
        let team = made[team].as_array().unwrap();
        let medics = ids([1, 2])
            .into_iter()
            .filter(|id| team.contains(&json!(id)));
        assert_eq!(medics.count(), 1, "{made}");
    }
    let mut waiting = answer["waiting"].as_array().unwrap().iter();
    assert!(waiting.all(|one| one["why"] == "no_server"), "{answer}");
}

async fn what_is_not_acceptable_is_named(app: &App) {
    let refuse = async |place: &str, value: Value, field: &str| {
        let mut body = queue();
        *body.pointer_mut(place).expect("the place") = value;
        assert_refused(app, MATCH, &body, field, "").await;
    };
    let queue = queue();
    let (ticket, server) = (&queue["tickets"][0], &queue["servers"][0]);
    for (place, value) in [
        ("/tickets/1/id", json!("a")),
        ("/tickets/1/players", json!([])),
        ("/tickets/1/players/0", json!(id(1))),
        ("/tickets", json!(vec![ticket; 1001])),
        ("/servers/0/sizes", json!([])),
        ("/servers/0/sizes/0", json!(65)),
        ("/servers", json!(vec![server; 65])),
    ] {
        refuse(place, value, place).await;
    }
    let medics = with(ticket.clone(), json!({"roles": {"medic": []}}));
    refuse("/tickets/0", medics, "/tickets/0/roles/medic").await;
    let near = with(ticket.clone(), json!({"regions": {"eu": -1}}));
    refuse("/tickets/0", near, "/tickets/0/regions/eu").await;
    refuse("/servers", json!([server, server]), "/servers/1/name").await;
    let unknown = with(queue.clone(), json!({"policy": "best"}));
    assert_refused(app, MATCH, &unknown, "/policy", "").await;
}
