//! SQL queries that look up many rounds at once for quality reports, in no particular order.

use serde::Deserialize;

use super::rounds::results;
use super::{Fields, Row, rounds};
use crate::domain::Winner;
use crate::rating::PredictionTotals;
use crate::store::{RoundEnd, RoundPlayed, StoreError};

// The plus keeps the planner from walking a million rounds in order to find a number.
pub(crate) const PREDICTIONS_AT_EACH: &str = concat!(
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
);

pub(crate) fn predictions(row: &Row) -> Result<(u64, PredictionTotals), StoreError> {
    let result = results::record(row)?;
    Ok((result.position, result.predictions))
}

pub(crate) const ROUND_NAMES: &str = concat!(
    "select rounds.position, rounds.server, rounds.round_id, rounds.ended_at,
                rounds.received_at",
    wanted_numbers!(),
    join_one!(
        rounds,
        "rounds.pool_id = $1 and rounds.position = wanted.number"
    )
);

pub(crate) const ROUNDS_FROM: &str = concat!(
    "select wanted.number as wanted, rounds.position, rounds.server, rounds.round_id,
                rounds.ended_at, rounds.received_at",
    wanted_numbers!(),
    join_one!(
        rounds,
        "rounds.pool_id = $1 and rounds.position = (
                 select position from rounds where pool_id = $1 and position >= wanted.number
                 order by position limit 1)"
    )
);

pub(crate) fn played_from(row: &Row) -> Result<(u64, RoundPlayed), StoreError> {
    Ok((Fields::of(row, "rounds").number("wanted")?, played(row)?))
}

pub(crate) fn played(row: &Row) -> Result<RoundPlayed, StoreError> {
    let row = Fields::of(row, "rounds");
    Ok(RoundPlayed {
        position: row.number("position")?,
        server: row.parsed("server")?,
        round_id: row.parsed("round_id")?,
        ended_at: row.time("ended_at")?,
        received_at: row.time("received_at")?,
    })
}

pub(crate) const ROUND_ENDS: &str = concat!(
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
);

pub(crate) fn end(row: &Row) -> Result<RoundEnd, StoreError> {
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
