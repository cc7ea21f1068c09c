//! Effects of wishes on splits and answers.

use serde_json::{Value, json};

use super::scramble::{scramble, set};
use crate::http::{id, ids, with};
use crate::support::App;

same_on_both_databases!(
    a_table_tells_what_became_of_every_wish,
    the_longest_wait_plays_first,
);

/// Gives players 1, 2, … these ratings.
pub(super) async fn rate(app: &App, ratings: &[i32]) {
    for (n, rating) in (1..).zip(ratings) {
        set(app, n, *rating).await;
    }
}

/// Table of players 1 to `count` with these wishes.
pub(super) async fn table(app: &App, count: u64, wishes: Value) -> Value {
    let body = json!({"server": "s", "players": ids(1..=count)});
    scramble(app, &with(body, wishes)).await
}

pub(super) async fn split(app: &App, count: u64, wishes: Value) -> Value {
    let table = table(app, count, wishes).await;
    assert_eq!(table["splits"].as_array().map(Vec::len), Some(1), "{table}");
    table["splits"][0].clone()
}

pub(super) fn says(split: &Value, words: &str) -> bool {
    split["message"]
        .as_str()
        .expect("a sentence")
        .contains(words)
}

/// All four play. 1 and 4 against 2 and 3 are closest, at 200; 1 and 2 against 3 and 4 are farthest, at 1000.
const FOUR: [i32; 4] = [1600, 1300, 1000, 900];

async fn a_table_tells_what_became_of_every_wish(app: &App) {
    rate(app, &FOUR).await;
    let players = json!({"server": "s", "players": ids(1..=4), "party_price": 0});
    let output = async |wishes: Value| {
        let table = scramble(app, &with(players.clone(), wishes)).await;
        let split = table["splits"][0].clone();
        assert_eq!(split["a"], json!(ids([1, 4])), "{split}");
        assert_eq!(split["b"], json!(ids([2, 3])), "{split}");
        assert_eq!(app.get("/v1/scramble?server=s").await, table);
        let mut output = json!({});
        for key in [
            "best_difference",
            "moves",
            "parties",
            "apart",
            "relaxed",
            "waits",
        ] {
            output[key] = split[key].clone();
        }
        for key in ["repeats", "message"] {
            output[key] = split[key].clone();
        }
        output
    };
    assert_eq!(
        output(json!({
            "current": {"a": ids([3, 1]), "b": ids([4, 2, 90])},
            "parties": [ids([1, 3, 90]), ids([2, 91])], "apart": [ids([3, 2]), ids([1, 2])],
            "must_play": ids([1, 91]), "must_wait": ids([2, 90]), "waited": {id(3): 1, id(90): 5},
            "recent": [{"a": ids([3, 2]), "b": ids([1, 4])}], "sizes": [2, 3], "spread": true,
            "tolerance": 0, "anchor": true,
        }))
        .await,
        json!({
            "best_difference": 200, "moves": 2,
            "parties": {"kept": [], "split": [ids([1, 3])]},
            "apart": {"together": [ids([2, 3])]},
            "relaxed": {"must_play": [], "must_wait": ids([2])},
            "waits": [], "repeats": true,
            "message": "2 v 2: odds of 52.1 % to 47.9 %; 1 who must wait plays, the party is split, \
                    1 pair that should be apart shares a team.",
        })
    );
    assert_eq!(
        output(json!({
            "current": {"a": ids([1, 4]), "b": ids([3])}, "parties": [ids([4, 1]), ids([2, 3])],
            "apart": [ids([1, 2])], "recent": [{"a": ids([1, 2]), "b": ids([3, 4])}],
        }))
        .await,
        json!({
            "best_difference": 200, "moves": 0,
            "parties": {"kept": [ids([1, 4]), ids([2, 3])], "split": []},
            "apart": {"together": []}, "relaxed": {"must_play": [], "must_wait": []},
            "waits": [], "repeats": false,
            "message": "2 v 2: odds of 52.1 % to 47.9 %, nobody changes teams, both parties together.",
        })
    );
}

async fn the_longest_wait_plays_first(app: &App) {
    let waited = json!({id(1): 2, "[U:1:2]": 3, "STEAM_0:1:1": 3, id(4): 1, id(5): 3});
    let one = split(app, 5, json!({"waited": waited})).await;
    assert_eq!(one["waiting"], json!(ids([4])), "{one}");
    assert_eq!(one["waits"], json!([{"id": id(4), "waited": 1}]));
    let wishes = json!({"waited": {id(3): 1, id(5): 1, id(6): 4}, "sizes": [2]});
    let two = split(app, 6, wishes).await;
    assert_eq!(two["waiting"], json!(ids([2, 4])), "{two}");
    assert_eq!(
        two["waits"],
        json!([{"id": id(2), "waited": 0}, {"id": id(4), "waited": 0}])
    );
}
