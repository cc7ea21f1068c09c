//! Tests of `POST /v1/balance` and `POST /v1/place`.

mod bots;
mod placing;
mod refusals;
mod teams;
mod tickets;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::{assert_nothing_stored, id, ids, set_in_arena, with};
use crate::support::{App, fields, refused, send};

same_on_both_databases!(
    the_policy_is_the_one_named_else_the_pools,
    what_is_set_for_a_pool_counts,
    a_policy_of_the_configuration_is_one_like_the_others,
    an_unknown_policy_is_answered_with_those_that_there_are,
    an_empty_team_is_a_team,
    the_largest_match_is_answered,
);

pub(super) fn request(app: &App, path: &str, body: &Value) -> reqwest::RequestBuilder {
    app.request(Method::POST, path).json(body)
}

async fn ask(app: &App, path: &str, body: &Value) -> Value {
    let (status, answer) = send(request(app, path, body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn balance(app: &App, body: &Value) -> Value {
    ask(app, "/v1/balance", body).await
}

pub(super) fn state(server: &str, team_a: &Value, team_b: &Value) -> Value {
    json!({"server": server, "team_a": team_a, "team_b": team_b})
}

fn weighed(first: u64, weights: &[f64]) -> Value {
    let numbered = (first..).zip(weights);
    numbered
        .map(|(n, weight)| json!({"id": id(n), "weight": weight}))
        .collect()
}

async fn the_policy_is_the_one_named_else_the_pools(app: &App) {
    let body = |server: &str| state(server, &json!(ids(1..=3)), &json!(ids([4])));
    for (server, named, expected) in [
        ("s", json!(null), "synelo"),
        ("arena-1", json!(null), "ns2"),
        ("arena-1", json!("synelo"), "synelo"),
        ("s", json!("sectors-edge"), "sectors-edge"),
        ("s", json!("ut2004"), "ut2004"),
    ] {
        let answer = balance(app, &with(body(server), json!({"policy": named}))).await;
        assert_eq!(answer["policy"], expected, "{server} {named}: {answer}");
    }
    let answer = balance(app, &with(body("s"), json!({"policy": "sectors-edge"}))).await;
    assert_eq!(answer["reasons"][0]["rule"], "size_pairs", "{answer}");
    assert_eq!(
        (&answer["apply_within_seconds"], &answer["apply_on_death"]),
        (&json!(20), &json!(true))
    );
    // All players are tied and share places 5 to 8.
    assert_eq!(answer["before"]["sum_a"], 19.5, "{answer}");
    assert_eq!(answer["before"]["sum_b"], 6.5, "{answer}");
}

async fn what_is_set_for_a_pool_counts(app: &App) {
    // At Θ = 1000, a lead of 500 points gives 62.2 %. The arena's band ends at 65 %, the default band at 60 %.
    for n in 1..=4 {
        set_in_arena(app, n, if n <= 2 { 1250 } else { 1000 }).await;
    }
    let body = state("arena-1", &json!(ids([1, 2])), &json!(ids([3, 4])));
    let answer = balance(app, &body).await;
    assert_eq!(answer["pool"], "arena");
    assert_eq!(answer["unbalanced"], false, "{answer}");
    set_in_arena(app, 1, 1500).await;
    let answer = balance(app, &body).await;
    assert_eq!(answer["unbalanced"], true, "{answer}");
    assert_eq!(answer["reasons"][0]["limit"], 0.65);
    assert_eq!(
        answer["moves"].as_array().map(Vec::len),
        Some(2),
        "{answer}"
    );
    assert_eq!(answer["moves"][0]["with"], answer["moves"][1]["id"]);
    assert_eq!(answer["after"]["difference"], 250.0, "{answer}");
}

async fn a_policy_of_the_configuration_is_one_like_the_others(app: &App) {
    let policy = json!({"policy": "house"});
    let five_against = |server: &str, others: u64| {
        let body = state(server, &json!(ids(1..=5)), &json!(ids(6..6 + others)));
        with(body, policy.clone())
    };
    let answer = balance(app, &five_against("s", 3)).await;
    assert_eq!(answer["policy"], "house");
    assert_eq!(answer["unbalanced"], false, "{answer}");
    let answer = balance(app, &five_against("s", 2)).await;
    assert_eq!(answer["reasons"][0]["rule"], "size_difference", "{answer}");
    assert_eq!(answer["reasons"][0]["limit"], 3.0, "{answer}");
    assert_eq!(answer["after"]["size_a"], 4, "{answer}");
    let (within, on_death) = (&answer["apply_within_seconds"], &answer["apply_on_death"]);
    assert_eq!((within, on_death), (&json!(10), &json!(true)));
    let answer = balance(app, &five_against("arena-1", 2)).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    let joining = with(five_against("s", 4), json!({"joining": [id(20)]}));
    let placement = ask(app, "/v1/place", &joining).await;
    assert_eq!(placement["policy"], "house");
    assert_eq!(placement["placed"][0]["team"], "b", "{placement}");

    let request = app.admin(Method::GET, "/v1/admin/interventions");
    let (_, list) = send(request).await;
    assert_eq!(list["interventions"][0]["policy"], "house", "{list}");
    let request = app.admin(Method::GET, "/v1/admin/interventions/summary");
    let (_, summary) = send(request).await;
    let counted = json!([{"policy": "house", "interventions": 1}]);
    assert_eq!(summary["by_policy"], counted, "{summary}");
    let metrics = app.request(Method::GET, "/metrics").send().await;
    let metrics = metrics.expect("an answer").text().await.expect("a text");
    let moved = r#"rbs_balance_answers_total{pool="default",policy="house",result="moved"} 1"#;
    assert!(metrics.contains(moved), "{metrics}");
}

async fn an_unknown_policy_is_answered_with_those_that_there_are(app: &App) {
    let body = state("s", &json!(ids([1])), &json!(ids([2])));
    // The arena's own policies are unknown in other pools.
    for name in ["best", "SynElo", "arena-only"] {
        for path in ["/v1/balance", "/v1/place"] {
            let mut body = with(body.clone(), json!({"policy": name}));
            if path == "/v1/place" {
                body = with(body, json!({"joining": [id(3)]}));
            }
            let (_, problem) = refused(request(app, path, &body), 422).await;
            assert_eq!(fields(&problem), ["/policy"], "{problem}");
            assert_eq!(
                problem["errors"][0]["detail"],
                "is not a known policy; choose one of \"house\", \"ns2\", \"sectors-edge\", \
                 \"sectors-edge-weights\", \"synelo\", \"ut2004\", or leave the field out for the pool's default"
            );
        }
    }
    let body = state("arena-1", &json!(ids([1])), &json!(ids([2])));
    let answer = balance(app, &with(body, json!({"policy": "arena-only"}))).await;
    assert_eq!(answer["policy"], "arena-only", "{answer}");
}

async fn an_empty_team_is_a_team(app: &App) {
    let answer = balance(app, &state("s", &json!([]), &json!([]))).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    assert_eq!(answer["before"]["win_probability_a"], 0.5);
    for policy in ["synelo", "sectors-edge"] {
        let body = state("s", &json!([]), &json!(ids(1..=2)));
        let answer = balance(app, &with(body, json!({"policy": policy}))).await;
        assert_eq!(answer["moves"][0]["to"], "a", "{policy}: {answer}");
        assert_eq!(answer["after"]["size_a"], 1);
    }
    let body = with(
        state("s", &json!([]), &json!([])),
        json!({"joining": [id(1)]}),
    );
    let answer = ask(app, "/v1/place", &body).await;
    assert_eq!(answer["placed"][0]["team"], "a", "{answer}");
    assert_nothing_stored(app).await;
}

async fn the_largest_match_is_answered(app: &App) {
    for policy in ["synelo", "sectors-edge", "ns2", "ut2004"] {
        let body = state("s", &json!(ids(1..=64)), &json!(ids(101..=132)));
        let answer = balance(app, &with(body, json!({"policy": policy}))).await;
        let sizes = (&answer["before"]["size_a"], &answer["before"]["size_b"]);
        assert_eq!(sizes, (&json!(64), &json!(32)), "{policy}");
        if policy == "synelo" {
            assert_eq!(answer["after"]["size_a"], 48, "{answer}");
            assert_eq!(answer["after"]["difference"], 0.0);
        }
    }
    let body = state("s", &json!(ids(1..=64)), &json!(ids(101..=164)));
    let body = with(body, json!({"joining": ids(201..=264)}));
    let answer = ask(app, "/v1/place", &body).await;
    assert_eq!(answer["after"]["size_a"], 96, "{}", answer["message"]);
}
