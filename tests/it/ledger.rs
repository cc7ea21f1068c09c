//! The log is the source of truth: recomputing from the log gives the stored state, whatever happened, through
//! whichever instance, and under concurrent changes.

mod calendar;
mod challengers;
mod corrections;
mod in_progress;
mod mixes;
mod models;
mod prunes;
mod rebuilds;
mod returns;
mod seasons;
mod tampering;
mod void_all;
mod voids;
mod windows;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use rbs::api::{LogLine, SeasonChangeName, SeasonLine, UndoLine, UndoName};
use rbs::clock::Clock;
use rbs::config::Settings;
use rbs::domain::{PlayerId, PoolName, RoundAction, Share, Timestamp};
use rbs::rating::{Entry, GroupKind, GroupTotals, ModelName, PlayerState, RoundResult};
use rbs::service::{
    Author, ChangeNote, LogReader, OnRefusal, Pool, RoundCommand, RoundOutcome, Service,
    ServiceError,
};
use rbs::store::{PoolRecord, SeasonStanding};

use crate::support::{Database, Engine, settings};

/// Longer than any step takes.
const TIMEOUT: Duration = Duration::from_mins(1);

fn noon() -> Timestamp {
    "2026-11-20T12:00:00Z".parse().expect("a time")
}

fn later(by: Duration) -> Timestamp {
    let micros = i64::try_from(by.as_micros()).expect("a short time");
    Timestamp::from_unix_micros(noon().unix_micros() + micros).expect("a time")
}

/// An instance of the service over `database` with returns that raise K in every pool. It waits for no lease, because
/// its clock stands still.
async fn open(database: &Database, settings: &Settings, clock: &Clock) -> Service {
    let store = database.store().await;
    let mut pools = settings.pools.clone();
    for pool in pools.values_mut() {
        pool.parameters.return_boost_days = 2;
        pool.parameters.return_boost_rounds = 6;
    }
    Service::open(store, clock.clone(), &pools, &settings.servers)
        .await
        .expect("a service")
        .with_lease_wait(Duration::ZERO)
}

async fn open_plain(database: &Database) -> Service {
    let settings = settings(&database.url_text());
    open(database, &settings, &Clock::manual(noon())).await
}

async fn open_rated_by(database: &Database, model: ModelName) -> Service {
    let mut settings = settings(&database.url_text());
    for pool in settings.pools.values_mut() {
        pool.model = Some(model);
    }
    open(database, &settings, &Clock::manual(noon())).await
}

fn arena(service: &Service) -> std::sync::Arc<Pool> {
    let name: PoolName = "arena".parse().expect("a name");
    service.pool(Some(&name), None).expect("the pool")
}

async fn arena_record(service: &Service) -> PoolRecord {
    let pools = service.stored_pools().await.expect("pools");
    let arena = pools.into_iter().find(|pool| pool.name.as_str() == "arena");
    arena.expect("the pool")
}

fn command(round_id: &str, action: RoundAction) -> RoundCommand {
    RoundCommand {
        server: "arena-1".parse().expect("a name"),
        round_id: round_id.parse().expect("a name"),
        action,
        note: ChangeNote {
            reason: Some("a cheater".to_owned()),
            change_id: None,
        },
    }
}

async fn void_round(
    service: &Service,
    round_id: &str,
    action: RoundAction,
) -> Result<RoundOutcome, ServiceError> {
    let command = command(round_id, action);
    service
        .change_round(command, Author::CommandLine, TIMEOUT)
        .await
}

async fn must_void(service: &Service, round_id: &str, action: RoundAction) {
    let done = void_round(service, round_id, action).await;
    assert_eq!(done.expect("a void"), RoundOutcome::Done, "{round_id}");
}

/// Voids and restores each round by a rebuild with a memory limit in bytes, and compares the result with a replay each
/// time.
async fn void_and_restore(service: &Service, rounds: &[(usize, &str)]) {
    for (bytes, name) in rounds {
        let service = service.clone().with_rebuild_memory(*bytes);
        for action in [RoundAction::Void, RoundAction::Unvoid] {
            must_void(&service, name, action).await;
            assert_no_differences(&service).await;
        }
    }
}

async fn undo(service: &Service, name: &str) -> Result<bool, ServiceError> {
    let line = UndoLine {
        change: UndoName::Undo,
        change_id: format!("undo-{name}").parse().expect("a name"),
        undoes: name.parse().expect("a name"),
        reason: None,
        at: noon(),
    };
    service.apply_undo(line).await
}

/// Starts a season that keeps `kept` thousandths. The season and its change have the same name.
async fn start_season(service: &Service, name: &str, kept: u16) -> Result<bool, ServiceError> {
    let line = SeasonLine {
        change: SeasonChangeName::Season,
        change_id: name.parse().expect("a name"),
        pool: "arena".parse().expect("a name"),
        name: name.parse().expect("a name"),
        keep: Share::from_thousandths(kept).expect("a share"),
        calibration: 2.try_into().expect("rounds"),
        reason: None,
        at: noon(),
    };
    let pool = arena(service);
    service.apply_season(&pool, line, Author::CommandLine).await
}

async fn rebuild(service: &Service) {
    let arena = arena_record(service).await;
    let done = service
        .rebuild(&arena, Author::CommandLine, &mut |_| ())
        .await;
    let kept = arena.log_length - arena.pruned;
    assert_eq!(done.expect("a rebuild").computed, kept);
}

async fn assert_no_differences(service: &Service) {
    let arena = arena_record(service).await;
    let checked = service.check_pool(&arena, &mut |_| ()).await;
    let checked = checked.expect("a check");
    assert_eq!(checked.differences, 0, "{checked:#?}");
}

#[derive(Debug, PartialEq)]
struct Computed {
    sums: String,
    players: BTreeMap<PlayerId, PlayerState>,
    entries: Vec<Entry>,
    results: Vec<RoundResult>,
    groups: Vec<(GroupKind, Vec<(String, GroupTotals)>)>,
    standings: Vec<Vec<SeasonStanding>>,
}

impl Computed {
    async fn read(database: &Database) -> Self {
        let store = database.store().await;
        let mut tx = store.begin_read().await.expect("a unit of work");
        let pools = tx.pools().await.expect("pools");
        let arena = pools.iter().find(|pool| pool.name.as_str() == "arena");
        let arena = arena.expect("the pool");
        let players = tx.players_after(arena.id, None, 1000).await;
        let mut groups = Vec::new();
        for kind in GroupKind::ALL {
            let sums = tx.groups(arena.id, kind, 10_000).await;
            groups.push((kind, sums.expect("groups")));
        }
        let mut standings = Vec::new();
        for start in tx.season_starts(arena.id).await.expect("seasons") {
            let stored = tx.season_standings(arena.id, start.position).await;
            standings.push(stored.expect("standings"));
        }
        let read = Self {
            // Text preserves every bit of a float.
            sums: format!(
                "{:?} {:?} {:?} {} {:?}",
                arena.sums.predictions,
                arena.sums.calibration,
                arena.sums.experience,
                arena.model,
                arena.model_state
            ),
            players: players
                .expect("players")
                .into_iter()
                .map(|player| (player.id, player))
                .collect(),
            entries: tx
                .chunks_after(arena.id, None, 10_000)
                .await
                .expect("entries")
                .into_iter()
                .flat_map(|chunk| chunk.entries)
                .collect(),
            results: tx
                .results_after(arena.id, 0, 10_000)
                .await
                .expect("results"),
            groups,
            standings,
        };
        drop(tx);
        store.close().await;
        read
    }

    /// Removes log positions, and rounds that changed no rating.
    fn without_places(mut self) -> Self {
        for entry in &mut self.entries {
            entry.position = 0;
        }
        self.results
            .retain(|result| result.players.iter().any(|player| player.k != 0.0));
        for result in &mut self.results {
            result.position = 0;
        }
        self
    }
}

/// Replays the log of `arena` into a fresh database with updates, sets and resets only: without void rounds, with
/// corrected winners, and without undone changes.
async fn replayed_without_voids(service: &Service) -> Computed {
    let arena_here = arena_record(service).await;
    let mut lines = Vec::new();
    let mut reader = LogReader::default();
    while let Some(page) = service
        .read_log(&arena_here, &mut reader, 7)
        .await
        .expect("a page")
    {
        lines.extend(page);
    }
    let mut void = BTreeMap::new();
    let mut winners = BTreeMap::new();
    let mut undone = BTreeSet::new();
    for line in &lines {
        match line {
            LogLine::RoundChange(line) => match line.action {
                RoundAction::Void => drop(void.insert(line.round_id.clone(), true)),
                RoundAction::Unvoid => drop(void.insert(line.round_id.clone(), false)),
                RoundAction::Correct { winner } => {
                    winners.insert(line.round_id.clone(), winner);
                }
            },
            LogLine::Undo(line) => drop(undone.insert(line.undoes.clone())),
            LogLine::Round(_) | LogLine::Change(_) | LogLine::Season(_) => {}
        }
    }
    let database = Database::create(Engine::Sqlite).await;
    let fresh = open_rated_by(&database, arena_here.model).await;
    let pool = arena(&fresh);
    for line in lines {
        match line {
            LogLine::Round(round) if void.get(&round.parts().round_id) == Some(&true) => {}
            LogLine::Round(mut round) => {
                if let Some(winner) = winners.get(&round.parts().round_id) {
                    round = round.won_by(*winner);
                }
                let counted = fresh
                    .import()
                    .record(&pool, &[round.into()], OnRefusal::GoOn)
                    .await;
                counted
                    .expect("the database")
                    .remove(0)
                    .expect("a round that counts");
            }
            LogLine::Change(change) if undone.contains(&change.change_id) => {}
            LogLine::Change(change) => {
                let made = fresh.apply_change(&pool, change, Author::CommandLine).await;
                assert!(made.expect("a change"));
            }
            LogLine::Season(season) if undone.contains(&season.change_id) => {}
            LogLine::Season(season) => {
                let made = fresh.apply_season(&pool, season, Author::CommandLine).await;
                assert!(made.expect("a season"));
            }
            LogLine::RoundChange(_) | LogLine::Undo(_) => {}
        }
    }
    fresh.close().await;
    let computed = Computed::read(&database).await;
    database.remove().await;
    computed
}
