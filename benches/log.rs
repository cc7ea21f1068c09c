//! Costs of a long log on both databases: bytes per round, and the times of an import, a check, a rebuild, voids with
//! concurrent updates, and the lists that admins read.
//!
//! Measures the release binary: `rbs` runs once per command, and serves while rounds are voided.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a benchmark that cannot run stops with a message"
)]

mod support;

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rbs::clock::Clock;
use support::history::{History, name};
use support::program::{Latencies, Updates};
use support::timing::milliseconds;
use support::{Database, ENGINES, Engine};

const POPULATION: u32 = 32_000;
/// Additional rounds of 6 players to import.
const SMALL_ROUNDS: u64 = 50_000;
/// Distance from the end of the log within which a round counts as recent.
const LAST: u64 = 10_000;
/// More round numbers than are posted during one void.
const NUMBERS: u64 = 20_000;
/// Minimum number of updates measured beside voids, so that the 99th percentile is not just the slowest. A void that
/// ends sooner is followed by alternating restores and voids of the same round.
const ENOUGH: usize = 200;
/// Time during which updates are measured without a void.
const IDLE: Duration = Duration::from_secs(15);
/// Idle time before the lists are read. Longer than the lifetime of the lists cached at startup, so that the lists are
/// computed as for a later visitor.
const SETTLING: Duration = Duration::from_mins(1);
/// Time allowed for deleting the rows that a void replaced.
const CLEANUP: Duration = Duration::from_secs(10);

struct Options {
    rounds: u64,
    engines: Vec<Engine>,
    /// File to write the rounds to; the benchmark then does nothing else.
    file: Option<PathBuf>,
    players: usize,
}

impl Options {
    fn parse() -> Self {
        let mut options = Self {
            rounds: 300_000,
            engines: ENGINES.to_vec(),
            file: None,
            players: 24,
        };
        let mut arguments = std::env::args().skip(1);
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().expect("a value behind the option");
            match argument.as_str() {
                "--rounds" => options.rounds = value().parse().expect("a number of rounds"),
                "--players" => options.players = value().parse().expect("a number of players"),
                "--sqlite" => options.engines = vec![Engine::Sqlite],
                "--postgres" => options.engines = vec![Engine::Postgres],
                "--write" => options.file = Some(value().into()),
                // Cargo passes this flag.
                "--bench" => {}
                other => panic!(
                    "{other} is none of --rounds, --players, --sqlite, --postgres and --write"
                ),
            }
        }
        options
    }

    /// Rounds up to an hour ago: lists take longer if players were active recently.
    fn history(&self) -> History {
        let hour_ago = Clock::System.now().unix_micros().unsigned_abs() / 1_000_000 - 3_600;
        History {
            rounds: self.rounds,
            players: self.players,
            population: POPULATION,
            end: hour_ago,
        }
    }
}

fn main() {
    let options = Options::parse();
    let history = options.history();
    if let Some(file) = &options.file {
        write(history, file);
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("rounds.jsonl");
    write(history, &file);
    let small = folder.path().join("small.jsonl");
    let of_six = History {
        rounds: SMALL_ROUNDS.min(options.rounds),
        players: 6,
        ..history
    };
    write(of_six, &small);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    for engine in &options.engines {
        println!(
            "\n{}, {} rounds of {}",
            engine.name(),
            history.rounds,
            history.players
        );
        runtime.block_on(measure(*engine, history, &file));
        let database = runtime.block_on(Database::create(*engine));
        let took = database.program().time(&["import", text(&small)]);
        print_rate("import of rounds of 6", of_six, took);
        runtime.block_on(database.remove());
    }
}

async fn measure(engine: Engine, history: History, file: &Path) {
    let database = Database::create(engine).await;
    let program = database.program();
    let took = program.time(&["import", text(file)]);
    print_rate("import", history, took);
    print_sizes(&database, history).await;
    print_rate("check", history, program.time(&["check"]));
    let took = program.time(&["rebuild", "--dry-run"]);
    print_rate("rebuild in memory", history, took);
    print_rate("rebuild", history, program.time(&["rebuild"]));

    let service = program.serve().await;
    tokio::time::sleep(SETTLING).await;
    println!("lists, each for the first time, a minute after the start:");
    let lists = service.time_lists().await;
    for (path, took) in lists {
        println!("  {:>7.1} ms  {path}", milliseconds(took));
    }
    let voids = [
        ("the last round", history.rounds - 1),
        ("one of the last", history.rounds.saturating_sub(LAST)),
        ("the first round", 0),
    ];
    // The newest round stays the newest only until others are posted.
    for (what, number) in voids {
        let took = service.change(&name(number), "void").await;
        println!("void of {what}, alone: {:.2} s", took.as_secs_f64());
        tokio::time::sleep(CLEANUP).await;
    }
    let mut first = history.rounds;
    let idle = Updates::post(history, first, &service);
    tokio::time::sleep(IDLE).await;
    println!("updates: {}", idle.stop().await);
    for (what, number) in voids {
        let mut meanwhile = Latencies::default();
        let (mut slowest, mut most_memory) = (Duration::ZERO, 0);
        for change in ["unvoid", "void"].into_iter().cycle() {
            let before = service.memory();
            service.forget_peak();
            first += NUMBERS;
            let updates = Updates::post(history, first, &service);
            let took = service.change(&name(number), change).await;
            meanwhile.add(updates.stop().await);
            slowest = slowest.max(took);
            most_memory = most_memory.max(service.peak_memory().saturating_sub(before));
            tokio::time::sleep(CLEANUP).await;
            if meanwhile.count() >= ENOUGH {
                break;
            }
        }
        println!(
            "{what} back, or void again, beside updates: at most {:.2} s, {most_memory} MiB more; updates: {meanwhile}",
            slowest.as_secs_f64(),
        );
    }
    drop(service);
    database.remove().await;
}

/// Prints the bytes per round of each table and index.
async fn print_sizes(database: &Database, history: History) {
    println!("bytes a round:");
    for (what, bytes) in database.sizes().await {
        if bytes >= history.rounds {
            println!("  {:>7}  {what}", bytes / history.rounds);
        }
    }
}

fn print_rate(what: &str, history: History, took: Duration) {
    #[expect(clippy::cast_precision_loss, reason = "the counts are small")]
    let results = (history.rounds * history.players as u64) as f64;
    let seconds = took.as_secs_f64();
    println!(
        "{what}: {seconds:.1} s, {:.0} results a second",
        results / seconds
    );
}

fn write(history: History, path: &Path) {
    let file = File::create(path).expect("a file for the rounds");
    let mut file = BufWriter::new(file);
    history.write(&mut file).expect("room for the rounds");
    file.flush().expect("room for the rounds");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}
