//! Conclusions of `GET /v1/admin/quality`: the verdict, and departures from the predictions.

use reqwest::Method;
use serde_json::{Value, json};

use crate::http::{assert_like, round, set_in_arena, void, with};
use crate::support::{App, answered};

same_on_both_databases!(
    a_theta_that_does_not_fit_makes_the_verdict_with_what_to_try,
    a_map_that_favours_a_side_is_named_among_teams_too_even_to_judge,
    winners_the_wrong_way_round_show_by_the_scoreboard,
);

/// Asserts that `actual` contains `expected`.
pub(super) fn assert_has(actual: &Value, expected: &Value) {
    let keys = expected.as_object().expect("an object").keys();
    let found: serde_json::Map<String, Value> =
        keys.map(|key| (key.clone(), actual[key].clone())).collect();
    assert_like(&Value::Object(found), expected);
}

async fn count(app: &App, rounds: &[Value]) {
    for chunk in rounds.chunks(64) {
        let request = app.admin(Method::POST, "/v1/updates");
        answered(request.json(&json!({"rounds": chunk}))).await;
    }
}

/// A round of two new players, so the odds are even.
fn even(number: u64, map: &str, server: &str, winner: &str) -> Value {
    let (a, b) = (1000 + 2 * number, 1001 + 2 * number);
    let sent = round(server, &number.to_string(), winner, &[a], &[b]);
    with(sent, json!({"map": map}))
}

async fn a_theta_that_does_not_fit_makes_the_verdict_with_what_to_try(app: &App) {
    // Before every round ratings are set so that the teams lead by 500 in turn; the favourite wins 21 of 40.
    let mut sent = Vec::new();
    for number in 0_u64..520 {
        let (a, b) = (1000 + 2 * number, 1001 + 2 * number);
        let a_leads = number % 2 == 0;
        set_in_arena(app, if a_leads { a } else { b }, 1500).await;
        let a_wins = a_leads == (number % 40 < 21);
        let winner = if a_wins { "a" } else { "b" };
        sent.push(round("arena-1", &number.to_string(), winner, &[a], &[b]));
    }
    count(app, &sent).await;
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["rounds"], 520);
    let fitted = &quality["theta_fitted"];
    // With that theta a lead of 500 gives odds of 21 to 19: 500 / ln(21/19).
    let share: f64 = 273.0 / 520.0;
    let theta = 500.0 / (share / (1.0 - share)).ln();
    let found = fitted["theta"].as_f64().expect("a number");
    let miss = (found / theta - 1.0).abs();
    assert!(miss < 1e-6, "{fitted} and not {theta}");
    let low = fitted["low"].as_f64().expect("a number");
    assert!(low > 1000.0, "{fitted}");
    let verdict = &quality["verdict"];
    assert_has(
        verdict,
        &json!({
            "word": "too_bold", "missing_rounds": 0, "theta": 5000.0,
            "command": "rbs rebuild --pool arena --dry-run --set theta=5000",
            "setting": "theta = 5000 under [pools.arena]",
            "brier_fitted": fitted["brier"], "log_loss_fitted": fitted["log_loss"],
        }),
    );
    let message = verdict["message"].as_str().expect("a sentence");
    assert_eq!(
        message,
        "Too bold: favourites win less often than predicted. Over 520 rounds, a lead in rating helped 0.20 times as \
         much as predicted (95 % interval -0.14 to 0.54; 1 is ideal); correcting the odds lowers log loss from 0.7116 \
         to 0.6919. theta = 5000 \
         instead of 1000 would improve predictions most."
    );
    let slope = verdict["slope"].as_f64().expect("a number");
    assert!((slope - 1000.0 / theta).abs() < 1e-9, "{verdict}");
}

/// Rounds of even teams on three maps and two servers. `a_wins` gets the number of the map, and the turn on this map.
fn rounds_of(number: u64, a_wins: impl Fn(u64, u64) -> bool) -> Vec<Value> {
    let round = |number| {
        let (map, turn) = (number % 3, number / 3);
        let server = ["s-1", "s-2"][usize::from(turn % 2 == 1)];
        let winner = if a_wins(map, turn) { "a" } else { "b" };
        even(number, &format!("arena_{map}"), server, winner)
    };
    (0..number).map(round).collect()
}

async fn a_map_that_favours_a_side_is_named_among_teams_too_even_to_judge(app: &App) {
    let a_wins = |map, turn| (map == 0 && turn % 20 > 0) || (map > 0 && turn % 4 > 1);
    count(app, &rounds_of(540, a_wins)).await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["theta_fitted"], Value::Null);
    assert_has(
        &quality["verdict"],
        &json!({
            "word": "too_even", "missing_rounds": 0, "theta": null, "command": null, "setting": null,
            "brier": 0.25, "brier_fitted": null, "log_loss_fitted": null,
            "message": "Too even to test: by RBS's own ratings the teams were even (the odds were 0.0 percentage \
                    points from 50 % on average). Whether they really were cannot be seen from these results.",
        }),
    );
    let departures = quality["departures"].as_array().expect("a list");
    assert_eq!(departures.len(), 1, "{departures:?}");
    let one = &departures[0];
    assert_has(
        one,
        &json!({"from": "side", "map": "arena_0", "server": null, "expected": 0.5}),
    );
    let observed = one["observed"].as_f64().expect("a number");
    assert!((0.9..1.0).contains(&observed), "{one}");
    assert!(one["rounds"].as_u64() > Some(150), "{one}");
    let warnings = quality["warnings"].as_array().expect("a list");
    assert!(warnings.contains(&one["message"]), "{warnings:?}");
    let pairs = quality["by_map_and_server"].as_array().expect("a list");
    assert_eq!(pairs.len(), 6, "{pairs:?}");
    assert_has(
        &pairs[0],
        &json!({"map": "arena_0", "server": "s-1", "rounds": 90, "draws": 0}),
    );
    let error = pairs[0]["standard_error"].as_f64().expect("a number");
    assert!((0.02..0.05).contains(&error), "{}", pairs[0]);
    count(app, &[even(540, "arena_new", "s-1", "a")]).await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["by_map_and_server"][6]["map"], "arena_new");
    void(app, "s-1/540").await;
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["by_map_and_server"][6], Value::Null);
}

async fn winners_the_wrong_way_round_show_by_the_scoreboard(app: &App) {
    let mut rounds = rounds_of(300, |_, turn| turn % 4 > 1);
    for (number, sent) in rounds.iter_mut().enumerate() {
        // Winners have more kills in four of five rounds, except on one map of one server.
        let is_swapped = sent["map"] == "arena_0" && sent["server"] == "s-1";
        let a_is_ahead = ((sent["winner"] == "a") != is_swapped) == (number / 3 % 5 > 0);
        for (team, is_ahead) in [("team_a", a_is_ahead), ("team_b", !a_is_ahead)] {
            let kills = json!({"kills": u8::from(is_ahead)});
            sent[team] = json!([{"id": sent[team][0].clone(), "stats": kills}]);
        }
    }
    count(app, &rounds).await;
    let quality = app.get("/v1/admin/quality").await;
    let departures = quality["departures"].as_array().expect("a list");
    assert_eq!(departures.len(), 1, "{departures:?}");
    assert_has(
        &departures[0],
        &json!({"from": "scoreboards", "map": "arena_0", "server": "s-1"}),
    );
}
