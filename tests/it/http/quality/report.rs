use serde_json::{Value, json};

use super::verdict::assert_has;
use crate::http::{assert_like, round, set_in_arena, with, without};
use crate::support::App;

on_both_databases!(
    a_pool_without_rounds_has_no_figures,
    every_figure_is_what_was_computed_by_hand,
    the_window_shows_the_last_rounds_and_the_rest_all_of_them,
    a_pool_of_draws_has_no_accuracy,
    rounds_are_told_apart_by_map_server_and_sizes,
);

/// Ten empty calibration bins except `filled`: index, rounds, mean prediction and mean result.
fn calibration(filled: &[(usize, u32, f64, f64)]) -> Value {
    let edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    let mut bins: Vec<Value> = edges
        .windows(2)
        .map(|edge| {
            json!({"from": edge[0], "to": edge[1], "rounds": 0, "predicted": null,
                   "observed": null, "low": null, "high": null})
        })
        .collect();
    for (index, rounds, predicted, observed) in filled {
        bins[*index]["rounds"] = json!(rounds);
        bins[*index]["predicted"] = json!(predicted);
        bins[*index]["observed"] = json!(observed);
        let (low, high) = wilson(*observed, f64::from(*rounds));
        bins[*index]["low"] = json!(low);
        bins[*index]["high"] = json!(high);
    }
    json!(bins)
}

/// Wilson's 95 % interval by the textbook formula.
fn wilson(observed: f64, rounds: f64) -> (f64, f64) {
    let z = 1.959_963_984_540_054_f64;
    let centre = (observed + z * z / (2.0 * rounds)) / (1.0 + z * z / rounds);
    let reach = z / (1.0 + z * z / rounds)
        * (observed * (1.0 - observed) / rounds + z * z / (4.0 * rounds * rounds)).sqrt();
    ((centre - reach).max(0.0), (centre + reach).min(1.0))
}

/// Empty buckets of rounds played.
fn by_rounds_played() -> Vec<Value> {
    let from = [0, 1, 5, 10, 20, 50, 100, 200, 500, 1000];
    let bucket = |(index, first)| {
        let to = from.get(index + 1);
        json!({"from": first, "to": to, "entries": 0, "k": null, "convergence": null})
    };
    from.iter().enumerate().map(bucket).collect()
}

async fn a_pool_without_rounds_has_no_figures(app: &App) {
    let none = json!({"window": null, "all": null});
    assert_eq!(
        app.get("/v1/admin/quality?pool=arena").await,
        json!({
            "pool": "arena", "learnt": null, "verdict": too_few(500, None), "theta": 1000, "rounds": 0,
            "window": 8, "brier": none, "log_loss": none, "accuracy": none, "draws": 0, "calibration": calibration(&[]),
            "players": {"total": 0, "hidden": 0, "visible": 0, "stale": 0},
            "ratings": {"min": null, "p10": null, "median": null, "p90": null, "max": null,
                        "mean": null, "sd": null},
            "coin_flip": {"brier": none, "log_loss": std::f64::consts::LN_2},
            "best_constant": {"probability": none, "brier": none, "log_loss": none},
            "skill": {"brier": none, "log_loss": none},
            "favourites": {"threshold": 0.05, "rounds": {"window": 0, "all": 0},
                           "predicted": none, "observed": none, "residual": none,
                           "standard_error": none},
            "side_bias": {"rounds": 0, "predicted": null, "observed": null, "bias": null,
                          "standard_error": null},
            "theta_fitted": null, "by_map": [], "by_server": [], "by_map_and_server": [],
            "by_team_size": [], "by_rounds_played": by_rounds_played(), "histogram": [],
            "departures": [], "warnings": [], "mean_rating": null, "one_sided": one_sided(),
            "copies": [], "clocks": [], "habits": [],
            "community": community(0, None, 0),
        })
    );
}

/// Figures of a pool with so many rounds and players in the last week, and this share of favourites above 70 %.
fn community(rounds: u32, over: Option<f64>, players: u32) -> Value {
    json!({"rounds": rounds, "over_60": over, "over_70": over, "players_this_week": players,
           "players_last_week": 0, "turns": 0, "waited_rounds": null})
}

/// One-sided rounds of a pool without scoreboards and lengths.
fn one_sided() -> Value {
    let none = json!({"rounds": 0, "one_sided": 0, "share": null});
    let measure =
        json!({"scrambled": none, "others": none, "difference": null, "low": null, "high": null});
    json!({"by_scoreboard": measure, "by_length": measure})
}

/// Verdict if `missing` rounds are lacking, with these losses (Brier score, log loss).
fn too_few(missing: u32, losses: Option<(f64, f64)>) -> Value {
    json!({
        "word": "too_few_rounds", "missing_rounds": missing, "theta": null, "command": null,
        "slope": losses.map(|_| 0.0), "slope_low": null, "slope_high": null,
        "setting": null, "brier": losses.map(|(brier, _)| brier), "brier_fitted": null,
        "log_loss": losses.map(|(_, log_loss)| log_loss), "log_loss_fitted": null,
        "message": format!("Too few rounds to judge the predictions: {missing} more rounds are needed."),
    })
}

/// Probability of the favorite at a lead of theta: 1 / (1 + 1/e).
const FAVOURITE: f64 = 0.731_058_578_630_004_9;

/// Four rounds: the favorite wins, loses and draws; then one of even teams.
async fn play_four_rounds(app: &App) {
    for (number, winner, first) in [
        (1, "a", 2000),
        (2, "b", 2000),
        (3, "draw", 2000),
        (4, "a", 1000),
    ] {
        set_in_arena(app, 1, first).await;
        set_in_arena(app, 2, 1000).await;
        app.counted(&round("arena-1", &number.to_string(), winner, &[1], &[2]))
            .await;
    }
}

async fn every_figure_is_what_was_computed_by_hand(app: &App) {
    play_four_rounds(app).await;
    for (n, rating) in [(1, 1500), (2, 900), (3, 600)] {
        set_in_arena(app, n, rating).await;
    }
    let same = |figure: f64| json!({"window": figure, "all": figure});
    // Predictions of 0.731 for a win, a loss and a draw, and of 0.5 for a win.
    let miss = [1.0 - FAVOURITE, FAVOURITE, FAVOURITE - 0.5];
    let squares: f64 = miss.iter().map(|miss| miss * miss).sum();
    let error =
        |squares: f64, mean: f64, n: f64| ((squares - n * mean * mean) / (n - 1.0) / n).sqrt();
    let predicted = (3.0 * FAVOURITE + 0.5) / 4.0;
    let entropy = -(0.625_f64 * 0.625_f64.ln() + 0.375 * 0.375_f64.ln());
    let all = json!({
        "rounds": 4, "draws": 1, "brier": 0.227_541_050_068_888_6,
        "log_loss": 0.783_233_060_778_653_5, "accuracy": 0.5, "coin_flip_brier": 0.1875,
        "bias": 0.625 - predicted, "standard_error": error(squares + 0.25, 0.625 - predicted, 4.0),
    });
    let named = |name: &str| with(all.clone(), json!({"name": name}));
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let entries = [0, 1, 2].map(|bucket| &quality["by_rounds_played"][bucket]["entries"]);
    assert_eq!(entries, [2, 6, 0]);
    let first = &quality["by_rounds_played"][0];
    assert_eq!(first["convergence"], 1.0, "who is new is not settled");
    // Admins set the players with ratings of 2000 and 1000 to 1500 and 900.
    let warned = quality["warnings"][0].as_str().expect("a warning");
    let fallen = "the mean rating of the 2 active players has fallen by 300 points";
    assert!(warned.starts_with(fallen), "{warned}");
    let quality = with(quality, json!({"warnings": []}));
    assert_like(
        &without(without(quality, "by_rounds_played"), "mean_rating"),
        &json!({
            "pool": "arena", "learnt": null, "theta": 1000, "rounds": 4,
            // The bins of the leads have odds rounded to six digits.
            "verdict": too_few(496, Some((0.227_541_050_068_888_6, 0.783_233_060_778_653_5))), "window": 8,
            "brier": same(0.227_541_050_068_888_6), "log_loss": same(0.783_233_060_778_653_5),
            "accuracy": same(0.5), "draws": 1,
            "calibration": calibration(&[(5, 1, 0.5, 1.0), (7, 3, FAVOURITE, 0.5)]),
            "players": {"total": 3, "hidden": 1, "visible": 2, "stale": 0},
            "ratings": {"min": 600.0, "p10": 660.0, "median": 900.0, "p90": 1380.0, "max": 1500.0,
                        "mean": 1000.0, "sd": 374.165_738_677_394_13},
            "coin_flip": {"brier": same(0.1875), "log_loss": std::f64::consts::LN_2},
            "best_constant": {"probability": same(0.625), "brier": same(0.171_875),
                              "log_loss": same(entropy)},
            "skill": {"brier": same(1.0 - 0.227_541_050_068_888_6 / 0.171_875),
                      "log_loss": same(1.0 - 0.783_233_060_778_653_5 / entropy)},
            "favourites": {"threshold": 0.05, "rounds": {"window": 3, "all": 3},
                           "predicted": same(FAVOURITE), "observed": same(0.5),
                           "residual": same(0.5 - FAVOURITE),
                           "standard_error": same(error(squares, 0.5 - FAVOURITE, 3.0))},
            "side_bias": {"rounds": 4, "predicted": predicted, "observed": 0.625,
                          "bias": 0.625 - predicted,
                          "standard_error": error(squares + 0.25, 0.625 - predicted, 4.0)},
            "theta_fitted": null,
            "by_map": [], "by_server": [named("arena-1")], "by_map_and_server": [],
            "by_team_size": [named("1 v 1")], "departures": [],
            "histogram": (600..1550).step_by(50).map(|from| json!({
                "from": from, "to": from + 50, "hidden": i32::from(from == 600),
                "visible": i32::from(from == 900 || from == 1500),
            })).collect::<Vec<_>>(),
            "warnings": [], "one_sided": one_sided(), "copies": [], "clocks": [], "habits": [],
            // The last round equals the first, so that it counts as a copy.
            "community": community(3, Some(1.0), 2),
        }),
    );
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 0, "the other pool has none of it");
}

async fn the_window_shows_the_last_rounds_and_the_rest_all_of_them(app: &App) {
    play_four_rounds(app).await;
    for number in 0..8 {
        let name = format!("even-{number}");
        let even = round("arena-1", &name, "b", &[100 + number], &[200 + number]);
        app.counted(&even).await;
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_has(
        &quality,
        &json!({
            "rounds": 12, "draws": 1, "window": 8,
            "brier": {"window": 0.25, "all": 0.242_513_683_356_296_2},
            "log_loss": {"window": std::f64::consts::LN_2, "all": 0.723_175_807_299_514_7},
            "accuracy": {"window": 0.5, "all": 0.5},
            "calibration": calibration(&[(5, 9, 0.5, 1.0 / 9.0), (7, 3, FAVOURITE, 0.5)]),
            "players": {"total": 18, "hidden": 16, "visible": 2, "stale": 0},
        }),
    );
}

async fn a_pool_of_draws_has_no_accuracy(app: &App) {
    app.counted(&round("arena-1", "1", "draw", &[1], &[2]))
        .await;
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let none = json!({"window": null, "all": null});
    let brier = json!({"window": 0.0, "all": 0.0});
    let expected = json!({"accuracy": none, "brier": brier, "draws": 1});
    assert_has(&quality, &expected);
}

async fn rounds_are_told_apart_by_map_server_and_sizes(app: &App) {
    let on = |server: &str, number: u32, map: Option<&str>, winner: &str, b: &[u64]| {
        let sent = round(server, &number.to_string(), winner, &[1], b);
        with(sent, json!({"map": map, "pool": "arena"}))
    };
    for sent in [
        on("arena-1", 1, Some("arena_well"), "a", &[2]),
        on("arena-1", 2, Some("arena_well"), "draw", &[3, 4]),
        on("arena-2", 3, Some("arena_hydro"), "b", &[5, 6]),
        without(on("arena-2", 4, None, "b", &[7]), "map"),
    ] {
        app.counted(&sent).await;
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    for (key, expected) in [
        (
            "by_map",
            json!([["arena_well", 2, 1], ["arena_hydro", 1, 0]]),
        ),
        ("by_server", json!([["arena-1", 2, 1], ["arena-2", 2, 0]])),
        ("by_team_size", json!([["1 v 1", 2, 0], ["1 v 2", 2, 1]])),
    ] {
        let groups = quality[key].as_array().expect("a list").iter();
        let rows = groups.map(|group| json!([group["name"], group["rounds"], group["draws"]]));
        assert_eq!(rows.collect::<Value>(), expected, "{key}");
    }
    let sizes = &quality["by_team_size"];
    let (even, uneven) = (&sizes[0]["bias"], &sizes[1]["bias"]);
    assert!(even.as_f64().expect("a number").abs() < 0.02, "{even}");
    assert!(uneven.as_f64().expect("a number").abs() < 0.05, "{uneven}");
}
