//! Corrected winners, and undone changes of players.

use rbs::api::{AuditQuery, LogLine};
use rbs::domain::{Report, RoundAction, Winner};
use rbs::rating::ChangeKind;
use rbs::service::{
    Author, ChangeNote, ImportedRound, LogReader, OnRefusal, RoundOutcome, Service, ServiceError,
};

use super::{
    Computed, TIMEOUT, arena, arena_record, assert_no_differences, must_void, noon, open_plain,
    replayed_without_voids, undo,
};
use crate::recording::history::{Event, change, events, player};
use crate::support::{Database, Dice, Engine};

on_both_engines!(
    a_corrected_round_counts_as_if_it_had_been_reported_so,
    a_correction_survives_void_and_restoration,
    a_round_that_is_sent_again_is_compared_with_what_was_reported,
    corrections_and_undos_go_through_an_export,
    an_undone_reset_leaves_every_figure_as_if_it_had_never_been,
    what_cannot_be_undone_is_refused,
);

pub(super) async fn some_rounds(service: &Service, seed: u64, count: usize) -> Vec<Report> {
    let mut reports = Vec::new();
    for event in events(&mut Dice::new(seed), count) {
        if let Event::Round(report) = event
            && let Ok(recorded) = service.record_round(arena(service), report.clone()).await
            && !recorded.duplicate
        {
            reports.push(report);
        }
    }
    reports
}

fn other(winner: Winner) -> Winner {
    match winner {
        Winner::A => Winner::B,
        Winner::B => Winner::Draw,
        Winner::Draw => Winner::A,
    }
}

async fn correct(service: &Service, report: &Report, winner: Winner) {
    let name = report.parts().round_id.as_str();
    must_void(service, name, RoundAction::Correct { winner }).await;
}

async fn a_corrected_round_counts_as_if_it_had_been_reported_so(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 41, 40).await;
    let before = Computed::read(database).await;
    for which in [0, reports.len() / 2, reports.len() - 1] {
        let report = &reports[which];
        let reported = report.parts().winner;
        let length = arena_record(&service).await.log_length;
        correct(&service, report, other(reported)).await;
        let corrected = Computed::read(database).await;
        assert_ne!(corrected.players, before.players, "{which}");
        let replayed = Box::pin(replayed_without_voids(&service)).await;
        assert_eq!(corrected.without_places(), replayed.without_places());
        correct(&service, report, other(reported)).await;
        assert_eq!(arena_record(&service).await.log_length, length + 1);
        let (server, round_id) = report.name();
        let shown = service.get_round(server, round_id).await.expect("a round");
        assert_eq!(shown.round.winner, other(reported));
        let correction = shown.round.correction.expect("a correction");
        assert_eq!(correction.reported, reported);
        assert_eq!(correction.reason.as_deref(), Some("a cheater"));
        correct(&service, report, reported).await;
        assert_eq!(Computed::read(database).await, before, "{which}");
        let (server, round_id) = report.name();
        let shown = service.get_round(server, round_id).await.expect("a round");
        assert_eq!(shown.round.correction, None);
    }
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_correction_survives_void_and_restoration(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 42, 30).await;
    let report = &reports[20];
    let name = report.parts().round_id.as_str();
    let winner = other(report.parts().winner);
    correct(&service, report, winner).await;
    let corrected = Computed::read(database).await;
    must_void(&service, name, RoundAction::Void).await;
    must_void(&service, name, RoundAction::Unvoid).await;
    assert_eq!(Computed::read(database).await, corrected);
    must_void(&service, name, RoundAction::Void).await;
    correct(&service, report, report.parts().winner).await;
    correct(&service, report, winner).await;
    assert_no_differences(&service).await;
    must_void(&service, name, RoundAction::Unvoid).await;
    assert_eq!(Computed::read(database).await, corrected);
    super::rebuild(&service).await;
    assert_eq!(Computed::read(database).await, corrected);
    service.close().await;
}

async fn a_round_that_is_sent_again_is_compared_with_what_was_reported(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 43, 12).await;
    let report = &reports[5];
    let winner = other(report.parts().winner);
    correct(&service, report, winner).await;
    let again = service.record_round(arena(&service), report.clone()).await;
    assert!(again.expect("the same round").duplicate);
    let otherwise = report.clone().won_by(winner);
    let refused = service.record_round(arena(&service), otherwise).await;
    let refused = refused.expect_err("it was reported otherwise");
    assert!(
        matches!(&refused, ServiceError::RoundIdTaken { differing, .. } if differing == &["winner"]),
        "{refused:?}"
    );
    service.close().await;
}

async fn lines(service: &Service) -> Vec<LogLine> {
    let arena = arena_record(service).await;
    let (mut lines, mut reader) = (Vec::new(), LogReader::default());
    while let Some(page) = service
        .read_log(&arena, &mut reader, 7)
        .await
        .expect("the log")
    {
        lines.extend(page);
    }
    lines
}

async fn make(service: &Service, name: &str, whom: u64, kind: ChangeKind) {
    let line = change(name, player(whom), kind, noon());
    let pool = arena(service);
    let made = service.apply_change(&pool, line, Author::CommandLine).await;
    assert!(made.expect("a change"));
}

async fn corrections_and_undos_go_through_an_export(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 44, 30).await;
    make(&service, "reset-2", 2, ChangeKind::Reset).await;
    make(&service, "reset-3", 3, ChangeKind::Reset).await;
    some_rounds(&service, 45, 3).await;
    correct(&service, &reports[4], other(reports[4].parts().winner)).await;
    correct(&service, &reports[9], other(reports[9].parts().winner)).await;
    must_void(
        &service,
        reports[9].parts().round_id.as_str(),
        RoundAction::Void,
    )
    .await;
    assert!(undo(&service, "reset-2").await.expect("an undo"));
    let exported = lines(&service).await;
    let copy = Database::create(Engine::Sqlite).await;
    let there = open_plain(&copy).await;
    let mut at = 0;
    while at < exported.len() {
        let pool = arena(&there);
        let line = exported[at].clone();
        at += 1;
        match line {
            LogLine::Round(report) => {
                let mut round = ImportedRound::from(report);
                while let Some(LogLine::RoundChange(line)) = exported.get(at) {
                    round.changes.push(line.clone());
                    at += 1;
                }
                let counted = there
                    .import()
                    .record(&pool, &[round], OnRefusal::Stop)
                    .await;
                counted.expect("the database").remove(0).expect("a round");
            }
            LogLine::Change(line) => {
                let made = there.apply_change(&pool, line, Author::CommandLine).await;
                assert!(made.expect("a change"));
            }
            LogLine::Undo(line) => {
                assert!(matches!(&exported[at - 2], LogLine::Change(change)
                    if change.change_id == line.undoes));
                assert!(there.apply_undo(line.clone()).await.expect("an undo"));
                assert!(!there.apply_undo(line).await.expect("done before"));
            }
            LogLine::Season(line) => {
                let made = there.apply_season(&pool, line, Author::CommandLine).await;
                assert!(made.expect("a season"));
            }
            LogLine::RoundChange(line) => panic!("{line:?} stands behind no round"),
        }
    }
    assert_no_differences(&there).await;
    let (here, copied) = (Computed::read(database).await, Computed::read(&copy).await);
    assert_eq!(here.sums, copied.sums);
    assert_eq!(here.players, copied.players);
    assert_eq!(here.groups, copied.groups);
    assert_eq!(lines(&there).await, exported);
    there.close().await;
    copy.remove().await;
    service.close().await;
}

async fn an_undone_reset_leaves_every_figure_as_if_it_had_never_been(database: &Database) {
    let service = open_plain(database).await;
    some_rounds(&service, 46, 40).await;
    let before = Computed::read(database).await;
    make(&service, "reset-1", 1, ChangeKind::Reset).await;
    assert_ne!(Computed::read(database).await.players, before.players);
    let pool = arena(&service);
    let details = service.get_player_details(&pool, player(1)).await;
    let last = details.expect("a player").last_change.expect("a change");
    assert_eq!(
        (last.change.as_str(), last.change_id.as_str()),
        ("reset", "reset-1")
    );
    let undone = service
        .undo_change(
            &pool,
            player(1),
            last.change_id.clone(),
            ChangeNote {
                reason: Some("the wrong player".to_owned()),
                change_id: Some("undo".parse().expect("a name")),
            },
            Author::CommandLine,
            TIMEOUT,
        )
        .await;
    assert_eq!(undone.expect("an undo"), RoundOutcome::Done);
    assert_eq!(Computed::read(database).await, before);
    let details = service.get_player_details(&pool, player(1)).await;
    assert_eq!(details.expect("a player").last_change, None);
    let audit = service.list_audit(AuditQuery::default()).await;
    let entries = audit.expect("the audit").entries.into_iter();
    let mut undos = entries.filter(|entry| entry.action == "undo");
    assert_eq!(undos.next().expect("an undo").player, Some(player(1)));
    make(&service, "reset-1-again", 1, ChangeKind::Reset).await;
    some_rounds(&service, 47, 25).await;
    assert!(undo(&service, "reset-1-again").await.expect("an undo"));
    assert!(
        !undo(&service, "reset-1-again")
            .await
            .expect("undone before")
    );
    assert_no_differences(&service).await;
    let replayed = Box::pin(replayed_without_voids(&service)).await;
    let computed = Computed::read(database).await;
    assert_eq!(computed.without_places(), replayed.without_places());
    make(&service, "reset-4711", 4711, ChangeKind::Reset).await;
    assert!(undo(&service, "reset-4711").await.expect("an undo"));
    let known = Computed::read(database).await.players;
    assert!(!known.contains_key(&player(4711)));
    service.close().await;
}

async fn what_cannot_be_undone_is_refused(database: &Database) {
    let service = open_plain(database).await;
    some_rounds(&service, 48, 10).await;
    make(&service, "reset-1", 1, ChangeKind::Reset).await;
    let unknown = undo(&service, "never-made").await.expect_err("no change");
    assert!(
        matches!(unknown, ServiceError::NoSuchChange(_)),
        "{unknown:?}"
    );
    let pool = arena(&service);
    let undoes = "reset-1".parse().expect("a name");
    let by = Author::CommandLine;
    let note = ChangeNote::default();
    let others = service.undo_change(&pool, player(2), undoes, note, by, TIMEOUT);
    let others = others.await.expect_err("another player's");
    assert!(
        matches!(others, ServiceError::NoSuchChange(_)),
        "{others:?}"
    );
    assert!(undo(&service, "reset-1").await.expect("an undo"));
    let again = undo(&service, "undo-reset-1").await.expect_err("an undo");
    assert!(matches!(again, ServiceError::NoSuchChange(_)), "{again:?}");
    service.close().await;
}
