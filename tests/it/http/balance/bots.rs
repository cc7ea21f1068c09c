//! Bots as the plugin counts and weighs them, and random choices.

use serde_json::{Value, json};

use super::{ask, balance, state, weighed};
use crate::http::{assert_has, assert_like, id, with};
use crate::support::App;

same_on_both_databases!(
    bots_fill_up_until_they_are_there,
    bots_with_weights_of_their_own_count_as_they_are,
    a_match_without_teams_is_filled_to_the_range_of_its_map,
    a_draw_takes_one_of_the_best,
);

fn ut2004(a: &[f64], b: &[f64], more: Value) -> Value {
    let body = state("s", &weighed(1, a), &weighed(21, b));
    with(with(body, json!({"policy": "ut2004"})), more)
}

async fn bots_fill_up_until_they_are_there(app: &App) {
    let more = json!({"map_players": {"least": 6, "most": 12}, "bots": {"b": 1, "weight": 25}});
    let body = ut2004(&[60.0, 40.0, 30.0], &[50.0], more);
    let answer = balance(app, &body).await;
    assert_eq!(answer["reasons"][0]["rule"], "bots", "{answer}");
    let fill = json!({"bots_a": 1, "bots_b": 3, "bot_weight": 25.0,
                      "advantage": {"team": "b", "factor": 155.0 / 125.0}});
    assert_like(&answer["fill"], &fill);
    let sums = (&answer["before"]["sum_b"], &answer["after"]["sum_b"]);
    assert_eq!(sums, (&json!(75.0), &json!(125.0)), "{answer}");
    assert_eq!(answer["apply_within_seconds"], 0);
    let done = with(body, json!({"bots": {"a": 1, "b": 3, "weight": 25}}));
    let again = balance(app, &done).await;
    assert_has(
        &again,
        &json!({"unbalanced": false, "apply_within_seconds": null, "fill": answer["fill"]}),
    );
}

async fn bots_with_weights_of_their_own_count_as_they_are(app: &App) {
    // A bot of 10 and a bot of 60 on team a, a bot of 30 on team b. With two of four bots, team a keeps none.
    let bots = json!({"bots": {"weights_a": [10, 60], "weights_b": [30]}});
    let answer = balance(app, &ut2004(&[50.0; 3], &[50.0; 2], bots.clone())).await;
    let before = json!({"bots_a": 2, "sum_a": 220.0, "sum_b": 130.0});
    assert_has(&answer["before"], &before);
    let fill = json!({"bots_a": 1, "bots_b": 2, "bot_weight": 33.33333});
    assert_has(&answer["fill"], &fill);
    assert_has(
        &answer["after"],
        &json!({"sum_a": 185.0, "sum_b": 163.33333}),
    );
    let joining = json!({"joining": [{"id": id(40), "weight": 50}]});
    let joining = with(ut2004(&[50.0; 3], &[50.0; 2], bots), joining);
    let placed = ask(app, "/v1/place", &joining).await;
    assert_eq!(placed["placed"][0]["team"], "b", "{placed}");
    assert_eq!(placed["after"]["sum_b"], 180.0, "{placed}");
}

async fn a_match_without_teams_is_filled_to_the_range_of_its_map(app: &App) {
    let more = json!({"modes": ["FFA"], "map_players": {"least": 2, "most": 7}});
    let answer = balance(app, &ut2004(&[50.0; 3], &[], more)).await;
    let expected = json!({"suppressed": [], "message": "3 players, no teams: 4 bots."});
    assert_has(&answer, &expected);
    assert_eq!(answer["reasons"][0]["rule"], "bots", "{answer}");
    let fill = json!({"bots_a": 4, "bots_b": 0, "advantage": null});
    assert_has(&answer["fill"], &fill);
    let enough = json!({"modes": ["ffa"], "bots": {"a": 3, "b": 2}});
    let answer = balance(app, &ut2004(&[50.0; 2], &[50.0], enough)).await;
    assert_eq!(answer["unbalanced"], false, "{answer}");
    let synelo = json!({"modes": ["ffa"], "policy": "synelo"});
    let body = ut2004(&[50.0; 3], &[], synelo);
    assert_eq!(balance(app, &body).await["suppressed"][0]["rule"], "mode");
}

async fn a_draw_takes_one_of_the_best(app: &App) {
    let synelo = json!({"policy": "synelo"});
    let body = ut2004(&[5.0, 6.0, 7.0, 8.0], &[5.0, 5.0], synelo);
    let best = balance(app, &body).await;
    let of = |answer: &Value| answer["moves"][0]["id"].clone();
    let others = best["runners_up"].as_array().expect("a list").iter();
    let good: Vec<Value> = std::iter::once(of(&best)).chain(others.map(of)).collect();
    let mut seen = Vec::new();
    for seed in 0..32 {
        let pick = json!({"pick": {"of": 3, "seed": seed}});
        let drawn = balance(app, &with(body.clone(), pick)).await;
        assert_eq!(drawn["balanced_after"], true, "{drawn}");
        let place = good
            .iter()
            .position(|one| *one == of(&drawn))
            .expect("one of the best");
        assert!(place < 3, "{drawn}");
        seen.push(place);
    }
    assert!((0..3).all(|place| seen.contains(&place)), "{seen:?}");
    let one = balance(app, &with(body, json!({"pick": {"of": 1, "seed": 9}}))).await;
    assert_eq!(of(&one), of(&best));
}
