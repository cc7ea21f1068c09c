//! SQL queries that look up many rounds at once for quality reports, in no particular order.

use serde::Deserialize;

use super::rounds::results;
use super::{Connection, Fields, Row, numbers, read_all, rounds};
use crate::domain::Winner;
use crate::rating::PredictionTotals;
use crate::store::{PoolId, RoundEnd, RoundPlayed, StoreError};

pub(crate) async fn predictions_at_each(
    connection: &mut Connection,
    pool: PoolId,
    rounds: &[u64],
) -> Result<Vec<(u64, PredictionTotals)>, StoreError> {
    // The plus keeps the planner from walking a million rounds in order to find a number.
    let query = sqlx::query(concat!(
        "select results.position, ",
        columns!(results),
        wanted_numbers!(),
        join_one!(
            results,
            "results.pool_id = $1 and results.position = (
                 select +position from results where pool_id = $1 and number = wanted.number and",
            is_current!(results, active_generation!()),
            "order by +position limit 1) and",
            is_current!(results, active_generation!())
        )
    ))
    .bind(pool.0)
    .bind(numbers(rounds.iter().copied()));
    read_all(connection, query, |row| {
        let result = results::record(row)?;
        Ok((result.position, result.predictions))
    })
    .await
}

pub(crate) async fn round_names(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RoundPlayed>, StoreError> {
    let query = sqlx::query(concat!(
        "select rounds.position, rounds.server, rounds.round_id, rounds.ended_at,
                rounds.received_at",
        wanted_numbers!(),
        join_one!(
            rounds,
            "rounds.pool_id = $1 and rounds.position = wanted.number"
        )
    ))
    .bind(pool.0)
    .bind(numbers(positions.iter().copied()));
    read_all(connection, query, played).await
}

pub(crate) async fn rounds_from(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<(u64, RoundPlayed)>, StoreError> {
    let query = sqlx::query(concat!(
        "select wanted.number as wanted, rounds.position, rounds.server, rounds.round_id,
                rounds.ended_at, rounds.received_at",
        wanted_numbers!(),
        join_one!(
            rounds,
            "rounds.pool_id = $1 and rounds.position = (
                 select position from rounds where pool_id = $1 and position >= wanted.number
                 order by position limit 1)"
        )
    ))
    .bind(pool.0)
    .bind(numbers(positions.iter().copied()));
    read_all(connection, query, |row| {
        Ok((Fields::of(row, "rounds").number("wanted")?, played(row)?))
    })
    .await
}

fn played(row: &Row) -> Result<RoundPlayed, StoreError> {
    let row = Fields::of(row, "rounds");
    Ok(RoundPlayed {
        position: row.number("position")?,
        server: row.parsed("server")?,
        round_id: row.parsed("round_id")?,
        ended_at: row.time("ended_at")?,
        received_at: row.time("received_at")?,
    })
}

pub(crate) async fn round_ends(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RoundEnd>, StoreError> {
    let query = sqlx::query(concat!(
        "select rounds.position, rounds.round_id, rounds.ended_at, rounds.report, rounds.corrected_winner, ",
        columns!(results),
        wanted_numbers!(),
        join_one!(
            rounds,
            "rounds.pool_id = $1 and rounds.position = wanted.number"
        ),
        join_one!(
            results,
            "results.pool_id = $1 and results.position = rounds.position and",
            is_current!(results, active_generation!())
        )
    ))
    .bind(pool.0)
    .bind(numbers(positions.iter().copied()));
    read_all(connection, query, end).await
}

fn end(row: &Row) -> Result<RoundEnd, StoreError> {
    #[derive(Deserialize)]
    struct Report {
        winner: Winner,
    }
    let win_probability = results::record(row)?.win_probability;
    let row = Fields::of(row, "rounds");
    Ok(RoundEnd {
        position: row.number("position")?,
        round_id: row.parsed("round_id")?,
        ended_at: row.time("ended_at")?,
        winner: match rounds::corrected_winner(row)? {
            Some(winner) => winner,
            None => row.json::<Report>("report")?.winner,
        },
        win_probability,
    })
}
