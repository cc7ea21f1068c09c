//! PostgreSQL: how to migrate, and the queries that SQLite would not understand. Whole batches
//! travel as arrays (`unnest`), one statement for all rows. What is looked up by such an array is
//! looked up row by row, in a `lateral` with a `limit`: a plain join may be planned as a scan of the
//! whole pool, which is what PostgreSQL does without statistics.

use sqlx::Connection as _;
use sqlx::migrate::{Migrate as _, Migrator};

use super::{
    NewEntry, PlayerRecord, PoolId, PoolRecord, RecordedRound, StoreError, check_versions, corrupt,
};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::rating::Totals;

type Connection = sqlx::PgConnection;
type Row = sqlx::postgres::PgRow;

#[path = "sql/changes.rs"]
pub(super) mod changes;
#[path = "sql/entries.rs"]
pub(super) mod entries;
#[path = "sql/players.rs"]
pub(super) mod players;
#[path = "sql/pools.rs"]
pub(super) mod pools;
#[path = "sql/rounds.rs"]
pub(super) mod rounds;
#[path = "sql/split_tables.rs"]
pub(super) mod split_tables;

/// Migrates on a connection of its own, without the limits: a migration, or the wait for another
/// instance's, may take long.
pub(super) async fn migrate(pool: &sqlx::PgPool, migrator: &Migrator) -> Result<(), StoreError> {
    let options = (*pool.connect_options()).clone().options([
        ("statement_timeout", "0"),
        ("idle_in_transaction_session_timeout", "0"),
    ]);
    let mut connection = Connection::connect_with(&options).await?;
    migrator
        .run_direct(None, &mut connection, false)
        .await
        .map_err(StoreError::Migration)?;
    let applied = connection
        .list_applied_migrations(&migrator.table_name)
        .await;
    check_versions(migrator, &applied.map_err(StoreError::Migration)?)?;
    Ok(connection.close().await?)
}

pub(super) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    let row = sqlx::query(concat!(
        "select ",
        columns!(pools),
        " from pools where id = $1 for update"
    ))
    .bind(pool.0)
    .fetch_optional(connection)
    .await?;
    pools::record(&row.ok_or_else(|| corrupt("pools", "id"))?)
}

fn column<'rows, T, V>(rows: &'rows [T], value: impl Fn(&'rows T) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}

fn key(player: PlayerId) -> i64 {
    player.steam_id64().cast_signed()
}

pub(super) async fn find_players(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<PlayerRecord>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(players),
        " from (select distinct * from unnest($2::bigint[])) as wanted (player_id)
         cross join lateral (
             select * from players where pool_id = $1 and player_id = wanted.player_id limit 1
         ) as players"
    ))
    .bind(pool.0)
    .bind(column(ids, |id| key(*id)))
    .fetch_all(connection)
    .await?;
    rows.iter().map(players::record).collect()
}

pub(super) async fn save_players(
    connection: &mut Connection,
    pool: PoolId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into players (pool_id, player_id, rating, rounds, entries, last_played,
                              rating_total, rating_squared_total, expected_total,
                              score_halves_total)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                                  $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                                  $10::bigint[])
         on conflict (pool_id, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total",
    )
    .bind(pool.0)
    .bind(column(saved, |player| key(player.id)))
    .bind(column(saved, |player| i64::from(player.rating.points())))
    .bind(column(saved, |player| i64::from(player.rounds)))
    .bind(column(saved, |player| player.entries.cast_signed()))
    .bind(column(saved, |player| {
        player.last_played.map(Timestamp::unix_micros)
    }))
    .bind(column(saved, |player| player.totals.rating))
    .bind(column(saved, |player| player.totals.rating_squared))
    .bind(column(saved, |player| player.totals.expected))
    .bind(column(saved, |player| player.totals.score_halves))
    .execute(connection)
    .await?;
    Ok(())
}

pub(super) async fn find_totals(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<(PlayerId, u64, Totals)>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(entries),
        " from unnest($2::bigint[], $3::bigint[]) as wanted (player_id, number)
         cross join lateral (
             select * from entries
             where pool_id = $1 and player_id = wanted.player_id and number = wanted.number limit 1
         ) as entries"
    ))
    .bind(pool.0)
    .bind(column(wanted, |(player, _)| key(*player)))
    .bind(column(wanted, |(_, number)| number.cast_signed()))
    .fetch_all(connection)
    .await?;
    rows.iter().map(entries::record).collect()
}

pub(super) async fn insert_entries(
    connection: &mut Connection,
    pool: PoolId,
    entries: &[NewEntry],
) -> Result<(), StoreError> {
    sqlx::query(
        "insert into entries (pool_id, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[],
                                  $6::bigint[], $7::bigint[], $8::bigint[])",
    )
    .bind(pool.0)
    .bind(column(entries, |entry| key(entry.player)))
    .bind(column(entries, |entry| entry.number.cast_signed()))
    .bind(column(entries, |entry| entry.position.cast_signed()))
    .bind(column(entries, |entry| entry.totals.rating))
    .bind(column(entries, |entry| entry.totals.rating_squared))
    .bind(column(entries, |entry| entry.totals.expected))
    .bind(column(entries, |entry| entry.totals.score_halves))
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
        " from unnest($1::text[], $2::text[]) as wanted (server, round_id)
         cross join lateral (
             select * from rounds
             where server = wanted.server and round_id = wanted.round_id limit 1
         ) as rounds"
    ))
    .bind(column(names, |(server, _)| server.as_str()))
    .bind(column(names, |(_, round_id)| round_id.as_str()))
    .fetch_all(connection)
    .await?;
    rows.iter().map(rounds::record).collect()
}

pub(super) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[RecordedRound],
) -> Result<(), StoreError> {
    let texts: Vec<(String, String)> = inserted
        .iter()
        .map(rounds::texts)
        .collect::<Result<_, _>>()?;
    sqlx::query(
        "insert into rounds (pool_id, position, number, server, round_id, ended_at, received_at,
                             report, results, win_probability_a, theta, draws, brier, log_loss,
                             right_halves)
         select $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::bigint[],
                                  $7::bigint[], $8::text[], $9::text[], $10::float8[],
                                  $11::float8[], $12::bigint[], $13::float8[], $14::float8[],
                                  $15::bigint[])",
    )
    .bind(pool.0)
    .bind(column(inserted, |round| round.position.cast_signed()))
    .bind(column(inserted, |round| {
        round.predictions.rounds.cast_signed()
    }))
    .bind(column(inserted, |round| {
        round.round.parts().server.as_str()
    }))
    .bind(column(inserted, |round| {
        round.round.parts().round_id.as_str()
    }))
    .bind(column(inserted, |round| round.ended_at.unix_micros()))
    .bind(column(inserted, |round| round.received_at.unix_micros()))
    .bind(column(&texts, |(report, _)| report.as_str()))
    .bind(column(&texts, |(_, results)| results.as_str()))
    .bind(column(inserted, |round| round.win_probability.get()))
    .bind(column(inserted, |round| round.theta))
    .bind(column(inserted, |round| {
        round.predictions.draws.cast_signed()
    }))
    .bind(column(inserted, |round| round.predictions.brier))
    .bind(column(inserted, |round| round.predictions.log_loss))
    .bind(column(inserted, |round| {
        round.predictions.right_halves.cast_signed()
    }))
    .execute(connection)
    .await?;
    Ok(())
}
