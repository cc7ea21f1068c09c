//! Rounds.

use super::{Connection, Row};
use crate::domain::{PlayerId, Probability, Round, RoundParts, Timestamp};
use crate::rating::PredictionTotals;
use crate::store::{PlayerResult, PoolId, RecordedRound, StoreError, corrupt};
use sqlx::Row as _;

pub(in crate::store) async fn predictions_at(
    connection: &mut Connection,
    pool: PoolId,
    number: u64,
) -> Result<Option<PredictionTotals>, StoreError> {
    let row = sqlx::query(
        "select number, draws, brier, log_loss, right_halves
         from rounds where pool_id = $1 and number = $2",
    )
    .bind(pool.0)
    .bind(number.cast_signed())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(predictions).transpose()
}

pub(in crate::store) async fn latest_of_player(
    connection: &mut Connection,
    pool: PoolId,
    player: PlayerId,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        " from entries
         join rounds on rounds.pool_id = entries.pool_id and rounds.position = entries.position
         where entries.pool_id = $1 and entries.player_id = $2
         order by entries.number desc limit $3"
    ))
    .bind(pool.0)
    .bind(player.steam_id64().cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

pub(in crate::store) async fn after(
    connection: &mut Connection,
    pool: PoolId,
    position: u64,
    limit: u32,
) -> Result<Vec<RecordedRound>, StoreError> {
    let rows = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        " from rounds
         where pool_id = $1 and position > $2 order by position limit $3"
    ))
    .bind(pool.0)
    .bind(position.cast_signed())
    .bind(i64::from(limit))
    .fetch_all(connection)
    .await?;
    rows.iter().map(record).collect()
}

/// The round of a row of the table.
pub(in crate::store) fn record(row: &Row) -> Result<RecordedRound, StoreError> {
    let position = row.try_get::<i64, _>("position")?;
    let moment = |column: &'static str| {
        Timestamp::from_unix_micros(row.try_get(column)?).map_err(|_| corrupt("rounds", column))
    };
    let parts: RoundParts =
        serde_json::from_str(row.try_get("report")?).map_err(|_| corrupt("rounds", "report"))?;
    let round = Round::try_from(parts).map_err(|_| corrupt("rounds", "report"))?;
    let results: Vec<PlayerResult> =
        serde_json::from_str(row.try_get("results")?).map_err(|_| corrupt("rounds", "results"))?;
    let rated = round.entries().filter(|(_, entry)| entry.participated);
    if results.len() != rated.count() {
        return Err(corrupt("rounds", "results"));
    }
    Ok(RecordedRound {
        position: u64::try_from(position).map_err(|_| corrupt("rounds", "position"))?,
        round,
        ended_at: moment("ended_at")?,
        received_at: moment("received_at")?,
        results,
        win_probability: Probability::new(row.try_get("win_probability_a")?)
            .ok_or_else(|| corrupt("rounds", "win_probability_a"))?,
        theta: row.try_get("theta")?,
        predictions: predictions(row)?,
    })
}

fn predictions(row: &Row) -> Result<PredictionTotals, StoreError> {
    let count = |column: &'static str| {
        u64::try_from(row.try_get::<i64, _>(column)?).map_err(|_| corrupt("rounds", column))
    };
    Ok(PredictionTotals {
        rounds: count("number")?,
        draws: count("draws")?,
        brier: row.try_get("brier")?,
        log_loss: row.try_get("log_loss")?,
        right_halves: count("right_halves")?,
    })
}

/// A round as the two JSON columns hold it: the report and the results.
pub(in crate::store) fn texts(round: &RecordedRound) -> Result<(String, String), StoreError> {
    let report = serde_json::to_string(&round.round).map_err(|_| corrupt("rounds", "report"))?;
    let results =
        serde_json::to_string(&round.results).map_err(|_| corrupt("rounds", "results"))?;
    Ok((report, results))
}
