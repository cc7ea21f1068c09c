//! The queries that PostgreSQL would not understand. Whole batches of whole numbers travel as one
//! JSON text (`json_each`); what has fractions is bound row by row, because SQLite's reading of
//! decimal fractions may miss the last bit.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Connection;
use super::sql::{entries, execute, json_text, pools, read_all, rounds};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::rating::GroupTotals;
use crate::store::{
    LoggedRound, NewEntry, PlayerRecord, PoolId, PoolRecord, ProjectionId, RecordedRound,
    RoundGroup, RoundResult, StoreError,
};

/// A unit of work that may write holds SQLite's only write lock already.
pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    pools::get(connection, pool).await
}

/// A JSON list of `row` of each of `rows`, for `json_each`.
fn rows_text<T>(rows: impl IntoIterator<Item = T>, row: impl Fn(T) -> Value) -> String {
    rows.into_iter().map(row).collect::<Value>().to_string()
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    projection: ProjectionId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(players),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         value ->> 7, value ->> 8
         from json_each($2) where true",
        on_conflict!(players)
    ))
    .bind(projection.0)
    .bind(rows_text(saved, |player| {
        json!([
            player.id.steam_id64(),
            player.rating,
            player.rounds,
            player.entries,
            player.last_played.map(Timestamp::unix_micros),
            player.totals.rating,
            player.totals.rating_squared,
            player.totals.expected,
            player.totals.score_halves,
        ])
    }));
    execute(connection, query).await
}

pub(crate) async fn find_entries(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<NewEntry>, StoreError> {
    let query = sqlx::query(select!(
        entries,
        "from json_each($2) as wanted",
        join_one!(
            entries,
            "entries.book =",
            active_projection!(),
            "and entries.player_id = wanted.value ->> 0 and entries.number = wanted.value ->> 1"
        )
    ))
    .bind(pool.0)
    .bind(rows_text(wanted, |(player, number)| {
        json!([player.steam_id64(), number])
    }));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn insert_entries(
    connection: &mut Connection,
    projection: ProjectionId,
    entries: &[NewEntry],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(entries),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6
         from json_each($2)"
    ))
    .bind(projection.0)
    .bind(rows_text(entries, |entry| {
        json!([
            entry.player.steam_id64(),
            entry.number,
            entry.position,
            entry.totals.rating,
            entry.totals.rating_squared,
            entry.totals.expected,
            entry.totals.score_halves,
        ])
    }));
    execute(connection, query).await
}

pub(crate) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        "from json_each($1) as wanted
         cross join rounds on rounds.server = wanted.value ->> 0
                          and rounds.round_id = wanted.value ->> 1
         cross join pools on pools.id = rounds.pool_id
         cross join results on results.book = pools.book
                           and results.position = rounds.position"
    ))
    .bind(rows_text(names, |(server, round_id)| {
        json!([server, round_id])
    }));
    read_all(connection, query, rounds::recorded).await
}

pub(crate) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    for logged in inserted {
        let round = &logged.round;
        let query = sqlx::query(concat!(
            insert_into!(rounds),
            "$2, $3, $4, $5, $6, $7, $8, $9"
        ))
        .bind(pool.0)
        .bind(logged.position.cast_signed())
        .bind(round.parts().server.as_str())
        .bind(round.parts().round_id.as_str())
        .bind(round.ended_at().unix_micros())
        .bind(logged.received_at.unix_micros())
        .bind(json_text(round)?)
        .bind(logged.settings.0)
        .bind(logged.voided_at.map(u64::cast_signed));
        execute(connection, query).await?;
    }
    Ok(())
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    projection: ProjectionId,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    for result in inserted {
        let sums = &result.predictions;
        let query = sqlx::query(concat!(
            insert_into!(results),
            "$2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15"
        ))
        .bind(projection.0)
        .bind(result.position.cast_signed())
        .bind(sums.rounds.cast_signed())
        .bind(json_text(&result.players)?)
        .bind(result.win_probability.get())
        .bind(result.theta)
        .bind(sums.draws.cast_signed())
        .bind(sums.brier)
        .bind(sums.log_loss)
        .bind(sums.right_halves.cast_signed())
        .bind(sums.score_halves.cast_signed())
        .bind(sums.favourites.rounds.cast_signed())
        .bind(sums.favourites.predicted)
        .bind(sums.favourites.score_halves.cast_signed())
        .bind(sums.favourites.brier);
        execute(connection, query).await?;
    }
    Ok(())
}

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    projection: ProjectionId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(round_groups),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         value ->> 7, value ->> 8, value ->> 9
         from json_each($2) where true",
        on_conflict!(round_groups)
    ))
    .bind(projection.0)
    .bind(rows_text(added, |(group, sums)| {
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
    }));
    execute(connection, query).await
}
