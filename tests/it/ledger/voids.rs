use std::time::Duration;

use rbs::clock::Clock;
use rbs::config::Overrides;
use rbs::service::{Author, ServiceError, VoidOutcome};

use super::{
    Computed, arena_record, assert_no_differences, later, mark, marked, must_mark, noon, open,
    open_plain,
};
use crate::recording::history::{Event, events};
use crate::support::{Database, Dice, settings};

on_both_engines!(
    a_round_that_is_voided_and_restored_leaves_every_figure_as_it_was,
    a_round_is_marked_once_and_what_is_so_stays_so,
    a_void_that_takes_long_goes_on_by_itself,
    a_stop_undoes_a_void_under_way_and_says_so,
    a_round_shows_the_void_that_is_under_way,
    a_change_that_was_named_is_made_once,
    what_was_rated_by_other_settings_stays_rated_by_them,
    of_two_who_mark_at_once_none_is_wrong,
);

/// The names of some rounds that count, recorded through the service.
async fn some_rounds(service: &rbs::service::Service, seed: u64, count: usize) -> Vec<String> {
    let mut names = Vec::new();
    for event in events(&mut Dice::new(seed), count) {
        if let Event::Round(round) = event
            && let Ok(recorded) = service.record_round(round).await
            && !recorded.duplicate
        {
            let parts = recorded.round.logged.round.parts();
            names.push(parts.round_id.as_str().to_owned());
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
        must_mark(&service, &names[which], true).await;
        let void = Computed::read(database).await;
        assert_ne!(void.sums, before.sums, "{which}: a void changes nothing");
        must_mark(&service, &names[which], false).await;
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
    must_mark(&service, &names[0], false).await;
    assert_eq!(length().await, before, "it counted anyway");
    must_mark(&service, &names[0], true).await;
    must_mark(&service, &names[0], true).await;
    assert_eq!(length().await, before + 1, "it is void already");
    let unknown = marked(&service, "never-played", true).await;
    assert!(
        matches!(unknown, Err(ServiceError::NoSuchRound { .. })),
        "{unknown:?}"
    );
    let page = service.read_audit(None, None, 10).await.expect("the audit");
    assert_eq!(page.entries.len(), 1, "one thing was done: {page:?}");
    service.close().await;
}

async fn a_void_that_takes_long_goes_on_by_itself(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 9, 20).await;
    let impatient = service.mark_round(mark(&names[3], true), Author::CommandLine, Duration::ZERO);
    assert_eq!(impatient.await.expect("begun"), VoidOutcome::UnderWay);
    let is_void = async || {
        let mark = mark(&names[3], true);
        let round = service.get_round(mark.server, mark.round_id).await;
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

async fn a_stop_undoes_a_void_under_way_and_says_so(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 13, 20).await;
    let before = Computed::read(database).await;
    service.stop_rebuilds();
    let stopped = marked(&service, &names[3], true).await;
    assert!(
        matches!(stopped, Err(ServiceError::RebuildStopped(_))),
        "{stopped:?}"
    );
    service.close().await;
    assert_eq!(Computed::read(database).await, before);
    // Nobody has to wait until the first counts as dead.
    let service = open_plain(database).await;
    must_mark(&service, &names[3], true).await;
    assert_no_differences(&service).await;
    service.close().await;
}

async fn a_round_shows_the_void_that_is_under_way(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open(database, &settings(&database.url_text()), &clock).await;
    let names = some_rounds(&service, 14, 10).await;
    let under_way = async |name: &str| {
        let mark = mark(name, true);
        let round = service.get_round(mark.server, mark.round_id).await;
        round.expect("the round").under_way
    };
    for (day, void) in [(1, true), (2, false)] {
        let store = database.store().await;
        let arena = arena_record(&service).await;
        let mut tx = store.begin().await.expect("a unit of work");
        let first = mark(&names[0], true);
        let found = tx.rounds(&[(first.server, first.round_id)]).await;
        let position = found.expect("rounds")[0].logged.position;
        let begun =
            tx.begin_projection(arena.id, ("somebody", clock.now()), Some((position, void)));
        begun.await.expect("a book");
        tx.commit().await.expect("a commit");
        assert_eq!(under_way(&names[0]).await, Some(void));
        assert_eq!(under_way(&names[1]).await, None);
        let again = marked(&service, &names[0], void).await;
        assert_eq!(again.expect("what goes on"), VoidOutcome::UnderWay);
        let opposite = marked(&service, &names[0], !void).await;
        assert!(
            matches!(opposite, Err(ServiceError::RebuildUnderWay(_))),
            "{opposite:?}"
        );
        clock.set(later(Duration::from_hours(24 * day)));
        assert_eq!(under_way(&names[0]).await, None, "its owner is long gone");
        store.close().await;
    }
    service.close().await;
}

async fn a_change_that_was_named_is_made_once(database: &Database) {
    let service = open_plain(database).await;
    let names = some_rounds(&service, 15, 10).await;
    let called = |round: &str, void, name: &str| {
        let mut called = mark(round, void);
        called.note.change_id = Some(name.parse().expect("a name"));
        called
    };
    let marked = async |mark| {
        service
            .mark_round(mark, Author::CommandLine, super::TIMEOUT)
            .await
    };
    marked(called(&names[0], true, "m1")).await.expect("a void");
    must_mark(&service, &names[0], false).await;
    let restored = Computed::read(database).await;
    let again = marked(called(&names[0], true, "m1")).await;
    assert_eq!(again.expect("what was done"), VoidOutcome::Done);
    assert_eq!(Computed::read(database).await, restored);
    for other in [
        called(&names[1], true, "m1"),
        called(&names[0], false, "m1"),
    ] {
        let taken = marked(other).await;
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
    must_mark(&service, &names[5], true).await;
    assert_no_differences(&service).await;
    must_mark(&service, &names[5], false).await;
    assert_eq!(Computed::read(database).await, before);
    // Tried with what was in force, a trial gives what is there; with other constants it does not.
    let arena = arena_record(&service).await;
    let trial = service
        .what_if(&arena, None, Overrides::default(), &mut |_| ())
        .await
        .expect("a trial");
    assert_eq!(trial.present, trial.instead);
    assert_eq!(trial.present.rounds, names.len() as u64);
    let overrides = Overrides(vec!["theta=50".parse().expect("a setting")]);
    let trial = service.what_if(&arena, None, overrides, &mut |_| ()).await;
    let trial = trial.expect("a trial");
    assert_ne!(trial.present.brier, trial.instead.brier);
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
            tokio::spawn(async move { (marked(&service, &name, true).await, name) })
        })
        .collect();
    let mut done = 0;
    for task in marking {
        let (result, name) = task.await.expect("no panic");
        let server = "arena-1".parse().expect("a name");
        let round = here.get_round(server, name.parse().expect("a name")).await;
        let void = round.expect("the round").round.void;
        match result {
            Ok(VoidOutcome::Done) => {
                assert!(void.is_some(), "{name} was voided and is not void");
                done += 1;
            }
            Err(ServiceError::RebuildUnderWay(_)) => {
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
