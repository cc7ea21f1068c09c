//! Distribution of newcomers between the teams.

use reqwest::StatusCode;
use serde_json::{Value, json};

use super::scramble::{request, set};
use super::wishes::says;
use crate::http::{ids, round, with};
use crate::support::{App, send};

same_on_both_databases!(newcomers_are_shared_out_for_their_price);

/// Rounds of the shadow period.
const ROUNDS: usize = 50;

async fn newcomers_are_shared_out_for_their_price(app: &App) {
    for number in 0..ROUNDS {
        let winner = if number % 2 == 0 { "a" } else { "b" };
        app.counted(&round("s", &number.to_string(), winner, &[1], &[2]))
            .await;
    }
    set(app, 1, 1010).await;
    set(app, 2, 990).await;
    let table = async |wishes: Value| {
        let body = json!({"server": "s", "players": ids([1, 2, 5, 6])});
        let (status, table) = send(request(app, &with(body, wishes))).await;
        assert_eq!(status, StatusCode::OK, "{table}");
        table
    };
    let split = async |wishes: Value| table(wishes).await["splits"][0].clone();

    let shared = split(json!({})).await;
    assert_eq!(
        (&shared["difference"], &shared["best_difference"]),
        (&json!(20), &json!(0))
    );
    assert_eq!(
        shared["newcomers"],
        json!({"a": 1, "b": 1, "cost": 20}),
        "{shared}"
    );
    assert!(
        says(
            &shared,
            "newcomers 1 and 1; sharing newcomers costs 20 points"
        ),
        "{shared}"
    );
    let lettered = split(json!({"seats": "letters"})).await;
    assert_eq!(lettered["newcomers"], shared["newcomers"], "{lettered}");
    let listed = table(json!({"alternatives": {"size": 2, "count": 2}})).await;
    assert_eq!(
        listed["alternatives"][0]["newcomers"], shared["newcomers"],
        "{listed}"
    );
    assert_eq!(
        listed["alternatives"][1]["newcomers"]["cost"],
        Value::Null,
        "{listed}"
    );

    let cheap = split(json!({"newcomers": 19})).await;
    assert_eq!(cheap["difference"], 0, "{cheap}");
    assert_eq!(cheap["newcomers"]["cost"], 0, "{cheap}");
    let current = json!({"a": ids([1, 2]), "b": ids([5, 6])});
    for wishes in [json!({"newcomers": 0}), json!({"current": current})] {
        let split = split(wishes).await;
        assert_eq!(
            (&split["difference"], &split["newcomers"]),
            (&json!(0), &Value::Null),
            "{split}"
        );
    }
    let both = split(json!({"newcomers": 20, "current": current})).await;
    assert_eq!(both["newcomers"]["cost"], 20, "{both}");
    let party = split(json!({"parties": [ids([5, 6])]})).await;
    assert_eq!(
        (&party["difference"], &party["newcomers"]),
        (&json!(0), &Value::Null),
        "{party}"
    );
}
