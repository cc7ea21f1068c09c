//! Measures how many transactions per second plain SQLite reaches with the rows of RBS rounds, over one connection: an
//! upper bound for the service.
//!
//! ```sh
//! cargo run --release --example bare_sqlite -- --seconds 10
//! ```
//!
//! Uses the service's write-ahead log, synchronous=FULL, `begin immediate`, rows of a table as one JSON text, and
//! binary content cut from one byte string. Leaves out HTTP, rating arithmetic and retries.

#![expect(
    clippy::print_stdout,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    reason = "a tool that prints figures"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Parser;
use serde_json::json;
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions as _, Connection as _, Executor as _, SqliteConnection};

/// Tables of the service that a round touches.
const TABLES: [&str; 2] = [
    include_str!("../migrations/0001_tables.sql"),
    include_str!("../migrations/0001_tables.sqlite.sql"),
];
/// First SteamID64 of individual accounts.
const FIRST_ACCOUNT: u64 = 76_561_197_960_265_729;
/// Number of players, and number of players in a round.
const POPULATION: u64 = 1_000;
const PLAYERS: u64 = 24;
/// Number of entries per row.
const CHUNK: i64 = 16;
/// End of every round, in unix microseconds.
const ENDED_AT: i64 = 1_763_640_000_123_456;
/// Approximate sizes in bytes, as in the service: a result, a row of entries without content, and one more entry in the
/// row.
const RESULT_BYTES: i64 = 390;
const CHUNK_BYTES: i64 = 28;
const ENTRY_BYTES: i64 = 12;
/// Bytes that any content is cut from.
const CONTENT: &[u8] = &[0x5a; 512];

/// A player: id, number of entries, and sum of the squares of the ratings.
type Player = (i64, i64, i64);

/// Writes the rows of rounds in a loop and measures it.
#[derive(Debug, Parser)]
struct Options {
    /// Duration of the measurement in seconds
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..=3_600))]
    seconds: u64,
    /// Folder for the database file, which is deleted afterwards [default: the temporary folder]
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
        .pragma("cache_size", "-16384")
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

/// Creates the tables, a pool and its players.
async fn prepare(connection: &mut SqliteConnection) -> sqlx::Result<()> {
    for tables in TABLES {
        connection.execute(tables).await?;
    }
    connection
        .execute(
            "insert into pools (id, name, generation, cleared, log_length, rounds, draws, brier,
                                log_loss, right_halves, score_halves, favourites,
                                favourite_predicted, favourite_score_halves, favourite_brier,
                                calibration, experience)
             values (1, 'default', 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', '[]');
             insert into settings (id, content) values (1, '{}')",
        )
        .await?;
    let ids: Vec<u64> = (FIRST_ACCOUNT..FIRST_ACCOUNT + POPULATION).collect();
    sqlx::query(
        "insert into players (pool_id, generation, player_id, rating, rounds, entries, last_played, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select 1, 0, value, 1000, 0, 0, null, 0, 0, 0, 0 from json_each($1)",
    )
    .bind(json!(ids).to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Runs one transaction: reads 24 players and their last entries, and writes a round, its result, the full rows of
/// entries and the players.
async fn write_round(connection: &mut SqliteConnection, position: u64) -> sqlx::Result<()> {
    // An odd multiplier, so that the round has 24 distinct players of the thousand.
    let mixed = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
    let (base, step) = (mixed % POPULATION, 10 * (mixed / POPULATION % 100) + 1);
    let ids: Vec<u64> = (0..PLAYERS)
        .map(|number| FIRST_ACCOUNT + (base + step * number) % POPULATION)
        .collect();

    let mut tx = connection.begin_with("begin immediate").await?;
    let players = read_players(&mut tx, &ids).await?;
    write(&mut tx, &ids, &players, position).await?;
    tx.commit().await
}

/// Reads the players, and checks that their last entries were read too.
async fn read_players(tx: &mut SqliteConnection, ids: &[u64]) -> sqlx::Result<Vec<Player>> {
    let players: Vec<(i64, i64, i64, Option<Vec<u8>>)> = sqlx::query_as(
        "select players.player_id, players.entries, players.rating_squared_total, players.last_entries
         from json_each($1) as wanted
         cross join players on players.pool_id = 1 and players.generation = 0
              and players.player_id = wanted.value",
    )
    .bind(json!(ids).to_string())
    .fetch_all(&mut *tx)
    .await?;
    let players = players.into_iter();
    Ok(players
        .map(|(id, entries, squares, _)| (id, entries, squares))
        .collect())
}

/// Writes the round, its result, the rows of entries that are now full, and the players, in one statement.
async fn write(
    tx: &mut SqliteConnection,
    ids: &[u64],
    players: &[Player],
    position: u64,
) -> sqlx::Result<()> {
    let full = players
        .iter()
        .filter(|(_, entries, _)| (entries + 1) % CHUNK == 0);
    let full: Vec<_> = full
        .map(|(id, entries, _)| json!([id, entries / CHUNK, position, bytes(CHUNK)]))
        .collect();
    let changed: Vec<_> = players
        .iter()
        .map(|(id, entries, squares)| {
            let (rating, played) = (1000 + position % 500, entries + 1);
            let expected = played * 2_199_023_255_552;
            let totals = (1000 * played, squares + 1_000_000, expected, played);
            let last = bytes(played % CHUNK);
            json!([
                id, rating, played, played, ENDED_AT, totals.0, totals.1, totals.2, totals.3, last
            ])
        })
        .collect();
    sqlx::query(
        "insert into rounds (pool_id, position, server, round_id, ended_at, received_at, report,
                             settings_id, voided_at)
         values (1, $1, 'load-1', $3, 1763640000123456, 1763640000654321, $4, 1, null);
         insert into results (pool_id, generation, position, number, content)
         select 1, 1, row ->> 0, row ->> 1, substr($2, 1, row ->> 2)
         from (select value as row from json_each($5) limit -1);
         insert into entries (pool_id, player_id, chunk, generation, first_position, ended_from,
                              ended_to, content)
         select 1, row ->> 0, row ->> 1, 1, row ->> 2, $6, $6, substr($2, 1, row ->> 3)
         from (select value as row from json_each($7) limit -1);
         insert into players (pool_id, generation, player_id, rating, rounds, entries, last_played, rating_total,
                              rating_squared_total, expected_total, score_halves_total,
                              last_entries)
         select 1, 0, row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6,
                row ->> 7, row ->> 8, substr($2, 1, row ->> 9)
         from (select value as row from json_each($8) limit -1) where true
         on conflict (pool_id, generation, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total,
             last_entries = excluded.last_entries",
    )
    .bind(position as i64)
    .bind(CONTENT)
    .bind(format!("f00dfeed:17:{position}"))
    .bind(report(ids, position))
    .bind(json!([[position, position, RESULT_BYTES]]).to_string())
    .bind(ENDED_AT)
    .bind(json!(full).to_string())
    .bind(json!(changed).to_string())
    .execute(tx)
    .await?;
    Ok(())
}

/// Number of bytes of that many entries.
fn bytes(entries: i64) -> i64 {
    CHUNK_BYTES + ENTRY_BYTES * entries
}

/// Report of a round, as the service stores it.
fn report(ids: &[u64], position: u64) -> String {
    let ids: Vec<String> = ids.iter().map(u64::to_string).collect();
    let (a, b) = ids.split_at(ids.len() / 2);
    let report = json!({
        "round_id": format!("f00dfeed:17:{position}"), "server": "load-1", "map": "arena_well",
        "ended_at": "2026-11-20T12:00:00.123456Z", "pool": "default", "winner": "a",
        "team_a": a, "team_b": b,
    });
    report.to_string()
}
