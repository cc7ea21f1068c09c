//! K rises after a return: in updates, in recomputation from the middle of the log, and in `rbs evaluate`.

use std::ops::Range;

use rbs::domain::{Probability, Report, RoundAction};
use rbs::rating::{ChangeKind, InMemoryPool, ModelName};
use rbs::service::{Author, Service};
use serde_json::json;

use super::{Computed, arena, assert_no_differences, must_void, noon, open_plain, rebuild};
use crate::recording::history::{change, player, round};
use crate::support::Database;

on_both_engines!(
    returns_raise_k_as_in_memory_and_wherever_the_log_is_computed_from,
    a_reset_makes_a_player_who_has_not_been_away,
);

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;

/// A round of 2 v 2 of six players, one hour after the round before. A pause of three days precedes every ninth round;
/// every fifth round arrives an hour late.
fn report(number: u64) -> Report {
    let id = |offset: u64| format!("[U:1:{}]", 1 + (number + offset) % 6);
    let late = if number % 5 == 4 { 2 * HOUR } else { 0 };
    round(&json!({
        "round_id": format!("round-{number}"), "server": "arena-1",
        "ended_at": 1_763_000_000 + number * HOUR + number / 9 * 3 * DAY - late,
        "team_a": [id(0), id(1)], "team_b": [id(2), id(3)],
        "winner": if number % 3 == 1 { "b" } else { "a" },
    }))
}

/// Plays those rounds. Returns each prediction and the largest K.
async fn play(service: &Service, numbers: Range<u64>) -> Vec<(Probability, f64)> {
    let mut played = Vec::new();
    for number in numbers {
        let recorded = service.record_round(arena(service), report(number)).await;
        let recorded = recorded.expect("a round that counts");
        let ks = recorded.players.iter().map(|player| player.k);
        played.push((recorded.win_probability.a, ks.fold(0.0, f64::max)));
    }
    played
}

async fn returns_raise_k_as_in_memory_and_wherever_the_log_is_computed_from(database: &Database) {
    let service = open_plain(database).await;
    let played = play(&service, 0..90).await;
    let parameters = arena(&service).settings.parameters.clone();
    assert_eq!(parameters.return_boost_days, 2);
    let mut raised = 0;
    for (number, (_, k)) in (0..).zip(&played).skip(20) {
        // Four of the six players are in the first round after a pause; one more returns in each of the next two
        // rounds.
        let is_behind_a_pause = number % 9 < 3;
        assert_eq!(*k == parameters.k_max, is_behind_a_pause, "{number}: {k}");
        raised += u32::from(is_behind_a_pause);
    }
    assert_eq!(raised, 22);

    let mut in_memory = InMemoryPool::new(ModelName::SynElo, &parameters);
    for (number, (predicted, _)) in (0..).zip(&played) {
        let report = report(number);
        let at = report.parts().ended_at.expect("a time");
        let round = report.settled(at, "arena".parse().expect("a name"));
        assert_eq!(in_memory.rate(&round), Ok(*predicted), "{number}");
    }

    let before = Computed::read(database).await;
    for which in [0, 27, 40, 89] {
        let name = format!("round-{which}");
        must_void(&service, &name, RoundAction::Void).await;
        assert_no_differences(&service).await;
        must_void(&service, &name, RoundAction::Unvoid).await;
        assert_eq!(Computed::read(database).await, before, "{which}");
    }
    rebuild(&service).await;
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}

async fn a_reset_makes_a_player_who_has_not_been_away(database: &Database) {
    let service = open_plain(database).await;
    play(&service, 0..40).await;
    let reset = change("reset", player(2), ChangeKind::Reset, noon());
    let pool = arena(&service);
    let made = service.apply_change(&pool, reset, Author::CommandLine);
    assert!(made.await.expect("a change"));
    play(&service, 40..70).await;
    assert_no_differences(&service).await;
    must_void(&service, "round-38", RoundAction::Void).await;
    must_void(&service, "round-46", RoundAction::Void).await;
    assert_no_differences(&service).await;
    service.close().await;
}
