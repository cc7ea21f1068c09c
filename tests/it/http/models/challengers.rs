use reqwest::Method;
use serde_json::{Value, json};

use crate::http::round;
use crate::http::service::metrics::{assert_value, scrape};
use crate::support::{App, SECRET, refused};

on_both_databases!(
    a_pool_without_challengers_says_how_to_set_some,
    challengers_are_compared_and_their_lag_is_measured,
    what_cannot_be_compared_is_refused,
);

async fn a_pool_without_challengers_says_how_to_set_some(app: &App) {
    app.counted(&round("s", "1", "a", &[1], &[2])).await;
    let expected = json!({
        "pool": "default", "model": "synelo", "window": 500, "rounds": 1, "caught_up_to": 0,
        "compared": {"rounds": 0, "draws": 0, "uneven": 0, "unrated": 0}, "models": [],
        "advice": "no challenger is set; to compare a model with synelo, set challengers = [\"adaptive\"] under \
                   [pools.default]",
    });
    assert_eq!(app.get("/v1/admin/models").await, expected);
}

/// Figures of `arena` once its challengers have processed the last round.
async fn caught_up(app: &App) -> Value {
    for _ in 0..400 {
        let answer = app.get("/v1/admin/models?pool=arena").await;
        if answer["caught_up_to"] == answer["rounds"] && answer["models"] != json!([]) {
            return answer;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("the challengers do not catch up");
}

async fn challengers_are_compared_and_their_lag_is_measured(app: &App) {
    const LAG: &str = "rbs_pool_challenger_lag_rounds{pool=\"arena\"}";
    for number in 0..12 {
        let winner = ["a", "a", "b", "draw"][number % 4];
        let team_b = &[3, 4][number % 2..];
        let round_id = number.to_string();
        app.counted(&round("arena-1", &round_id, winner, &[1, 2], team_b))
            .await;
    }
    let behind = app.get("/v1/admin/models?pool=arena").await;
    assert_eq!(
        (&behind["rounds"], &behind["caught_up_to"]),
        (&json!(12), &json!(0))
    );
    assert_eq!(
        behind["advice"],
        "too early to tell: the challengers have caught up to round 0 of 12"
    );
    let metrics = scrape(app.request(Method::GET, "/metrics")).await;
    assert_value(&metrics, LAG, 12.0);
    assert!(
        !metrics.contains("challenger_lag_rounds{pool=\"default\"}"),
        "{metrics}"
    );

    app.first.service.follow_logs().expect("random numbers");
    let answer = caught_up(app).await;
    assert_eq!(
        answer["compared"],
        json!({"rounds": 12, "draws": 3, "uneven": 6, "unrated": 0})
    );
    assert_eq!(
        answer["advice"],
        "too early to tell: 12 rounds compared, 500 needed"
    );
    let models = answer["models"].as_array().expect("models");
    let names: Vec<&Value> = models.iter().map(|model| &model["model"]).collect();
    assert_eq!(names, ["synelo", "adaptive", "elo"]);
    let quality = app.get("/v1/admin/quality?pool=arena").await;
    for over in ["window", "all"] {
        for figure in ["log_loss", "brier", "accuracy"] {
            let (found, expected) = (&models[0][figure][over], &quality[figure][over]);
            let distance = found.as_f64().zip(expected.as_f64());
            let distance = distance.map(|(found, expected)| (found - expected).abs());
            assert!(
                distance.is_some_and(|distance| distance < 1e-12),
                "{figure}: {found} {expected}"
            );
        }
    }
    assert_eq!(
        models[0]["difference"],
        json!({"window": null, "all": null})
    );
    assert!(
        models[1]["standard_error"]["all"]
            .as_f64()
            .is_some_and(|error| error > 0.0)
    );
    let another = app.another_instance().await;
    let metrics = app.request_to(&another, Method::GET, "/metrics");
    assert_value(&scrape(metrics).await, LAG, 0.0);
}

async fn what_cannot_be_compared_is_refused(app: &App) {
    refused(app.admin(Method::GET, "/v1/admin/models?pool=nowhere"), 404).await;
    refused(app.admin(Method::GET, "/v1/admin/models?model=elo"), 422).await;
    refused(
        app.bare(Method::GET, "/v1/admin/models")
            .bearer_auth(SECRET),
        403,
    )
    .await;
}
