//! What was when.

use super::{Connection, Row, pools};
use crate::domain::{ServerName, Timestamp};
use crate::rating::PredictionTotals;
use crate::store::{PoolId, RoundPlayed, RoundTimes, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn rounds_by_server(
    connection: &mut Connection,
    pool: PoolId,
    from: Timestamp,
    to: Timestamp,
) -> Result<Vec<(ServerName, u64)>, StoreError> {
    let rows = sqlx::query(
        "select server, count(*) as played
         from rounds
         where pool_id = $1 and ended_at >= $2 and ended_at < $3 and voided_at is null
         group by server",
    )
    .bind(pool.0)
    .bind(from.unix_micros())
    .bind(to.unix_micros())
    .fetch_all(connection)
    .await?;
    let played = |row: &Row| {
        let played = u64::try_from(row.try_get::<i64, _>("played")?);
        Ok((
            server(row)?,
            played.map_err(|_| corrupt("rounds", "ended_at"))?,
        ))
    };
    rows.iter().map(played).collect()
}

/// When a round ended, and the sums up to it, of a row of both tables.
pub(in crate::store) fn ended_and_sums(
    row: &Row,
) -> Result<(Timestamp, PredictionTotals), StoreError> {
    Ok((
        ended_at(row)?,
        pools::predictions(row, "results", "number")?,
    ))
}

/// The name of the round of a row of the table.
pub(in crate::store) fn round_played(row: &Row) -> Result<RoundPlayed, StoreError> {
    let position = row.try_get::<i64, _>("position")?;
    let round_id = row.try_get::<&str, _>("round_id")?.parse();
    Ok(RoundPlayed {
        position: u64::try_from(position).map_err(|_| corrupt("rounds", "position"))?,
        server: server(row)?,
        round_id: round_id.map_err(|_| corrupt("rounds", "round_id"))?,
        ended_at: ended_at(row)?,
    })
}

/// The place that was asked for, and when the round there or next behind it was, of such a row.
pub(in crate::store) fn round_times(row: &Row) -> Result<(u64, RoundTimes), StoreError> {
    let place = |column: &'static str| {
        u64::try_from(row.try_get::<i64, _>(column)?).map_err(|_| corrupt("rounds", "position"))
    };
    let received_at = Timestamp::from_unix_micros(row.try_get("received_at")?);
    Ok((
        place("wanted")?,
        RoundTimes {
            position: place("position")?,
            ended_at: ended_at(row)?,
            received_at: received_at.map_err(|_| corrupt("rounds", "received_at"))?,
        },
    ))
}

fn server(row: &Row) -> Result<ServerName, StoreError> {
    let server = row.try_get::<&str, _>("server")?.parse();
    server.map_err(|_| corrupt("rounds", "server"))
}

fn ended_at(row: &Row) -> Result<Timestamp, StoreError> {
    Timestamp::from_unix_micros(row.try_get("ended_at")?).map_err(|_| corrupt("rounds", "ended_at"))
}
