//! What becomes of wishes: who is put where, and what the answer says about it.

use serde_json::{Value, json};

use super::scramble::{scramble, set};
use crate::http::{id, ids, with};
use crate::support::App;

same_on_both_databases!(
    a_table_tells_what_became_of_every_wish,
    a_party_stays_together_as_long_as_it_is_worth_its_price,
    a_party_may_wait_together,
    pairs_are_apart_within_the_tolerance,
    who_must_play_plays_and_who_must_wait_waits,
    what_cannot_be_is_relaxed_the_least_and_named,
    the_longest_wait_plays_first,
    few_players_change_teams,
    wishes_trade_within_the_tolerance,
    a_recent_split_is_not_repeated_while_there_is_another,
    teams_are_alike_in_shape_where_that_costs_nothing,
    only_the_sizes_asked_for_are_answered,
    without_the_anchor_the_best_may_wait,
    alternatives_are_the_best_and_all_different,
    the_same_request_gets_the_same_answer,
);

/// Gives the players 1, 2, … these ratings.
pub(super) async fn rate(app: &App, ratings: &[i32]) {
    for (n, rating) in (1..).zip(ratings) {
        set(app, n, *rating).await;
    }
}

/// The table of the players 1 to `count` with these wishes.
pub(super) async fn table(app: &App, count: u64, wishes: Value) -> Value {
    let body = json!({"server": "s", "players": ids(1..=count)});
    scramble(app, &with(body, wishes)).await
}

/// The only split of that table.
pub(super) async fn split(app: &App, count: u64, wishes: Value) -> Value {
    let table = table(app, count, wishes).await;
    assert_eq!(table["splits"].as_array().map(Vec::len), Some(1), "{table}");
    table["splits"][0].clone()
}

/// Where a player of a split stands: `a`, `b` or `waiting`.
pub(super) fn seat(split: &Value, n: u64) -> &'static str {
    ["a", "b", "waiting"]
        .into_iter()
        .find(|seat| {
            let there = split[seat].as_array();
            there.is_some_and(|there| there.contains(&json!(id(n))))
        })
        .unwrap_or_else(|| panic!("{n} is nowhere in {split}"))
}

pub(super) fn says(split: &Value, words: &str) -> bool {
    split["say"].as_str().expect("a sentence").contains(words)
}

/// Everybody plays; the closest are 1 and 4 against 2 and 3, at 200, and 1 and 2 against 3 and 4
/// are the farthest, at 1000.
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
        for key in ["repeats", "say"] {
            output[key] = split[key].clone();
        }
        output
    };
    // 90 and 91 are not there.
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
            "say": "2 v 2: odds of 52.1 % to 47.9 %; 1 who must wait plays, the party is split, \
                    1 pair to keep apart shares a team.",
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
            "say": "2 v 2: odds of 52.1 % to 47.9 %, nobody changes teams, both parties together.",
        })
    );
}

async fn a_party_stays_together_as_long_as_it_is_worth_its_price(app: &App) {
    rate(app, &FOUR).await;
    for (price, kept) in [(0, false), (799, false), (800, true), (10_000, true)] {
        let wishes = json!({"parties": [ids([2, 1])], "party_price": price});
        let split = split(app, 4, wishes).await;
        assert_eq!(seat(&split, 1) == seat(&split, 2), kept, "{price}: {split}");
        assert_eq!(split["best_difference"], 200, "{split}");
        let party = json!([ids([1, 2])]);
        if kept {
            assert_eq!(split["difference"], 1000, "{split}");
            assert_eq!(split["parties"], json!({"kept": party, "split": []}));
            assert!(says(&split, "the party together"), "{split}");
            assert!(says(&split, "wishes cost 800 points"), "{split}");
        } else {
            assert_eq!(split["difference"], 200, "{split}");
            assert_eq!(split["parties"], json!({"kept": [], "split": party}));
            assert!(says(&split, "the party is split"), "{split}");
        }
    }
    // The usual price is 100 points, and an equal split costs nothing.
    let apart = split(app, 4, json!({"parties": [ids([1, 2])]})).await;
    assert_eq!(apart["difference"], 200, "{apart}");
    for n in 1..=4 {
        set(app, n, 1000).await;
    }
    for pair in [[1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]] {
        let split = split(app, 4, json!({"parties": [ids(pair)]})).await;
        assert_eq!(seat(&split, pair[0]), seat(&split, pair[1]), "{split}");
        assert_eq!(
            (&split["difference"], &split["optimal"]),
            (&json!(0), &json!(true))
        );
    }
}

async fn a_party_may_wait_together(app: &App) {
    // Six of one rating, two of whom wait for each other.
    let wishes = json!({"parties": [ids([2, 5])], "must_wait": ids([5]), "sizes": [2]});
    let split = split(app, 6, wishes).await;
    assert_eq!(split["waiting"], json!(ids([2, 5])), "{split}");
    assert_eq!(split["parties"]["kept"], json!([ids([2, 5])]), "{split}");
}

async fn pairs_are_apart_within_the_tolerance(app: &App) {
    rate(app, &FOUR).await;
    // 1 and 3 against 2 and 4 differ by 400.
    for (tolerance, apart) in [(0, false), (199, false), (200, true)] {
        let wishes = json!({"apart": [ids([4, 1])], "tolerance": tolerance, "spread": false});
        let split = split(app, 4, wishes).await;
        assert_eq!(seat(&split, 1) != seat(&split, 4), apart, "{split}");
        let together = if apart {
            json!([])
        } else {
            json!([ids([1, 4])])
        };
        assert_eq!(split["apart"], json!({"together": together}), "{split}");
        let said = says(&split, "1 pair to keep apart shares a team");
        assert_eq!(said, !apart, "{split}");
    }
}

async fn who_must_play_plays_and_who_must_wait_waits(app: &App) {
    rate(app, &[2000, 1500, 1400, 1300, 1200, 700]).await;
    let wishes = json!({"must_play": ids([6]), "must_wait": ids([1, 3]), "sizes": [2]});
    let split = split(app, 6, wishes).await;
    assert_eq!(split["waiting"], json!(ids([1, 3])), "{split}");
    assert_ne!(seat(&split, 6), "waiting");
    assert_eq!(
        split["a"][0],
        json!(id(2)),
        "the best of the others leads: {split}"
    );
    assert_eq!(split["relaxed"], json!({"must_play": [], "must_wait": []}));
}

async fn what_cannot_be_is_relaxed_the_least_and_named(app: &App) {
    let all = split(app, 5, json!({"must_play": ids(1..=5)})).await;
    assert_eq!(all["relaxed"]["must_play"], all["waiting"], "{all}");
    assert!(says(&all, "1 who must play waits"), "{all}");
    let none = split(app, 5, json!({"must_wait": ids(1..=5)})).await;
    let drafted = none["relaxed"]["must_wait"].as_array().expect("a list");
    assert_eq!(drafted.len(), 4, "{none}");
    assert!(says(&none, "4 who must wait play"), "{none}");
    // Three are to wait, and there is one place.
    let some = split(
        app,
        5,
        json!({"must_wait": ids([1, 2, 3]), "must_play": ids([4])}),
    )
    .await;
    let drafted = some["relaxed"]["must_wait"].as_array().expect("a list");
    assert_eq!(drafted.len(), 2, "{some}");
    assert_eq!(some["relaxed"]["must_play"], json!([]));
    assert_ne!(seat(&some, 4), "waiting");
    assert_ne!(seat(&some, 5), "waiting");
    // A party of three is larger than a team of two, and not than one of three.
    let table = table(app, 6, json!({"parties": [ids([1, 2, 3])]})).await;
    let (two, three) = (&table["splits"][0], &table["splits"][1]);
    assert!(says(two, "the party is too large for a team"), "{two}");
    assert_eq!(two["parties"]["split"], json!([ids([1, 2, 3])]));
    assert!(says(three, "the party together"), "{three}");
}

async fn the_longest_wait_plays_first(app: &App) {
    let waited = json!({id(1): 2, "[U:1:2]": 3, "STEAM_0:1:1": 3, id(4): 1, id(5): 3});
    let one = split(app, 5, json!({"waited": waited})).await;
    assert_eq!(one["waiting"], json!(ids([4])), "{one}");
    assert_eq!(one["waits"], json!([{"id": id(4), "waited": 1}]));
    // Of those who are not named nobody has waited.
    let wishes = json!({"waited": {id(3): 1, id(5): 1, id(6): 4}, "sizes": [2]});
    let two = split(app, 6, wishes).await;
    assert_eq!(two["waiting"], json!(ids([2, 4])), "{two}");
    assert_eq!(
        two["waits"],
        json!([{"id": id(2), "waited": 0}, {"id": id(4), "waited": 0}])
    );
}

async fn few_players_change_teams(app: &App) {
    let current = json!({"a": ids([4, 2, 7, 5]), "b": ids([8, 1, 3, 6])});
    let wishes = json!({"current": current, "spread": false, "sizes": [4]});
    let split = split(app, 8, wishes).await;
    assert_eq!(split["moves"], 0, "{split}");
    assert_eq!(
        split["a"],
        json!(ids([1, 3, 6, 8])),
        "sides are interchangeable: {split}"
    );
    assert!(says(&split, "nobody changes teams"), "{split}");
}

async fn wishes_trade_within_the_tolerance(app: &App) {
    rate(app, &FOUR).await;
    let current = json!({"a": ids([1, 2]), "b": ids([3, 4])});
    for (tolerance, moves) in [(0, 2), (799, 2), (800, 0), (1000, 0)] {
        let wishes = json!({"current": current, "tolerance": tolerance});
        let split = split(app, 4, wishes).await;
        assert_eq!(split["moves"], moves, "{tolerance}: {split}");
        let difference = split["difference"].as_u64().expect("a difference");
        assert!((200..=200 + tolerance).contains(&difference), "{split}");
    }
}

async fn a_recent_split_is_not_repeated_while_there_is_another(app: &App) {
    let mut recent = Vec::new();
    for round in 0..4 {
        let split = split(app, 4, json!({"recent": recent})).await;
        // Four of one rating can be split in three ways.
        assert_eq!(split["repeats"], round == 3, "{split}");
        assert_eq!(
            says(&split, "these teams are a repeat"),
            round == 3,
            "{split}"
        );
        // Which team was which does not matter.
        recent.push(json!({"a": split["b"], "b": split["a"]}));
    }
}

async fn teams_are_alike_in_shape_where_that_costs_nothing(app: &App) {
    rate(app, &[1400, 1400, 1000, 1000, 1000, 1000, 600, 600]).await;
    let split = split(app, 8, json!({"sizes": [4]})).await;
    assert_eq!(split["difference"], 0);
    assert_eq!(split["spread"]["top_two_apart"], true, "{split}");
    assert_eq!(split["spread"]["a"], split["spread"]["b"], "{split}");
}

async fn only_the_sizes_asked_for_are_answered(app: &App) {
    for (asked, answered) in [
        (json!([3]), json!([3])),
        (json!([4, 2]), json!([2, 4])),
        (json!([5]), json!([])),
        (json!([64, 4]), json!([4])),
        (json!(null), json!([2, 3, 4])),
    ] {
        let table = table(app, 8, json!({"sizes": asked})).await;
        let splits = table["splits"].as_array().expect("splits");
        let sizes: Vec<_> = splits.iter().map(|split| split["size"].clone()).collect();
        assert_eq!(json!(sizes), answered, "{asked}");
    }
}

async fn without_the_anchor_the_best_may_wait(app: &App) {
    set(app, 1, 4000).await;
    for (anchor, difference) in [(json!(true), 3000), (json!(null), 3000), (json!(false), 0)] {
        let split = split(app, 5, json!({"anchor": anchor})).await;
        assert_eq!(split["difference"], difference, "{split}");
        assert_eq!(seat(&split, 1) == "waiting", difference == 0, "{split}");
    }
}

async fn alternatives_are_the_best_and_all_different(app: &App) {
    rate(app, &[1900, 1310, 1170, 990, 640]).await;
    let with_alternatives = async |size: u64, count: u64| {
        let wishes = json!({"alternatives": {"size": size, "count": count}, "spread": false});
        let table = table(app, 5, wishes).await;
        let alternatives = table["alternatives"].as_array().expect("a list").clone();
        (table["splits"][0].clone(), alternatives)
    };
    let (best, three) = with_alternatives(2, 3).await;
    assert_eq!(three.len(), 3);
    assert_eq!(three[0], best, "the best is among them");
    // With the best player anchored there are twelve.
    let (_, all) = with_alternatives(2, 20).await;
    assert_eq!(all.len(), 12);
    assert_eq!(all[..3], three);
    let differences: Vec<_> = all
        .iter()
        .map(|split| split["difference"].as_u64())
        .collect();
    assert!(differences.is_sorted(), "{differences:?}");
    for (place, split) in all.iter().enumerate() {
        assert_eq!(split["size"], 2);
        assert!(says(split, "2 v 2, 1 waits: "), "{split}");
        let teams = |split: &Value| (split["a"].clone(), split["b"].clone());
        assert!(
            !all[..place]
                .iter()
                .any(|other| teams(other) == teams(split)),
            "{split} stands twice"
        );
    }
    // Five players are too few for three a team.
    assert_eq!(with_alternatives(3, 20).await.1, Vec::<Value>::new());
}

async fn the_same_request_gets_the_same_answer(app: &App) {
    let wishes = |reversed: bool| {
        let mut players = ids(1..=12);
        let mut parties = vec![ids([2, 9]), ids([4, 5, 6])];
        if reversed {
            players.reverse();
            parties.reverse();
        }
        json!({
            "server": "s", "players": players, "parties": parties, "apart": [ids([1, 3])],
            "current": {"a": ids(1..=6), "b": ids(7..=12)}, "tolerance": 50,
            "alternatives": {"size": 5, "count": 20},
        })
    };
    rate(
        app,
        &[
            1210, 1190, 1400, 870, 1020, 990, 1111, 1060, 945, 1330, 700, 1000,
        ],
    )
    .await;
    let (first, second) = (
        scramble(app, &wishes(false)).await,
        scramble(app, &wishes(true)).await,
    );
    let teams = |table: &Value| -> Vec<(Value, Value)> {
        let lists = ["splits", "alternatives"].map(|key| table[key].as_array().expect("a list"));
        lists
            .into_iter()
            .flatten()
            .map(|split| (split["a"].clone(), split["b"].clone()))
            .collect()
    };
    assert_eq!(teams(&first), teams(&second));
    assert_eq!(teams(&first).len(), 5 + 20);
}
