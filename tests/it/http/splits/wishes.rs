//! Effects of wishes on splits and answers.

use serde_json::{Value, json};

use super::scramble::{scramble, set};
use crate::http::{assert_has, id, ids, round, with};
use crate::support::App;

same_on_both_databases!(
    a_table_tells_what_became_of_every_wish,
    a_role_that_is_not_filled_is_named,
    an_odd_number_plays_with_one_more_on_a_team,
    newcomers_are_shared_out_for_their_price,
    the_first_alternative_says_what_the_table_says,
    what_is_said_of_absent_players_contradicts_nothing,
    the_most_that_can_be_wished_is_answered,
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

async fn split(app: &App, count: u64, wishes: Value) -> Value {
    let table = table(app, count, wishes).await;
    assert_eq!(table["splits"].as_array().map(Vec::len), Some(1), "{table}");
    table["splits"][0].clone()
}

fn says(split: &Value, words: &str) -> bool {
    split["message"]
        .as_str()
        .expect("a sentence")
        .contains(words)
}

/// All four play. 1 and 4 against 2 and 3 are closest, at 200; 1 and 2 against 3 and 4 are farthest, at 1000.
const FOUR: [i32; 4] = [1600, 1300, 1000, 900];

async fn a_table_tells_what_became_of_every_wish(app: &App) {
    rate(app, &FOUR).await;
    for (wishes, expected) in [
        (
            json!({
                "current": {"a": ids([3, 1]), "b": ids([4, 2, 90])},
                "parties": [ids([1, 3, 90]), ids([2, 91])], "apart": [ids([3, 2]), ids([1, 2])],
                "must_play": ids([1, 91]), "must_wait": ids([2, 90]), "waited": {id(3): 1, id(90): 5},
                "recent": [{"a": ids([3, 2]), "b": ids([1, 4])}], "sizes": [2, 3], "spread": true,
                "tolerance": 0, "anchor": true,
            }),
            json!({
                "moves": 2, "parties": {"kept": [], "split": [ids([1, 3])]},
                "apart": {"together": [ids([2, 3])]},
                "relaxed": {"must_play": [], "must_wait": ids([2])}, "repeats": true,
                "message": "2 v 2: odds of 52.1 % to 47.9 %; 1 who must wait plays, the party is split, \
                        1 pair that should be apart shares a team.",
            }),
        ),
        (
            json!({
                "current": {"a": ids([1, 4]), "b": ids([3])}, "parties": [ids([4, 1]), ids([2, 3])],
                "apart": [ids([1, 2])], "recent": [{"a": ids([1, 2]), "b": ids([3, 4])}],
            }),
            json!({
                "moves": 0, "parties": {"kept": [ids([1, 4]), ids([2, 3])], "split": []},
                "apart": {"together": []}, "relaxed": {"must_play": [], "must_wait": []}, "repeats": false,
                "message": "2 v 2: odds of 52.1 % to 47.9 %, nobody changes teams, both parties together.",
            }),
        ),
    ] {
        let table = table(app, 4, with(wishes, json!({"party_price": 0}))).await;
        let closest =
            json!({"a": ids([1, 4]), "b": ids([2, 3]), "best_difference": 200, "waits": []});
        assert_has(&table["splits"][0], &with(closest, expected));
        assert_eq!(app.get("/v1/scramble?server=s").await, table);
    }
}

async fn a_role_that_is_not_filled_is_named(app: &App) {
    // All ratings are equal, so only roles decide.
    let roles = json!([
        {"name": "medic", "players": ids([2, 5]), "each": 2},
        {"name": "pilot", "players": ids([90])},
        {"name": "tank", "players": ids(1..=6), "each": 3},
    ]);
    let both = split(app, 6, json!({"roles": roles, "sizes": [3]})).await;
    let missing = json!([{"name": "medic", "missing": 2}, {"name": "pilot", "missing": 2}]);
    assert_eq!(both["roles"], json!({"missing": missing}), "{both}");
    assert!(says(&both, "; 2 roles lack 4 players."), "{both}");
    let alone = json!([{"name": "medic", "players": [id(1)]}]);
    let one = split(app, 6, json!({"roles": alone, "sizes": [3]})).await;
    assert!(says(&one, "; the role medic lacks 1 player."), "{one}");
}

async fn an_odd_number_plays_with_one_more_on_a_team(app: &App) {
    // 1 and 2 against the other three: 2900 and 2900. Of five equal players, one team would have 1000 more.
    rate(app, &[1600, 1300, 1000, 1000, 900]).await;
    let split = split(app, 5, json!({"bench": false})).await;
    let expected = json!({
        "a": ids([1, 2]), "b": ids([3, 4, 5]), "size": 2, "waiting": [], "waits": [], "sum_a": 2900, "sum_b": 2900,
        "difference": 0, "best_difference": 0, "message": "2 v 3: even odds.",
    });
    assert_has(&split, &expected);
    let last = app.get("/v1/scramble?server=s").await;
    assert_eq!(last["splits"], json!([split]), "{last}");
}

async fn newcomers_are_shared_out_for_their_price(app: &App) {
    // Rounds of the shadow period, after which players 1 and 2 are no newcomers. Their server gets the notices.
    for number in 0..50 {
        let winner = if number % 2 == 0 { "a" } else { "b" };
        app.counted(&round("t", &number.to_string(), winner, &[1], &[2]))
            .await;
    }
    rate(app, &[1010, 990]).await;
    let table = async |wishes: Value| {
        let body = json!({"server": "s", "players": ids([1, 2, 5, 6])});
        scramble(app, &with(body, wishes)).await
    };
    let shared = json!({"a": 1, "b": 1, "cost": 20});
    let listed = json!({"alternatives": {"size": 2, "count": 2}});
    let listed = table(listed).await;
    let expected = json!({"difference": 20, "best_difference": 0, "newcomers": shared});
    assert_has(&listed["splits"][0], &expected);
    let costs = "newcomers 1 and 1; sharing newcomers costs 20 points";
    assert!(says(&listed["splits"][0], costs), "{listed}");
    assert_eq!(listed["alternatives"][0]["newcomers"], shared, "{listed}");
    let next = &listed["alternatives"][1]["newcomers"];
    assert_eq!(next["cost"], Value::Null, "{listed}");
    let lettered = table(json!({"seats": "letters"})).await;
    assert_eq!(lettered["splits"][0]["newcomers"], shared, "{lettered}");

    let current = json!({"a": ids([1, 2]), "b": ids([5, 6])});
    for wishes in [
        json!({"newcomers": 0}),
        json!({"current": current}),
        json!({"parties": [ids([5, 6])]}),
    ] {
        let table = table(wishes).await;
        assert_has(
            &table["splits"][0],
            &json!({"difference": 0, "newcomers": null}),
        );
    }
    let both = table(json!({"newcomers": 20, "current": current})).await;
    assert_eq!(both["splits"][0]["newcomers"]["cost"], 20, "{both}");
}

async fn the_first_alternative_says_what_the_table_says(app: &App) {
    // Keeping the two best players together costs 800 points.
    rate(app, &FOUR).await;
    let wishes = json!({
        "parties": [ids([1, 2])], "party_price": 800, "alternatives": {"size": 2, "count": 3},
    });
    let table = table(app, 4, wishes).await;
    let [first, others @ ..] = &table["alternatives"].as_array().expect("a list")[..] else {
        panic!("{table}");
    };
    assert_eq!(first, &table["splits"][0]);
    assert!(says(first, "; wishes cost 800 points"), "{first}");
    assert_eq!(others.len(), 2, "{table}");
    for split in others {
        assert!(!says(split, "wishes"), "{split}");
        let points = |key: &str| split[key].as_u64().expect("points");
        let above = points("difference") - points("best_difference");
        let named = says(
            split,
            &format!("{above} points less even than the most even split"),
        );
        assert_eq!(named, above > 0, "{split}");
    }
}

async fn what_is_said_of_absent_players_contradicts_nothing(app: &App) {
    let plain = table(app, 4, json!({})).await;
    for wishes in [
        json!({"must_play": ids([90]), "must_wait": ids([90])}),
        json!({"parties": [ids([1, 90])], "apart": [ids([1, 90])]}),
        json!({"parties": [ids([90, 91])], "must_play": ids([90]), "must_wait": ids([91])}),
    ] {
        assert_eq!(table(app, 4, wishes.clone()).await, plain, "{wishes}");
    }
}

async fn the_most_that_can_be_wished_is_answered(app: &App) {
    let (half, rest) = (ids(1..=64), ids(65..=128));
    let pairs: Vec<_> = (1..=64).map(|n| ids([n, 193 - n])).collect();
    let parties: Vec<_> = (1..=64).map(|n| ids([2 * n - 1, 2 * n])).collect();
    let waited: serde_json::Map<_, _> = (1..=1024).map(|n| (id(n), json!(1_000_000))).collect();
    let roles: Vec<_> = (1..=8)
        .map(|n| json!({"name": format!("{n:032}"), "players": ids(1..=128), "each": 8}))
        .collect();
    let wishes = json!({
        "current": {"a": half, "b": rest},
        "parties": parties, "party_price": 10_000, "apart": pairs, "roles": roles, "must_play": ids(1..=128),
        "must_wait": ids(200..=327), "waited": waited, "tolerance": 1000, "spread": true,
        "recent": vec![json!({"a": half, "b": rest}); 16],
        "sizes": (2..=64).collect::<Vec<_>>(), "anchor": false,
        "alternatives": {"size": 64, "count": 20},
    });
    let table = table(app, 8, wishes).await;
    let splits = table["splits"].as_array().expect("splits");
    assert_eq!(splits.len(), 3, "two, three and four a team");
    assert_eq!(table["alternatives"], json!([]), "eight are too few for 64");
}
