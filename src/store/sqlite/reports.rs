//! Queries for reports, which ask for or add to whole lists at once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Connection;
use super::queries::rows_text;
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
    let rows = added.iter().map(|(group, sums)| {
        json!([
            group.kind.name(),
            group.name,
            sums.rounds,
            sums.draws,
            sums.right_halves,
            sums.score_halves,
            sums.predicted,
            sums.brier,
            sums.log_loss,
            sums.lead,
        ])
    });
    let query = sqlx::query(
        "insert into round_groups (book, kind, name, rounds, draws, right_halves, score_halves,
                                   predicted, brier, log_loss, lead)
         select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6, value ->> 7, value ->> 8, value ->> 9
         from json_each($2) where true
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
    .bind(Value::Array(rows.collect()).to_string());
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
        " from json_each($2) as wanted
         cross join results on results.book = ",
        active_projection!(),
        " and results.position = (
             select position from results where book = ",
        active_projection!(),
        " and number = wanted.value order by +position limit 1)
         cross join rounds on rounds.pool_id = $1 and rounds.position = results.position"
    ))
    .bind(pool.0)
    .bind(rows_text(numbers, |number| json!(number)));
    read_all(connection, query, rounds::ended_and_sums).await
}

pub(crate) async fn round_names(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<RoundPlayed>, StoreError> {
    let query = sqlx::query(
        "select rounds.position, rounds.server, rounds.round_id, rounds.ended_at
         from json_each($2) as wanted
         cross join rounds on rounds.pool_id = $1 and rounds.position = wanted.value",
    )
    .bind(pool.0)
    .bind(rows_text(positions, |position| json!(position)));
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
         from json_each($2) as wanted
         cross join rounds on rounds.pool_id = $1 and rounds.position = wanted.value
         cross join results on results.book = ",
        active_projection!(),
        " and results.position = rounds.position"
    ))
    .bind(pool.0)
    .bind(rows_text(positions, |position| json!(position)));
    read_all(connection, query, rounds::end).await
}

pub(crate) async fn rounds_from(
    connection: &mut Connection,
    pool: PoolId,
    positions: &[u64],
) -> Result<Vec<(u64, RoundTimes)>, StoreError> {
    let query = sqlx::query(
        "select wanted.value as wanted, rounds.position, rounds.ended_at, rounds.received_at
         from json_each($2) as wanted
         cross join rounds on rounds.pool_id = $1 and rounds.position = (
             select position from rounds where pool_id = $1 and position >= wanted.value
             order by position limit 1)",
    )
    .bind(pool.0)
    .bind(rows_text(positions, |position| json!(position)));
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
        " from changes where pool_id = $1 and player_id in (select value from json_each($2))
           and player_id is not null order by position"
    ))
    .bind(pool.0)
    .bind(rows_text(players, |player| json!(player.steam_id64())));
    read_all(connection, query, changes::record).await
}
