//! Bots that fill up teams.

use serde_json::json;

use super::{balance, state, weighed};
use crate::http::{assert_like, with};
use crate::support::App;

same_on_both_databases!(bots_fill_up);

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
