//! `POST /v1/balance` and `POST /v1/place`.

mod bots;
mod placing;
mod refusals;
mod teams;
mod tickets;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::http::splits::scramble::set;
use crate::http::{assert_like, assert_nothing_stored, id, ids, with};
use crate::support::{App, fields, refused, send};

same_on_both_databases!(
    an_answer_has_every_field,
    a_placement_has_every_field,
    the_policy_is_the_one_named_else_the_pools,
    what_is_set_for_a_pool_counts,
    a_policy_of_the_configuration_is_one_like_the_others,
    an_unknown_policy_is_answered_with_those_that_there_are,
    teams_are_left_alone_where_the_policy_says_so,
    an_answer_that_is_applied_leaves_nothing_to_do,
    where_nothing_helps_nobody_moves,
    an_empty_team_is_a_team,
    the_largest_match_is_answered,
);

pub(super) fn request(app: &App, path: &str, body: &Value) -> reqwest::RequestBuilder {
    app.request(Method::POST, path).json(body)
}

/// An answer that must be given.
async fn ask(app: &App, path: &str, body: &Value) -> Value {
    let (status, answer) = send(request(app, path, body)).await;
    assert_eq!(status, StatusCode::OK, "{body}: {answer}");
    answer
}

async fn balance(app: &App, body: &Value) -> Value {
    ask(app, "/v1/balance", body).await
}

/// A match on `server`.
pub(super) fn state(server: &str, team_a: &Value, team_b: &Value) -> Value {
    json!({"server": server, "team_a": team_a, "team_b": team_b})
}

/// Teams that are weighed by their ratings, as an answer gives them.
fn teams(sizes: (u32, u32), sums: (i32, i32), odds: f64) -> Value {
    json!({
        "size_a": sizes.0, "size_b": sizes.1, "bots_a": 0, "bots_b": 0,
        "sum_a": f64::from(sums.0), "sum_b": f64::from(sums.1),
        "difference": f64::from((sums.0 - sums.1).abs()), "rating_a": sums.0, "rating_b": sums.1,
        "win_probability_a": odds,
    })
}

/// Gives a player a rating in the pool `arena`.
async fn set_in_arena(app: &App, n: u64, rating: i32) {
    let path = format!("/v1/admin/players/{}?pool=arena", id(n));
    let request = app
        .admin(Method::PUT, &path)
        .json(&json!({"rating": rating}));
    let (status, body) = send(request).await;
    assert_eq!(status, StatusCode::OK, "{body}");
}

/// Players with weights.
fn weighed(first: u64, weights: &[f64]) -> Value {
    let numbered = (first..).zip(weights);
    numbered
        .map(|(n, weight)| json!({"id": id(n), "weight": weight}))
        .collect()
}

async fn an_answer_has_every_field(app: &App) {
    for (n, rating) in [(1, 1700), (2, 1000), (3, 900), (4, 1250), (5, 800)] {
        set(app, n, rating).await;
    }
    // Nobody knows player 6. 4850 v 1800: T = 1525, and 1700 is nearest to it.
    let body = state("s", &json!(ids(1..=4)), &json!(ids([5, 6])));
    let answer = balance(app, &body).await;
    let before = teams((4, 2), (4850, 1800), 0.780_885_367_462_283_4);
    let after = teams((3, 3), (3150, 3500), 0.463_606_143_922_405_3);
    let second = teams((3, 3), (3600, 3050), 0.557_042_242_565_461_4);
    let third = teams((3, 3), (3850, 2800), 0.607_663_169_832_891_7);
    let fourth = teams((3, 3), (3950, 2700), 0.627_342_606_861_904_2);
    let one = |n: u64, alone: &Value| json!({"id": id(n), "from": "a", "to": "b", "with": null, "alone": alone});
    assert_like(
        &answer,
        &json!({
            "server": "s", "pool": "default", "policy": "synelo", "by": null, "powers": [],
            "unbalanced": true,
            "reasons": [{"rule": "size_difference", "value": 2.0, "limit": 2.0,
                         "detail": "sizes differ by 2 players; 2 are too many"}],
            "suppressed": [],
            "moves": [one(1, &after)], "before": before, "after": after, "balanced_after": true,
            "optimal": true,
            "runners_up": [{"moves": [one(4, &second)], "after": second, "balanced_after": true},
                           {"moves": [one(2, &third)], "after": third, "balanced_after": true},
                           {"moves": [one(3, &fourth)], "after": fourth, "balanced_after": true}],
            "ineligible": [], "fill": null, "apply_within_seconds": 10, "apply_on_death": false,
            "placed": [], "ask_again_in_seconds": 0, "since_ticket": null,
            "ticket": format!("1795176000;size_difference;{}>b", id(1)),
            "say": "4 v 2: 1 player moves to team b, then 3 v 3, odds of 53.6 % to 46.4 %.",
        }),
    );
}

async fn a_placement_has_every_field(app: &App) {
    for (n, rating) in [(1, 1700), (2, 1000), (7, 1300)] {
        set(app, n, rating).await;
    }
    let body = state("s", &json!(ids([1])), &json!([{"id": id(2)}]));
    let body = with(body, json!({"joining": [id(8), id(7)]}));
    let answer = ask(app, "/v1/place", &body).await;
    let after = teams((2, 2), (2700, 2300), 0.541_570_483_216_799_9);
    assert_like(
        &answer,
        &json!({
            "server": "s", "pool": "default", "policy": "synelo", "by": null, "powers": [],
            "placed": [
                {"id": id(8), "team": "a", "alone": teams((2, 1), (2700, 1000), 0.670_032_782_866_484_3)},
                {"id": id(7), "team": "b", "alone": teams((1, 2), (1700, 2300), 0.437_823_499_114_201_9)},
            ],
            "before": teams((1, 1), (1700, 1000), 0.572_404_111_477_021_3), "after": after,
            "optimal": true,
            "runners_up": [{"team_a": ids([7]), "team_b": ids([8]),
                            "after": teams((2, 2), (3000, 2000), 0.602_685_337_978_491_7)},
                           {"team_a": [], "team_b": ids([7, 8]),
                            "after": teams((1, 3), (1700, 3300), 0.339_243_631_234_182_83)},
                           {"team_a": ids([7, 8]), "team_b": [],
                            "after": teams((3, 1), (4000, 1000), 0.777_299_861_174_691_1)}],
            "fill": null, "say": "1 joins team a and 1 team b: 2 v 2, odds of 54.2 % to 45.8 %.",
        }),
    );
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
    // All are tied and share the places 5 to 8.
    assert_eq!(answer["before"]["sum_a"], 19.5, "{answer}");
    assert_eq!(answer["before"]["sum_b"], 6.5, "{answer}");
}

async fn what_is_set_for_a_pool_counts(app: &App) {
    // At Θ = 1000, 500 points ahead are 62.2 %; the arena's band ends at 65 %, the usual at 60 %.
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
    // It is like "synelo", but sizes may differ by 2.
    let answer = balance(app, &five_against("s", 3)).await;
    assert_eq!(answer["policy"], "house");
    assert_eq!(answer["unbalanced"], false, "{answer}");
    let answer = balance(app, &five_against("s", 2)).await;
    assert_eq!(answer["reasons"][0]["rule"], "size_difference", "{answer}");
    assert_eq!(answer["reasons"][0]["limit"], 3.0, "{answer}");
    assert_eq!(answer["after"]["size_a"], 4, "{answer}");
    let (within, on_death) = (&answer["apply_within_seconds"], &answer["apply_on_death"]);
    assert_eq!((within, on_death), (&json!(10), &json!(true)));
    // In the arena they may differ by 3.
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
    // What only the arena's configuration has is unknown elsewhere.
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
                "names no policy; choose one of \"house\", \"ns2\", \"sectors-edge\", \
                 \"sectors-edge-weights\", \"synelo\", \"ut2004\", or leave it out for the pool's"
            );
        }
    }
    let body = state("arena-1", &json!(ids([1])), &json!(ids([2])));
    let answer = balance(app, &with(body, json!({"policy": "arena-only"}))).await;
    assert_eq!(answer["policy"], "arena-only", "{answer}");
}

async fn teams_are_left_alone_where_the_policy_says_so(app: &App) {
    let body = state("s", &json!(ids(1..=6)), &json!(ids(7..=9)));
    for (output, rule) in [
        (json!({"modes": ["FFA"]}), "mode"),
        (json!({"modes": ["payload", "tournament"]}), "mode"),
        (
            json!({"policy": "sectors-edge", "seconds_left": 179}),
            "seconds_left",
        ),
    ] {
        let answer = balance(app, &with(body.clone(), output.clone())).await;
        assert_eq!(answer["unbalanced"], false, "{output}: {answer}");
        assert_eq!(answer["suppressed"][0]["rule"], rule, "{output}: {answer}");
        assert_eq!(
            (&answer["moves"], &answer["reasons"]),
            (&json!([]), &json!([]))
        );
        assert_eq!(answer["apply_within_seconds"], json!(null));
        let say = answer["say"].as_str().unwrap_or_default();
        assert!(say.starts_with("Teams are left alone"), "{answer}");
    }
    for output in [json!({"modes": ["payload"]}), json!({"seconds_left": 1})] {
        let answer = balance(app, &with(body.clone(), output.clone())).await;
        assert_eq!(answer["unbalanced"], true, "{output}: {answer}");
    }
}

async fn an_answer_that_is_applied_leaves_nothing_to_do(app: &App) {
    for n in 1..=12_u64 {
        let points = 700 + 61 * i32::try_from(n * n % 23).expect("a small number");
        set(app, n, points).await;
    }
    let mut teams = [ids(1..=9), ids(10..=12)];
    let ask = |teams: &[Vec<String>; 2]| state("s", &json!(teams[0]), &json!(teams[1]));
    let answer = balance(app, &ask(&teams)).await;
    let moves = answer["moves"].as_array().expect("moves").clone();
    assert_eq!(moves.len(), 3, "{answer}");
    for one in &moves {
        let player = one["id"].as_str().expect("an id").to_owned();
        teams[0].retain(|other| *other != player);
        teams[1].push(player);
    }
    let again = balance(app, &ask(&teams)).await;
    assert_eq!(again["unbalanced"], false, "{again}");
    assert_like(&again["before"], &answer["after"]);
    assert_eq!(again["after"], again["before"]);
    // The order of the players means nothing.
    teams[0].reverse();
    assert_eq!(balance(app, &ask(&teams)).await, again);
}

async fn where_nothing_helps_nobody_moves(app: &App) {
    let fixed = [
        json!({"id": id(1), "party": "one"}),
        json!({"id": id(2), "party": "one"}),
        json!({"id": id(3), "moved": true}),
        json!({"id": id(4), "immune": true}),
    ];
    let answer = balance(app, &state("s", &json!(fixed), &json!([id(5)]))).await;
    assert_eq!(answer["unbalanced"], true);
    assert_eq!(answer["moves"], json!([]));
    assert_eq!(answer["balanced_after"], false);
    assert_eq!(answer["after"], answer["before"]);
    let whys: Vec<&Value> = answer["ineligible"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["why"])
        .collect();
    assert_eq!(whys, ["party", "party", "moved", "immune"], "{answer}");
    let say = answer["say"].as_str().unwrap_or_default();
    assert!(say.contains("nobody moves"), "{answer}");
    // One of two who must go is not enough, but better than nothing, and not hidden.
    let mut team = fixed.to_vec();
    team.extend([json!(id(6)), json!({"id": id(7), "immune": true})]);
    let answer = balance(app, &state("s", &json!(team), &json!([id(5)]))).await;
    assert_eq!(answer["moves"], json!([]), "{answer}");
    let other = &answer["runners_up"][0];
    assert_eq!(other["moves"][0]["id"], json!(id(6)), "{answer}");
    assert_eq!(other["balanced_after"], false);
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
    assert_eq!(answer["after"]["size_a"], 96, "{}", answer["say"]);
}
