//! Time to record one 12 v 12 round of players with 10, 1,000 and 100,000 earlier rounds each, on both databases. The
//! three medians must be within a factor of 1.3.
//!
//! Criterion is unsuitable, because it finishes one benchmark before the next: a minute of interference would slow down
//! one of the three only. Here the three alternate, one round at a time, and their medians are compared.
//!
//! A service caches recent players: all players with the longest histories, and none with short ones. Each round
//! therefore goes to a newly started service, which reads its players.
//!
//! PostgreSQL has no table statistics throughout. In this state its planner once chose to read every entry of a pool
//! for each round.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use rbs::service::{OnRefusal, Pool, Service};
use support::{Database, Dice, ENGINES, Engine};

const PLAYERS: u64 = 24;
/// Rounds per transaction while a history is written.
const BATCH: usize = 256;
/// Numbers of warm-up and measured rounds.
const WARM: usize = 50;
const MEASURED: usize = 500;
/// Maximum ratio of the medians.
const LIMIT: f64 = 1.3;

/// A pool whose players all have `rounds` earlier rounds, with `tables` times 24 players.
///
/// Shorter histories have more players, so that the measured rounds hardly lengthen them: no player with a short
/// history plays twice. The longest histories belong to the same 24 players throughout.
struct History {
    pool: &'static str,
    rounds: usize,
    tables: u64,
}

const HISTORIES: [History; 3] = [
    History {
        pool: "short",
        rounds: 10,
        tables: 1_000,
    },
    History {
        pool: "middle",
        rounds: 1_000,
        tables: 20,
    },
    History {
        pool: "long",
        rounds: 100_000,
        tables: 1,
    },
];

/// Progress of a pool: every player plays once before any player plays again, with different teammates each time.
struct Table {
    history: &'static History,
    players: Vec<u64>,
    /// Index in `players` at which the next round begins.
    next: usize,
    rounds: usize,
    dice: Dice,
}

impl Table {
    fn new(index: u64, history: &'static History) -> Self {
        let players = support::players(index * 1_000_000, history.tables * PLAYERS);
        Self {
            next: players.len(),
            players,
            rounds: 0,
            dice: Dice::new(index),
            history,
        }
    }

    fn next_round(&mut self) -> rbs::domain::Report {
        if self.next == self.players.len() {
            let everybody = self.players.len();
            self.dice.shuffle(&mut self.players, everybody);
            self.next = 0;
        }
        let end = self.next + usize::try_from(PLAYERS).expect("a small number");
        let chosen = self.players.get(self.next..end).expect("whole rounds");
        self.next = end;
        self.rounds += 1;
        let round_id = self.rounds.to_string();
        support::round(self.history.pool, &round_id, chosen, &mut self.dice)
    }

    /// Number of rounds of all histories in the pool.
    fn total(&self) -> usize {
        self.history.rounds * self.players.len() / usize::try_from(PLAYERS).expect("small")
    }
}

fn pool_of(service: &Service, table: &Table) -> Arc<Pool> {
    let name = table.history.pool.parse().expect("a name");
    service.pool(Some(&name), None).expect("a pool")
}

async fn record_batch(service: &Service, table: &mut Table) {
    let pool = pool_of(service, table);
    let left = table.total() - table.rounds;
    let rounds: Vec<_> = (0..left.min(BATCH))
        .map(|_| table.next_round().into())
        .collect();
    let outcomes = service
        .import()
        .record(&pool, &rounds, OnRefusal::GoOn)
        .await;
    for outcome in outcomes.expect("an answer") {
        outcome.expect("a round that counts");
    }
}

/// Writes every history through the public interface, alternating between the pools so that all progress at the same
/// rate.
async fn write_histories(service: &Service, tables: &mut [Table]) {
    let started = Instant::now();
    let total: usize = tables.iter().map(Table::total).sum();
    let mut reported = started;
    loop {
        let unfinished = tables
            .iter_mut()
            .filter(|table| table.rounds < table.total());
        let Some(last) = unfinished.min_by(|one, other| share(one).total_cmp(&share(other))) else {
            break;
        };
        record_batch(service, last).await;
        if reported.elapsed() > Duration::from_secs(10) {
            reported = Instant::now();
            let done: usize = tables.iter().map(|table| table.rounds).sum();
            let seconds = started.elapsed().as_secs_f64();
            eprintln!("  {done} of {total} rounds written in {seconds:.0} s");
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "  histories: {total} rounds in {seconds:.0} s, {:.0} rounds/s",
        float(total) / seconds
    );
}

/// Fraction of a history that is written.
fn share(table: &Table) -> f64 {
    float(table.rounds) / float(table.total())
}

#[expect(clippy::cast_precision_loss, reason = "figures for people")]
fn float(number: usize) -> f64 {
    number as f64
}

/// Measures one database. Returns `true` if the requirement holds.
async fn measure(engine: Engine) -> bool {
    println!("{}", engine.name());
    let database = Database::create(engine).await;
    let pools = HISTORIES.map(|history| format!("[pools.{}]\n", history.pool));
    let settings = database.settings(&pools.concat());
    let store = support::connect(&settings).await;
    let service = support::begin(store.clone(), &settings).await;
    database.forbid_statistics().await;
    let mut tables: Vec<Table> = (1..)
        .zip(&HISTORIES)
        .map(|(index, history)| Table::new(index, history))
        .collect();
    write_histories(&service, &mut tables).await;

    let mut times = vec![Vec::with_capacity(MEASURED); tables.len()];
    for turn in 0..WARM + MEASURED {
        let service = support::begin(store.clone(), &settings).await;
        for (table, times) in tables.iter_mut().zip(&mut times) {
            let pool = pool_of(&service, table);
            let round = table.next_round();
            let started = Instant::now();
            let recorded = service.record_round(pool, round).await;
            let took = started.elapsed();
            assert!(!recorded.expect("a round that counts").duplicate);
            if turn >= WARM {
                times.push(took);
            }
        }
    }
    service.close().await;
    database.remove().await;

    let medians: Vec<f64> = tables
        .iter()
        .zip(&mut times)
        .map(|(table, times)| print_times(table, times))
        .collect();
    let slowest = medians.iter().copied().fold(0.0, f64::max);
    let fastest = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let ratio = slowest / fastest;
    let holds = ratio <= LIMIT;
    println!(
        "  slowest/fastest median: {ratio:.2}, {} the limit of {LIMIT}",
        if holds { "within" } else { "OVER" }
    );
    holds
}

/// Prints the times of one pool and returns the median in milliseconds.
fn print_times(table: &Table, times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    let percentile = |percent: usize| {
        let time = times.get(times.len() * percent / 100).expect("a time");
        time.as_secs_f64() * 1_000.0
    };
    let median = percentile(50);
    println!(
        "  {:>7} earlier rounds: median {median:.3} ms, quartiles {:.3} to {:.3}, 99th {:.3}",
        table.history.rounds,
        percentile(25),
        percentile(75),
        percentile(99),
    );
    median
}

#[tokio::main]
async fn main() {
    support::postgres_server().unwrap_or_else(|advice| panic!("{advice}"));
    let mut holds = true;
    for engine in ENGINES {
        holds &= Box::pin(measure(engine)).await;
    }
    assert!(
        holds,
        "an update must cost the same, however long the histories"
    );
}
