//! Players, one row or a count at a time.

use super::{Connection, Row};
use crate::domain::{PlayerId, Rating, Timestamp};
use crate::rating::{RatingCount, Totals};
use crate::store::{PlayerCounts, PlayerRecord, PoolId, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn count(
    connection: &mut Connection,
    pool: PoolId,
    shadow_rounds: u32,
    stale_before: Timestamp,
) -> Result<PlayerCounts, StoreError> {
    let row = sqlx::query(concat!(
        "select count(*) as total,
                count(*) filter (where rounds < $2) as hidden,
                count(*) filter (where last_played < $3) as stale
         from players where book = ",
        active_projection!()
    ))
    .bind(pool.0)
    .bind(i64::from(shadow_rounds))
    .bind(stale_before.unix_micros())
    .fetch_one(connection)
    .await?;
    let count = |column| {
        u64::try_from(row.try_get::<i64, _>(column)?).map_err(|_| corrupt("players", "count"))
    };
    Ok(PlayerCounts {
        total: count("total")?,
        hidden: count("hidden")?,
        stale: count("stale")?,
    })
}

pub(in crate::store) async fn rating_counts(
    connection: &mut Connection,
    pool: PoolId,
    shadow_rounds: u32,
) -> Result<Vec<RatingCount>, StoreError> {
    let rows = sqlx::query(concat!(
        "select rating, count(*) as players, count(*) filter (where rounds < $2) as hidden
         from players where book = ",
        active_projection!(),
        " group by rating order by rating"
    ))
    .bind(pool.0)
    .bind(i64::from(shadow_rounds))
    .fetch_all(connection)
    .await?;
    rows.iter()
        .map(|row| {
            let count = |column| {
                u64::try_from(row.try_get::<i64, _>(column)?)
                    .map_err(|_| corrupt("players", "count"))
            };
            Ok(RatingCount {
                rating: rating(row, "rating")?,
                players: count("players")?,
                hidden: count("hidden")?,
            })
        })
        .collect()
}

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    last: Option<PlayerId>,
    limit: u32,
) -> Result<Vec<PlayerRecord>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(players),
        " from players where book = ",
        active_projection!(),
        " and player_id > $2 order by player_id limit $3"
    ))
    .bind(pool.0)
    .bind(last.map_or(0, PlayerId::steam_id64).cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

/// The player of a row of the table.
pub(in crate::store) fn record(row: &Row) -> Result<PlayerRecord, StoreError> {
    let rounds = row.try_get::<i64, _>("rounds")?;
    let entries = row.try_get::<i64, _>("entries")?;
    let last_played = row.try_get::<Option<i64>, _>("last_played")?;
    Ok(PlayerRecord {
        id: player_id(row, "players")?,
        rating: rating(row, "rating")?,
        rounds: u32::try_from(rounds).map_err(|_| corrupt("players", "rounds"))?,
        entries: u64::try_from(entries).map_err(|_| corrupt("players", "entries"))?,
        last_played: last_played
            .map(Timestamp::from_unix_micros)
            .transpose()
            .map_err(|_| corrupt("players", "last_played"))?,
        totals: totals(row)?,
    })
}

/// The id in the column `player_id` of a row of `table`.
pub(in crate::store) fn player_id(row: &Row, table: &'static str) -> Result<PlayerId, StoreError> {
    PlayerId::from_steam_id64(row.try_get::<i64, _>("player_id")?.cast_unsigned())
        .map_err(|_| corrupt(table, "player_id"))
}

/// The totals in the columns that `players` and `entries` share.
pub(in crate::store) fn totals(row: &Row) -> Result<Totals, StoreError> {
    Ok(Totals {
        rating: row.try_get("rating_total")?,
        rating_squared: row.try_get("rating_squared_total")?,
        expected: row.try_get("expected_total")?,
        score_halves: row.try_get("score_halves_total")?,
    })
}

fn rating(row: &Row, column: &'static str) -> Result<Rating, StoreError> {
    i32::try_from(row.try_get::<i64, _>(column)?)
        .ok()
        .and_then(Rating::new)
        .ok_or_else(|| corrupt("players", column))
}
