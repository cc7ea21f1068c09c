//! Queries for reports, which ask for or add to whole lists at once.

use std::collections::BTreeMap;

use super::Connection;
use super::queries::{column, key};
use super::sql::{changes, execute, read_all, rounds};
use crate::domain::{PlayerId, Timestamp};
use crate::rating::{GroupTotals, PredictionTotals};
use crate::store::{
    Change, PoolId, ProjectionId, RoundEnd, RoundGroup, RoundPlayed, RoundTimes, StoreError,
};

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    projection: ProjectionId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let (groups, totals): (Vec<&RoundGroup>, Vec<&GroupTotals>) = added.iter().unzip();
    let query = sqlx::query(
        "insert into round_groups (book, kind, name, rounds, draws, right_halves, score_halves,
                                   predicted, brier, log_loss, lead)
         select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::bigint[],
                                  $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
                                  $10::bigint[], $11::bigint[])
         on conflict (book, kind, name) do update set
             rounds = round_groups.rounds + excluded.rounds,
             draws = round_groups.draws + excluded.draws,
             right_halves = round_groups.right_halves + excluded.right_halves,
             score_halves = round_groups.score_halves + excluded.score_halves,
             predicted = round_groups.predicted + excluded.predicted,
             brier = round_groups.brier + excluded.brier,
             log_loss = round_groups.log_loss + excluded.log_loss,
             lead = round_groups.lead + excluded.lead",
    )
    .bind(projection.0)
    .bind(column(&groups, |group| group.kind.name()))
    .bind(column(&groups, |group| group.name.as_str()))
    .bind(column(&totals, |sums| sums.rounds.cast_signed()))
    .bind(column(&totals, |sums| sums.draws.cast_signed()))
    .bind(column(&totals, |sums| sums.right_halves.cast_signed()))
    .bind(column(&totals, |sums| sums.score_halves.cast_signed()))
    .bind(column(&totals, |sums| sums.predicted.cast_signed()))
    .bind(column(&totals, |sums| sums.brier.cast_signed()))
    .bind(column(&totals, |sums| sums.log_loss.cast_signed()))
    .bind(column(&totals, |sums| sums.lead));
    execute(connection, query).await
}

pub(crate) async fn predictions_at_each(
    connection: &mut Connection,
    pool: PoolId,
    numbers: &[u64],
) -> Result<Vec<(Timestamp, PredictionTotals)>, StoreError> {
    // The plus keeps the planner from walking a million rounds in their order to find a number.
    let query = sqlx::query(concat!(
        "select rounds.ended_at, ",
        columns!(results),
        " from unnest($2::bigint[]) as wanted (number)
         cross join lateral (
             select * from results where book = ",
        active_projection!(),
        " and number = wanted.number order by +position limit 1
         ) as results
         cross join lateral (
             select * from rounds where pool_id = $1 and position = results.position limit 1
         ) as rounds"
    ))
    .bind(pool.0)
    .bind(column(numbers, |number| number.cast_signed()));
    read_all(connection, query, rounds::ended_and_sums).await
}

pub(crate) async fn round_names(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RoundPlayed>, StoreError> {
    let query = sqlx::query(
        "select rounds.position, rounds.server, rounds.round_id, rounds.ended_at
         from unnest($2::bigint[]) as wanted (position)
         cross join lateral (
             select * from rounds where pool_id = $1 and position = wanted.position limit 1
         ) as rounds",
    )
    .bind(pool.0)
    .bind(column(positions, |position| position.cast_signed()));
    read_all(connection, query, rounds::played).await
}

pub(crate) async fn round_ends(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RoundEnd>, StoreError> {
    let query = sqlx::query(concat!(
        "select rounds.position, rounds.round_id, rounds.ended_at, rounds.report,
                results.win_probability_a
         from unnest($2::bigint[]) as wanted (position)
         cross join lateral (
             select * from rounds where pool_id = $1 and position = wanted.position limit 1
         ) as rounds
         cross join lateral (
             select * from results where book = ",
        active_projection!(),
        " and position = wanted.position limit 1
         ) as results"
    ))
    .bind(pool.0)
    .bind(column(positions, |position| position.cast_signed()));
    read_all(connection, query, rounds::end).await
}

pub(crate) async fn rounds_from(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<(u64, RoundTimes)>, StoreError> {
    let query = sqlx::query(
        "select wanted.position as wanted, rounds.position, rounds.ended_at, rounds.received_at
         from unnest($2::bigint[]) as wanted (position)
         cross join lateral (
             select position, ended_at, received_at from rounds
             where pool_id = $1 and position >= wanted.position order by position limit 1
         ) as rounds",
    )
    .bind(pool.0)
    .bind(column(positions, |position| position.cast_signed()));
    read_all(connection, query, rounds::times).await
}

pub(crate) async fn changes_of_players(
    connection: &mut Connection,
    pool: PoolId,
    players: &[PlayerId],
) -> Result<Vec<Change>, StoreError> {
    let query = sqlx::query(concat!(
        "select ",
        columns!(changes),
        " from changes where pool_id = $1 and player_id = any($2::bigint[])
           and player_id is not null order by position"
    ))
    .bind(pool.0)
    .bind(column(players, |player| key(*player)));
    read_all(connection, query, changes::record).await
}
