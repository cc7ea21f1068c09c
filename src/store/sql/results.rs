//! The results of rounds in a projection.

use super::{Connection, Fields, Row, pools, read_all};
use crate::rating::PredictionTotals;
use crate::store::{PoolId, RoundResult, StoreError};

pub(crate) async fn predictions_at(
    connection: &mut Connection,
    pool: PoolId,
    number: u64,
) -> Result<Option<PredictionTotals>, StoreError> {
    // A voided round behind it has the same number, and the same sums.
    let row = sqlx::query(select_active!(results, " and number = $2 limit 1"))
        .bind(pool.0)
        .bind(number.cast_signed())
        .fetch_optional(connection)
        .await?;
    row.map(|row| pools::predictions(Fields::of(&row, "results"), "number"))
        .transpose()
}

pub(crate) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<RoundResult>, StoreError> {
    let query = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        " from results where book = ",
        active_projection!(),
        " and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

/// The result of a row of the table, which may be joined to its round.
pub(crate) fn record(row: &Row) -> Result<RoundResult, StoreError> {
    let row = Fields::of(row, "results");
    Ok(RoundResult {
        position: row.number("position")?,
        players: row.json("players")?,
        win_probability: row.probability("win_probability_a")?,
        theta: row.get("theta")?,
        predictions: pools::predictions(row, "number")?,
    })
}
