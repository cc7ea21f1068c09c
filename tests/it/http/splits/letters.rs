//! Split tables in the compact format, with one letter per player.

use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

use super::scramble::scramble;
use super::wishes::rate;
use crate::http::{assert_has, id, ids, round, with};
use crate::support::{App, send};

same_on_both_databases!(
    letters_say_what_the_lists_say,
    counts_say_what_became_of_the_wishes,
    wherever_there_is_a_table_it_may_have_letters,
);

/// Letters for the lists of a split, in player order.
fn letters(split: &Value, players: &Value) -> String {
    let is_in = |team: &str, player: &Value| {
        let there = split[team].as_array().expect("a list");
        there.contains(player)
    };
    let letter = |player: &Value| {
        let found = ["a", "b", "waiting"]
            .into_iter()
            .find(|team| is_in(team, player));
        found.and_then(|team| team.chars().next()).expect("a seat")
    };
    let players = players.as_array().expect("players").iter();
    players.map(letter).collect()
}

/// Asserts that the compact table equals the table with lists.
fn assert_same(lettered: &Value, listed: &Value, players: &Value) {
    let same = "server pool by eligible computed_at drawn message age ratings_changed";
    for key in same.split_whitespace() {
        assert_eq!(lettered[key], listed[key], "{key}");
    }
    assert_eq!(&lettered["players"], players);
    let keys = lettered.as_object().map(Map::len);
    assert_eq!(keys, Some(9 + 3), "{lettered}");
    for list in ["splits", "alternatives"] {
        let pair = [lettered, listed].map(|table| table[list].as_array().expect("a list"));
        let [short, long] = pair;
        assert_eq!(short.len(), long.len(), "{list}");
        for (short, long) in short.iter().zip(long) {
            let count = |pointer: &str| {
                let list = long.pointer(pointer).and_then(Value::as_array);
                list.expect("a list").len()
            };
            let missing = long["roles"]["missing"].as_array().expect("a list").iter();
            let missing = missing.map(|role| role["missing"].as_u64().expect("a count"));
            let mut expected = json!({
                "seats": letters(long, players),
                "parties_split": count("/parties/split"),
                "pairs_together": count("/apart/together"),
                "roles_missing": missing.sum::<u64>(),
                "relaxed": count("/relaxed/must_play") + count("/relaxed/must_wait"),
                "top_two_apart": long["spread"]["top_two_apart"],
            });
            let same = "size sum_a sum_b difference win_probability_a method optimal best_difference moves newcomers \
                        repeats message";
            for key in same.split_whitespace() {
                expected[key] = long[key].clone();
            }
            assert_eq!(short, &expected);
        }
    }
}

async fn letters_say_what_the_lists_say(app: &App) {
    let ratings: Vec<i32> = (1..=9).map(|n| 900 + n * n).collect();
    rate(app, &ratings).await;
    let players = json!(ids([5, 9, 1, 8, 2, 7, 3, 6, 4]));
    let body = json!({"server": "s", "players": players, "alternatives": {"size": 3, "count": 4}});
    let listed = scramble(app, &with(body.clone(), json!({"seats": "lists"}))).await;
    let lettered = scramble(app, &with(body.clone(), json!({"seats": "letters"}))).await;
    assert_eq!(listed, scramble(app, &body).await);
    let sizes = lettered["splits"].as_array().map(Vec::len);
    assert_eq!(sizes, Some(3), "{lettered}");
    assert_same(&lettered, &listed, &players);
    for more in [
        json!({"bench": false, "alternatives": null}),
        json!({"players": ids(1..=3)}),
    ] {
        let body = with(body.clone(), more);
        let listed = scramble(app, &body).await;
        let lettered = scramble(app, &with(body.clone(), json!({"seats": "letters"}))).await;
        assert_same(&lettered, &listed, &body["players"]);
    }
}

async fn counts_say_what_became_of_the_wishes(app: &App) {
    let wishes = json!({
        "server": "s", "players": ids(1..=4), "parties": [ids([1, 2, 3])],
        "apart": [ids([1, 4]), ids([2, 4]), ids([3, 4])], "must_wait": ids([4]),
        "roles": [{"name": "medic", "players": ids([1]), "each": 2}],
        "current": {"team_a": ids([1, 2]), "team_b": ids([3, 4])},
    });
    let listed = scramble(app, &wishes).await;
    let lettered = scramble(app, &with(wishes, json!({"seats": "letters"}))).await;
    assert_same(&lettered, &listed, &json!(ids(1..=4)));
    let counts = json!({"parties_split": 1, "pairs_together": 1, "roles_missing": 3, "relaxed": 1});
    assert_has(&lettered["splits"][0], &counts);
}

async fn wherever_there_is_a_table_it_may_have_letters(app: &App) {
    let players = json!(["[U:1:4]", {"id": id(2)}, id(3), id(1), id(5)]);
    let order = json!(ids([4, 2, 3, 1, 5]));
    let sent = with(
        round("s", "1", "a", &[1, 2], &[3, 4]),
        json!({"scramble": {"players": players, "seats": "letters"}}),
    );
    let lettered = app.counted(&sent).await["splits"].clone();
    let get = async |query: &str| {
        let path = format!("/v1/scramble?server=s{query}");
        let (status, table) = send(app.request(Method::GET, &path)).await;
        assert_eq!(status, StatusCode::OK, "{table}");
        table
    };
    assert_same(&lettered, &get("").await, &order);
    assert_eq!(get("&seats=letters").await, lettered);
    let hello = |seats: Value| {
        let body = json!({"server": "s", "seats": seats});
        send(app.request(Method::POST, "/v1/hello").json(&body))
    };
    assert_eq!(hello(json!("letters")).await.1["table"], lettered);
    let lists = hello(Value::Null).await.1["table"].take();
    assert_eq!(lists, get("&seats=lists").await);
}
