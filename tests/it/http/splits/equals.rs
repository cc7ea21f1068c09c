//! Players with equal ratings are mixed from round to round.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::scramble::scramble;
use super::wishes::rate;
use crate::http::{assert_has, id, ids, round, void, with};
use crate::support::{App, Dice};

on_both_databases!(
    on_a_first_evening_everybody_plays_with_everybody,
    equals_are_mixed_anew_by_the_next_round_of_the_server_alone,
    equals_are_not_mixed_where_ratings_decide,
);

fn teams(table: &Value) -> [BTreeSet<String>; 2] {
    ["a", "b"].map(|team| {
        let ids = table["splits"][0][team].as_array().expect("a team").iter();
        ids.map(|id| id.as_str().expect("an id").to_owned())
            .collect()
    })
}

async fn on_a_first_evening_everybody_plays_with_everybody(app: &App) {
    let body = json!({"server": "s", "players": ids(1..=24), "sizes": [12]});
    let mut dice = Dice::new(24);
    let mut rounds_together = BTreeMap::new();
    let mut played: Vec<[BTreeSet<String>; 2]> = Vec::new();
    for number in 0..10 {
        let table = scramble(app, &body).await;
        let again = scramble(app, &body).await;
        assert_eq!(again, table, "within a round nothing changes");
        let split = teams(&table);
        let [a, b] = split.clone();
        let is_new = !played.contains(&split) && !played.contains(&[b, a]);
        assert!(is_new, "round {number} repeats teams");
        for (one, other) in (1..=24).flat_map(|one| (one + 1..=24).map(move |other| (one, other))) {
            let share =
                |team: &BTreeSet<String>| team.contains(&id(one)) && team.contains(&id(other));
            let together = u32::from(split.iter().any(share));
            *rounds_together.entry((one, other)).or_insert(0) += together;
        }
        let winner = ["a", "b"][dice.below(2)];
        let sent = with(
            round("s", &number.to_string(), winner, &[], &[]),
            json!({"team_a": split[0], "team_b": split[1]}),
        );
        app.counted(&sent).await;
        played.push(split);
    }
    // In 12 v 12, each of the 276 pairs shares a team with probability 11/23; the standard deviation over ten rounds is
    // 2.5.
    let mean = 10.0 * 11.0 / 23.0;
    let squares = rounds_together
        .values()
        .map(|rounds| (f64::from(*rounds) - mean).powi(2));
    let variance = squares.sum::<f64>() / 276.0;
    assert!(
        (1.5..=3.5).contains(&variance),
        "{variance}: {rounds_together:?}"
    );
}

async fn equals_are_mixed_anew_by_the_next_round_of_the_server_alone(app: &App) {
    let asked = |server: &str| json!({"server": server, "players": ids(1..=12)});
    let before = scramble(app, &asked("s")).await;
    assert_eq!(before["splits"][4]["a"], json!(ids([1, 5, 6, 10, 11, 12])));
    let mut seen = BTreeSet::new();
    for number in 0..6 {
        app.counted(&round("s", &number.to_string(), "a", &[21], &[22]))
            .await;
        let table = scramble(app, &asked("s")).await;
        for split in table["splits"].as_array().expect("splits") {
            let anchor = &split["a"][0];
            assert_eq!(*anchor, id(1), "the anchor is the lowest id of the best");
            assert_has(split, &json!({"difference": 0, "optimal": true}));
        }
        seen.insert(table["splits"].to_string());
        app.counted(&round("s2", &number.to_string(), "b", &[21], &[22]))
            .await;
        app.counted(&round("s", &number.to_string(), "a", &[21], &[22]))
            .await;
        void(app, &format!("s/{number}")).await;
        assert_eq!(scramble(app, &asked("s")).await["splits"], table["splits"]);
    }
    assert_eq!(seen.len(), 6, "each round mixes anew");
    let elsewhere = scramble(app, &asked("s3")).await;
    assert_eq!(elsewhere["splits"], before["splits"]);
}

async fn equals_are_not_mixed_where_ratings_decide(app: &App) {
    rate(app, &[1600, 1300, 1000, 900, 500]).await;
    let body = json!({"server": "s", "players": ids(1..=5)});
    let table = scramble(app, &body).await;
    app.counted(&round("s", "1", "a", &[21], &[22])).await;
    assert_eq!(scramble(app, &body).await, table);
    let computed = app.first.service.tables_computed();
    assert_eq!(computed, 1, "it is the same question");
}
