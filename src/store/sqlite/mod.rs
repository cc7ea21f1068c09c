//! SQLite: how to connect, and the queries that PostgreSQL would not understand. Whole batches of
//! whole numbers travel as one JSON text (`json_each`); what has fractions is bound row by row,
//! because SQLite's reading of decimal fractions may miss the last bit.

pub(super) mod figures;
pub(crate) mod file;

use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::migrate::{Migrate as _, Migrator};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{Connection as _, Row as _};

use super::{
    ACQUIRE_TIMEOUT, LoggedRound, NewEntry, PlayerRecord, PoolId, PoolRecord, ProjectionId,
    RecordedRound, RoundResult, StoreError, check_versions,
};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use file::File;

type Connection = sqlx::SqliteConnection;
type Row = sqlx::sqlite::SqliteRow;

#[path = "../sql/audit.rs"]
pub(super) mod audit;
#[path = "../sql/changes.rs"]
pub(super) mod changes;
#[path = "../sql/entries.rs"]
pub(super) mod entries;
#[path = "../sql/histories.rs"]
pub(super) mod histories;
#[path = "../sql/interventions.rs"]
pub(super) mod interventions;
#[path = "../sql/players.rs"]
pub(super) mod players;
#[path = "../sql/pools.rs"]
pub(super) mod pools;
#[path = "../sql/projections.rs"]
pub(super) mod projections;
#[path = "../sql/ranks.rs"]
pub(super) mod ranks;
#[path = "../sql/results.rs"]
pub(super) mod results;
#[path = "../sql/round_groups.rs"]
pub(super) mod round_groups;
#[path = "../sql/rounds.rs"]
pub(super) mod rounds;
#[path = "../sql/settings.rs"]
pub(super) mod settings;
#[path = "../sql/split_tables.rs"]
pub(super) mod split_tables;

/// Connections that only read; SQLite lets them read beside the one that writes.
const READERS: u32 = 4;

/// The connections to one file. One writes: SQLite has one writer at a time anyway, and waiting
/// for a connection is fair where waiting for its lock is not.
#[derive(Clone, Debug)]
pub(super) struct Pools {
    pub(super) writer: SqlitePool,
    pub(super) readers: SqlitePool,
    file: File,
}

impl Pools {
    /// Checks that the connections are to the file that stands under the name.
    ///
    /// # Errors
    /// Where it was moved, deleted or replaced: SQLite would go on with the file that nobody sees
    /// any more, and what it writes would be gone with the process.
    pub(super) fn check_file(&self) -> Result<(), StoreError> {
        self.file
            .check()
            .map_err(|error| StoreError::Unavailable(error.into()))
    }

    pub(super) async fn close(&self) {
        // The writer last: it folds the write-ahead log back into the file.
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// How long SQLite waits for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// How often a file is opened that another process holds locked. SQLite waits for locks by itself,
/// but not where two make the write-ahead log of a new file at the same moment.
const TRIES: u32 = 50;

pub(super) async fn connect(path: &Path) -> Result<Pools, StoreError> {
    let options = SqliteConnectOptions::new()
        .filename(path)
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        // An acknowledged round survives a power cut.
        .synchronous(SqliteSynchronous::Full)
        .foreign_keys(true)
        .busy_timeout(BUSY_TIMEOUT);
    let pool = |connections| {
        SqlitePoolOptions::new()
            .max_connections(connections)
            // A file is not a server that may have gone away.
            .test_before_acquire(false)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .idle_timeout(None)
            .max_lifetime(None)
            // Where a disk is full, SQLite ends the transaction by itself. The driver does not
            // learn of it and would begin no other on that connection, ever.
            .after_release(|connection, _| {
                Box::pin(async move {
                    connection.ping().await?;
                    Ok(!connection.is_in_transaction())
                })
            })
    };
    let mut tries = 0;
    let writer = loop {
        match pool(1).connect_with(options.clone()).await {
            Ok(writer) => break writer,
            Err(error) if tries < TRIES && is_locked(&error) => tries += 1,
            Err(error) => return Err(error.into()),
        }
        tokio::time::sleep(BUSY_TIMEOUT / TRIES).await;
    };
    let readers = pool(READERS)
        .connect_with(options.create_if_missing(false).read_only(true))
        .await?;
    let file = File::open(path).map_err(|error| StoreError::Unavailable(error.into()))?;
    Ok(Pools {
        writer,
        readers,
        file,
    })
}

/// Whether another process holds a lock on the file at this moment.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    code.is_some_and(|code| code == "5")
}

/// Migrates while holding the write lock, so that of several processes one does and the others
/// find it done.
pub(super) async fn migrate(pools: &Pools, migrator: &Migrator) -> Result<(), StoreError> {
    let mut transaction = pools.writer.begin_with("begin immediate").await?;
    migrator
        .run_direct(None, &mut *transaction, false)
        .await
        .map_err(StoreError::Migration)?;
    let applied = transaction
        .list_applied_migrations(&migrator.table_name)
        .await;
    check_versions(migrator, &applied.map_err(StoreError::Migration)?)?;
    Ok(transaction.commit().await?)
}

/// A unit of work that may write holds SQLite's only write lock already.
pub(super) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    pools::get(connection, pool).await
}

fn rows_text<T>(rows: &[T], row: impl Fn(&T) -> Value) -> String {
    Value::Array(rows.iter().map(row).collect()).to_string()
}

pub(super) async fn find_players(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<PlayerRecord>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(players),
        " from players where book = ",
        active_projection!(),
        " and player_id in (select value from json_each($2))"
    ))
    .bind(pool.0)
    .bind(rows_text(ids, |id| json!(id.steam_id64())))
    .fetch_all(connection)
    .await?;
    rows.iter().map(players::record).collect()
}

pub(super) async fn save_players(
    connection: &mut Connection,
    projection: ProjectionId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into players (book, player_id, rating, rounds, entries, last_played,
                              rating_total, rating_squared_total, expected_total,
                              score_halves_total)
         select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6, value ->> 7, value ->> 8
         from json_each($2) where true
         on conflict (book, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total",
    )
    .bind(projection.0)
    .bind(rows_text(saved, |player| {
        json!([
            player.id.steam_id64(),
            player.rating,
            player.rounds,
            player.entries,
            player.last_played.map(Timestamp::unix_micros),
            player.totals.rating,
            player.totals.rating_squared,
            player.totals.expected,
            player.totals.score_halves,
        ])
    }))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn find_entries(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<NewEntry>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(entries),
        " from json_each($2) as wanted
         cross join entries on entries.book = ",
        active_projection!(),
        " and entries.player_id = wanted.value ->> 0 and entries.number = wanted.value ->> 1"
    ))
    .bind(pool.0)
    .bind(rows_text(wanted, |(player, number)| {
        json!([player.steam_id64(), number])
    }))
    .fetch_all(connection)
    .await?;
    rows.iter().map(entries::record).collect()
}

pub(super) async fn insert_entries(
    connection: &mut Connection,
    projection: ProjectionId,
    entries: &[NewEntry],
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into entries (book, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6
         from json_each($2)",
    )
    .bind(projection.0)
    .bind(rows_text(entries, |entry| {
        json!([
            entry.player.steam_id64(),
            entry.number,
            entry.position,
            entry.totals.rating,
            entry.totals.rating_squared,
            entry.totals.expected,
            entry.totals.score_halves,
        ])
    }))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        ", ",
        columns!(results),
        " from json_each($1) as wanted
         cross join rounds on rounds.server = wanted.value ->> 0
                          and rounds.round_id = wanted.value ->> 1
         cross join pools on pools.id = rounds.pool_id
         cross join results on results.book = pools.book
                           and results.position = rounds.position"
    ))
    .bind(rows_text(names, |(server, round_id)| {
        json!([server, round_id])
    }))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rounds::recorded).collect()
}

pub(super) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    for round in inserted {
        sqlx::query(
            "insert into rounds (pool_id, position, server, round_id, ended_at, received_at,
                                 report, settings_id, voided_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(pool.0)
        .bind(round.position.cast_signed())
        .bind(round.round.parts().server.as_str())
        .bind(round.round.parts().round_id.as_str())
        .bind(round.ended_at.unix_micros())
        .bind(round.received_at.unix_micros())
        .bind(rounds::report_text(round)?)
        .bind(round.settings.0)
        .bind(round.voided_at.map(u64::cast_signed))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

pub(super) async fn insert_results(
    connection: &mut Connection,
    projection: ProjectionId,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    for result in inserted {
        sqlx::query(
            "insert into results (book, position, number, players, win_probability_a, theta, draws,
                                  brier, log_loss, right_halves, score_halves, favourites,
                                  favourite_predicted, favourite_score_halves, favourite_brier)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        )
        .bind(projection.0)
        .bind(result.position.cast_signed())
        .bind(result.predictions.rounds.cast_signed())
        .bind(results::players_text(result)?)
        .bind(result.win_probability.get())
        .bind(result.theta)
        .bind(result.predictions.draws.cast_signed())
        .bind(result.predictions.brier)
        .bind(result.predictions.log_loss)
        .bind(result.predictions.right_halves.cast_signed())
        .bind(result.predictions.score_halves.cast_signed())
        .bind(result.predictions.favourites.rounds.cast_signed())
        .bind(result.predictions.favourites.predicted)
        .bind(result.predictions.favourites.score_halves.cast_signed())
        .bind(result.predictions.favourites.brier)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// What the file itself says of its pages, its indexes and its references; nothing where all is well.
pub(super) async fn damage(connection: &mut Connection) -> Result<Vec<String>, StoreError> {
    let mut damage: Vec<String> = sqlx::query_scalar("pragma integrity_check")
        .fetch_all(&mut *connection)
        .await?;
    damage.retain(|line| line != "ok");
    let strays = sqlx::query("pragma foreign_key_check")
        .fetch_all(connection)
        .await?;
    for stray in strays {
        let (table, parent): (String, String) = (stray.try_get(0)?, stray.try_get(2)?);
        damage.push(format!(
            "a row of {table} names a row of {parent} that is not there"
        ));
    }
    Ok(damage)
}
