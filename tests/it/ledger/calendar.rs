//! Seasons that start by calendar: once, whichever instance notices, and only for dates that a running calendar was
//! waiting for.

use rbs::clock::Clock;
use rbs::config::SeasonSettings;
use rbs::domain::{CalibrationRounds, Share, StartMonths, Timestamp};
use rbs::service::{Service, ServiceError};

use super::seasons::{assert_exact, play, start};
use super::{Computed, arena, arena_record, noon, open, undo};
use crate::support::{Database, settings};

on_both_engines!(
    a_season_starts_at_its_date_once_for_all_instances,
    a_date_that_passed_while_nothing_ran_is_made_up_for,
    a_date_from_before_the_calendar_starts_nothing,
    a_pool_without_rounds_begins_no_season,
    a_season_of_that_name_counts_as_the_one,
    a_rebuild_delays_a_start,
    a_clock_that_jumped_by_over_a_day_starts_no_season,
    the_running_service_starts_seasons_by_itself,
);

fn day(text: &str) -> Timestamp {
    format!("{text}T00:00:30Z").parse().expect("a day")
}

async fn open_with(database: &Database, months: &[u8], clock: &Clock) -> Service {
    let mut settings = settings(&database.url_text());
    let pool = settings.pools.get_mut(&"arena".parse().expect("a name"));
    pool.expect("the pool").season = SeasonSettings {
        start_months: StartMonths::new(months).expect("months"),
        keep: Share::HALF,
        calibration: CalibrationRounds::default(),
    };
    open(database, &settings, clock).await
}

async fn looks(service: &Service) -> bool {
    let started = service.start_due_season(&arena(service)).await;
    started.expect("a look at the calendar")
}

async fn names(service: &Service) -> Vec<String> {
    let listed = service.list_seasons(&arena(service)).await;
    let seasons = listed.expect("the seasons").seasons.into_iter();
    let names = seasons.filter_map(|season| season.name);
    names.map(|name| name.as_str().to_owned()).collect()
}

async fn a_season_starts_at_its_date_once_for_all_instances(database: &Database) {
    let clock = Clock::manual(noon());
    let one = open_with(database, &[1, 7], &clock).await;
    let other = open_with(database, &[1, 7], &clock).await;
    play(&one, 11, 30).await;
    assert!(!looks(&one).await && !looks(&other).await);
    clock.set("2026-12-31T23:59:59Z".parse().expect("a moment"));
    assert!(!looks(&one).await);
    let before = Computed::read(database).await;
    clock.set(day("2027-01-01"));
    assert!(looks(&one).await);
    let after = Computed::read(database).await;
    assert_ne!(before.players, after.players);
    assert!(!looks(&other).await && !looks(&one).await);
    assert_eq!(Computed::read(database).await, after);
    assert_eq!(names(&one).await, ["2027-01"]);
    let store = database.store().await;
    let mut tx = store.begin_read().await.expect("a unit of work");
    let arena = arena_record(&one).await.id;
    let audit = tx.list_audit(Some(arena), None, 1).await;
    let audit = audit.expect("the audit");
    assert_eq!((&*audit[0].action, audit[0].secret), ("season", None));
    assert!(audit[0].after.contains("\"by_calendar\":true"));
    drop(tx);
    store.close().await;
    let undone = undo(&one, "calendar-2027-01-arena").await;
    assert!(undone.expect("an undo"));
    clock.set(day("2027-01-02"));
    assert!(!looks(&one).await && !looks(&other).await);
    assert_eq!(Computed::read(database).await, before);
    clock.set(day("2027-07-01"));
    assert!(looks(&other).await);
    assert_eq!(names(&one).await, ["2027-07"]);
    Box::pin(assert_exact(&one, database)).await;
    one.close().await;
    other.close().await;
}

async fn a_date_that_passed_while_nothing_ran_is_made_up_for(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open_with(database, &[1], &clock).await;
    play(&service, 21, 30).await;
    assert!(!looks(&service).await);
    service.close().await;
    clock.set(day("2027-02-03"));
    let service = open_with(database, &[1], &clock).await;
    assert!(looks(&service).await);
    let listed = service.list_seasons(&arena(&service)).await;
    let listed = listed.expect("the seasons");
    assert_eq!(listed.seasons[0].started_at, Some(day("2027-02-03")));
    assert_eq!(names(&service).await, ["2027-01"]);
    service.close().await;
}

async fn a_date_from_before_the_calendar_starts_nothing(database: &Database) {
    let clock = Clock::manual(noon());
    for months in [&[7][..], &[7, 11], &[]] {
        let service = open_with(database, months, &clock).await;
        if months == [7] {
            play(&service, 31, 30).await;
        }
        assert!(!looks(&service).await, "{months:?}");
        service.close().await;
    }
    clock.set(day("2027-01-02"));
    let service = open_with(database, &[1], &clock).await;
    assert!(!looks(&service).await);
    service.close().await;
    clock.set(day("2027-03-02"));
    let service = open_with(database, &[1, 3], &clock).await;
    assert!(!looks(&service).await);
    service.close().await;
    let service = open_with(database, &[1], &clock).await;
    assert!(!looks(&service).await);
    clock.set(day("2028-01-01"));
    assert!(looks(&service).await);
    service.close().await;
}

async fn a_pool_without_rounds_begins_no_season(database: &Database) {
    let clock = Clock::manual(day("2026-10-30"));
    let service = open_with(database, &[1, 11], &clock).await;
    assert!(!looks(&service).await);
    clock.set(day("2026-11-01"));
    assert!(!looks(&service).await);
    service.close().await;
    clock.set(day("2026-10-31"));
    let service = open_with(database, &[1, 11], &clock).await;
    assert!(!looks(&service).await);
    clock.set(noon());
    play(&service, 41, 30).await;
    assert!(!looks(&service).await);
    clock.set(day("2027-01-01"));
    assert!(looks(&service).await);
    assert_eq!(names(&service).await, ["2027-01"]);
    service.close().await;
}

async fn a_season_of_that_name_counts_as_the_one(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open_with(database, &[1], &clock).await;
    play(&service, 51, 30).await;
    assert!(!looks(&service).await);
    start(&service, "2027-01").await;
    clock.set(day("2027-01-01"));
    assert!(!looks(&service).await);
    assert_eq!(names(&service).await, ["2027-01"]);
    clock.set(day("2028-01-01"));
    assert!(looks(&service).await);
    service.close().await;
}

async fn a_clock_that_jumped_by_over_a_day_starts_no_season(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open_with(database, &[1], &clock).await;
    play(&service, 91, 10).await;
    assert!(!looks(&service).await);
    clock.jump(day("2027-11-20"));
    assert!(!looks(&service).await);
    clock.jump(noon());
    clock.set(day("2026-12-31"));
    assert!(!looks(&service).await);
    assert!(names(&service).await.is_empty());
    clock.jump(day("2027-01-01"));
    assert!(looks(&service).await);
    assert_eq!(names(&service).await, ["2027-01"]);
    service.close().await;
}

async fn a_rebuild_delays_a_start(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open_with(database, &[1], &clock).await;
    play(&service, 61, 10).await;
    assert!(!looks(&service).await);
    let now = day("2027-01-01");
    clock.set(now);
    let store = database.store().await;
    let pool = arena_record(&service).await.id;
    let mut tx = store.begin().await.expect("a unit of work");
    let begun = tx.begin_rebuild(pool, ("somebody", now), None, 1).await;
    begun.expect("a rebuild");
    tx.commit().await.expect("a commit");
    let refused = service.start_due_season(&arena(&service)).await;
    assert!(
        matches!(refused, Err(ServiceError::RebuildInProgress(_))),
        "{refused:?}"
    );
    let mut tx = store.begin().await.expect("a unit of work");
    let ended = tx.finish_rebuild(pool, "somebody").await;
    assert!(ended.expect("an end"));
    tx.commit().await.expect("a commit");
    store.close().await;
    assert!(looks(&service).await);
    service.close().await;
}

async fn the_running_service_starts_seasons_by_itself(database: &Database) {
    let clock = Clock::manual(noon());
    let service = open_with(database, &[1], &clock).await;
    play(&service, 71, 10).await;
    assert!(!looks(&service).await);
    clock.set(day("2027-01-01"));
    service.follow_calendars();
    while names(&service).await.is_empty() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    service.close().await;
}
