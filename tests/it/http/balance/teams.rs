//! Matches with two to eight `teams`.

use serde_json::{Value, json};

use super::{ask, balance, request};
use crate::http::splits::scramble::set;
use crate::http::{assert_has, id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    those_without_a_team_are_placed_before_anybody_moves,
    every_policy_knows_several_teams,
    what_has_no_place_in_a_match_of_teams_is_named,
);

fn of(teams: &Value) -> Value {
    json!({"server": "s", "teams": teams})
}

async fn those_without_a_team_are_placed_before_anybody_moves(app: &App) {
    for (n, rating) in [(1, 2500), (2, 2500), (4, 2500), (9, 1000)] {
        set(app, n, rating).await;
    }
    let two = json!({"server": "s", "policy": "ns2", "team_a": ids([1, 2]), "team_b": ids([3])});
    let three = with(
        of(&json!([ids([1, 2]), ids([3]), ids([4, 5])])),
        json!({"policy": "ns2"}),
    );
    for body in [two, three] {
        let body = with(body, json!({"joining": [id(9)]}));
        let answer = balance(app, &body).await;
        // 5000 v 2000 with the joining player, then a swap.
        assert_has(&answer["placed"][0], &json!({"id": id(9), "team": "b"}));
        assert_eq!(answer["reasons"][0]["rule"], "win_probability", "{answer}");
        assert_eq!(
            answer["moves"].as_array().map(Vec::len),
            Some(2),
            "{answer}"
        );
        assert_eq!(answer["balanced_after"], true, "{answer}");
        let message = answer["message"].as_str().unwrap_or_default();
        assert!(message.starts_with("1 join"), "{answer}");
        let placed = ask(app, "/v1/place", &body).await;
        assert_eq!(placed["placed"][0]["team"], "b", "{placed}");
        assert_eq!(placed["after"], answer["before"], "{placed}");
    }
}

async fn every_policy_knows_several_teams(app: &App) {
    let weighed = |first: u64, count: u64| -> Vec<Value> {
        (first..first + count)
            .map(|n| json!({"id": id(n), "weight": 10}))
            .collect()
    };
    for policy in ["synelo", "sectors-edge", "sectors-edge-weights", "ut2004"] {
        let teams = json!([weighed(1, 5), weighed(11, 2), weighed(21, 2)]);
        let answer = balance(app, &with(of(&teams), json!({"policy": policy}))).await;
        assert_eq!(answer["unbalanced"], true, "{policy}: {answer}");
        assert_eq!(answer["balanced_after"], true, "{policy}: {answer}");
        if policy == "ut2004" {
            let fill = json!({"bots": [0, 3, 3], "bot_weight": 20.0});
            assert_eq!(answer["fill"], fill, "{answer}");
        } else {
            assert!(
                answer["moves"]
                    .as_array()
                    .is_some_and(|moves| !moves.is_empty()),
                "{answer}"
            );
        }
    }
    let enough = json!({"policy": "ut2004", "bots": {"teams": [0, 3, 3], "weight": 5}});
    let teams = json!([weighed(1, 5), weighed(11, 2), weighed(21, 2)]);
    let answer = balance(app, &with(of(&teams), enough)).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    assert_eq!(answer["after"]["teams"][1]["sum"], 35.0, "{answer}");
    let alone = balance(app, &with(of(&teams), json!({"modes": ["tournament"]}))).await;
    assert_eq!(alone["suppressed"][0]["rule"], "mode", "{alone}");
}

async fn what_has_no_place_in_a_match_of_teams_is_named(app: &App) {
    let weights = &["/teams/0/0/weight", "/teams/1/0/weight"][..];
    let crowd = json!([ids(1..=64), ids(101..=164), ids([200])]);
    let no_list = json!([ids([1]), 5]);
    let teams = json!([ids([1]), ids([2])]);
    for (more, expected) in [
        (json!({"team_b": []}), &["/team_b"][..]),
        (json!({"teams": no_list}), &["/teams/1"]),
        (json!({"teams": crowd}), &["/teams"]),
        (json!({"policy": "sectors-edge-weights"}), weights),
    ] {
        let body = with(of(&teams), more);
        let (_, problem) = refused(request(app, "/v1/balance", &body), 422).await;
        assert_eq!(fields(&problem), expected, "{body:.200}: {problem}");
    }
}
