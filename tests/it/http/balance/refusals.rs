//! Refusals of `POST /v1/balance` and `POST /v1/place`.

use serde_json::json;

use super::{request, state, weighed};
use crate::http::{assert_nothing_stored, id, ids, with};
use crate::support::{App, fields, refused};

same_on_both_databases!(
    a_weight_that_is_missing_is_named_wherever_it_is,
    what_is_not_acceptable_is_named,
);

async fn a_weight_that_is_missing_is_named_wherever_it_is(app: &App) {
    let unweighed = json!([id(9), {"id": id(10), "weight": null}]);
    let body = state("s", &weighed(1, &[5.0]), &unweighed);
    let body = with(body, json!({"policy": "sectors-edge-weights"}));
    let (_, problem) = refused(request(app, "/v1/balance", &body), 422).await;
    assert_eq!(fields(&problem), ["/team_b/0/weight", "/team_b/1/weight"]);
    let joining = json!({"team_b": weighed(9, &[1.0]), "joining": [id(20)]});
    let (_, problem) = refused(request(app, "/v1/place", &with(body, joining)), 422).await;
    assert_eq!(fields(&problem), ["/joining/0/weight"], "{problem}");
    let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
    assert!(detail.contains("sectors-edge-weights") && detail.contains("default_weight"));
}

async fn what_is_not_acceptable_is_named(app: &App) {
    let good = state("s", &json!(ids([1])), &json!(ids([2])));
    let modes: Vec<String> = (0..17).map(|n| format!("mode-{n}")).collect();
    let crowd = json!({"team_a": ids(3..=67)});
    let rated = json!({"team_b": [{"id": id(2), "rating": 1}]});
    let map_players = json!({"map_players": {"least": 5, "most": 4}});
    let pick = json!({"pick": {"of": 5, "seed": 1}});
    let bots = json!({"bots": {"weights_a": [-1]}});
    let once = "name each player once";
    for (output, field, says) in [
        (json!({"policy": "a b"}), "/policy", "letters"),
        (json!({"team_a": null}), "/team_a", "send a list"),
        (crowd, "/team_a", "has 65 players; send at most 64"),
        (json!({"team_a": [id(2)]}), "/team_b/0", once),
        (rated, "/team_b/0/rating", "is not a field here"),
        (json!({"modes": "ffa"}), "/modes", "send a list"),
        (json!({"modes": ["a\nb"]}), "/modes/0", "control"),
        (json!({"modes": modes}), "/modes", "send at most 16"),
        (json!({"seconds_left": -1}), "/seconds_left", "from 0"),
        (json!({"bots": {"c": 1}}), "/bots/c", "is not a field here"),
        (bots, "/bots/weights_a/0", "from 0 to 1000000"),
        (map_players, "/map_players/most", "below"),
        (json!({"joining": [id(2)]}), "/joining/0", once),
        (json!({"ticket": "17"}), "/ticket", "is not a ticket"),
        (pick, "/pick/of", "from 1 to 4"),
    ] {
        let body = with(good.clone(), output);
        let (_, problem) = refused(request(app, "/v1/balance", &body), 422).await;
        assert_eq!(fields(&problem), [field], "{body:.200}: {problem}");
        let detail = problem["errors"][0]["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(says), "{body:.200}: {problem}");
    }
    let several =
        json!({"server": "s", "teams": [[id(1)], [id(2)]], "joining": [id(3)], "map": "ash"});
    for path in ["/v1/balance", "/v1/place"] {
        let (_, problem) = refused(request(app, path, &several), 422).await;
        assert_eq!(fields(&problem), ["/map"], "{problem}");
    }
    for (output, field) in [
        (json!({}), "/joining"),
        (json!({"joining": [id(1)]}), "/joining/0"),
        (json!({"joining": ids(3..=67)}), "/joining"),
        (json!({"joining": [id(3)], "modes": []}), "/modes"),
    ] {
        let body = with(good.clone(), output);
        let (_, problem) = refused(request(app, "/v1/place", &body), 422).await;
        assert_eq!(fields(&problem), [field], "{body:.200}: {problem}");
    }
    assert_nothing_stored(app).await;
}
