//! Costs of scoreboard statistics on both databases: bytes and time per update, and the time to read the last games of
//! the players of a server.
//!
//! `-- --rounds 30000` reduces the number of earlier rounds; `-- --sqlite` or `-- --postgres` selects one database.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rbs::domain::{GameWindow, PlayerId, Report, RoundParts};
use rbs::service::{OnRefusal, Pool, Service};
use serde_json::{Value, json};
use support::history::{History, player};
use support::timing::milliseconds;
use support::{Database, Dice, ENGINES, Engine};

/// Rounds per transaction while the log is written.
const BATCH: u64 = 256;
/// Warm-up updates, and measured updates of each kind.
const WARM: u64 = 50;
const MEASURED: u64 = 400;
/// Number of reads measured.
const READS: u64 = 40;
const GAMES: u32 = 50;

const HISTORY: History = History {
    rounds: 300_000,
    players: 24,
    population: 32_000,
    end: 1_763_640_000,
};

/// Returns the round with that number. With `with_stats`, each player has four statistics.
fn round(number: u64, dice: &mut Dice, with_stats: bool) -> Report {
    let mut round = HISTORY.round(number, dice);
    if with_stats {
        for team in ["team_a", "team_b"] {
            let entries = round[team].as_array_mut().expect("a team");
            for entry in entries {
                let mut below = |sides: usize| dice.roll(sides);
                let stats = json!({
                    "score": below(60), "kills": below(25), "deaths": below(25), "assists": below(12),
                });
                *entry = json!({"id": entry, "stats": stats});
            }
        }
    }
    report(round)
}

fn report(round: Value) -> Report {
    let parts: RoundParts = serde_json::from_value(round).expect("a round");
    Report::try_from(parts).expect("a round that can be rated")
}

async fn write_log(service: &Service, pool: &Pool, rounds: u64, dice: &mut Dice) {
    let started = Instant::now();
    let mut import = service.import();
    let mut next = 0;
    while next < rounds {
        let end = rounds.min(next + BATCH);
        let batch: Vec<_> = (next..end)
            .map(|number| round(number, dice, true).into())
            .collect();
        let outcomes = import.record(pool, &batch, OnRefusal::GoOn).await;
        for outcome in outcomes.expect("an answer") {
            outcome.expect("a round that counts");
        }
        next = end;
    }
    let seconds = started.elapsed().as_secs_f64();
    println!("  {rounds} rounds written in {seconds:.0} s");
}

/// Measures updates with and without statistics, alternating.
async fn measure_updates(service: &Service, pool: &Arc<Pool>, first: u64, dice: &mut Dice) {
    let mut times = [Vec::new(), Vec::new()];
    for turn in 0..WARM + MEASURED {
        for (offset, (with_stats, times)) in (0..).zip([false, true].into_iter().zip(&mut times)) {
            let round = round(first + 2 * turn + offset, dice, with_stats);
            let started = Instant::now();
            let recorded = service.record_round(Arc::clone(pool), round).await;
            let took = started.elapsed();
            recorded.expect("a round that counts");
            if turn >= WARM {
                times.push(took);
            }
        }
    }
    for (name, times) in ["without", "with"].into_iter().zip(&mut times) {
        print_times(&format!("an update {name} stats"), times);
    }
}

/// Measures reading the last games of 24 players: the players of one round, and any of the most active.
async fn measure_reads(service: &Service, pool: &Pool, dice: &mut Dice) {
    for (name, together) in [("of one round", true), ("from anywhere", false)] {
        let mut times = Vec::new();
        let mut games = 0;
        for number in 0..READS {
            let players: Vec<PlayerId> = if together {
                let round = round(number, dice, false);
                round.entries().map(|(_, entry)| entry.id).collect()
            } else {
                (0..24)
                    .map(|rank| {
                        let id = player(rank * 40 + dice.roll(40) as u64);
                        PlayerId::from_steam_id64(id).expect("an account")
                    })
                    .collect()
            };
            let started = Instant::now();
            let found = service
                .past_games(pool, &players, GameWindow::last(GAMES))
                .await;
            times.push(started.elapsed());
            games += found.expect("games").values().map(Vec::len).sum::<usize>();
        }
        print_times(
            &format!("the last {GAMES} games of 24 players {name} ({games} in all)"),
            &mut times,
        );
    }
}

fn print_times(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let percentile = |percent: usize| milliseconds(times[times.len() * percent / 100]);
    println!(
        "  {name}: median {:.3} ms, quartiles {:.3} to {:.3}, 95th {:.3}",
        percentile(50),
        percentile(25),
        percentile(75),
        percentile(95)
    );
}

async fn measure(engine: Engine, rounds: u64) {
    println!("{}", engine.name());
    let database = Database::create(engine).await;
    let service = support::open(&database.settings("")).await;
    database.forbid_statistics().await;
    let pool = service.pool(None, None).expect("the default pool");
    let mut dice = Dice::new(1);
    write_log(&service, &pool, rounds, &mut dice).await;
    for (table, bytes) in database.sizes().await.into_iter().take(8) {
        #[expect(clippy::cast_precision_loss, reason = "figures for people")]
        let each = bytes as f64 / rounds as f64;
        println!("  {table}: {each:.0} bytes a round");
    }
    measure_reads(&service, &pool, &mut dice).await;
    measure_updates(&service, &pool, rounds, &mut dice).await;
    service.close().await;
    database.remove().await;
}

#[tokio::main]
async fn main() {
    let mut rounds = HISTORY.rounds;
    let mut engines = ENGINES.to_vec();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => {
                let value = arguments.next().expect("a number of rounds");
                rounds = value.parse().expect("a number of rounds");
            }
            "--sqlite" => engines = vec![Engine::Sqlite],
            "--postgres" => engines = vec![Engine::Postgres],
            "--bench" => {}
            other => panic!("{other} is no option; there are --rounds, --sqlite and --postgres"),
        }
    }
    for engine in engines {
        measure(engine, rounds).await;
    }
}
