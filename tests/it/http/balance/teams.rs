//! Matches whose teams are sent as `teams`: two to eight of them.

use serde_json::{Value, json};

use super::{ask, balance, request};
use crate::http::splits::scramble::set;
use crate::http::{assert_like, id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    an_answer_about_three_teams_has_every_field,
    a_placement_in_three_teams_has_every_field,
    those_without_a_team_are_placed_before_anybody_moves,
    an_answer_that_is_applied_leaves_nothing_to_do,
    every_policy_knows_several_teams,
    what_has_no_place_in_a_match_of_teams_is_named,
);

fn of(teams: &Value) -> Value {
    json!({"server": "s", "teams": teams})
}

/// Teams of these sizes and sums, weighed by ratings.
fn standing(sizes: &[u32], sums: &[i32], favourite: f64) -> Value {
    let teams = ["a", "b", "c"].into_iter().zip(sizes.iter().zip(sums));
    let teams: Vec<Value> = teams
        .map(|(team, (size, sum))| {
            json!({"team": team, "size": size, "bots": 0, "sum": f64::from(*sum), "rating": sum})
        })
        .collect();
    let spread = sums.iter().max().expect("a team") - sums.iter().min().expect("a team");
    json!({"teams": teams, "spread": f64::from(spread), "favourite": favourite})
}

async fn an_answer_about_three_teams_has_every_field(app: &App) {
    for (n, rating) in [(1, 1300), (2, 1000), (3, 700)] {
        set(app, n, rating).await;
    }
    let body = of(&json!([ids(1..=4), ids([5, 6]), [{"id": id(7), "immune": true}, id(8)]]));
    let answer = balance(app, &body).await;
    // Whoever of 1000 goes, to b or to c, leaves 3000, 3000 and 2000.
    let to_b = json!({"id": id(2), "from": "a", "to": "b"});
    assert_eq!(answer["moves"], json!([to_b]), "{answer}");
    let before = standing(&[4, 2, 2], &[4000, 2000, 2000], 0.697_059_283_965_407_4);
    assert_like(&answer["before"], &before);
    let after = standing(&[3, 3, 2], &[3000, 3000, 2000], 0.602_685_337_978_491_7);
    assert_like(&answer["after"], &after);
    let said = "4 v 2 v 2: 1 player changes teams, then 3 v 3 v 2, spread 1000.";
    assert_eq!(answer["say"], said);
    let keys: Vec<&String> = answer.as_object().expect("an object").keys().collect();
    assert_eq!(keys.len(), 23, "{keys:?}");
    for (field, expected) in [
        ("policy", json!("synelo")),
        ("unbalanced", json!(true)),
        ("suppressed", json!([])),
        ("placed", json!([])),
        ("balanced_after", json!(true)),
        ("optimal", json!(true)),
        ("ineligible", json!([{"id": id(7), "why": "immune"}])),
        ("fill", json!(null)),
        ("apply_within_seconds", json!(10)),
        ("apply_on_death", json!(false)),
        (
            "ticket",
            json!(format!("1795176000;size_difference;{}>b", id(2))),
        ),
        ("ask_again_in_seconds", json!(0)),
        ("since_ticket", json!(null)),
    ] {
        assert_eq!(answer[field], expected, "{field}: {answer}");
    }
    assert_eq!(answer["reasons"][0]["rule"], "size_difference");
    assert!(
        answer["runners_up"]
            .as_array()
            .is_some_and(|others| others.len() == 3)
    );
}

async fn a_placement_in_three_teams_has_every_field(app: &App) {
    for (n, rating) in [(1, 1500), (2, 1400), (3, 600), (4, 500)] {
        set(app, n, rating).await;
    }
    let joining = json!([id(4), id(2), {"id": id(3)}, id(1)]);
    let body = with(
        of(&json!([[id(5)], [id(6)], []])),
        json!({"joining": joining}),
    );
    let answer = ask(app, "/v1/place", &body).await;
    // 1000, 1000 and nobody: 1500 and 500 make 2000, with 2400 and 1600 on the others.
    assert_eq!(answer["optimal"], true, "{answer}");
    assert_eq!(answer["after"]["spread"], 800.0, "{answer}");
    let placed: Vec<&Value> = answer["placed"]
        .as_array()
        .expect("a list")
        .iter()
        .collect();
    let order: Vec<&Value> = placed.iter().map(|one| &one["id"]).collect();
    assert_eq!(
        order,
        [&json!(id(4)), &json!(id(2)), &json!(id(3)), &json!(id(1))]
    );
    assert_eq!(answer["before"]["teams"][2]["size"], 0, "{answer}");
    assert!(
        answer["say"]
            .as_str()
            .is_some_and(|say| say.starts_with("4 join (")),
        "{answer}"
    );
    let others = answer["runners_up"].as_array().expect("a list");
    assert_eq!(others.len(), 3, "{answer}");
    assert!(
        others
            .iter()
            .all(|other| other["after"]["spread"].as_f64() >= Some(800.0))
    );
    // A draw takes one of these four, always the same for one seed.
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let body = with(body.clone(), json!({"pick": {"of": 4, "seed": seed}}));
        let drawn = ask(app, "/v1/place", &body).await;
        assert_eq!(drawn, ask(app, "/v1/place", &body).await);
        let is_one = drawn["placed"] == answer["placed"]
            || others
                .iter()
                .any(|other| other["placed"] == drawn["placed"]);
        assert!(is_one, "{drawn}");
        seen.insert(drawn["placed"].to_string());
    }
    assert_eq!(seen.len(), 4);
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
        // 5000 v 2000 with the one who joins; then a swap.
        assert_eq!(answer["placed"][0]["id"], json!(id(9)), "{answer}");
        assert_eq!(answer["placed"][0]["team"], "b", "{answer}");
        assert_eq!(answer["reasons"][0]["rule"], "win_probability", "{answer}");
        assert_eq!(
            answer["moves"].as_array().map(Vec::len),
            Some(2),
            "{answer}"
        );
        assert_eq!(answer["balanced_after"], true, "{answer}");
        let say = answer["say"].as_str().unwrap_or_default();
        assert!(say.starts_with("1 join"), "{answer}");
        // The same as to place and then to ask.
        let placed = ask(app, "/v1/place", &body).await;
        assert_eq!(placed["placed"][0]["team"], "b", "{placed}");
        assert_eq!(placed["after"], answer["before"], "{placed}");
    }
}

async fn an_answer_that_is_applied_leaves_nothing_to_do(app: &App) {
    for n in 1..=14_u64 {
        let points = 700 + 61 * i32::try_from(n * n % 23).expect("a small number");
        set(app, n, points).await;
    }
    let mut teams = vec![ids(1..=8), ids(9..=10), ids(11..=14), Vec::new()];
    let answer = balance(app, &of(&json!(teams))).await;
    let moves = answer["moves"].as_array().expect("moves").clone();
    assert_eq!(answer["unbalanced"], true, "{answer}");
    for one in &moves {
        let place = |team: &Value| match team.as_str() {
            Some("a") => 0,
            Some("b") => 1,
            Some("c") => 2,
            _ => 3,
        };
        let player = one["id"].as_str().expect("an id").to_owned();
        teams[place(&one["from"])].retain(|other| *other != player);
        teams[place(&one["to"])].push(player);
    }
    let again = balance(app, &of(&json!(teams))).await;
    assert_eq!(again["unbalanced"], false, "{again}");
    assert_eq!(again["before"], answer["after"], "{again}");
    assert_eq!(again["ticket"], json!(null));
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
    let teams = json!([ids([1]), ids([2])]);
    for (more, expected) in [
        (json!({"team_b": []}), vec!["/team_b"]),
        (json!({"teams": [ids([1])]}), vec!["/teams"]),
        (json!({"teams": [ids([1]), ids([1])]}), vec!["/teams/1/0"]),
        (json!({"teams": [ids([1]), 5]}), vec!["/teams/1"]),
        (json!({"teams": null}), vec!["/team_a", "/team_b"]),
        (json!({"bots": {"a": 1}}), vec!["/bots/a"]),
        (json!({"bots": {"teams": [1, 2, 3]}}), vec!["/bots/teams"]),
        (
            json!({"teams": [ids(1..=64), ids(101..=164), ids([200])]}),
            vec!["/teams"],
        ),
        (
            json!({"policy": "sectors-edge-weights"}),
            vec!["/teams/0/0/weight", "/teams/1/0/weight"],
        ),
    ] {
        let body = with(of(&teams), more);
        let (_, problem) = refused(request(app, "/v1/balance", &body), 422).await;
        assert_eq!(fields(&problem), expected, "{body:.200}: {problem}");
    }
}
