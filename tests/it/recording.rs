//! Counting rounds, singly or in batches, against the published formulas over whole histories.

mod formulas;
pub mod history;

use std::collections::BTreeMap;

use rbs::clock::Clock;
use rbs::domain::{PlayerId, PoolName, Timestamp};
use rbs::rating::{Entry, PlayerState, RoundResult};
use rbs::service::{Author, ImportedRound, OnRefusal, Pool, Service};
use rbs::store::{Change, LoggedRound, PoolRecord, RecordedRound};

use crate::support::{Database, Dice, settings};
use formulas::Formulas;
use history::{Event, PLAYERS, events};

on_both_engines!(
    rounds_end_in_one_state_whatever_their_batches,
    a_batch_that_is_written_while_it_is_rated_ends_as_small_ones,
    ratings_are_what_the_formulas_say_and_a_changed_window_needs_no_repair,
);

async fn open(database: &Database, window: u32) -> (Service, std::sync::Arc<Pool>) {
    let store = database.store().await;
    let mut settings = settings(&database.url_text());
    let arena: PoolName = "arena".parse().expect("a name");
    let pool = settings.pools.get_mut(&arena).expect("the pool is set");
    pool.parameters.window = window;
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
    let clock = Clock::manual(noon);
    let service = Service::open(store, clock, &settings.pools, &settings.servers).await;
    let service = service.expect("a service");
    let pool = service.pool(Some(&arena), None).expect("the pool");
    (service, pool)
}

/// Outcome of a round as text.
fn words(
    outcome: &Result<rbs::service::Recorded, rbs::service::ServiceError>,
) -> Result<(RecordedRound, bool), String> {
    match outcome {
        Ok(recorded) => Ok(((*recorded.round).clone(), recorded.duplicate)),
        Err(error) => Err(error.to_string()),
    }
}

/// Sends `events`, with rounds in batches of sizes from `next_size`; a change ends a batch.
async fn play(
    service: &Service,
    pool: &Pool,
    events: &[Event],
    mut next_size: impl FnMut() -> usize,
) -> Vec<Result<(RecordedRound, bool), String>> {
    let mut outcomes = Vec::new();
    let mut rest = events;
    while let Some(first) = rest.first() {
        if let Event::Change(change_id, player, kind) = first {
            let line = history::change(change_id, *player, *kind, Timestamp::UNIX_EPOCH);
            let new = service.apply_change(pool, line, Author::CommandLine).await;
            assert!(new.expect("a change"), "{change_id} was there before");
            rest = &rest[1..];
            continue;
        }
        let size = next_size().max(1);
        let batch: Vec<ImportedRound> = rest
            .iter()
            .map_while(|event| match event {
                Event::Round(round) => Some(round.clone().into()),
                Event::Change(..) => None,
            })
            .take(size)
            .collect();
        let counted = service.import().record(pool, &batch, OnRefusal::GoOn).await;
        outcomes.extend(counted.expect("the database").iter().map(words));
        rest = &rest[batch.len()..];
    }
    outcomes
}

#[derive(Debug, PartialEq)]
struct State {
    pools: Vec<PoolRecord>,
    rounds: Vec<LoggedRound>,
    results: Vec<RoundResult>,
    changes: Vec<Change>,
    players: BTreeMap<PlayerId, PlayerState>,
    entries: Vec<Entry>,
}

async fn state(database: &Database) -> State {
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let pools = tx.pools().await.expect("pools");
    let arena = pools.iter().find(|pool| pool.name.as_str() == "arena");
    let arena = arena.expect("arena").id;
    let found = tx.players(arena, &PLAYERS.map(history::player)).await;
    let found = found.expect("players").into_iter();
    let players: BTreeMap<_, _> = found.map(|player| (player.id, player)).collect();
    let wanted: Vec<_> = players
        .values()
        .flat_map(|player| (1..=player.entries).map(|number| (player.id, number)))
        .collect();
    let mut entries = tx.entries(arena, &wanted).await.expect("entries");
    entries.sort_unstable_by_key(|entry| (entry.player, entry.number));
    let count = entries.len();
    assert_eq!(count, wanted.len(), "every rated round has its entry");
    let state = State {
        rounds: tx.rounds_after(arena, 0, 10_000).await.expect("rounds"),
        results: tx.results_after(arena, 0, 10_000).await.expect("results"),
        changes: tx.changes_after(arena, 0, 10_000).await.expect("changes"),
        players,
        entries,
        pools,
    };
    drop(tx);
    store.close().await;
    state
}

async fn rounds_end_in_one_state_whatever_their_batches(database: &Database) {
    for seed in [1, 2] {
        let events = events(&mut Dice::new(seed), 90);
        let mut dice = Dice::new(100 + seed);
        let mut results = Vec::new();
        for how in ["one by one", "all at once", "in batches of any size"] {
            let fresh = Database::create(database.engine()).await;
            let (service, pool) = open(&fresh, 8).await;
            let outcomes = play(&service, &pool, &events, || match how {
                "one by one" => 1,
                "all at once" => usize::MAX,
                _ => dice.below(20),
            })
            .await;
            service.close().await;
            results.push((how, outcomes, state(&fresh).await));
            fresh.remove().await;
        }
        let (_, outcomes, end) = &results[0];
        let count = |wanted: fn(&Result<(RecordedRound, bool), String>) -> bool| {
            outcomes.iter().filter(|outcome| wanted(outcome)).count()
        };
        let repeated = count(|outcome| matches!(outcome, Ok((_, true))));
        assert!(repeated > 2, "no repeated round");
        assert!(count(Result::is_err) > 2, "no conflict");
        assert!(!end.changes.is_empty(), "no change");
        let most = end.players.values().map(|player| player.rounds).max();
        assert!(most > Some(16), "no window was left: {most:?}");
        for (how, other_outcomes, other_end) in &results[1..] {
            assert_eq!(outcomes, other_outcomes, "seed {seed}, {how}");
            assert_eq!(end, other_end, "seed {seed}, {how}");
        }
    }
}

async fn a_batch_that_is_written_while_it_is_rated_ends_as_small_ones(database: &Database) {
    let mut rounds = events(&mut Dice::new(5), 2_000);
    rounds.retain(|event| matches!(event, Event::Round(_)));
    let mut results = Vec::new();
    for size in [usize::MAX, 50] {
        let fresh = Database::create(database.engine()).await;
        let (service, pool) = open(&fresh, 8).await;
        let outcomes = play(&service, &pool, &rounds, || size).await;
        service.close().await;
        results.push((outcomes, state(&fresh).await));
        fresh.remove().await;
    }
    let (large, small) = (&results[0], &results[1]);
    assert_eq!(large.0, small.0, "what became of the rounds");
    assert_eq!(large.1, small.1, "what is stored");
    let new = small.1.rounds.len();
    assert!(new > 1_200, "rows of {new} rounds are written at once");
    let most = small.1.players.values().map(|player| player.entries).max();
    assert!(most > Some(100), "few rows were filled: {most:?}");
}

async fn ratings_are_what_the_formulas_say_and_a_changed_window_needs_no_repair(
    database: &Database,
) {
    let mut dice = Dice::new(4);
    let mut formulas = None;
    // One history, during which the window grows, shrinks, and grows past the beginning.
    let events = events(&mut dice, 120);
    for (part, window) in events.chunks(30).zip([8, 21, 3, 1000, 8]) {
        let (service, pool) = open(database, window).await;
        let parameters = &pool.settings.parameters;
        let formulas = formulas.get_or_insert_with(|| Formulas::new(parameters));
        formulas.set_window(window);
        let outcomes = play(&service, &pool, part, || 7).await;
        formulas.check(part, &outcomes);
        // The preview for admins equals the next round.
        for id in PLAYERS.map(history::player) {
            let output = service.get_player_details(&pool, id).await;
            let output = output.expect("a player");
            formulas.check_next(id, output.k, output.convergence);
        }
        service.close().await;
    }
}
