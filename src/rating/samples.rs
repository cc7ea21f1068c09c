//! Players and rounds for tests.

use serde_json::{from_value, json};

use super::WatchedRound;
use crate::domain::{
    PlayerEntry, PlayerId, Probability, Report, Round, RoundParts, Score, Timestamp, Winner,
};

pub(super) fn id(number: u64) -> PlayerId {
    PlayerId::from_steam_id64(76_561_197_960_265_729 + number).unwrap()
}

pub(super) fn entry(number: u64) -> PlayerEntry {
    PlayerEntry::present(id(number))
}

pub(super) fn team(numbers: &[u64]) -> Vec<PlayerEntry> {
    numbers.iter().map(|number| entry(*number)).collect()
}

/// Returns a round without a map that ended at this Unix time in seconds.
pub(super) fn parts(
    second: i64,
    winner: Winner,
    team_a: Vec<PlayerEntry>,
    team_b: Vec<PlayerEntry>,
) -> RoundParts {
    let ended_at = Timestamp::from_unix_seconds(second).unwrap();
    let parts = json!({"round_id": "r", "server": "s", "winner": winner, "ended_at": ended_at,
        "team_a": [], "team_b": []});
    RoundParts {
        team_a,
        team_b,
        ..from_value(parts).unwrap()
    }
}

/// Returns a round of the pool `default` that ended at the time in `parts`.
pub(super) fn settled(parts: RoundParts) -> Round {
    let ended_at = parts.ended_at.unwrap();
    let report = Report::try_from(parts).unwrap();
    report.settled(ended_at, "default".parse().unwrap())
}

/// Returns the result of a round with swapped teams.
pub(super) fn mirrored(winner: Winner) -> Winner {
    match winner {
        Winner::A => Winner::B,
        Winner::B => Winner::A,
        Winner::Draw => Winner::Draw,
    }
}

/// Returns a round without a map, scoreboard or players.
pub(super) fn watched(predicted: Probability, score: Score) -> WatchedRound {
    WatchedRound {
        map: None,
        server: "s".parse().unwrap(),
        predicted,
        score,
        scoreboard: None,
        leading_share: None,
        seconds: None,
        is_scrambled: None,
        players: Vec::new(),
    }
}
