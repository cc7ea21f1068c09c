//! `GET /v1/admin/quality`.

use reqwest::Method;
use serde_json::{Value, json};

use super::{assert_like, id, round};
use crate::support::{App, send};

on_both_databases!(
    a_pool_without_rounds_has_no_figures,
    every_figure_is_what_was_computed_by_hand,
    the_window_shows_the_last_rounds_and_the_rest_all_of_them,
    a_pool_of_draws_has_no_accuracy,
);

/// Ten empty bins, but for `filled`: the bin's index, rounds, predicted and observed.
fn calibration(filled: &[(usize, u32, f64, f64)]) -> Value {
    let edges = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
    let mut bins: Vec<Value> = edges
        .windows(2)
        .map(|edge| {
            json!({"from": edge[0], "to": edge[1], "rounds": 0, "predicted": null, "observed": null})
        })
        .collect();
    for (index, rounds, predicted, observed) in filled {
        bins[*index]["rounds"] = json!(rounds);
        bins[*index]["predicted"] = json!(predicted);
        bins[*index]["observed"] = json!(observed);
    }
    json!(bins)
}

async fn set(app: &App, n: u64, rating: i32) {
    let path = format!("/v1/admin/players/{}?pool=arena", id(n));
    let (status, body) = send(
        app.admin(Method::PUT, &path)
            .json(&json!({"rating": rating})),
    )
    .await;
    assert_eq!(status.as_u16(), 200, "{body}");
}

async fn a_pool_without_rounds_has_no_figures(app: &App) {
    let none = json!({"window": null, "all": null});
    for (query, pool, theta, window) in [
        ("", "default", 2400, 500),
        ("?pool=default", "default", 2400, 500),
        ("?pool=arena", "arena", 1000, 8),
    ] {
        assert_eq!(
            app.get(&format!("/v1/admin/quality{query}")).await,
            json!({
                "pool": pool, "theta": theta, "rounds": 0, "window": window, "brier": none,
                "log_loss": none, "accuracy": none, "draws": 0, "calibration": calibration(&[]),
                "players": {"total": 0, "hidden": 0, "visible": 0, "stale": 0},
                "ratings": {"min": null, "p10": null, "median": null, "p90": null, "max": null,
                            "mean": null, "sd": null},
            })
        );
    }
}

/// The favourite's probability with a lead of theta: 1 / (1 + 1/e).
const FAVOURITE: f64 = 0.731_058_578_630_004_9;

/// Four rounds: the favourite wins, loses and draws, then even teams.
async fn play_four_rounds(app: &App) {
    for (number, winner, first) in [
        (1, "a", 2000),
        (2, "b", 2000),
        (3, "draw", 2000),
        (4, "a", 1000),
    ] {
        set(app, 1, first).await;
        set(app, 2, 1000).await;
        app.counted(&round("arena-1", &number.to_string(), winner, &[1], &[2]))
            .await;
    }
}

async fn every_figure_is_what_was_computed_by_hand(app: &App) {
    play_four_rounds(app).await;
    for (n, rating) in [(1, 1500), (2, 900), (3, 600)] {
        set(app, n, rating).await;
    }
    let same = |figure: f64| json!({"window": figure, "all": figure});
    assert_like(
        &app.get("/v1/admin/quality?pool=arena").await,
        &json!({
            "pool": "arena", "theta": 1000, "rounds": 4, "window": 8,
            "brier": same(0.227_541_050_068_888_6), "log_loss": same(0.783_233_060_778_653_5),
            "accuracy": same(0.5), "draws": 1,
            "calibration": calibration(&[(5, 1, 0.5, 1.0), (7, 3, FAVOURITE, 0.5)]),
            "players": {"total": 3, "hidden": 1, "visible": 2, "stale": 0},
            "ratings": {"min": 600.0, "p10": 660.0, "median": 900.0, "p90": 1380.0, "max": 1500.0,
                        "mean": 1000.0, "sd": 374.165_738_677_394_13},
        }),
    );
    let quality = app.get("/v1/admin/quality").await;
    assert_eq!(quality["rounds"], 0, "the other pool has none of it");
}

async fn the_window_shows_the_last_rounds_and_the_rest_all_of_them(app: &App) {
    play_four_rounds(app).await;
    for number in 0..8 {
        let name = format!("even-{number}");
        let strangers = (100 + number, 200 + number);
        app.counted(&round(
            "arena-1",
            &name,
            "b",
            &[strangers.0],
            &[strangers.1],
        ))
        .await;
    }
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    let figures: Value = ["rounds", "draws", "window", "brier", "log_loss", "accuracy"]
        .iter()
        .map(|key| ((*key).to_owned(), quality[*key].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into();
    assert_like(
        &figures,
        &json!({
            "rounds": 12, "draws": 1, "window": 8,
            "brier": {"window": 0.25, "all": 0.242_513_683_356_296_2},
            "log_loss": {"window": std::f64::consts::LN_2, "all": 0.723_175_807_299_514_7},
            "accuracy": {"window": 0.5, "all": 0.5},
        }),
    );
    // Of the nine even rounds team a won one.
    assert_like(
        &quality["calibration"],
        &calibration(&[(5, 9, 0.5, 1.0 / 9.0), (7, 3, FAVOURITE, 0.5)]),
    );
    assert_eq!(
        quality["players"],
        json!({"total": 18, "hidden": 16, "visible": 2, "stale": 0})
    );
}

async fn a_pool_of_draws_has_no_accuracy(app: &App) {
    app.counted(&round("arena-1", "1", "draw", &[1], &[2]))
        .await;
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["accuracy"], json!({"window": null, "all": null}));
    assert_eq!(quality["brier"], json!({"window": 0.0, "all": 0.0}));
    assert_eq!(quality["draws"], 1);
    // One decided round among many draws counts alone.
    set(app, 1, 2000).await;
    set(app, 2, 1000).await;
    app.counted(&round("arena-1", "2", "a", &[1], &[2])).await;
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    assert_eq!(quality["accuracy"], json!({"window": 1.0, "all": 1.0}));
}
