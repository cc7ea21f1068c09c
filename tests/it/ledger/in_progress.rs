use std::time::Duration;

use rbs::clock::Clock;
use rbs::domain::{PoolName, Progress, RoundAction, RoundActionName};
use rbs::service::{Author, ImportedRound, OnRefusal, RoundOutcome, Service, ServiceError};

use super::rebuilds::{leave_rows, rows_left_over};
use super::{
    Computed, arena, arena_record, assert_no_differences, command, later, must_void, noon, open,
    open_plain,
};
use crate::recording::history::{Event, events};
use crate::support::{Database, Dice, settings};

on_both_engines!(
    a_rebuild_says_how_far_it_is_and_ends_at_its_total,
    a_void_behind_the_middle_counts_what_follows_its_round,
    a_void_that_is_called_off_changes_nothing_and_can_be_done_again,
    a_rebuild_is_called_off_by_another_program,
    nothing_is_called_off_where_nothing_is_in_progress,
    what_a_killed_rebuild_has_left_is_deleted_after_a_start,
);

fn arena_name() -> PoolName {
    "arena".parse().expect("a name")
}

/// Counts rounds, and returns the names of the counted ones in log order.
async fn some_pages(service: &Service, seed: u64, count: usize) -> Vec<String> {
    let rounds = events(&mut Dice::new(seed), count).into_iter();
    let rounds = rounds.filter_map(|event| match event {
        Event::Round(round) => Some(ImportedRound::from(round)),
        Event::Change(..) => None,
    });
    let rounds: Vec<ImportedRound> = rounds.collect();
    let pool = arena(service);
    let mut names = Vec::new();
    let mut import = service.import();
    for batch in rounds.chunks(200) {
        let counted = import.record(&pool, batch, OnRefusal::GoOn).await;
        let counted = counted.expect("the database").into_iter().flatten();
        let new = counted.filter(|recorded| !recorded.duplicate);
        names.extend(new.map(|recorded| recorded.round.logged.round.name().1.to_string()));
    }
    names
}

/// Cancels the rebuild of the pool as soon as it has started.
async fn call_off(service: &Service) {
    let deadline = tokio::time::Instant::now() + super::TIMEOUT;
    let pool = arena_name();
    loop {
        let cancelled = service.cancel_rebuild(&pool, Author::CommandLine);
        match cancelled.await {
            Ok(answer) => {
                assert!(answer.rebuild.expect("a rebuild").cancelled);
                return;
            }
            Err(ServiceError::NoRebuild(_)) => {}
            Err(error) => panic!("{error}: {error:?}"),
        }
        assert!(tokio::time::Instant::now() < deadline, "nothing begins");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn a_rebuild_says_how_far_it_is_and_ends_at_its_total(database: &Database) {
    let service = open_plain(database).await;
    some_pages(&service, 21, 2_600).await;
    let record = arena_record(&service).await;
    let mut seen = Vec::new();
    let mut watch = |progress| seen.push(progress);
    let done = service.rebuild(&record, Author::CommandLine, &mut watch);
    done.await.expect("a rebuild");
    assert!(seen.len() >= 3, "{seen:?}");
    for pair in seen.windows(2) {
        assert!(pair[0].done <= pair[1].done, "{seen:?}");
    }
    let total = record.log_length;
    assert!(seen.iter().all(|progress| progress.total == total));
    assert_eq!(seen.last(), Some(&Progress { done: total, total }));
    let after = service.get_rebuild(&arena_name()).await;
    assert_eq!(after.expect("an answer").rebuild, None);
    service.close().await;
}

async fn a_void_behind_the_middle_counts_what_follows_its_round(database: &Database) {
    let service = open_plain(database).await;
    let names = some_pages(&service, 22, 2_600).await;
    let total = arena_record(&service).await.log_length;
    let pool = arena_name();
    assert_eq!(names.len() as u64, total);
    for (index, expected) in [(100, total), (names.len() - 1_100, 1_100)] {
        let void = command(&names[index], RoundAction::Void);
        let voided = service.change_round(void, Author::CommandLine, super::TIMEOUT);
        let mut voided = std::pin::pin!(voided);
        let mut seen = Vec::new();
        loop {
            tokio::select! {
                done = &mut voided => {
                    assert_eq!(done.expect("a void"), RoundOutcome::Done);
                    break;
                }
                answer = service.get_rebuild(&pool) => {
                    seen.extend(answer.expect("an answer").rebuild);
                }
            }
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert!(!seen.is_empty(), "it was never seen");
        for rebuild in &seen {
            let round = rebuild.round.as_ref().expect("a round");
            assert_eq!(round.round_id.as_str(), names[index]);
            assert_eq!(round.action, RoundActionName::Void);
            let progress = rebuild.progress.expect("its progress");
            assert!(progress.done <= progress.total, "{progress:?}");
            assert!(progress.total.abs_diff(expected) <= 1, "{progress:?}");
            assert_eq!(progress.started_at, noon());
        }
        for pair in seen.windows(2) {
            let done = |at: usize| pair[at].progress.expect("its progress").done;
            assert!(done(0) <= done(1), "{seen:?}");
        }
    }
    service.close().await;
}

async fn a_void_that_is_called_off_changes_nothing_and_can_be_done_again(database: &Database) {
    let (here, there) = (open_plain(database).await, open_plain(database).await);
    let names = some_pages(&here, 23, 2_600).await;
    let before = Computed::read(database).await;
    let name = &names[names.len() / 4];
    let void = command(name, RoundAction::Void);
    let voided = here.change_round(void.clone(), Author::CommandLine, super::TIMEOUT);
    let (voided, ()) = tokio::join!(voided, call_off(&there));
    assert!(
        matches!(voided, Err(ServiceError::RebuildCancelled(_))),
        "{voided:?}"
    );
    let round = there.get_round(void.server, void.round_id).await;
    let round = round.expect("the round");
    assert_eq!((round.in_progress, round.progress), (None, None));
    assert_eq!(Computed::read(database).await, before);
    assert_eq!(rows_left_over(database).await, 0);
    must_void(&there, name, RoundAction::Void).await;
    assert_no_differences(&here).await;
    must_void(&here, name, RoundAction::Unvoid).await;
    assert_eq!(Computed::read(database).await, before);
    here.close().await;
    there.close().await;
}

async fn a_rebuild_is_called_off_by_another_program(database: &Database) {
    let (here, there) = (open_plain(database).await, open_plain(database).await);
    some_pages(&here, 24, 2_600).await;
    let before = Computed::read(database).await;
    let record = arena_record(&here).await;
    let mut seen = Vec::new();
    let mut watch = |progress| seen.push(progress);
    let rebuilt = here.rebuild(&record, Author::CommandLine, &mut watch);
    let (rebuilt, ()) = tokio::join!(rebuilt, call_off(&there));
    assert!(
        matches!(rebuilt, Err(ServiceError::RebuildCancelled(_))),
        "{rebuilt:?}"
    );
    let total = record.log_length;
    assert!(seen.iter().all(|seen| seen.done < total), "{seen:?}");
    assert_eq!(rows_left_over(database).await, 0);
    assert_eq!(Computed::read(database).await, before);
    super::rebuild(&there).await;
    assert_eq!(Computed::read(database).await, before);
    here.close().await;
    there.close().await;
}

async fn nothing_is_called_off_where_nothing_is_in_progress(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &settings(&database.url_text()), &clock).await;
    let cancelled = async |pool: &PoolName| {
        let cancelled = service.cancel_rebuild(pool, Author::CommandLine).await;
        cancelled.expect_err("nothing was there to be called off")
    };
    let refused = cancelled(&arena_name()).await;
    assert!(matches!(refused, ServiceError::NoRebuild(_)), "{refused:?}");
    let unknown = cancelled(&"nowhere".parse().expect("a name")).await;
    assert!(
        matches!(unknown, ServiceError::NoSuchPool(_)),
        "{unknown:?}"
    );

    some_pages(&service, 25, 20).await;
    leave_rows(database, &arena_record(&service).await).await;
    call_off(&service).await;
    clock.set(later(Duration::from_secs(16)));
    let dead = cancelled(&arena_name()).await;
    assert!(matches!(dead, ServiceError::NoRebuild(_)), "{dead:?}");
    super::rebuild(&service).await;
    assert_eq!(rows_left_over(database).await, 0);
    service.close().await;
}

async fn what_a_killed_rebuild_has_left_is_deleted_after_a_start(database: &Database) {
    let clock = Clock::manual(noon());
    let settings = settings(&database.url_text());
    let service = open(database, &settings, &clock).await;
    some_pages(&service, 26, 20).await;
    leave_rows(database, &arena_record(&service).await).await;
    service.close().await;
    let before = Computed::read(database).await;
    let left = rows_left_over(database).await;

    let service = open(database, &settings, &clock).await;
    service.clear_left_overs().await.expect("a start");
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(rows_left_over(database).await, left);
    clock.set(later(Duration::from_secs(16)));
    let deadline = tokio::time::Instant::now() + super::TIMEOUT;
    while rows_left_over(database).await > 0 {
        assert!(tokio::time::Instant::now() < deadline, "it stays behind");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(Computed::read(database).await, before);
    assert_no_differences(&service).await;
    service.close().await;
}
