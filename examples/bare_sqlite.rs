//! Writes the rows of RBS rounds into SQLite, bare, in a loop over one connection, and says how
//! many transactions a second that gives: what the service can be held against.
//!
//! ```sh
//! cargo run --release --example bare_sqlite -- --seconds 10
//! ```
//!
//! As the service does it: write-ahead log, synchronous=FULL, `begin immediate`, whole numbers of
//! many rows as one JSON text. Without what the service adds: HTTP, arithmetic, retries.

#![expect(
    clippy::print_stdout,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "a tool that prints figures"
)]

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};

/// The tables of the service.
const TABLES: &str = include_str!("../migrations/0001_ratings.sql");
/// SteamID64s of individual accounts count up from here.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;
/// How many players there are, and how many play a round.
const POPULATION: u64 = 1_000;
const PLAYERS: u64 = 24;

/// Writes the rows of rounds in a loop and measures it.
#[derive(Debug, Parser)]
struct Options {
    /// For how long
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// The folder to make the file in; it is gone afterwards [default: the temporary folder]
    #[arg(long)]
    folder: Option<PathBuf>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let options = Options::parse();
    let folder = options.folder.unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(folder)?;
    let mut connection = SqliteConnectOptions::new()
        .filename(folder.path().join("bare.db"))
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .connect()
        .await?;
    prepare(&mut connection).await?;

    let started = Instant::now();
    let end = started + Duration::from_secs(options.seconds);
    let mut latencies = Vec::new();
    while Instant::now() < end {
        let begun = Instant::now();
        write_round(&mut connection, latencies.len() as u64 + 1).await?;
        latencies.push(begun.elapsed());
    }
    let took = started.elapsed().as_secs_f64();
    connection.close().await?;
    latencies.sort_unstable();
    let rounds = latencies.len();
    let percentile = |percent: usize| {
        let latency = latencies.get(rounds * percent / 100);
        latency.copied().unwrap_or_default().as_secs_f64() * 1_000.0
    };
    println!("Rounds:     {rounds} in {took:.1} s");
    println!("Rate:       {:.0} transactions/s", rounds as f64 / took);
    println!("Median:     {:.2} ms", percentile(50));
    println!("99th:       {:.2} ms", percentile(99));
    Ok(())
}

/// Makes the tables, a pool and its players.
async fn prepare(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    connection.execute(TABLES).await?;
    connection
        .execute(
            "insert into pools values (1, 'default', 1, 0, 0, 0, 0, 0, 0, '[]');
                  insert into settings values (1, '{}')",
        )
        .await?;
    let ids: Vec<u64> = (FIRST_ACCOUNT..FIRST_ACCOUNT + POPULATION).collect();
    sqlx::query(
        "insert into players
         select 1, value, 1000, 0, 0, null, 0, 0, 0, 0 from json_each($1)",
    )
    .bind(json!(ids).to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// One transaction: 24 players read, a round, 24 entries, 24 players written.
async fn write_round(connection: &mut SqliteConnection, position: u64) -> sqlx::Result<()> {
    // The step ends in 1, so that it meets 24 different players of the thousand.
    let mixed = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let (base, step) = (mixed % POPULATION, 10 * (mixed / POPULATION % 100) + 1);
    let ids: Vec<u64> = (0..PLAYERS)
        .map(|number| FIRST_ACCOUNT + (base + step * number) % POPULATION)
        .collect();
    let (report, results) = texts(&ids, position);

    let mut tx = connection.begin_with("begin immediate").await?;
    let found = sqlx::query(
        "select players.* from json_each($1) as wanted
         cross join players on players.book = 1 and players.player_id = wanted.value",
    )
    .bind(json!(ids).to_string())
    .fetch_all(&mut *tx)
    .await?;
    debug_assert_eq!(found.len(), ids.len());
    sqlx::query(
        "insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                             settings_id)
         values (1, $1, 'load-1', $2, 1763640000123456, 1763640000654321, $3, 1)",
    )
    .bind(position as i64)
    .bind(format!("f00dfeed:17:{position}"))
    .bind(report)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "insert into results (book, position, number, players, win_probability_a, theta, draws,
                              brier, log_loss, right_halves, score_halves, favourites,
                              favourite_predicted, favourite_score_halves, favourite_brier)
         values (1, $1, $1, $2, $3, 2400, 0, $3, $3, 2345, 2345, 1234, $3, 1456, $3)",
    )
    .bind(position as i64)
    .bind(results)
    .bind(0.512_345_678_9)
    .execute(&mut *tx)
    .await?;
    let rows: Vec<_> = ids
        .iter()
        .map(|id| {
            json!([
                id,
                position,
                position,
                100_000,
                100_000_000,
                219_902_325_555_200_i64,
                100
            ])
        })
        .collect();
    sqlx::query(
        "insert into entries (book, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select 1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6
         from json_each($1)",
    )
    .bind(json!(rows).to_string())
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "update players set rating = 1000 + $1 % 500, rounds = rounds + 1, entries = entries + 1,
                            last_played = 1763640000123456, rating_total = rating_total + 1000,
                            rating_squared_total = rating_squared_total + 1000000,
                            expected_total = expected_total + 2199023255552,
                            score_halves_total = score_halves_total + 1
         where book = 1 and player_id in (select value from json_each($2))",
    )
    .bind(position as i64)
    .bind(json!(ids).to_string())
    .execute(&mut *tx)
    .await?;
    tx.commit().await
}

/// Texts of the size that the service keeps of a round: the report and the results.
fn texts(ids: &[u64], position: u64) -> (String, String) {
    let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
    let (a, b) = ids.split_at(ids.len() / 2);
    let report = json!({
        "round_id": format!("f00dfeed:17:{position}"), "server": "load-1", "map": "arena_well",
        "ended_at": "2026-11-20T12:00:00.123456Z", "pool": "default", "winner": "a",
        "team_a": a, "team_b": b,
    });
    let mut results = String::new();
    for number in 0..ids.len() {
        let comma = if number == 0 { '[' } else { ',' };
        // Writing to a string cannot fail.
        let _ = write!(
            results,
            "{comma}[{},1010,31.4159265358979,{number},true]",
            1000 + number
        );
    }
    results.push(']');
    (report.to_string(), results)
}
