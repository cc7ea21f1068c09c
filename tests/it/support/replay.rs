use std::time::Duration;

use rbs::api::LogLine;
use rbs::service::{Author, ImportedRound, LogReader, OnRefusal, Service, ServiceError};
use rbs::store::PoolRecord;

use super::{App, Database, Engine, Instance};

/// Timeout of a transaction of the comparison, longer than the service's own because a busy machine may stall.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Number of attempts of a read whose transaction times out.
const TRIES: u32 = 5;

/// Replays the log of every pool into a fresh SQLite database, and asserts that every stored figure is bit-identical.
pub(super) async fn assert_log_gives_every_figure(app: &App) {
    let database = Database::create(Engine::Sqlite).await;
    let settings = super::settings(&database.url_text());
    let fresh = Instance::start(&settings, app.clock.clone()).await;
    let stored = app.first.service.clone().with_timeout(TIMEOUT);
    let replayed = fresh.service.clone().with_timeout(TIMEOUT);
    for pool in stored.stored_pools().await.expect("pools") {
        let checked = stored.check_pool(&pool, &mut |_| ()).await;
        let checked = checked.expect("a log that can be replayed");
        assert_eq!(checked.differences, 0, "{}: {checked:?}", pool.name);
        if pool.pruned > 0 {
            // The rest of the log is in files; `ledger/prunes.rs` replays those.
            continue;
        }
        let lines = replay(&stored, &replayed, &pool).await;
        Box::pin(compare(&stored, &replayed, &pool, &lines)).await;
    }
    fresh.stop().await;
    database.remove().await;
}

async fn replay(from: &Service, to: &Service, pool: &PoolRecord) -> Vec<LogLine> {
    let target = to.pool(Some(&pool.name), None).expect("the same pools");
    let mut lines = Vec::new();
    let mut reader = LogReader::default();
    while let Some(page) = from.read_log(pool, &mut reader, 50).await.expect("the log") {
        lines.extend(page);
    }
    let mut rest = lines.as_slice();
    while let Some((line, after)) = rest.split_first() {
        rest = after;
        match line {
            LogLine::Round(round) => {
                let mut imported = ImportedRound::from(round.clone());
                while let Some((LogLine::RoundChange(line), after)) = rest.split_first() {
                    rest = after;
                    imported.changes.push(line.clone());
                }
                let outcome = to
                    .import()
                    .record(&target, &[imported], OnRefusal::GoOn)
                    .await;
                let recorded = outcome.expect("the database").remove(0).expect("a round");
                assert!(!recorded.duplicate, "{line:?} stands twice in the log");
            }
            LogLine::Change(change) => {
                let by = Author::CommandLine;
                let new = to.apply_change(&target, change.clone(), by).await;
                let new = new.expect("a change");
                assert!(new, "{line:?} stands twice in the log");
            }
            LogLine::Undo(line) => {
                let new = to.apply_undo(line.clone()).await.expect("an undo");
                assert!(new, "{line:?} stands twice in the log");
            }
            LogLine::Season(line) => {
                let by = Author::CommandLine;
                let new = to.apply_season(&target, line.clone(), by).await;
                assert!(new.expect("a season"), "{line:?} stands twice in the log");
            }
            LogLine::RoundChange(line) => panic!("{line:?} stands behind no round"),
        }
    }
    assert_eq!(
        pool.log_length,
        lines.len() as u64,
        "the log of {} has a gap",
        pool.name
    );
    lines
}

/// Retries a read that times out: its transaction must begin within one and a half seconds.
async fn read<T>(reading: impl AsyncFn() -> Result<T, ServiceError>) -> Result<T, ServiceError> {
    for _ in 0..TRIES {
        match reading().await {
            Err(ServiceError::Unavailable(_)) => {}
            read => return read,
        }
    }
    reading().await
}

async fn compare(stored: &Service, replayed: &Service, pool: &PoolRecord, lines: &[LogLine]) {
    let here = stored.pool(Some(&pool.name), None).expect("the pool");
    let there = replayed.pool(Some(&pool.name), None).expect("the pool");
    let mut players: Vec<_> = lines
        .iter()
        .flat_map(|line| match line {
            LogLine::Round(round) => round.entries().map(|(_, entry)| entry.id).collect(),
            LogLine::Change(change) => vec![change.id],
            LogLine::RoundChange(_) | LogLine::Undo(_) | LogLine::Season(_) => Vec::new(),
        })
        .collect();
    players.sort_unstable();
    players.dedup();
    for id in players {
        let live = read(async || stored.get_player_details(&here, id).await).await;
        let again = read(async || replayed.get_player_details(&there, id).await).await;
        let mut live = live.expect("a player");
        // Names are not in the log.
        live.player.name = None;
        live.alias = None;
        (live.forgotten, live.id_hidden) = (false, false);
        assert_eq!(
            live,
            again.expect("a player"),
            "{id} in {} is not what the log says",
            pool.name
        );
    }
    for line in lines {
        let LogLine::Round(round) = line else {
            continue;
        };
        let (server, round_id) = round.name();
        let round = async |service: &Service| {
            let (server, round_id) = (server.clone(), round_id.clone());
            service.get_round(server, round_id).await
        };
        let live = read(async || round(stored).await).await;
        let again = read(async || round(replayed).await).await;
        let mut again = again.expect("a round");
        let mut live = live.expect("a round");
        for player in &mut live.players {
            player.name = None;
        }
        for player in &mut live.unrated {
            player.name = None;
        }
        // A replay has neither arrival times nor secrets.
        again.round.received_at = live.round.received_at;
        again.round.secret = live.round.secret;
        assert_eq!(live, again, "in {}", pool.name);
    }
    let mut live = stored.quality_report(&here).await.expect("quality");
    let again = replayed.quality_report(&there).await.expect("quality");
    // A replay has neither tables of splits nor arrival times.
    live.one_sided = again.one_sided;
    live.community.turns = 0;
    live.community.waited_rounds = None;
    live.warnings
        .retain(|warning| !live.clocks.iter().any(|clock| clock.message == *warning));
    live.clocks.clear();
    assert_eq!(
        live, again,
        "the figures of {} are not what the log says",
        pool.name
    );
}
