//! Summary of interventions over several days, against hand-computed figures.

use serde_json::json;

use super::list::{SUMMARY, at, balance, lopsided, state, stuck};
use crate::http::splits::scramble::set;
use crate::http::{assert_like, round, with};
use crate::support::App;

on_both_databases!(a_summary_is_what_its_interventions_come_to_and_says_if_they_are_too_many);

async fn play_days(app: &App) {
    const DAY: i64 = 86_400;
    for (n, rating) in [(1, 1700), (2, 1000), (3, 900), (4, 1250), (5, 800)] {
        set(app, n, rating).await;
    }
    at(app, -5 * DAY);
    balance(app, &lopsided("v", 30)).await;
    at(app, -4 * DAY);
    // Team b leads, with odds of 1 / (1 + e^(-2000 / 2400)) = 0.697..., and even afterwards.
    balance(app, &state("v", &[41, 42], &[43, 44, 45, 46])).await;
    at(app, 0);
    balance(app, &state("s", &[1, 2, 3, 4], &[5, 6])).await;
    balance(app, &lopsided("t", 10)).await;
    balance(app, &stuck("u", 20)).await;
    balance(
        app,
        &with(state("w", &[1], &[]), json!({"policy": "ut2004"})),
    )
    .await;
    at(app, 3600);
    app.counted(&round("s", "1", "b", &[2, 3, 4], &[5, 6, 1]))
        .await;
    app.counted(&round("t", "2", "draw", &[11, 12, 13, 14], &[15, 16]))
        .await;
    app.counted(&round("u", "3", "a", &[21, 22], &[23, 24]))
        .await;
}

async fn a_summary_is_what_its_interventions_come_to_and_says_if_they_are_too_many(app: &App) {
    play_days(app).await;
    let (even, ahead, behind) = (0.5, 0.697_059_283_965_407_4, 0.463_606_143_922_405_3);
    let first = 0.780_885_367_462_283_4;
    let day = |from: &str, counts: [u32; 4]| {
        json!({"from": format!("2026-11-{from}T00:00:00Z"), "interventions": counts[0],
               "moved": counts[1], "filled": counts[2], "nothing_helps": counts[3]})
    };
    let expected = json!({
        "pool": "default", "from": "2026-11-16T00:00:00Z", "days": 5, "complete": true,
        "at_most": 5000, "interventions": 5, "moved": 3, "filled": 1, "nothing_helps": 1,
        "moved_players": 3,
        "by_day": [
            day("16", [1, 1, 0, 0]), day("17", [0; 4]), day("18", [0; 4]), day("19", [0; 4]),
            day("20", [4, 2, 1, 1]),
        ],
        "by_rule": [{"rule": "size_difference", "interventions": 4},
                    {"rule": "bots", "interventions": 1}],
        "by_policy": [{"policy": "synelo", "interventions": 4},
                      {"policy": "ut2004", "interventions": 1}],
        "odds": {"before": ((first - even) + 2.0 * (ahead - even)) / 3.0,
                 "after": (even - behind) / 3.0},
        "rounds": {
            "known": 2, "close": 1, "close_before": 0,
            "ahead": {"interventions": 2, "score": 0.25,
                      "predicted_before": f64::midpoint(first, ahead),
                      "predicted_after": f64::midpoint(behind, even)},
        },
    });
    assert_like(&app.get(&format!("{SUMMARY}?days=5")).await, &expected);
    let week = app.get(SUMMARY).await;
    assert_eq!(week["days"], 7);
    assert_eq!(week["interventions"], 6);
    let today = app.get(&format!("{SUMMARY}?days=1")).await;
    assert_eq!(today["by_day"], json!([day("20", [4, 2, 1, 1])]));

    let service = &app.first.service;
    let pool = service.pool(None, None).expect("the default pool");
    for (at_most, complete, counted) in [(3, false, 3), (6, true, 6)] {
        let summary = service.intervention_summary(&pool, 7, at_most).await;
        let summary = summary.expect("a summary");
        assert_eq!(summary.complete, complete);
        assert_eq!(summary.counts.interventions, counted);
        let last = summary.by_day.last().expect("today");
        assert_eq!(last.counts.interventions, counted.min(4));
    }

    let none = app.get(&format!("{SUMMARY}?pool=arena&days=90")).await;
    assert_eq!(none["by_day"].as_array().map(Vec::len), Some(90));
    assert_eq!(none["odds"], json!({"before": null, "after": null}));
    assert_eq!(
        none["rounds"],
        json!({"known": 0, "close": 0, "close_before": 0,
               "ahead": {"interventions": 0, "score": null, "predicted_before": null,
                         "predicted_after": null}})
    );
}
