mod refusals;

use std::time::Duration;

use rbs::api::LogLine;
use rbs::clock::Clock;
use rbs::config::Settings;
use rbs::domain::{PlayerId, Report, RoundAction, Timestamp};
use rbs::service::{Author, LogReader, OnRefusal, PageStart, Prune, Service, ServiceError};

use super::{
    Computed, arena, arena_record, assert_no_differences, must_void, open, rebuild, void_round,
};
use crate::recording::history::{self, Event, events, player};
use crate::support::{Database, Dice, Engine, settings};

on_both_engines!(
    a_pruned_pool_goes_on_as_one_that_was_not_pruned,
    the_files_and_what_is_left_make_the_same_pool,
    a_prune_that_is_interrupted_leaves_nothing_wrong_and_the_next_goes_on,
    what_is_tampered_with_behind_a_prune_is_found_and_mended,
);

const DAY: Duration = Duration::from_hours(24);

pub(super) fn day(text: &str) -> Timestamp {
    format!("2026-{text}T00:00:00Z").parse().expect("a day")
}

/// Settings with windows shorter than a history of a few dozen rounds.
fn short_windows(database: &Database) -> Settings {
    let mut settings = settings(&database.url_text());
    for pool in settings.pools.values_mut() {
        pool.parameters.window = 8;
    }
    settings
}

pub(super) struct Played {
    pub(super) service: Service,
    pub(super) clock: Clock,
}

impl Played {
    pub(super) async fn open(database: &Database) -> Self {
        let clock = Clock::manual(day("01-01"));
        let service = open(database, &short_windows(database), &clock).await;
        Self { service, clock }
    }

    /// Plays a history from that day on, one round per minute. Returns the names of the counted rounds.
    pub(super) async fn play(&self, from: &str, seed: u64, count: usize) -> Vec<String> {
        self.clock.set(day(from));
        let mut names = Vec::new();
        for (minute, event) in (1..).zip(events(&mut Dice::new(seed), count)) {
            let at = day(from).later(Duration::from_mins(minute));
            self.clock.set(at);
            match event {
                Event::Round(round) => {
                    let mut parts = round.parts().clone();
                    let round_id = format!("{from}-{}", parts.round_id);
                    parts.round_id = round_id.parse().expect("a name");
                    parts.ended_at = Some(at);
                    let report = Report::try_from(parts).expect("a round");
                    let recorded = self
                        .service
                        .record_round(arena(&self.service), report)
                        .await;
                    if recorded.is_ok_and(|recorded| !recorded.duplicate) {
                        names.push(round_id);
                    }
                }
                Event::Change(id, who, kind) => {
                    let line = history::change(&format!("{from}-{id}"), who, kind, at);
                    let pool = arena(&self.service);
                    let by = Author::CommandLine;
                    let made = self.service.apply_change(&pool, line, by).await;
                    assert!(made.expect("a change"));
                }
            }
        }
        assert!(names.len() >= count, "{names:?}");
        names
    }

    async fn begin(&self, before: &str) -> Result<Prune, ServiceError> {
        let arena = arena_record(&self.service).await;
        self.service.begin_prune(&arena, day(before)).await
    }

    /// Prunes rounds that ended before that day, and returns the lines of the file.
    pub(super) async fn prune(&self, before: &str) -> Vec<LogLine> {
        // Boxed, because the future would be part of each test.
        Box::pin(self.prune_now(before)).await
    }

    async fn prune_now(&self, before: &str) -> Vec<LogLine> {
        let mut prune = self.begin(before).await.expect("a prune");
        let lines = read(&mut prune).await;
        prune
            .take_effect("arena.jsonl.gz")
            .await
            .expect("an effect");
        prune.delete_rows().await.expect("rows are deleted");
        prune.finish().await.expect("an end");
        lines
    }

    async fn void(&self, name: &str, action: RoundAction) {
        must_void(&self.service, name, action).await;
    }
}

async fn read(prune: &mut Prune) -> Vec<LogLine> {
    let mut lines = Vec::new();
    while let Some(page) = prune.read_lines().await.expect("lines") {
        lines.extend(page);
    }
    lines
}

/// Computed state of the pool, without anything up to the pruned log position.
pub(super) async fn computed(database: &Database, pruned: u64) -> Computed {
    let mut computed = Computed::read(database).await;
    computed.entries.retain(|entry| entry.position > pruned);
    computed.results.retain(|result| result.position > pruned);
    computed
}

/// Compares two databases, of which one is pruned: computed state and answers.
async fn assert_same(one: (&Database, &Played), other: (&Database, &Played)) {
    // Boxed, because the future would be part of each test.
    Box::pin(compare(one, other)).await;
}

async fn compare(one: (&Database, &Played), other: (&Database, &Played)) {
    let pruned = arena_record(&one.1.service).await.pruned;
    assert!(pruned > 0, "nothing is pruned");
    let (here, there) = (
        computed(one.0, pruned).await,
        computed(other.0, pruned).await,
    );
    assert_eq!(here, there);
    for played in [one.1, other.1] {
        assert_no_differences(&played.service).await;
    }
    let [here, there] = [one.1, other.1].map(|played| arena(&played.service));
    let (one, other) = (&one.1.service, &other.1.service);
    let mut figures = [
        one.quality_report(&here).await.expect("figures"),
        other.quality_report(&there).await.expect("figures"),
    ];
    figures[0].one_sided = figures[1].one_sided;
    for report in &mut figures {
        report.by_map_and_server.clear();
        report.mean_rating = None;
        let of_mean = |warning: &String| warning.starts_with("the mean rating of");
        report.warnings.retain(|warning| !of_mean(warning));
    }
    assert_eq!(figures[0], figures[1]);
    assert_eq!(
        one.leaderboard(&here, None, PageStart::Behind(None), 50)
            .await
            .expect("a list"),
        other
            .leaderboard(&there, None, PageStart::Behind(None), 50)
            .await
            .expect("a list")
    );
    let whole = other
        .quality_history(&there, 1000, None)
        .await
        .expect("points");
    let rest = one
        .quality_history(&here, 1000, None)
        .await
        .expect("points");
    assert!(whole.points.ends_with(&rest.points), "{rest:?}");
    for number in history::PLAYERS {
        let id = player(number);
        let mut live = one.get_player_details(&here, id).await.expect("a player");
        let mut again = other
            .get_player_details(&there, id)
            .await
            .expect("a player");
        assert!(again.last_rounds.starts_with(&live.last_rounds), "{id}");
        (live.last_rounds, again.last_rounds) = Default::default();
        assert!(live.last_change.is_none() || live.last_change == again.last_change);
        (live.last_change, again.last_change) = Default::default();
        assert_eq!(live, again);
        assert_history(one, other, id).await;
    }
}

/// Asserts that a player's ratings match the unpruned pool from some round on.
async fn assert_history(one: &Service, other: &Service, id: PlayerId) {
    let points = async |service: &Service| {
        let read = service
            .get_player_history(&arena(service), id, None, 10_000)
            .await;
        let points = read.expect("points").points.into_iter();
        let points = points.filter(|point| point.change == "round");
        let points: Vec<_> = points.map(|point| (point.at, point.rating)).collect();
        points
    };
    let (left, whole) = (points(one).await, points(other).await);
    assert!(whole.ends_with(&left) && !left.is_empty(), "{id}: {left:?}");
}

async fn a_pruned_pool_goes_on_as_one_that_was_not_pruned(database: &Database) {
    let twin = Database::create(Engine::Sqlite).await;
    let (one, other) = (Played::open(database).await, Played::open(&twin).await);
    let mut names = Vec::new();
    for played in [&one, &other] {
        names = played.play("01-01", 1, 160).await;
        played.void(&names[5], RoundAction::Void).await;
        played.void(&names[9], RoundAction::Void).await;
        played.void(&names[9], RoundAction::Unvoid).await;
        names.extend(played.play("03-01", 2, 40).await);
        played.clock.set(day("03-20"));
    }
    let entries = "select count(*) from entries";
    let before = database.count(entries).await;
    let lines = one.prune("02-01").await;
    assert!(lines.len() > 160, "{} lines", lines.len());
    assert!(database.count(entries).await < before, "no entry went");
    for table in ["rounds", "unrated_players"] {
        let pruned = arena_record(&one.service).await.pruned;
        let left = format!("select count(*) from {table} where position <= {pruned}");
        assert_eq!(database.count(&left).await, 0, "{table}");
    }
    assert_same((database, &one), (&twin, &other)).await;

    for played in [&one, &other] {
        played.play("03-21", 3, 20).await;
        for which in [165, 195] {
            played.void(&names[which], RoundAction::Void).await;
        }
    }
    assert_same((database, &one), (&twin, &other)).await;
    rebuild(&one.service).await;
    rebuild(&other.service).await;
    assert_same((database, &one), (&twin, &other)).await;
    for played in [&one, &other] {
        played.void(&names[165], RoundAction::Unvoid).await;
    }

    let two = Played {
        service: one.service.clone().with_rebuild_memory(0),
        clock: one.clock.clone(),
    };
    for played in [&one, &other] {
        played.clock.set(day("06-01"));
    }
    assert_eq!(two.prune("02-01").await, []);
    assert!(two.prune("03-10").await.len() > 40);
    for played in [&two, &other] {
        played.play("06-02", 4, 30).await;
    }
    assert_same((database, &two), (&twin, &other)).await;
    rebuild(&two.service).await;
    assert_same((database, &two), (&twin, &other)).await;
    one.service.close().await;
    other.service.close().await;
    twin.remove().await;
}

async fn the_files_and_what_is_left_make_the_same_pool(database: &Database) {
    let played = Played::open(database).await;
    let names = played.play("01-01", 6, 30).await;
    played.play("03-01", 7, 30).await;
    played.void(&names[2], RoundAction::Void).await;
    played.clock.set(day("06-01"));
    let mut lines = played.prune("02-01").await;
    lines.extend(played.prune("03-01").await);
    let kept = arena_record(&played.service).await;
    let mut reader = LogReader::default();
    while let Some(page) = played
        .service
        .read_log(&kept, &mut reader, 7)
        .await
        .expect("lines")
    {
        lines.extend(page);
    }
    assert_eq!(lines.len() as u64, kept.log_length);
    let copy = Database::create(Engine::Sqlite).await;
    let replayed = Played::open(&copy).await;
    replayed.clock.set(day("06-01"));
    let service = &replayed.service;
    for line in lines {
        let pool = arena(service);
        match line {
            LogLine::Round(round) => {
                let counted = service
                    .import()
                    .record(&pool, &[round.into()], OnRefusal::Stop)
                    .await;
                counted.expect("the database").remove(0).expect("a round");
            }
            LogLine::Change(change) => {
                let made = service
                    .apply_change(&pool, change, Author::CommandLine)
                    .await;
                assert!(made.expect("a change"));
            }
            LogLine::Undo(line) => {
                assert!(service.apply_undo(line).await.expect("an undo"));
            }
            LogLine::Season(line) => {
                let made = service.apply_season(&pool, line, Author::CommandLine).await;
                assert!(made.expect("a season"));
            }
            LogLine::RoundChange(line) => {
                assert!(service.apply_round_change(line).await.expect("a void"));
            }
        }
    }
    let (here, there) = (Computed::read(database).await, Computed::read(&copy).await);
    assert_eq!(here.sums, there.sums);
    assert_eq!(here.players, there.players);
    assert_eq!(here.groups, there.groups);
    played.service.close().await;
    service.close().await;
    copy.remove().await;
}

async fn a_prune_that_is_interrupted_leaves_nothing_wrong_and_the_next_goes_on(
    database: &Database,
) {
    let played = Played::open(database).await;
    let names = played.play("01-01", 8, 30).await;
    played.play("03-01", 9, 30).await;
    played.clock.set(day("04-01"));
    let before = Computed::read(database).await;
    let mut prune = played.begin("02-01").await.expect("a prune");
    let lines = read(&mut prune).await;
    prune.give_up().await;
    assert_eq!(Computed::read(database).await, before);
    // Killed after it took effect: the rows still exist, but nothing uses them.
    let mut prune = played.begin("02-01").await.expect("a prune");
    assert_eq!(read(&mut prune).await, lines);
    prune.take_effect("first").await.expect("an effect");
    drop(prune);
    assert_eq!(Computed::read(database).await, before);
    assert_no_differences(&played.service).await;
    let refused = void_round(&played.service, &names[0], RoundAction::Void).await;
    assert!(
        matches!(refused, Err(ServiceError::RoundPruned(_))),
        "{refused:?}"
    );
    played.clock.set(day("04-02"));
    rebuild(&played.service).await;
    assert_eq!(Computed::read(database).await, before);
    assert_eq!(played.prune("02-01").await, []);
    let left = "select count(*) from rounds where server = 'arena-1'";
    let kept = usize::try_from(database.count(left).await).expect("a number");
    assert!((30..60).contains(&kept), "{kept}");
    let names = "select count(*) from pruned_rounds";
    assert!(database.count(names).await >= 30);
    assert_no_differences(&played.service).await;
    played.service.close().await;
}

async fn what_is_tampered_with_behind_a_prune_is_found_and_mended(database: &Database) {
    let played = Played::open(database).await;
    played.play("01-01", 12, 40).await;
    played.clock.set(day("03-05"));
    played.prune("02-01").await;
    let before = Computed::read(database).await;
    for statement in [
        "update players set rating = rating + 1 where player_id = 76561197960265730",
        "update players set last_played = last_played + 1",
        "update pools set calibration = replace(calibration, '[0,0,0]', '[1,0,0]')
         where name = 'arena'",
        "update pools set brier = brier + 0.000001 where name = 'arena'",
        "update round_groups set rounds = rounds + 1",
    ] {
        database.execute(statement).await;
        let arena = arena_record(&played.service).await;
        let checked = played.service.check_pool(&arena, &mut |_| ()).await;
        let checked = checked.expect("a check");
        assert!(checked.differences > 0, "{statement} is not found");
        rebuild(&played.service).await;
        assert_eq!(Computed::read(database).await, before, "{statement}");
        assert_no_differences(&played.service).await;
    }
    played.service.close().await;
}
