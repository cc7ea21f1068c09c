use std::time::Duration;

use rbs::api::AuditQuery;
use rbs::clock::Clock;
use rbs::config::Overrides;
use rbs::domain::{Rating, RoundAction};
use rbs::rating::ChangeKind;
use rbs::service::{Alternative, Author, ImportedRound, OnRefusal, RoundOutcome, ServiceError};
use rbs::store::RebuiltRounds;
use serde_json::json;

use super::{
    Computed, arena, arena_record, assert_no_differences, command, later, must_void, noon, open,
    open_plain, void_and_restore, void_round,
};
use crate::recording::history::{self, Event, events};
use crate::support::{Database, Dice, Engine, settings};

on_both_engines!(
    a_round_that_is_voided_and_restored_leaves_every_figure_as_it_was,
    a_round_is_marked_once_and_what_is_so_stays_so,
    a_void_that_takes_long_goes_on_by_itself,
    a_stop_undoes_a_void_in_progress_and_says_so,
    a_round_shows_the_void_that_is_in_progress,
    a_change_that_was_named_is_made_once,
    what_was_rated_by_other_settings_stays_rated_by_them,
    of_two_who_mark_at_once_none_is_wrong,
    an_audit_of_a_pool_that_is_not_there_is_an_error,
    a_void_that_may_hold_nobody_leaves_what_a_replay_gives,
    a_void_that_forgets_players_between_their_rounds_goes_on_from_what_it_made,
);

async fn some_rounds(service: &rbs::service::Service, seed: u64, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for event in events(&mut Dice::new(seed), count) {
        if let Event::Round(round) = event
            && let Ok(recorded) = service.record_round(arena(service), round).await
            && !recorded.duplicate
        {
            names.push(recorded.round_id.as_str().to_owned());
        }
    }
    assert!(names.len() >= count, "{names:?}");
    names
}

async fn a_round_that_is_voided_and_restored_leaves_every_figure_as_it_was(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 7, 40).await;
    let before = Computed::read(database).await;
    for which in [0, names.len() / 2, names.len() - 1] {
        must_void(&service, &names[which], RoundAction::Void).await;
        let void = Computed::read(database).await;
        assert_ne!(void.sums, before.sums, "{which}: a void changes nothing");
        must_void(&service, &names[which], RoundAction::Unvoid).await;
        assert_eq!(Computed::read(database).await, before, "{which}");
    }
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_round_is_marked_once_and_what_is_so_stays_so(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 8, 10).await;
    let length = async || arena_record(&service).await.log_length;
    let before = length().await;
    must_void(&service, &names[0], RoundAction::Unvoid).await;
    assert_eq!(length().await, before, "it counted anyway");
    must_void(&service, &names[0], RoundAction::Void).await;
    must_void(&service, &names[0], RoundAction::Void).await;
    assert_eq!(length().await, before + 1, "it is void already");
    let unknown = void_round(&service, "never-played", RoundAction::Void).await;
    assert!(
        matches!(unknown, Err(ServiceError::NoSuchRound { .. })),
        "{unknown:?}"
    );
    let page = service
        .list_audit(AuditQuery::default())
        .await
        .expect("the audit");
    assert_eq!(page.entries.len(), 1, "one thing was done: {page:?}");
    service.close().await;
}

async fn a_void_that_takes_long_goes_on_by_itself(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 9, 20).await;
    let impatient = service.change_round(
        command(&names[3], RoundAction::Void),
        Author::CommandLine,
        Duration::ZERO,
    );
    assert_eq!(impatient.await.expect("begun"), RoundOutcome::InProgress);
    let is_void = async || {
        let of = command(&names[3], RoundAction::Void);
        let round = service.get_round(of.server, of.round_id).await;
        round.expect("the round").round.void.is_some()
    };
    let deadline = tokio::time::Instant::now() + super::TIMEOUT;
    while !is_void().await {
        assert!(
            tokio::time::Instant::now() < deadline,
            "the void never takes effect"
        );
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_stop_undoes_a_void_in_progress_and_says_so(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 13, 20).await;
    let before = Computed::read(database).await;
    service.stop_rebuilds();
    let stopped = void_round(&service, &names[3], RoundAction::Void).await;
    assert!(
        matches!(stopped, Err(ServiceError::RebuildStopped(_))),
        "{stopped:?}"
    );
    service.close().await;
    assert_eq!(Computed::read(database).await, before);
    let service = open_plain(database).await;
    must_void(&service, &names[3], RoundAction::Void).await;
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_round_shows_the_void_that_is_in_progress(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &settings(&database.url_text()), &clock).await;
    let names = some_rounds(&service, 14, 10).await;
    let in_progress = async |name: &str| {
        let of = command(name, RoundAction::Void);
        let round = service.get_round(of.server, of.round_id).await;
        round.expect("the round").in_progress
    };
    let (void, unvoid) = (RoundAction::Void, RoundAction::Unvoid);
    for (day, action, opposite) in [(1, void, unvoid), (2, unvoid, void)] {
        let store = database.store().await;
        let arena = arena_record(&service).await;
        let mut tx = store.begin().await.expect("a unit of work");
        let first = command(&names[0], RoundAction::Void);
        let found = tx.rounds(&[(first.server, first.round_id)]).await;
        let position = found.expect("rounds")[0].logged.position;
        let by = ("somebody", clock.now());
        let change = RebuiltRounds {
            position,
            action,
            rounds: 1,
        };
        let begun = tx.begin_rebuild(arena.id, by, Some(change), 8);
        begun.await.expect("a rebuild");
        tx.commit().await.expect("a commit");
        assert_eq!(in_progress(&names[0]).await, Some(action.name()));
        assert_eq!(in_progress(&names[1]).await, None);
        let again = void_round(&service, &names[0], action).await;
        assert_eq!(again.expect("what goes on"), RoundOutcome::InProgress);
        let opposite = void_round(&service, &names[0], opposite).await;
        assert!(
            matches!(opposite, Err(ServiceError::RebuildInProgress(_))),
            "{opposite:?}"
        );
        clock.set(later(Duration::from_hours(24 * day)));
        assert_eq!(in_progress(&names[0]).await, None, "its owner is long gone");
        store.close().await;
    }
    service.close().await;
}

async fn a_change_that_was_named_is_made_once(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 15, 10).await;
    let called = |round: &str, action, name: &str| {
        let mut called = command(round, action);
        called.note.change_id = Some(name.parse().expect("a name"));
        called
    };
    let voided = async |command| {
        service
            .change_round(command, Author::CommandLine, super::TIMEOUT)
            .await
    };
    voided(called(&names[0], RoundAction::Void, "m1"))
        .await
        .expect("a void");
    must_void(&service, &names[0], RoundAction::Unvoid).await;
    let restored = Computed::read(database).await;
    let again = voided(called(&names[0], RoundAction::Void, "m1")).await;
    assert_eq!(again.expect("what was done"), RoundOutcome::Done);
    assert_eq!(Computed::read(database).await, restored);
    for other in [
        called(&names[1], RoundAction::Void, "m1"),
        called(&names[0], RoundAction::Unvoid, "m1"),
    ] {
        let taken = voided(other).await;
        assert!(
            matches!(taken, Err(ServiceError::ChangeIdTaken(_))),
            "{taken:?}"
        );
    }
    service.close().await;
}

async fn what_was_rated_by_other_settings_stays_rated_by_them(database: &Database) {
    let clock = Clock::manual(noon());
    let mut settings = settings(&database.url_text());
    let service = open(database, &settings, &clock).await;
    let names = some_rounds(&service, 10, 20).await;
    service.close().await;
    let arena = settings.pools.get_mut(&"arena".parse().expect("a name"));
    let parameters = &mut arena.expect("the pool").parameters;
    (parameters.theta, parameters.window, parameters.k_max) = (333.0, 30, 20.0);
    let service = open(database, &settings, &clock).await;
    assert_no_differences(&service).await;
    let before = Computed::read(database).await;
    must_void(&service, &names[5], RoundAction::Void).await;
    assert_no_differences(&service).await;
    must_void(&service, &names[5], RoundAction::Unvoid).await;
    assert_eq!(Computed::read(database).await, before);
    // A trial with the configured constants confirms the stored state; with others it differs.
    let arena = arena_record(&service).await;
    let compare = async |settings| {
        let mut alternative = Alternative::default();
        alternative.settings = settings;
        let watch = &mut |_| ();
        let comparing = service.compare(&arena, None, alternative, watch);
        Box::pin(comparing).await.expect("a comparison")
    };
    let same = compare(Overrides::default()).await;
    assert_eq!((same.rounds, same.ratings.moved), (names.len(), 0));
    assert_eq!(same.is.all.brier, same.would_be.all.brier);
    let overrides = Overrides(vec!["theta=50".parse().expect("a setting")]);
    let other = compare(overrides).await;
    assert_ne!(other.is.all.brier, other.would_be.all.brier);
    assert_ne!(other.ratings.moved, 0);
    assert_eq!(Computed::read(database).await, before, "a trial is a trial");
    service.close().await;
}

async fn of_two_who_mark_at_once_none_is_wrong(database: &Database) {
    let (here, there) = (open_plain(database).await, open_plain(database).await);
    let names = some_rounds(&here, 11, 30).await;
    let marking: Vec<_> = names[..8]
        .iter()
        .zip([&here, &there].into_iter().cycle())
        .map(|(name, service)| {
            let (name, service) = (name.clone(), service.clone());
            tokio::spawn(
                async move { (void_round(&service, &name, RoundAction::Void).await, name) },
            )
        })
        .collect();
    let mut done = 0;
    for task in marking {
        let (result, name) = task.await.expect("no panic");
        let server = "arena-1".parse().expect("a name");
        let round = here.get_round(server, name.parse().expect("a name")).await;
        let void = round.expect("the round").round.void;
        match result {
            Ok(RoundOutcome::Done) => {
                assert!(void.is_some(), "{name} was voided and is not void");
                done += 1;
            }
            Err(ServiceError::RebuildInProgress(_)) => {
                assert!(void.is_none(), "{name} was refused and is void");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    assert!(done > 0, "nobody got through");
    assert_no_differences(&there).await;
    here.close().await;
    there.close().await;
}

async fn an_audit_of_a_pool_that_is_not_there_is_an_error(database: &Database) {
    let service = open_plain(database).await;
    let without_check = match database.engine() {
        Engine::Sqlite => "pragma foreign_keys = off",
        Engine::Postgres => "alter table audit drop constraint audit_pool_id_fkey",
    };
    let insert = "insert into audit (made_at, id, action, pool_id, before, after) \
                  values (0, 'x', 'rebuild', 4711, '{}', '{}')";
    database
        .execute(&format!("{without_check}; {insert}"))
        .await;
    let page = service.list_audit(AuditQuery::default()).await;
    let error = page.expect_err("a row of no pool was shown");
    let cause = std::error::Error::source(&error).expect("a cause");
    assert!(cause.to_string().contains("pool_id"), "{cause}: {cause:?}");
    service.close().await;
}

async fn a_void_that_may_hold_nobody_leaves_what_a_replay_gives(database: &Database) {
    let service = open_plain(database).await.with_rebuild_memory(0);
    let mut rounds = Vec::new();
    for event in events(&mut Dice::new(17), 2_600) {
        if let Event::Round(round) = event {
            rounds.push(ImportedRound::from(round));
        }
    }
    let pool = arena(&service);
    for (index, batch) in rounds.chunks(200).enumerate() {
        let counted = service.import().record(&pool, batch, OnRefusal::GoOn).await;
        counted.expect("the database");
        // Sets and resets in between, so ratings do not follow from rounds alone.
        for id in [1, 2] {
            let kind = match index % 2 {
                0 => ChangeKind::Set(Rating::MAX),
                _ => ChangeKind::Reset,
            };
            let name = format!("change-{index}-{id}");
            let line = history::change(&name, history::player(id), kind, noon());
            let made = service.apply_change(&pool, line, Author::CommandLine).await;
            assert!(made.expect("a change"));
        }
    }
    let before = Computed::read(database).await;
    // A void after the middle of the log recomputes only what follows; a void before it recomputes the whole log.
    for index in [rounds.len() * 2 / 3, 100, rounds.len() - 1] {
        let name = &rounds[index].report.parts().round_id;
        for action in [RoundAction::Void, RoundAction::Unvoid] {
            must_void(&service, name.as_str(), action).await;
            assert_no_differences(&service).await;
        }
    }
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}

/// Many players, so none fills a row of entries in one page of the log, who are absent for four pages at times. Half a
/// megabyte holds most of them: computed rows are written during the computation once the players exceed it.
async fn a_void_that_forgets_players_between_their_rounds_goes_on_from_what_it_made(
    database: &Database,
) {
    let service = open_plain(database).await;
    let mut dice = Dice::new(31);
    let rounds = (0..7_000).map(|number| {
        let mut player = |quarter: usize| {
            let present = (number / 25 + dice.below(150)) % 240;
            format!("[U:1:{}]", 1 + quarter * 240 + present)
        };
        let (a, b) = ([player(0), player(1)], [player(2), player(3)]);
        let winner = if dice.one_in(2) { "a" } else { "b" };
        let round = history::round(&json!({
            "round_id": format!("round-{number}"), "server": "arena-1", "winner": winner,
            "team_a": a, "team_b": b,
        }));
        ImportedRound::from(round)
    });
    let rounds: Vec<ImportedRound> = rounds.collect();
    let pool = arena(&service);
    let mut import = service.import();
    for batch in rounds.chunks(1_000) {
        let counted = import.record(&pool, batch, OnRefusal::GoOn).await;
        counted.expect("the database");
    }
    let before = Computed::read(database).await;
    let rounds = [
        (0, "round-3600"),
        (0, "round-4801"),
        (550_000, "round-100"),
        (550_000, "round-3600"),
    ];
    Box::pin(void_and_restore(&service, &rounds)).await;
    assert_eq!(Computed::read(database).await, before);

    let next = json!({
        "round_id": "next", "server": "arena-1", "winner": "a",
        "team_a": ["[U:1:1]"], "team_b": ["[U:1:2]"],
    });
    let next = service.record_round(pool, history::round(&next)).await;
    next.expect("a round that counts");
    let before = Computed::read(database).await;
    Box::pin(void_and_restore(&service, &[(550_000, "round-100")])).await;
    assert_eq!(Computed::read(database).await, before);
    service.close().await;
}
