//! Refusals because of a prune, and refusals by a prune.

use rbs::api::LogLine;
use rbs::config::Overrides;
use rbs::domain::{Report, RoundAction};
use rbs::service::{Alternative, ImportedRound, LogReader, OnRefusal, ServiceError};

use super::{DAY, Played, day};
use crate::ledger::{Computed, arena, arena_record, assert_no_differences, rebuild, void_round};
use crate::support::Database;

on_both_engines!(
    a_pruned_round_counts_on_and_is_counted_no_more,
    a_prune_and_a_void_keep_each_other_out,
    what_cannot_be_computed_again_is_not_pruned,
);

async fn a_pruned_round_counts_on_and_is_counted_no_more(database: &Database) {
    let played = Played::open(database).await;
    let names = played.play("01-01", 5, 20).await;
    played.void(&names[3], RoundAction::Void).await;
    played.clock.set(day("03-05"));
    let lines = played.prune("02-01").await;
    let before = Computed::read(database).await;
    let service = &played.service;
    let rounds = lines.iter().filter_map(|line| match line {
        LogLine::Round(round) => Some(ImportedRound::from(round.clone())),
        _ => None,
    });
    let mut rounds: Vec<ImportedRound> = rounds.collect();
    for stop in [OnRefusal::Stop, OnRefusal::GoOn] {
        let counted = service
            .import()
            .record(&arena(service), &rounds, stop)
            .await;
        let counted = counted.expect("the database");
        assert_eq!(counted.len(), rounds.len(), "the rest was not looked at");
        for outcome in counted {
            let Err(ServiceError::RoundPruned(pruned)) = outcome else {
                panic!("{outcome:?}");
            };
            assert_eq!(pruned.file, "arena.jsonl.gz");
            assert_eq!(pruned.pruned_at, day("03-05"));
        }
    }
    for (name, action) in [(0, RoundAction::Void), (3, RoundAction::Unvoid)] {
        let refused = void_round(service, &names[name], action).await;
        let error = refused.expect_err("it is pruned");
        let said = error.to_string();
        assert!(said.contains("pruned on 2026-03-05"), "{said}");
    }
    for line in &lines {
        if let LogLine::RoundChange(line) = line {
            assert!(
                !service
                    .apply_round_change(line.clone())
                    .await
                    .expect("done before")
            );
        }
    }
    assert_eq!(Computed::read(database).await, before);
    let mut parts = rounds[0].report.parts().clone();
    parts.round_id = "new".parse().expect("a name");
    rounds.truncate(2);
    rounds.push(Report::try_from(parts).expect("a round").into());
    let counted = service
        .import()
        .record(&arena(service), &rounds, OnRefusal::Stop)
        .await;
    let last = counted.expect("the database").pop();
    assert!(last.is_some_and(|last| last.is_ok()), "the new one counts");
    assert_no_differences(service).await;
    service.close().await;
}

async fn a_prune_and_a_void_keep_each_other_out(database: &Database) {
    let played = Played::open(database).await;
    let names = played.play("01-01", 10, 20).await;
    played.clock.set(day("03-05"));
    let mut prune = played.begin("02-01").await.expect("a prune");
    let refused = void_round(&played.service, &names[0], RoundAction::Void).await;
    assert!(
        matches!(refused, Err(ServiceError::RebuildInProgress(_))),
        "{refused:?}"
    );
    let second = played.begin("02-01").await;
    assert!(matches!(second, Err(ServiceError::RebuildInProgress(_))));
    played.clock.set(day("03-05").later(DAY));
    played.void(&names[0], RoundAction::Void).await;
    let lost = prune.read_lines().await;
    assert!(
        matches!(lost, Err(ServiceError::RebuildLost(_))),
        "{lost:?}"
    );
    let lost = prune.delete_rows().await;
    assert!(lost.is_ok(), "nothing is pruned: {lost:?}");
    let mut reader = LogReader::default();
    let arena = arena_record(&played.service).await;
    let page = played.service.read_log(&arena, &mut reader, 3).await;
    assert!(page.expect("a page").is_some());
    played.prune("02-01").await;
    let page = played.service.read_log(&arena, &mut reader, 3).await;
    assert!(
        matches!(page, Err(ServiceError::PrunedMeanwhile(_))),
        "{page:?}"
    );
    played.service.close().await;
}

async fn what_cannot_be_computed_again_is_not_pruned(database: &Database) {
    let played = Played::open(database).await;
    played.play("01-01", 11, 20).await;
    let recent = played.begin("01-01").await;
    assert!(matches!(recent, Err(ServiceError::PruneTooRecent(30))));
    played.clock.set(day("03-05"));
    database
        .execute(
            "update results set content = (select other.content from results as other
                                           where other.number = 6 limit 1) where number = 5",
        )
        .await;
    let mut prune = played.begin("02-01").await.expect("a prune");
    let read = prune.read_lines().await;
    assert!(
        matches!(read, Err(ServiceError::FiguresDiffer { .. })),
        "{read:?}"
    );
    prune
        .take_effect("never")
        .await
        .expect_err("it was not read to its end");
    prune.give_up().await;
    assert_eq!(arena_record(&played.service).await.pruned, 0);
    rebuild(&played.service).await;
    assert!(played.prune("02-01").await.len() >= 20);
    let arena = arena_record(&played.service).await;
    let overrides = |text: &str| Overrides(vec![text.parse().expect("a setting")]);
    for (tried, is_left) in [("window=8", true), ("window=9", false), ("theta=500", true)] {
        let mut alternative = Alternative::default();
        alternative.settings = overrides(tried);
        let watch = &mut |_| ();
        let comparing = played.service.compare(&arena, None, alternative, watch);
        let tried = Box::pin(comparing).await;
        assert_eq!(tried.is_ok(), is_left, "{tried:?}");
    }
    let kept = played.service.kept_window(&arena.name).await;
    assert_eq!(kept.expect("an answer"), Some(8));
    played.service.close().await;
}
