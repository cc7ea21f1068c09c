use std::time::Duration;

use super::{Connection, Fields, Row, bound, changes_any, json_text, read_all, read_value};
use crate::domain::Timestamp;
use crate::store::{
    Intervention, InterventionFilter, NewIntervention, PoolId, StoreError, TeamsRecord,
};

pub(crate) async fn record(
    connection: &mut Connection,
    intervention: &NewIntervention,
    same_since: Timestamp,
) -> Result<(), StoreError> {
    let moves = json_text(&intervention.moves)?;
    loop {
        // Read before the other statements. If another instance inserts in between, it takes the next key, and the next
        // attempt finds its row.
        let last = bound("select max(id) from interventions", ());
        let last: Option<i64> = read_value(connection, last).await?;
        if asked_again(connection, intervention, &moves, same_since).await?
            || insert(connection, last.unwrap_or(0) + 1, intervention, &moves).await?
        {
            return Ok(());
        }
    }
}

/// Counts another request for a stored intervention, and returns `false` if the intervention is a new one. The plus in
/// the SQL text keeps the planner from walking all keys from the last.
async fn asked_again(
    connection: &mut Connection,
    intervention: &NewIntervention,
    moves: &str,
    same_since: Timestamp,
) -> Result<bool, StoreError> {
    let text = "update interventions
         set asked = asked + 1,
             last_asked_at = case when last_asked_at < $6 then $6 else last_asked_at end
         where id = (select id from interventions
                     where pool_id = $1 and server = $2 and last_asked_at >= $3
                       and policy = $4 and moves = $5 and balanced_after = $7
                       and bots_a_after = $8 and bots_b_after = $9
                     order by +id desc limit 1)";
    let values = (
        intervention.pool,
        &intervention.server,
        same_since,
        &intervention.policy,
        moves,
        intervention.asked_at,
        i64::from(intervention.balanced_after),
        intervention.after.bots_a,
        intervention.after.bots_b,
    );
    changes_any(connection, bound(text, values)).await
}

/// Inserts an intervention with the key `id`, and returns `false` if another instance has just taken that key.
async fn insert(
    connection: &mut Connection,
    id: i64,
    intervention: &NewIntervention,
    moves: &str,
) -> Result<bool, StoreError> {
    let mut query = bound(
        "insert into interventions (id, pool_id, server, first_asked_at, last_asked_at, asked,
                                    policy, reasons, moves, balanced_after,
                                    size_a_before, size_b_before, bots_a_before, bots_b_before,
                                    sum_a_before, sum_b_before, win_probability_a_before,
                                    size_a_after, size_b_after, bots_a_after, bots_b_after,
                                    sum_a_after, sum_b_after, win_probability_a_after)
         values ($1, $2, $3, $4, $4, 1, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18, $19, $20, $21, $22)
         on conflict do nothing",
        (
            id,
            intervention.pool,
            &intervention.server,
            intervention.asked_at,
            &intervention.policy,
            json_text(&intervention.reasons)?,
            moves,
            i64::from(intervention.balanced_after),
        ),
    );
    for teams in [&intervention.before, &intervention.after] {
        query = query
            .bind(i64::from(teams.size_a))
            .bind(i64::from(teams.size_b))
            .bind(i64::from(teams.bots_a))
            .bind(i64::from(teams.bots_b))
            .bind(teams.sum_a)
            .bind(teams.sum_b)
            .bind(teams.win_probability_a.get());
    }
    changes_any(connection, query).await
}

/// SQL query of interventions, each with the log position of its round. A round that arrived before the intervention
/// cannot be its round. That condition also makes the planner use the index on servers. Without it, the planner would
/// use an index that has every column of the query, but the rounds of all servers.
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

pub(crate) async fn list(
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
    let mut query = bound(
        query,
        (
            pool,
            filter.from,
            before_time,
            before_id,
            round_within,
            limit,
        ),
    );
    if let Some(server) = &filter.server {
        query = query.bind(server.as_str());
    }
    read_all(connection, query, recorded).await
}

/// Sizes and strengths of teams, from the columns of `interventions` whose names end in `$when`.
macro_rules! teams {
    ($row:expr, $when:literal) => {
        TeamsRecord {
            size_a: $row.number(concat!("size_a", $when))?,
            size_b: $row.number(concat!("size_b", $when))?,
            bots_a: $row.number(concat!("bots_a", $when))?,
            bots_b: $row.number(concat!("bots_b", $when))?,
            sum_a: $row.get(concat!("sum_a", $when))?,
            sum_b: $row.get(concat!("sum_b", $when))?,
            win_probability_a: $row.probability(concat!("win_probability_a", $when))?,
        }
    };
}

fn recorded(row: &Row) -> Result<Intervention, StoreError> {
    let row = Fields::of(row, "interventions");
    Ok(Intervention {
        id: row.number("id")?,
        last_asked_at: row.time("last_asked_at")?,
        asked: row.number("asked")?,
        round: row.optional("round_position", Fields::number)?,
        answered: NewIntervention {
            pool: PoolId(row.get("pool_id")?),
            server: row.parsed("server")?,
            asked_at: row.time("first_asked_at")?,
            policy: row.get("policy")?,
            reasons: row.json("reasons")?,
            moves: row.json("moves")?,
            before: teams!(row, "_before"),
            after: teams!(row, "_after"),
            balanced_after: row.get::<i64>("balanced_after")? != 0,
        },
    })
}
