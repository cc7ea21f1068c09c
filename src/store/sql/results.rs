//! What a projection says of the rounds.

use super::{Connection, Row, pools};
use crate::domain::Probability;
use crate::rating::PredictionTotals;
use crate::store::{PlayerResult, PoolId, RoundResult, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn predictions_at(
    connection: &mut Connection,
    pool: PoolId,
    number: u64,
) -> Result<Option<PredictionTotals>, StoreError> {
    // A voided round behind it has the same number, and the same sums.
    let row = sqlx::query(concat!(
        "select ",
        columns!(results),
        " from results where book = ",
        active_projection!(),
        " and number = $2 limit 1"
    ))
    .bind(pool.0)
    .bind(number.cast_signed())
    .fetch_optional(connection)
    .await?;
    let row = row.as_ref();
    row.map(|row| pools::predictions(row, "results", "number"))
        .transpose()
}

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<RoundResult>, StoreError> {
    let rows = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        " from results where book = ",
        active_projection!(),
        " and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

/// The result of a row of the table, which may be joined to its round.
pub(in crate::store) fn record(row: &Row) -> Result<RoundResult, StoreError> {
    let position = row.try_get::<i64, _>("position")?;
    let players: Vec<PlayerResult> =
        serde_json::from_str(row.try_get("players")?).map_err(|_| corrupt("results", "players"))?;
    Ok(RoundResult {
        position: u64::try_from(position).map_err(|_| corrupt("results", "position"))?,
        players,
        win_probability: Probability::new(row.try_get("win_probability_a")?)
            .ok_or_else(|| corrupt("results", "win_probability_a"))?,
        theta: row.try_get("theta")?,
        predictions: pools::predictions(row, "results", "number")?,
    })
}

/// The participants' results as the JSON column holds them.
pub(in crate::store) fn players_text(result: &RoundResult) -> Result<String, StoreError> {
    serde_json::to_string(&result.players).map_err(|_| corrupt("results", "players"))
}
