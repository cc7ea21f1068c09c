//! Tests of `POST /v1/balance` and `POST /v1/place`.

mod bots;
mod refusals;
mod teams;

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::service::metrics::{assert_value, metrics};
use crate::http::{assert_has, assert_nothing_stored, id, ids, set_in_arena, with};
use crate::support::{App, fields, refused, send};

same_on_both_databases!(
    the_policy_is_the_one_named_else_the_pools,
    what_is_set_for_a_pool_counts,
    a_policy_of_the_configuration_is_one_like_the_others,
    an_unknown_policy_is_answered_with_those_that_there_are,
    an_empty_team_is_a_team,
    the_largest_match_is_answered,
    twenty_seconds_pass_before_anybody_is_moved_as_in_sectors_edge,
    a_reason_that_is_gone_leaves_no_ticket,
    who_moves_instead_of_whom_is_said,
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
    assert_has(
        &answer,
        &json!({"apply_within_seconds": 20, "apply_on_death": true}),
    );
    // All players are tied and share places 5 to 8.
    assert_has(&answer["before"], &json!({"sum_a": 19.5, "sum_b": 6.5}));
}

async fn what_is_set_for_a_pool_counts(app: &App) {
    // At Θ = 1000, a lead of 500 points gives 62.2 %. The arena's band ends at 65 %, the default band at 60 %.
    for n in 1..=4 {
        set_in_arena(app, n, if n <= 2 { 1250 } else { 1000 }).await;
    }
    let body = state("arena-1", &json!(ids([1, 2])), &json!(ids([3, 4])));
    let answer = balance(app, &body).await;
    assert_has(&answer, &json!({"pool": "arena", "unbalanced": false}));
    set_in_arena(app, 1, 1500).await;
    let answer = balance(app, &body).await;
    assert_eq!(answer["reasons"][0]["limit"], 0.65, "{answer}");
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
    assert_has(&answer, &json!({"policy": "house", "unbalanced": false}));
    let answer = balance(app, &five_against("s", 2)).await;
    let reason = json!({"rule": "size_difference", "limit": 3.0});
    assert_has(&answer["reasons"][0], &reason);
    assert_eq!(answer["after"]["size_a"], 4, "{answer}");
    assert_has(
        &answer,
        &json!({"apply_within_seconds": 10, "apply_on_death": true}),
    );
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
    let moved = r#"rbs_balance_answers_total{pool="default",policy="house",result="moved"}"#;
    assert_value(&metrics(app).await, moved, 1.0);
}

async fn an_unknown_policy_is_answered_with_those_that_there_are(app: &App) {
    let body = |server: &str, policy: &str| {
        let body = state(server, &json!(ids([1])), &json!(ids([2])));
        with(body, json!({"policy": policy, "joining": [id(3)]}))
    };
    // The arena's own policies are unknown in other pools.
    for name in ["SynElo", "arena-only"] {
        for path in ["/v1/balance", "/v1/place"] {
            let (_, problem) = refused(request(app, path, &body("s", name)), 422).await;
            assert_eq!(fields(&problem), ["/policy"], "{problem}");
            assert_eq!(
                problem["errors"][0]["detail"],
                "is not a known policy; choose one of \"house\", \"ns2\", \"sectors-edge\", \
                 \"sectors-edge-weights\", \"synelo\", \"ut2004\", or leave the field out for the pool's default"
            );
        }
    }
    let answer = balance(app, &body("arena-1", "arena-only")).await;
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

async fn twenty_seconds_pass_before_anybody_is_moved_as_in_sectors_edge(app: &App) {
    let body = state("s", &json!(ids(1..=4)), &json!(ids([5, 6])));
    let body = with(body, json!({"policy": "sectors-edge"}));
    let first = balance(app, &body).await;
    let none = json!({"ask_again_in_seconds": 20, "since_ticket": null});
    assert_has(&first, &none);
    let mut ticket = first["ticket"].clone();
    let found_at = app.clock.now();
    for (seconds, left) in [(0, 20), (12, 8), (8, 0), (40, 0)] {
        app.clock
            .set(app.clock.now().later(Duration::from_secs(seconds)));
        let answer = balance(app, &with(body.clone(), json!({"ticket": ticket}))).await;
        assert_eq!(answer["ask_again_in_seconds"], left, "{answer}");
        let since = json!({
            "found_at": found_at, "stands": true, "rules_kept": ["size_pairs", "power_difference"],
            "moves_kept": [answer["moves"][0]["id"]],
        });
        assert_has(&answer["since_ticket"], &since);
        ticket = answer["ticket"].clone();
    }
    let answer = balance(app, &with(body, json!({"policy": "synelo"}))).await;
    assert_eq!(answer["ask_again_in_seconds"], 0, "{answer}");
    // A ticket of another match names no player of this match.
    let other = state("s", &json!(ids(11..=14)), &json!(ids([15, 16])));
    let other = balance(app, &with(other, json!({"ticket": ticket}))).await;
    assert_eq!(other["since_ticket"]["moves_kept"], json!([]), "{other}");
}

async fn a_reason_that_is_gone_leaves_no_ticket(app: &App) {
    let body = |a: u64| {
        with(
            state("s", &json!(ids(1..=a)), &json!(ids([7, 8]))),
            json!({"policy": "sectors-edge"}),
        )
    };
    let ticket = balance(app, &body(4)).await["ticket"].clone();
    let answer = balance(app, &with(body(3), json!({"ticket": ticket}))).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    assert_eq!(
        (&answer["ticket"], &answer["ask_again_in_seconds"]),
        (&json!(null), &json!(null))
    );
    let since = &answer["since_ticket"];
    assert_eq!(since["stands"], false, "{answer}");
    assert_eq!(
        since["rules_dropped"],
        json!(["size_pairs", "power_difference"]),
        "{answer}"
    );
    assert_eq!(
        since["moves_dropped"].as_array().map(Vec::len),
        Some(1),
        "{answer}"
    );
}

async fn who_moves_instead_of_whom_is_said(app: &App) {
    let body = state("s", &json!(ids(1..=4)), &json!(ids([5, 6])));
    let first = balance(app, &body).await;
    let moved = first["moves"][0]["id"].clone();
    let team: Vec<_> = ids(1..=4)
        .into_iter()
        .map(|one| json!({"id": one, "immune": json!(one) == moved}))
        .collect();
    let body = with(body, json!({"team_a": team, "ticket": first["ticket"]}));
    let answer = balance(app, &body).await;
    let since = &answer["since_ticket"];
    assert_eq!(since["moves_dropped"], json!([moved]), "{answer}");
    assert_eq!(
        since["moves_added"],
        json!([answer["moves"][0]["id"]]),
        "{answer}"
    );
    // A ticket of another match names no player of this match.
    let other = state("s", &json!(ids(11..=14)), &json!(ids([15, 16])));
    let other = balance(app, &with(other, json!({"ticket": first["ticket"]}))).await;
    assert_eq!(other["since_ticket"]["moves_kept"], json!([]), "{other}");
}
