//! Generated histories of a pool, deterministic for a seed.

use rbs::api::{ChangeLine, ChangeName};
use rbs::domain::{PlayerId, Rating, Report, RoundParts, Timestamp};
use rbs::rating::ChangeKind;
use serde_json::{Value, json};

use crate::support::Dice;

pub const PLAYERS: [u64; 9] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "at most a few hundred values")]
pub enum Event {
    Round(Report),
    Change(String, PlayerId, ChangeKind),
}

pub fn player(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_728 + number).expect("an account")
}

pub fn change(change_id: &str, id: PlayerId, kind: ChangeKind, at: Timestamp) -> ChangeLine {
    let (change, rating) = match kind {
        ChangeKind::Set(rating) => (ChangeName::Set, Some(rating)),
        ChangeKind::Reset => (ChangeName::Reset, None),
    };
    ChangeLine {
        change,
        change_id: change_id.parse().expect("a name"),
        pool: "arena".parse().expect("a name"),
        id,
        rating,
        reason: None,
        at,
    }
}

pub fn round(text: &Value) -> Report {
    let parts: RoundParts = serde_json::from_value(text.clone()).expect("a round");
    Report::try_from(parts).expect("a round")
}

/// A history of about `count` rounds in the pool `arena`: uneven teams, spectators, late players and side changes,
/// draws, unordered times, repeated rounds, name conflicts, and admin changes.
pub fn events(dice: &mut Dice, count: usize) -> Vec<Event> {
    let mut events: Vec<Event> = Vec::new();
    let mut sent: Vec<Value> = Vec::new();
    for number in 0..count {
        if !sent.is_empty() && dice.one_in(4) {
            let mut again = sent[dice.below(sent.len())].clone();
            match dice.below(3) {
                0 => {}
                1 => again["map"] = json!("another_map"),
                // A plugin that has lost the end time still repeats the round.
                _ => drop(again.as_object_mut().expect("an object").remove("ended_at")),
            }
            events.push(Event::Round(round(&again)));
        }
        if dice.one_in(15) {
            let kind = if dice.one_in(2) {
                ChangeKind::Reset
            } else {
                let points = 100 + i32::try_from(dice.below(2500)).expect("small");
                ChangeKind::Set(Rating::new(points).expect("a rating"))
            };
            let who = player(PLAYERS[dice.below(PLAYERS.len())]);
            events.push(Event::Change(format!("change-{number}"), who, kind));
        }
        let text = random_round(dice, number);
        events.push(Event::Round(round(&text)));
        sent.push(text);
    }
    events
}

fn with_stats(entry: &Value, dice: &mut Dice) -> Value {
    let mut number = |below: usize| i32::try_from(dice.below(below)).expect("small");
    let mut stats = json!({"score": number(60) - 20, "kills": number(30), "deaths": number(30)});
    match number(4) {
        0 => stats = json!({}),
        1 => stats["damage"] = json!(f64::from(number(1000)) / 3.0),
        2 => stats["healing"] = json!(number(5000)),
        _ => {}
    }
    with(entry, "stats", stats)
}

fn with(entry: &Value, field: &str, value: impl Into<Value>) -> Value {
    let mut entry = match entry {
        Value::Object(_) => entry.clone(),
        id => json!({"id": id}),
    };
    entry[field] = value.into();
    entry
}

fn random_round(dice: &mut Dice, number: usize) -> Value {
    let mut ids = PLAYERS;
    for index in 0..ids.len() {
        let other = dice.below(ids.len());
        ids.swap(index, other);
    }
    let size_a = 1 + dice.below(3);
    let size_b = 1 + dice.below(3);
    let mut team = |from: usize, size: usize| -> Vec<Value> {
        let mut entries: Vec<Value> = ids[from..from + size]
            .iter()
            .map(|id| json!(format!("[U:1:{id}]")))
            .collect();
        for entry in &mut entries[1..] {
            let (late, left) = (dice.one_in(6), dice.one_in(6));
            if late {
                *entry = json!({"id": entry, "at_start": false});
            } else if left {
                *entry = json!({"id": entry, "participated": false});
            }
        }
        for entry in &mut entries {
            if dice.one_in(2) {
                *entry = with_stats(entry, dice);
            }
        }
        entries
    };
    let mut team_a = team(0, size_a);
    let mut team_b = team(3, size_b);
    if number.is_multiple_of(4) {
        for team in [&mut team_a, &mut team_b] {
            team[0] = with(&team[0], "role", "commander");
        }
    }
    if dice.one_in(5) {
        team_a.push(json!({"id": format!("[U:1:{}]", ids[8]), "participated": false}));
        team_b.push(json!({"id": format!("[U:1:{}]", ids[8]), "at_start": false}));
    }
    let maps = [Some("arena_well"), Some("arena_hydro"), None];
    let (modes, mutators) = ([Some("ctf"), None], ["low gravity", "InstaGib"]);
    let minute = dice.below(60);
    let winner = ["a", "a", "b", "b", "draw"][dice.below(5)];
    json!({
        "round_id": format!("round-{number}"), "server": "arena-1",
        "map": maps[number % 3], "mode": modes[dice.below(2)],
        "mutators": &mutators[..dice.below(3)],
        "ended_at": format!("2026-11-20T11:{minute:02}:00.25Z"),
        "winner": winner,
        "team_a": team_a, "team_b": team_b,
    })
}
