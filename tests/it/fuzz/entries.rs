//! Valid players of rounds and lobbies, with scoreboards.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};

use super::generate::id;

pub(super) fn entry() -> BoxedStrategy<Value> {
    prop_oneof![
        6 => id(),
        1 => (id(), any::<bool>(), any::<bool>()).prop_map(|(id, start, took)| {
            json!({"id": id, "at_start": start, "participated": took})
        }),
        1 => (id(), stats()).prop_map(|(id, stats)| json!({"id": id, "stats": stats})),
        2 => (id(), name()).prop_map(|(id, name)| json!({"id": id, "name": name})),
    ]
    .boxed()
}

/// Names: any text that a player can type, and invisible characters.
fn name() -> BoxedStrategy<Value> {
    prop_oneof![
        2 => "\\PC{0,12}".prop_map(Value::from),
        1 => "[\\x00-\u{20}\u{200b}-\u{202e}\u{3164}]{0,80}".prop_map(Value::from),
        1 => Just(Value::Null),
    ]
    .boxed()
}

/// Scoreboard numbers, mostly ones that every pool has.
fn stats() -> BoxedStrategy<Value> {
    let count = || prop_oneof![4 => 0..40_i64, 1 => Just(0), 1 => Just(1_000_000), 1 => -2..0_i64];
    let score = prop_oneof![
        4 => (-50..400_i64).prop_map(Value::from),
        1 => (-2e9..2e9).prop_map(Value::from),
        1 => Just(Value::Null),
    ];
    let other = select(vec!["assists", "assists", "assists", "damage", "kills"]);
    (score, count(), count(), other, count())
        .prop_map(|(score, kills, deaths, other, number)| {
            let mut stats = json!({"score": score, "kills": kills, "deaths": deaths});
            stats[other] = number.into();
            stats
        })
        .boxed()
}

/// Game mode and mutators of a round.
pub(super) fn played() -> BoxedStrategy<(Value, Value)> {
    let mode = select(vec![Value::Null, json!("ctf"), json!("Last Man Standing")]);
    let mutator = select(vec!["InstaGib", "low gravity", "AntiCheat"]);
    let mutators = prop_oneof![
        2 => Just(Value::Null),
        1 => vec(mutator, 0..4).prop_map(Value::from),
    ];
    (mode, mutators).boxed()
}

pub(super) fn lobby_player() -> BoxedStrategy<Value> {
    let label = || select(vec![json!("x"), json!("y"), Value::Null]);
    prop_oneof![
        4 => id(),
        1 => (id(), label(), label(), 0..4_u32).prop_map(|(id, party, apart, waited)| {
            json!({"id": id, "party": party, "apart": apart, "waited": waited})
        }),
        1 => (id(), name()).prop_map(|(id, name)| json!({"id": id, "name": name})),
    ]
    .boxed()
}
