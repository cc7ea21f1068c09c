//! Splits without a bench.

use serde_json::json;

use super::refusals::assert_wishes_refused;
use super::wishes::{rate, split};
use crate::http::ids;
use crate::support::App;

same_on_both_databases!(
    an_odd_number_plays_with_one_more_on_a_team,
    where_everybody_plays_nobody_is_made_to_wait,
);

async fn an_odd_number_plays_with_one_more_on_a_team(app: &App) {
    // 1 and 2 against the other three: 2900 and 2900. Of five equal players, one team would have 1000 more.
    rate(app, &[1600, 1300, 1000, 1000, 900]).await;
    let split = split(app, 5, json!({"bench": false})).await;
    assert_eq!(split["a"], json!(ids([1, 2])), "{split}");
    assert_eq!(split["b"], json!(ids([3, 4, 5])), "{split}");
    assert_eq!((&split["size"], &split["waiting"]), (&json!(2), &json!([])));
    assert_eq!(
        (&split["sum_a"], &split["sum_b"]),
        (&json!(2900), &json!(2900))
    );
    assert_eq!(split["difference"], 0, "{split}");
    assert_eq!(split["best_difference"], 0, "{split}");
    assert_eq!(split["waits"], json!([]), "{split}");
    assert_eq!(split["message"], "2 v 3: even odds.", "{split}");
    let last = app.get("/v1/scramble?server=s").await;
    assert_eq!(last["splits"], json!([split]), "{last}");
}

async fn where_everybody_plays_nobody_is_made_to_wait(app: &App) {
    let cases = [
        (json!({"bench": 0}), "/bench", "send true or false"),
        (
            json!({"bench": false, "sizes": [4]}),
            "/sizes",
            "cannot be combined with \"bench\": false",
        ),
        (
            json!({"bench": false, "must_wait": ids([90, 3])}),
            "/must_wait/1",
            "remove the player from \"players\"",
        ),
        (
            json!({"bench": false, "alternatives": {"size": 3, "count": 2}}),
            "/alternatives/size",
            "all 8 players play, so each team has 4 players or one more",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}
