//! Windows and half-lives that reach far beyond the initial read of a player equal those of a replay with all data in
//! memory: in updates, imports and recomputation from the middle of the log.

use rbs::clock::Clock;
use rbs::domain::Report;
use rbs::rating::ChangeKind;
use rbs::service::{Author, ImportedRound, OnRefusal, Service};
use serde_json::json;

use super::{Computed, arena, assert_no_differences, noon, void_and_restore};
use crate::recording::history::{change, player, round};
use crate::support::{Database, Dice, settings};

on_both_engines!(windows_that_reach_far_back_are_those_of_a_replay);

const PLAYERS: usize = 30;
/// Exceeds the number of rounds that a rebuild reads at once, before its middle and after.
const ROUNDS: usize = 2_600;

/// The service with windows of that length in the pool `arena`, and returns within the last forty rounds.
async fn open(database: &Database, window: u32) -> Service {
    let mut settings = settings(&database.url_text());
    for pool in settings.pools.values_mut() {
        pool.parameters.window = window;
        (
            pool.parameters.return_boost_days,
            pool.parameters.return_boost_rounds,
        ) = (2, 40);
    }
    let store = database.store().await;
    let clock = Clock::manual(noon());
    Service::open(store, clock, &settings.pools, &settings.servers)
        .await
        .expect("a service")
}

/// Rounds of 2 v 2, one and a half hours apart. All play twice a day, and are absent for two days at times.
fn reports() -> Vec<Report> {
    let mut dice = Dice::new(47);
    let report = |number: usize| {
        let mut ids: Vec<String> = Vec::new();
        while ids.len() < 4 {
            let id = format!("[U:1:{}]", 1 + dice.below(PLAYERS));
            if !ids.contains(&id) {
                ids.push(id);
            }
        }
        round(&json!({
            "round_id": format!("round-{number}"), "server": "arena-1",
            "ended_at": 1_700_000_000 + number * 5_400,
            "team_a": ids[..2], "team_b": ids[2..],
            "winner": if dice.one_in(2) { "a" } else { "b" },
        }))
    };
    (0..ROUNDS).map(report).collect()
}

async fn import(service: &Service, rounds: &[Report], batch: usize) {
    let mut import = service.import();
    for rounds in rounds.chunks(batch) {
        let rounds: Vec<ImportedRound> = rounds.iter().cloned().map(Into::into).collect();
        let counted = import
            .record(&arena(service), &rounds, OnRefusal::GoOn)
            .await;
        counted.expect("the database");
    }
}

async fn reset(service: &Service, name: &str, of: u64) {
    let reset = change(name, player(of), ChangeKind::Reset, noon());
    let pool = arena(service);
    let made = service.apply_change(&pool, reset, Author::CommandLine);
    assert!(made.await.expect("a change"));
}

async fn windows_that_reach_far_back_are_those_of_a_replay(database: &Database) {
    let rounds = reports();
    let service = open(database, 100).await;
    import(&service, &rounds[..1_600], 400).await;
    reset(&service, "first", 3).await;
    service.close().await;
    let service = open(database, 70).await;
    import(&service, &rounds[1_600..1_800], 30).await;
    reset(&service, "second", 4).await;
    service.close().await;
    // The second instance caches its players until most of their windows are in memory.
    for rounds in [&rounds[1_800..1_850], &rounds[1_850..]] {
        let service = open(database, 90).await;
        for report in rounds {
            let recorded = service.record_round(arena(&service), report.clone()).await;
            recorded.expect("a round that counts");
        }
        service.close().await;
    }
    let service = open(database, 90).await;
    assert_no_differences(&service).await;
    let before = Computed::read(database).await;
    let rounds = [
        (0, "round-100"),
        (0, "round-1400"),
        (40_000, "round-1400"),
        (1_000_000, "round-2350"),
    ];
    Box::pin(void_and_restore(&service, &rounds)).await;
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}
