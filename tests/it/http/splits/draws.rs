//! Random choice among the best splits, by a seed.

use serde_json::{Value, json};

use super::scramble::request;
use super::wishes::{rate, table};
use crate::http::{assert_has, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    of_the_best_splits_one_is_drawn,
    a_draw_is_of_the_size_that_is_asked_for,
);

async fn of_the_best_splits_one_is_drawn(app: &App) {
    rate(app, &[1900, 1310, 1170, 990, 640]).await;
    let listed = json!({"alternatives": {"size": 2, "count": 5}});
    let without = table(app, 5, listed.clone()).await;
    assert_eq!(without["drawn"], Value::Null);
    let best = without["alternatives"].as_array().expect("a list");
    let teams = |split: &Value| (split["a"].clone(), split["b"].clone());
    let mut seen = [0; 3];
    for seed in 0..60 {
        let wishes = json!({"sizes": [2], "pick": {"of": 3, "seed": seed}});
        let drawn = table(app, 5, wishes.clone()).await;
        assert_eq!(drawn["splits"].as_array().map(Vec::len), Some(1));
        let split = &drawn["splits"][0];
        let place = best.iter().position(|one| teams(one) == teams(split));
        let place = place.expect("one of the best");
        let rank = json!({"size": 2, "rank": place + 1, "of": 3});
        assert_eq!(drawn["drawn"], rank, "{drawn}");
        assert_eq!(split["optimal"], place == 0, "{split}");
        assert_eq!(split["difference"], best[place]["difference"], "{split}");
        assert_eq!(drawn["alternatives"], json!([]), "none was asked for");
        seen[place] += 1;
        if seed < 5 {
            assert_eq!(table(app, 5, wishes).await["splits"], drawn["splits"]);
            let both = with(listed.clone(), json!({"pick": {"of": 3, "seed": seed}}));
            let both = table(app, 5, both).await;
            assert_eq!(both["splits"], drawn["splits"]);
            assert_eq!(both["alternatives"], without["alternatives"]);
        }
    }
    assert!(seen.iter().all(|count| *count > 10), "{seen:?}");
}

async fn a_draw_is_of_the_size_that_is_asked_for(app: &App) {
    let pick = json!({"pick": {"of": 4, "seed": 7}});
    let everybody = with(pick.clone(), json!({"bench": false}));
    let listed = table(app, 4, everybody.clone()).await;
    assert_has(&listed["drawn"], &json!({"size": 2, "of": 3}));
    let lettered = table(app, 4, with(everybody, json!({"seats": "letters"}))).await;
    assert_eq!(lettered["drawn"], listed["drawn"]);
    let few = table(app, 3, with(pick.clone(), json!({"sizes": [2]}))).await;
    assert_has(&few, &json!({"splits": [], "drawn": null}));
    let kept = app.get("/v1/scramble?server=s").await;
    assert_eq!(kept["drawn"], Value::Null, "{kept}");
    let pick_of = |pick: Value| json!({"sizes": [2], "pick": pick});
    for (wishes, field) in [
        (json!({"sizes": [2, 3]}), "/pick"),
        (pick_of(json!({"of": 5, "seed": 1})), "/pick/of"),
        (pick_of(json!({"of": 2})), "/pick/seed"),
    ] {
        let body = with(json!({"server": "s", "players": ids(1..=6)}), pick.clone());
        let asked = request(app, &with(body, wishes.clone()));
        assert_eq!(fields(&refused(asked, 422).await.1), [field], "{wishes}");
    }
}
