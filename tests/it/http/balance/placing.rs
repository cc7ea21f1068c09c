//! Those who join, and the bots that fill up.

use serde_json::{Value, json};

use super::{ask, balance, state, weighed};
use crate::http::{assert_like, id, with};
use crate::support::App;

same_on_both_databases!(friends_are_placed_together, bots_fill_up,);

async fn friends_are_placed_together(app: &App) {
    let friend = |n: u64, party: &str| json!({"id": id(n), "party": party});
    let body = state(
        "s",
        &json!([friend(1, "red"), id(2)]),
        &json!([id(3), id(4)]),
    );
    // Everybody counts 1000: two of "blue" together, and the one of "red" with the first.
    let joining = [
        friend(5, "blue"),
        friend(6, "red"),
        friend(7, "blue"),
        json!(id(8)),
    ];
    let answer = ask(app, "/v1/place", &with(body, json!({"joining": joining}))).await;
    let teams: Vec<&Value> = answer["placed"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| &one["team"])
        .collect();
    assert_eq!(teams, ["b", "a", "b", "a"], "{answer}");
    assert_eq!(answer["after"]["difference"], 0.0);
}

async fn bots_fill_up(app: &App) {
    let body = state("s", &weighed(1, &[60.0, 40.0, 30.0]), &weighed(9, &[50.0]));
    let output = json!({
        "policy": "ut2004", "map_players": {"least": 6, "most": 12}, "bots": {"b": 1, "weight": 25},
    });
    let body = with(body, output);
    let answer = balance(app, &body).await;
    assert_eq!(answer["reasons"][0]["rule"], "bots", "{answer}");
    assert_like(
        &answer["fill"],
        &json!({"bots_a": 1, "bots_b": 3, "bot_weight": 25.0,
                "advantage": {"team": "b", "factor": 155.0 / 125.0}}),
    );
    assert_eq!(answer["before"]["sum_b"], 75.0);
    assert_eq!(answer["after"]["sum_b"], 125.0);
    assert_eq!(answer["apply_within_seconds"], 0);
    let done = with(body, json!({"bots": {"a": 1, "b": 3, "weight": 25}}));
    let again = balance(app, &done).await;
    assert_eq!(again["unbalanced"], false, "{again}");
    assert_eq!(again["fill"], answer["fill"]);
    assert_eq!(again["apply_within_seconds"], json!(null));
}
