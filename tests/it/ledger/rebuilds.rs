use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rbs::clock::Clock;
use rbs::domain::RoundAction;
use rbs::rating::GroupKind;
use rbs::service::{Author, OnRefusal, RoundOutcome, ServiceError};
use rbs::store::PoolRecord;

use super::{
    Computed, arena, arena_record, assert_no_differences, later, noon, open, open_plain, rebuild,
    void_round,
};
use crate::recording::history::{Event, events};
use crate::support::{Database, Dice, settings};

on_both_engines!(
    a_rebuild_beside_live_updates_loses_none,
    a_rebuild_that_died_is_cleared_away_by_the_next,
    a_change_waits_until_the_lease_of_the_dead_has_expired,
    a_rebuild_leaves_every_figure_as_it_was,
    what_a_stopped_rebuild_has_written_is_cleared_away_by_the_next,
);

async fn a_rebuild_beside_live_updates_loses_none(database: &Database) {
    let instances = [open_plain(database).await, open_plain(database).await];
    let stop = Arc::new(AtomicBool::new(false));
    let counted = Arc::new(AtomicU64::new(0));
    let writers: Vec<_> = (0..4_u64)
        .map(|writer| {
            let service = instances[usize::from(writer % 2 == 1)].clone();
            let (stop, counted) = (Arc::clone(&stop), Arc::clone(&counted));
            tokio::spawn(async move {
                for number in 0.. {
                    if stop.load(Ordering::SeqCst) {
                        break;
                    }
                    let round = crate::recording::history::round(&serde_json::json!({
                        "round_id": format!("{writer}:{number}"), "server": "arena-1",
                        "winner": if number % 3 == 0 { "a" } else { "b" },
                        "team_a": [format!("[U:1:{}]", 1 + (writer + number) % 9)],
                        "team_b": [format!("[U:1:{}]", 10 + number % 7)],
                    }));
                    // Retries like a plugin while the database is busy.
                    loop {
                        match service.record_round(arena(&service), round.clone()).await {
                            Ok(_) => break,
                            Err(ServiceError::Unavailable(_)) => tokio::task::yield_now().await,
                            Err(error) => panic!("{error}: {error:?}"),
                        }
                    }
                    counted.fetch_add(1, Ordering::SeqCst);
                }
            })
        })
        .collect();
    // On a busy machine, repeats until enough updates ran concurrently.
    for (rebuilt, service) in instances.iter().cycle().take(600).enumerate() {
        if rebuilt >= 6 && counted.load(Ordering::SeqCst) > 50 {
            break;
        }
        let arena = arena_record(service).await;
        let before = arena.generation;
        service
            .rebuild(&arena, rbs::service::Author::CommandLine, &mut |_| ())
            .await
            .expect("a rebuild");
        assert_ne!(arena_record(service).await.generation, before);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    stop.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.expect("no panic");
    }
    let counted = counted.load(Ordering::SeqCst);
    let arena = arena_record(&instances[0]).await;
    assert_eq!(arena.log_length, counted);
    assert_eq!(arena.sums.predictions.rounds, counted);
    assert_no_differences(&instances[1]).await;
    for instance in instances {
        instance.close().await;
    }
}

async fn a_rebuild_that_died_is_cleared_away_by_the_next(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &settings(&database.url_text()), &clock).await;
    for event in events(&mut Dice::new(12), 20) {
        if let Event::Round(round) = event {
            let _refused_or_not = service.record_round(arena(&service), round).await;
        }
    }
    let arena = arena_record(&service).await;
    leave_rows(database, &arena).await;
    let refused = void_round(&service, "round-3", RoundAction::Void).await;
    assert!(
        matches!(refused, Err(ServiceError::RebuildInProgress(_))),
        "it may still live: {refused:?}"
    );
    clock.set(later(Duration::from_secs(16)));
    rebuild(&service).await;
    let store = database.store().await;
    let mut tx = store.begin().await.expect("a unit of work");
    let renewed = tx.renew_rebuild(arena.id, ("the dead", noon())).await;
    assert!(!renewed.expect("an answer"), "the dead could still write");
    drop(tx);
    assert_eq!(rows_left_over(database).await, 0);
    store.close().await;
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_rebuild_leaves_every_figure_as_it_was(database: &Database) {
    let service = open_plain(database).await;
    for event in events(&mut Dice::new(13), 300) {
        if let Event::Round(round) = event {
            let _refused_or_not = service.record_round(arena(&service), round).await;
        }
    }
    let before = Computed::read(database).await;
    assert!(before.results.len() >= 300, "more than one page");
    for (kind, groups) in &before.groups {
        let rounds: u64 = groups.iter().map(|(_, sums)| sums.rounds).sum();
        let all = if *kind == GroupKind::Map { 200 } else { 300 };
        assert!(rounds >= all, "{kind:?}: {groups:?}");
    }
    rebuild(&service).await;
    assert_eq!(Computed::read(database).await, before);
    assert_eq!(rows_left_over(database).await, 0);
    service.close().await;
}

async fn what_a_stopped_rebuild_has_written_is_cleared_away_by_the_next(database: &Database) {
    let service = open_plain(database).await.with_rebuild_memory(0);
    let mut rounds = Vec::new();
    for event in events(&mut Dice::new(18), 1_400) {
        if let Event::Round(round) = event {
            rounds.push(round.into());
        }
    }
    let pool = arena(&service);
    let mut import = service.import();
    for batch in rounds.chunks(200) {
        let counted = import.record(&pool, batch, OnRefusal::GoOn).await;
        counted.expect("the database");
    }
    let before = Computed::read(database).await;
    let record = arena_record(&service).await;
    // With an empty player cache, the first page of the log is written when progress is reported.
    let mut stop = |_| service.stop_rebuilds();
    let stopped = service
        .rebuild(&record, Author::CommandLine, &mut stop)
        .await;
    assert!(
        matches!(stopped, Err(ServiceError::RebuildStopped(_))),
        "{stopped:?}"
    );
    service.close().await;
    assert!(
        rows_left_over(database).await > 1_000,
        "nothing was written"
    );
    assert_eq!(Computed::read(database).await, before);
    let service = open_plain(database).await;
    rebuild(&service).await;
    assert_eq!(Computed::read(database).await, before);
    assert_eq!(rows_left_over(database).await, 0);
    service.close().await;
}

async fn a_change_waits_until_the_lease_of_the_dead_has_expired(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &settings(&database.url_text()), &clock).await;
    let service = service.with_lease_wait(Duration::from_mins(1));
    for event in events(&mut Dice::new(12), 20) {
        if let Event::Round(round) = event {
            let _refused_or_not = service.record_round(arena(&service), round).await;
        }
    }
    let arena = arena_record(&service).await;
    leave_rows(database, &arena).await;
    let store = database.store().await;
    let lives = async {
        for second in 1.. {
            let mut tx = store.begin().await.expect("a unit of work");
            let owned = ("the dead", later(Duration::from_secs(second)));
            let renewed = tx.renew_rebuild(arena.id, owned).await;
            assert!(renewed.expect("an answer"));
            tx.commit().await.expect("a commit");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    let refused = tokio::select! {
        refused = void_round(&service, "round-3", RoundAction::Void) => refused,
        () = lives => unreachable!("it renews for ever"),
    };
    let is_refused = matches!(refused, Err(ServiceError::RebuildInProgress(_)));
    assert!(is_refused, "it lives: {refused:?}");
    let dies = async {
        tokio::time::sleep(Duration::from_millis(300)).await;
        clock.set(later(Duration::from_hours(1)));
    };
    let (voided, ()) = tokio::join!(void_round(&service, "round-3", RoundAction::Void), dies);
    assert_eq!(
        voided.expect("once its lease has expired"),
        RoundOutcome::Done
    );
    store.close().await;
    assert_no_differences(&service).await;
    service.close().await;
}

/// Writes the rows that a rebuild of `arena` leaves if it dies midway; last heartbeat at noon.
pub(super) async fn leave_rows(database: &Database, arena: &PoolRecord) {
    let store = database.store().await;
    let mut tx = store.begin().await.expect("a unit of work");
    tx.begin_rebuild(arena.id, ("the dead", noon()), None, arena.log_length)
        .await
        .expect("a rebuild");
    let next = arena.generation.next();
    let results = tx.results_after(arena.id, 0, 3).await.expect("results");
    let results: Vec<_> = results.iter().collect();
    tx.insert_results(arena.id, next, &results)
        .await
        .expect("results");
    let mut chunks = tx.chunks_after(arena.id, None, 2).await.expect("entries");
    for chunk in &mut chunks {
        (chunk.generation, chunk.chunk) = (next, chunk.chunk + 5);
    }
    tx.save_chunks(arena.id, &chunks).await.expect("entries");
    tx.commit().await.expect("a commit");
    store.close().await;
}

/// Number of unused rows: from a replaced or inactive generation, or from a rebuild.
pub(super) async fn rows_left_over(database: &Database) -> i64 {
    let mut rows = database.count("select count(*) from rebuilds").await;
    for (table, key) in [("results", "position"), ("entries", "player_id, chunk")] {
        for statement in [
            format!(
                "select count(*) from {table} as row where generation > (
                     select generation from pools where id = row.pool_id)"
            ),
            format!(
                "select count(*) - count(distinct cast(pool_id as text) || '/' || {}) from {table}",
                key.split(", ")
                    .map(|column| format!("cast({column} as text)"))
                    .collect::<Vec<_>>()
                    .join(" || '/' || ")
            ),
        ] {
            rows += database.count(&statement).await;
        }
    }
    rows
}
