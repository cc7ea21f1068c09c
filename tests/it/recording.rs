//! Counting rounds, singly or in batches, against the published formulas over whole histories.

mod formulas;
pub mod history;

use std::collections::BTreeMap;

use rbs::clock::Clock;
use rbs::domain::{PlayerId, PoolName, Report, Timestamp};
use rbs::rating::{Entry, PlayerState, RoundResult};
use rbs::service::{Author, ImportedRound, OnRefusal, Pool, Service};
use rbs::store::{Change, LoggedRound, PoolRecord, RecordedRound};

use crate::support::{App, Database, Dice, settings};
use formulas::Formulas;
use history::{Event, PLAYERS, events};

on_both_engines!(
    rounds_end_in_one_state_whatever_their_batches,
    a_batch_that_is_written_while_it_is_rated_ends_as_small_ones,
    every_rating_and_k_factor_is_what_the_formulas_say,
    a_window_that_is_changed_needs_no_repair,
);
on_both_databases!(
    rounds_that_arrive_together_are_all_counted_once,
    a_round_that_ended_earlier_counts_when_it_comes,
);

async fn open(database: &Database, window: u32) -> (Service, std::sync::Arc<Pool>) {
    let store = database.store().await;
    let mut settings = settings(&database.url_text());
    let arena: PoolName = "arena".parse().expect("a name");
    let pool = settings.pools.get_mut(&arena).expect("the pool is set");
    pool.parameters.window = window;
    let noon: Timestamp = "2026-11-20T12:00:00Z".parse().expect("a time");
    let service = Service::open(
        store,
        Clock::manual(noon),
        &settings.pools,
        &settings.servers,
    )
    .await
    .expect("a service");
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
    let arena = pools
        .iter()
        .find(|pool| pool.name.as_str() == "arena")
        .expect("arena")
        .id;
    let players: BTreeMap<_, _> = tx
        .players(arena, &PLAYERS.map(history::player))
        .await
        .expect("players")
        .into_iter()
        .map(|player| (player.id, player))
        .collect();
    let wanted: Vec<_> = players
        .values()
        .flat_map(|player| (1..=player.entries).map(|number| (player.id, number)))
        .collect();
    let mut entries = tx.entries(arena, &wanted).await.expect("entries");
    entries.sort_unstable_by_key(|entry| (entry.player, entry.number));
    assert_eq!(
        entries.len(),
        wanted.len(),
        "every rated round has its entry"
    );
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
        assert!(
            count(|outcome| matches!(outcome, Ok((_, true)))) > 2,
            "no repeated round"
        );
        assert!(count(Result::is_err) > 2, "no conflict");
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

async fn every_rating_and_k_factor_is_what_the_formulas_say(database: &Database) {
    let (service, pool) = open(database, 8).await;
    let mut formulas = Formulas::new(&pool.settings.parameters);
    let events = events(&mut Dice::new(3), 150);
    let outcomes = play(&service, &pool, &events, || 40).await;
    formulas.check(&events, &outcomes);
    service.close().await;
}

async fn a_window_that_is_changed_needs_no_repair(database: &Database) {
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
            let output = service
                .get_player_details(&pool, id)
                .await
                .expect("a player");
            formulas.check_next(id, output.k, output.convergence);
        }
        service.close().await;
    }
}

async fn rounds_that_arrive_together_are_all_counted_once(app: &App) {
    let other = rbs::service::Service::open(
        rbs::store::Store::connect(&app.settings.database)
            .await
            .expect("a database"),
        app.clock.clone(),
        &app.settings.pools,
        &app.settings.servers,
    )
    .await
    .expect("a service");
    let mut dice = Dice::new(5);
    let rounds: Vec<Report> = events(&mut dice, 60)
        .into_iter()
        .filter_map(|event| match event {
            Event::Round(round) => Some(round),
            Event::Change(..) => None,
        })
        .collect();
    // Both instances get every round, as from a plugin that retries without waiting.
    let sending: Vec<_> = rounds
        .iter()
        .flat_map(|round| [(app.first.service.clone(), round), (other.clone(), round)])
        .map(|(service, round)| {
            let round = round.clone();
            let parts = round.parts();
            let pool = service.pool(parts.pool.as_ref(), Some(&parts.server));
            let pool = pool.expect("the pool");
            tokio::spawn(async move { service.record_round(pool, round).await })
        })
        .collect();
    let mut counted = 0;
    let mut names = std::collections::BTreeSet::new();
    for answer in sending {
        match answer.await.expect("no panic") {
            Ok(recorded) => {
                counted += usize::from(!recorded.duplicate);
                names.insert(recorded.round_id.as_str().to_owned());
            }
            Err(rbs::service::ServiceError::RoundIdTaken { .. }) => {}
            Err(error) => panic!("{error}: {error:?}"),
        }
    }
    assert_eq!(counted, names.len(), "each id counts once");
    let pools = app.first.service.stored_pools().await.expect("pools");
    let lengths: u64 = pools.iter().map(|pool| pool.log_length).sum();
    assert_eq!(lengths, counted as u64);
    other.close().await;
}

async fn a_round_that_ended_earlier_counts_when_it_comes(app: &App) {
    let round = |id: &str, ended_at: &str| {
        history::round(&serde_json::json!({
            "round_id": id, "server": "arena-1", "winner": "a", "ended_at": ended_at,
            "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"],
        }))
    };
    let service = &app.first.service;
    let server = "arena-1".parse().expect("a name");
    let pool = service.pool(None, Some(&server)).expect("the pool");
    let rounds = [
        round("1", "2026-11-20T11:00:00Z").into(),
        round("2", "2026-11-01T11:00:00Z").into(),
    ];
    let mut counted = Vec::new();
    for round in rounds {
        let outcome = service
            .import()
            .record(&pool, &[round], OnRefusal::GoOn)
            .await;
        counted.push(
            outcome
                .expect("the database")
                .remove(0)
                .expect("counted")
                .round,
        );
    }
    let (late, early) = (&counted[0], &counted[1]);
    assert_eq!((late.logged.position, early.logged.position), (1, 2));
    assert_eq!(late.result.players[0].after, early.result.players[0].before);
    let player = service.get_player(&pool, history::player(1)).await;
    let player = player.expect("a player");
    assert_eq!(player.rounds, 2);
    assert_eq!(
        player.last_played,
        Some(late.logged.round.ended_at()),
        "the latest round played, not the latest to arrive"
    );
}

#[test]
fn the_histories_hold_what_they_are_to_try() {
    let events = events(&mut Dice::new(1), 90);
    let rounds = events
        .iter()
        .filter(|event| matches!(event, Event::Round(_)))
        .count();
    assert!(rounds > 80 && rounds < events.len(), "{rounds}");
}
