//! The results of rounds.

use super::{Connection, Fields, Row, read_all};
use crate::rating::{PredictionTotals, RoundResult};
use crate::store::{PoolId, StoreError, content};

pub(crate) async fn predictions_before(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
) -> Result<PredictionTotals, StoreError> {
    let row = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        " from results where pool_id = $1 and position < $2 and",
        is_current!(results, active_generation!()),
        " order by position desc limit 1"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .fetch_optional(connection)
    .await?;
    let result = row.as_ref().map(record).transpose()?;
    Ok(result.map(|result| result.predictions).unwrap_or_default())
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
        " from results where pool_id = $1 and position > $2 and",
        is_current!(results, active_generation!()),
        " order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit));
    read_all(connection, query, record).await
}

/// The result of a row of the table, which may be joined to its round.
pub(crate) fn record(row: &Row) -> Result<RoundResult, StoreError> {
    let row = Fields::of(row, "results");
    let number = row.number("number")?;
    content::to_result(row.number("position")?, number, row.get("content")?)
}
