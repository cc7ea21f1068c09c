//! Voids all rounds of a server since a time at once.

use std::time::Duration;

use rbs::api::AuditQuery;
use rbs::domain::{Report, RoundAction};
use rbs::service::{Author, ChangeNote, RoundOutcome, Service, VoidRounds};

use super::corrections::some_rounds;
use super::{
    Computed, TIMEOUT, arena, arena_record, assert_no_differences, must_void, open_plain,
    replayed_without_voids, void_round,
};
use crate::support::Database;

on_both_engines!(
    all_rounds_of_a_server_since_a_time_are_voided_by_one_rebuild,
    a_preview_says_whose_ratings_move_and_moves_none,
);

/// Rounds of `arena-1` that ended in the second half of the time.
fn second_half(reports: &[Report]) -> VoidRounds {
    let ended = |report: &&Report| report.parts().ended_at.expect("a time");
    let mut of_server: Vec<&Report> = reports
        .iter()
        .filter(|report| report.parts().server.as_str() == "arena-1")
        .filter(|report| report.parts().ended_at.is_some())
        .collect();
    of_server.sort_by_key(ended);
    let since = ended(&of_server[of_server.len() / 2]);
    VoidRounds {
        server: Some("arena-1".parse().expect("a name")),
        since: Some(since),
        ..VoidRounds::default()
    }
}

async fn void_all(service: &Service, which: &VoidRounds, name: &str) -> u64 {
    let note = ChangeNote {
        reason: Some("teams were swapped".to_owned()),
        change_id: Some(name.parse().expect("a name")),
    };
    let pool = arena(service);
    let voided = service.void_rounds(&pool, which.clone(), note, Author::CommandLine, TIMEOUT);
    let (rounds, outcome) = voided.await.expect("a void");
    assert_eq!(outcome, RoundOutcome::Done);
    rounds
}

async fn all_rounds_of_a_server_since_a_time_are_voided_by_one_rebuild(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 49, 60).await;
    let which = second_half(&reports);
    let mut voided = Vec::new();
    for report in &reports {
        let (server, round_id) = report.name();
        let round = service.get_round(server, round_id).await.expect("a round");
        let is_of_server = Some(&round.round.server) == which.server.as_ref();
        if is_of_server && Some(round.round.ended_at) >= which.since {
            voided.push(report);
        }
    }
    assert!(voided.len() > 3, "{}", voided.len());
    let first = voided[0].parts().round_id.as_str();
    must_void(&service, first, RoundAction::Void).await;
    let before = arena_record(&service).await;
    let rounds = void_all(&service, &which, "all").await;
    assert_eq!(rounds, voided.len() as u64 - 1);
    let after = arena_record(&service).await;
    assert_eq!(after.log_length, before.log_length + rounds);
    assert_eq!(after.generation, before.generation.next());
    assert_no_differences(&service).await;
    let replayed = Box::pin(replayed_without_voids(&service)).await;
    let computed = Computed::read(database).await;
    assert_eq!(computed.without_places(), replayed.without_places());
    for report in &voided {
        let (server, round_id) = report.name();
        let round = service.get_round(server, round_id).await.expect("a round");
        assert!(round.round.void.is_some(), "{:?}", report.name());
    }
    assert_eq!(void_all(&service, &which, "all").await, 0, "it was done");
    assert_eq!(void_all(&service, &which, "again").await, 0, "all are void");
    let audit = service.list_audit(AuditQuery::default()).await;
    // The clock stands still, so entries of one moment have no order.
    let entries = audit.expect("the audit").entries.into_iter();
    let mut entries = entries.filter(|entry| entry.action == "void_rounds");
    let entry = entries.next().expect("one entry for all of them");
    assert!(entries.next().is_none());
    assert_eq!(entry.after["rounds"], rounds);
    assert_eq!(entry.after["server"], "arena-1");
    for report in &voided {
        let name = report.parts().round_id.as_str();
        let restored = void_round(&service, name, RoundAction::Unvoid).await;
        assert_eq!(restored.expect("a restoration"), RoundOutcome::Done);
    }
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_preview_says_whose_ratings_move_and_moves_none(database: &Database) {
    let service = open_plain(database).await;
    let reports = some_rounds(&service, 50, 60).await;
    let which = second_half(&reports);
    let before = Computed::read(database).await;
    let pool = arena(&service);
    let preview = service.preview_void(&pool, &which, TIMEOUT).await;
    let (rounds, moved) = preview.expect("a preview");
    let moved = moved.expect("it takes no minute");
    assert_eq!(Computed::read(database).await, before, "nothing was done");
    let none = service
        .preview_void(&pool, &which, Duration::ZERO)
        .await
        .expect("the number of rounds");
    assert_eq!(none, (rounds, None));
    assert_eq!(void_all(&service, &which, "all").await, rounds);
    let after = Computed::read(database).await;
    let initial = pool.settings.parameters.initial_rating;
    let mut others = 0;
    for (id, was) in &before.players {
        let is = after.players.get(id).map_or(initial, |is| is.rating);
        if is != was.rating {
            others += 1;
        }
        if let Some(named) = moved.largest.iter().find(|moved| moved.id == *id) {
            assert_eq!((named.before, named.after), (was.rating, is), "{id}");
        }
    }
    assert_eq!(moved.players, others);
    assert!(others > 0);
    let nothing = service.preview_void(&pool, &which, TIMEOUT).await;
    let (rounds, moved) = nothing.expect("a preview");
    assert_eq!((rounds, moved.expect("nobody").players), (0, 0));
    service.close().await;
}
