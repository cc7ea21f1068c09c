//! Teams of everybody, where nobody may wait.

use serde_json::{Value, json};

use super::refusals::assert_wishes_refused;
use super::wishes::{rate, says, seat, split, table};
use crate::http::{id, ids};
use crate::support::App;

same_on_both_databases!(
    an_even_number_plays_in_even_teams,
    an_odd_number_plays_with_one_more_on_a_team,
    wishes_hold_where_everybody_plays,
    below_four_players_there_is_no_split,
    without_a_bench_there_are_alternatives_of_its_size,
    where_everybody_plays_nobody_is_made_to_wait,
);

fn size_of(split: &Value, team: &str) -> usize {
    split[team].as_array().map(Vec::len).expect("a team")
}

async fn an_even_number_plays_in_even_teams(app: &App) {
    rate(app, &[1600, 1300, 1000, 900]).await;
    let split = split(app, 4, json!({"bench": false})).await;
    assert_eq!(split["a"], json!(ids([1, 4])), "{split}");
    assert_eq!(split["b"], json!(ids([2, 3])), "{split}");
    assert_eq!(
        (&split["size"], &split["difference"]),
        (&json!(2), &json!(200))
    );
}

async fn an_odd_number_plays_with_one_more_on_a_team(app: &App) {
    // 1 and 2 against the other three: 2900 and 2900. Of five equals one team would have 1000 more.
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
    assert_eq!(split["say"], "2 v 3: even odds.", "{split}");
    let last = app.get("/v1/scramble?server=s").await;
    assert_eq!(last["splits"], json!([split]), "{last}");
}

async fn wishes_hold_where_everybody_plays(app: &App) {
    let wishes = json!({
        "bench": false, "parties": [ids([2, 6])], "apart": [ids([1, 2])],
        "roles": [{"name": "medic", "players": ids([4, 5])}], "must_play": ids([7]),
        "must_wait": ids([90]), "tolerance": 0,
    });
    let split = split(app, 7, wishes).await;
    assert_eq!(
        size_of(&split, "a").abs_diff(size_of(&split, "b")),
        1,
        "{split}"
    );
    assert_eq!(split["size"], 3, "{split}");
    assert_eq!(split["difference"], 1000, "{split}");
    assert_eq!(seat(&split, 2), seat(&split, 6), "{split}");
    assert_ne!(seat(&split, 1), seat(&split, 2), "{split}");
    assert_ne!(seat(&split, 4), seat(&split, 5), "{split}");
    assert!(says(&split, "3 v 4: "), "{split}");
}

async fn below_four_players_there_is_no_split(app: &App) {
    for players in 0..4 {
        let table = table(app, players, json!({"bench": false})).await;
        assert_eq!(table["splits"], json!([]), "{players}");
    }
}

async fn without_a_bench_there_are_alternatives_of_its_size(app: &App) {
    rate(app, &[1500, 1200, 1100, 1000]).await;
    let wishes = json!({"bench": false, "alternatives": {"size": 2, "count": 20}});
    let few = table(app, 3, wishes.clone()).await;
    assert_eq!(
        (&few["splits"], &few["alternatives"]),
        (&json!([]), &json!([]))
    );
    let table = table(app, 4, wishes).await;
    let alternatives = table["alternatives"].as_array().expect("a list");
    // Who is with player 1 makes the split.
    assert_eq!(alternatives.len(), 3, "{table}");
    assert_eq!(alternatives[0], table["splits"][0]);
    for split in alternatives {
        assert_eq!(split["waiting"], json!([]), "{split}");
        assert!(
            split["a"]
                .as_array()
                .is_some_and(|a| a.contains(&json!(id(1))))
        );
    }
}

async fn where_everybody_plays_nobody_is_made_to_wait(app: &App) {
    let cases = [
        (json!({"bench": 0}), "/bench", "send true or false"),
        (
            json!({"bench": false, "sizes": [4]}),
            "/sizes",
            "cannot be chosen where \"bench\" is false",
        ),
        (
            json!({"bench": false, "must_wait": ids([90, 3])}),
            "/must_wait/1",
            "leave the player out of \"players\"",
        ),
        (
            json!({"bench": false, "alternatives": {"size": 3, "count": 2}}),
            "/alternatives/size",
            "8 players play in teams of 4 or one more",
        ),
    ];
    assert_wishes_refused(app, cases).await;
}
