//! Files of rounds to import.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::Finished;

/// A round as a JSON line. The number determines a unique end time.
pub fn line(number: usize, server: &str) -> String {
    let player = |offset: usize| format!("[U:1:{}]", 1 + (number * 7 + offset * 5) % 23);
    let winner = ["a", "b", "a", "draw", "b", "a", "a"][number % 7];
    let mut round = json!({
        "round_id": format!("{server}:{number}"), "server": server, "map": "Übungsgelände 竞技场",
        "ended_at": 1_763_640_000 + 60 * number, "winner": winner,
        "team_a": [player(0), player(1), {"id": player(2), "participated": false}],
        "team_b": [player(3), player(4), {"id": player(5), "at_start": false}],
    });
    if number.is_multiple_of(3) {
        let score = 7.5 - f64::from(u32::try_from(number).expect("few rounds"));
        let stats = json!({"score": score, "kills": number, "deaths": 0, "assists": 2});
        round["team_a"][1] = json!({"id": player(1), "stats": stats});
        round["mode"] = json!("Übung");
        round["mutators"] = json!(["low gravity", "InstaGib"]);
    }
    round.to_string()
}

pub fn lines(count: usize) -> String {
    let mut text = String::new();
    for number in 1..=count {
        let server = if number % 5 == 0 {
            "arena-1"
        } else {
            "public-1"
        };
        writeln!(text, "{}", line(number, server)).expect("a text grows");
    }
    text
}

pub fn change(id: &str, player: u64, rating: Option<i32>) -> String {
    let mut change = json!({
        "change": "reset", "change_id": id, "pool": "default", "id": format!("[U:1:{player}]"),
        "at": "2026-11-20T12:00:00.000001Z", "reason": "für \"alle\"",
    });
    if let Some(rating) = rating {
        change["change"] = json!("set");
        change["rating"] = json!(rating);
    }
    change.to_string()
}

pub fn compressed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder
        .write_all(text.as_bytes())
        .expect("a text in memory");
    encoder.finish().expect("a text in memory")
}

/// Totals of an import: rounds counted, duplicates, changes, bad lines.
pub fn tally(finished: &Finished) -> [u64; 4] {
    [
        "Rounds counted:",
        "Counted before:",
        "Admin changes:",
        "Bad lines:",
    ]
    .map(|name| {
        let line = finished
            .stdout
            .lines()
            .find_map(|line| line.strip_prefix(name));
        let line = line.unwrap_or_else(|| panic!("no line {name:?}: {finished:#?}"));
        line.trim().parse().expect("a number")
    })
}

/// Output of an import after its totals: the figures of each pool.
pub fn quality(finished: &Finished) -> &str {
    let at = finished.stdout.find("\nPool ").expect("figures");
    &finished.stdout[at..]
}
