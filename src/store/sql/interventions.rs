//! When matches were found unbalanced in mid-round, and what was answered.

use std::time::Duration;

use super::{Connection, Row};
use crate::domain::{Probability, Timestamp, Winner};
use crate::store::{
    Intervention, InterventionFilter, NewIntervention, PoolId, RoundEnd, StoreError, TeamsRecord,
    corrupt,
};
use serde::{Deserialize, Serialize};
use sqlx::Row as _;

const TABLE: &str = "interventions";

pub(in crate::store) async fn note(
    connection: &mut Connection,
    noted: &NewIntervention,
    same_since: Timestamp,
) -> Result<(), StoreError> {
    let moves = text_of(&noted.moves, "moves")?;
    loop {
        // Looked at before the others: where another instance writes in between, it takes the number
        // after this one, and the next look finds what it wrote.
        let last = sqlx::query_scalar::<_, i64>("select coalesce(max(id), 0) from interventions")
            .fetch_one(&mut *connection)
            .await?;
        if asked_again(connection, noted, &moves, same_since).await?
            || insert(connection, last + 1, noted, &moves).await?
        {
            return Ok(());
        }
    }
}

/// Counts up the intervention that this one is again; `false` where there is none. The plus keeps the
/// planner from walking all keys from the last.
async fn asked_again(
    connection: &mut Connection,
    noted: &NewIntervention,
    moves: &str,
    same_since: Timestamp,
) -> Result<bool, StoreError> {
    let counted = sqlx::query(
        "update interventions
         set asked = asked + 1,
             last_asked_at = case when last_asked_at < $6 then $6 else last_asked_at end
         where id = (select id from interventions
                     where pool_id = $1 and server = $2 and last_asked_at >= $3
                       and policy = $4 and moves = $5 and balanced_after = $7
                       and bots_a_after = $8 and bots_b_after = $9
                     order by +id desc limit 1)",
    )
    .bind(noted.pool.0)
    .bind(noted.server.as_str())
    .bind(same_since.unix_micros())
    .bind(&noted.policy)
    .bind(moves)
    .bind(noted.asked_at.unix_micros())
    .bind(i64::from(noted.balanced_after))
    .bind(i64::from(noted.after.bots_a))
    .bind(i64::from(noted.after.bots_b))
    .execute(connection)
    .await?;
    Ok(counted.rows_affected() > 0)
}

/// Writes a row with that key; `false` where another has just taken it.
async fn insert(
    connection: &mut Connection,
    id: i64,
    noted: &NewIntervention,
    moves: &str,
) -> Result<bool, StoreError> {
    let mut query = sqlx::query(
        "insert into interventions (id, pool_id, server, first_asked_at, last_asked_at, asked,
                                    policy, reasons, moves, balanced_after,
                                    size_a_before, size_b_before, bots_a_before, bots_b_before,
                                    sum_a_before, sum_b_before, win_probability_a_before,
                                    size_a_after, size_b_after, bots_a_after, bots_b_after,
                                    sum_a_after, sum_b_after, win_probability_a_after)
         values ($1, $2, $3, $4, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18, $19, $20, $21, $22)
         on conflict do nothing",
    )
    .bind(id)
    .bind(noted.pool.0)
    .bind(noted.server.as_str())
    .bind(noted.asked_at.unix_micros())
    .bind(&noted.policy)
    .bind(text_of(&noted.reasons, "reasons")?)
    .bind(moves)
    .bind(i64::from(noted.balanced_after));
    for teams in [&noted.before, &noted.after] {
        query = query
            .bind(i64::from(teams.size_a))
            .bind(i64::from(teams.size_b))
            .bind(i64::from(teams.bots_a))
            .bind(i64::from(teams.bots_b))
            .bind(teams.sum_a)
            .bind(teams.sum_b)
            .bind(teams.win_probability_a.get());
    }
    Ok(query.execute(connection).await?.rows_affected() > 0)
}

pub(in crate::store) async fn forget(
    connection: &mut Connection,
    before: Timestamp,
    beyond: u32,
    at_most: u32,
) -> Result<(), StoreError> {
    // The oldest have the lowest keys, and keys have few gaps, so that no more than those few are
    // looked at.
    sqlx::query(
        "delete from interventions where id in (
             select id from (select id, last_asked_at from interventions order by id limit $2)
                 as oldest
             where last_asked_at < $1 or id <= (select max(id) from interventions) - $3)",
    )
    .bind(before.unix_micros())
    .bind(i64::from(at_most))
    .bind(i64::from(beyond))
    .execute(connection)
    .await?;
    Ok(())
}

/// A list of interventions, each with the place of the round that it was in. What came before it
/// cannot be that round; that this is asked for also has the rounds of the one server looked
/// through, by the index on servers, where another index would have everything else but those of all
/// servers.
macro_rules! list {
    ($condition:expr) => {
        concat!(
            "select ",
            columns!(interventions),
            ", (select rounds.position from rounds
                where rounds.pool_id = interventions.pool_id
                  and rounds.server = interventions.server
                  and rounds.ended_at >= interventions.first_asked_at
                  and rounds.ended_at <= interventions.first_asked_at + $5
                  and rounds.received_at >= interventions.first_asked_at
                  and rounds.voided_at is null
                order by rounds.ended_at, rounds.position limit 1) as round_position
             from interventions
             where interventions.pool_id = $1 and interventions.first_asked_at >= $2
               and (interventions.first_asked_at, interventions.id) < ($3, $4)",
            $condition,
            " order by interventions.first_asked_at desc, interventions.id desc limit $6"
        )
    };
}

pub(in crate::store) async fn list(
    connection: &mut Connection,
    pool: PoolId,
    filter: &InterventionFilter,
    before: Option<(Timestamp, u64)>,
    round_within: Duration,
    limit: u32,
) -> Result<Vec<Intervention>, StoreError> {
    let query = match filter.server {
        None => list!(""),
        Some(_) => list!(" and interventions.server = $7"),
    };
    let (before_time, before_id) = match before {
        Some((time, id)) => (time.unix_micros(), id.cast_signed()),
        None => (i64::MAX, i64::MAX),
    };
    let round_within = i64::try_from(round_within.as_micros()).unwrap_or(i64::MAX);
    let mut query = sqlx::query(query)
        .bind(pool.0)
        .bind(filter.from.unix_micros())
        .bind(before_time)
        .bind(before_id)
        .bind(round_within)
        .bind(i64::from(limit));
    if let Some(server) = &filter.server {
        query = query.bind(server.as_str());
    }
    let rows = query.fetch_all(connection).await?;
    rows.iter().map(record).collect()
}

/// The teams in the columns whose names end so.
macro_rules! teams {
    ($row:expr, $when:literal) => {
        TeamsRecord {
            size_a: small($row, concat!("size_a", $when))?,
            size_b: small($row, concat!("size_b", $when))?,
            bots_a: small($row, concat!("bots_a", $when))?,
            bots_b: small($row, concat!("bots_b", $when))?,
            sum_a: $row.try_get(concat!("sum_a", $when))?,
            sum_b: $row.try_get(concat!("sum_b", $when))?,
            win_probability_a: probability($row, concat!("win_probability_a", $when))?,
        }
    };
}

fn record(row: &Row) -> Result<Intervention, StoreError> {
    let position = row.try_get::<Option<i64>, _>("round_position")?;
    Ok(Intervention {
        id: u64::try_from(row.try_get::<i64, _>("id")?).map_err(|_| corrupt(TABLE, "id"))?,
        last_asked_at: moment(row, "last_asked_at")?,
        asked: small(row, "asked")?,
        round: position
            .map(|position| u64::try_from(position).map_err(|_| corrupt("rounds", "position")))
            .transpose()?,
        answered: NewIntervention {
            pool: PoolId(row.try_get("pool_id")?),
            server: row
                .try_get::<&str, _>("server")?
                .parse()
                .map_err(|_| corrupt(TABLE, "server"))?,
            asked_at: moment(row, "first_asked_at")?,
            policy: row.try_get("policy")?,
            reasons: read_text(row, "reasons")?,
            moves: read_text(row, "moves")?,
            before: teams!(row, "_before"),
            after: teams!(row, "_after"),
            balanced_after: row.try_get::<i64, _>("balanced_after")? != 0,
        },
    })
}

/// How the round of a row ended that has it and its result.
pub(in crate::store) fn round_end(row: &Row) -> Result<RoundEnd, StoreError> {
    /// What is read of a report.
    #[derive(Deserialize)]
    struct Report {
        winner: Winner,
    }
    let position = row.try_get::<i64, _>("position")?;
    let report: Report =
        serde_json::from_str(row.try_get("report")?).map_err(|_| corrupt("rounds", "report"))?;
    Ok(RoundEnd {
        position: u64::try_from(position).map_err(|_| corrupt("rounds", "position"))?,
        round_id: row
            .try_get::<&str, _>("round_id")?
            .parse()
            .map_err(|_| corrupt("rounds", "round_id"))?,
        ended_at: Timestamp::from_unix_micros(row.try_get("ended_at")?)
            .map_err(|_| corrupt("rounds", "ended_at"))?,
        winner: report.winner,
        win_probability: Probability::new(row.try_get("win_probability_a")?)
            .ok_or_else(|| corrupt("results", "win_probability_a"))?,
    })
}

fn text_of<T: Serialize>(content: &T, column: &'static str) -> Result<String, StoreError> {
    serde_json::to_string(content).map_err(|_| corrupt(TABLE, column))
}

fn read_text<T: for<'de> Deserialize<'de>>(
    row: &Row,
    column: &'static str,
) -> Result<T, StoreError> {
    serde_json::from_str(row.try_get(column)?).map_err(|_| corrupt(TABLE, column))
}

fn moment(row: &Row, column: &'static str) -> Result<Timestamp, StoreError> {
    Timestamp::from_unix_micros(row.try_get(column)?).map_err(|_| corrupt(TABLE, column))
}

fn small(row: &Row, column: &'static str) -> Result<u32, StoreError> {
    u32::try_from(row.try_get::<i64, _>(column)?).map_err(|_| corrupt(TABLE, column))
}

fn probability(row: &Row, column: &'static str) -> Result<Probability, StoreError> {
    Probability::new(row.try_get(column)?).ok_or_else(|| corrupt(TABLE, column))
}
