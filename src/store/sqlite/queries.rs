//! The queries that PostgreSQL would not understand. Whole batches of whole numbers travel as one
//! JSON text (`json_each`); what has fractions is bound row by row, because SQLite's reading of
//! decimal fractions may miss the last bit.

use serde_json::{Value, json};

use super::Connection;
use super::sql::{entries, execute, json_text, players, pools, read_all, rounds};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::store::{
    LoggedRound, NewEntry, PlayerRecord, PoolId, PoolRecord, ProjectionId, RecordedRound,
    RoundResult, StoreError,
};

/// A unit of work that may write holds SQLite's only write lock already.
pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    pools::get(connection, pool).await
}

/// A JSON list of `row` of each of `rows`, for `json_each`.
pub(super) fn rows_text<T>(rows: &[T], row: impl Fn(&T) -> Value) -> String {
    Value::Array(rows.iter().map(row).collect()).to_string()
}

pub(crate) async fn find_players(
    connection: &mut Connection,
    pool: PoolId,
    ids: &[PlayerId],
) -> Result<Vec<PlayerRecord>, StoreError> {
    let query = sqlx::query(select_active!(
        players,
        " and player_id in (select value from json_each($2))"
    ))
    .bind(pool.0)
    .bind(rows_text(ids, |id| json!(id.steam_id64())));
    read_all(connection, query, players::record).await
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    projection: ProjectionId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into players (book, player_id, rating, rounds, entries, last_played,
                              rating_total, rating_squared_total, expected_total,
                              score_halves_total)
         select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6, value ->> 7, value ->> 8
         from json_each($2) where true
         on conflict (book, player_id) do update set
             rating = excluded.rating, rounds = excluded.rounds, entries = excluded.entries,
             last_played = excluded.last_played, rating_total = excluded.rating_total,
             rating_squared_total = excluded.rating_squared_total,
             expected_total = excluded.expected_total,
             score_halves_total = excluded.score_halves_total",
    )
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
    let query = sqlx::query(concat!(
        "select ",
        columns!(entries),
        " from json_each($2) as wanted
         cross join entries on entries.book = ",
        active_projection!(),
        " and entries.player_id = wanted.value ->> 0 and entries.number = wanted.value ->> 1"
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
    let query = sqlx::query(
        "insert into entries (book, player_id, number, position, rating_total,
                              rating_squared_total, expected_total, score_halves_total)
         select $1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
                value ->> 6
         from json_each($2)",
    )
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
    let query = sqlx::query(concat!(
        "select ",
        columns!(rounds),
        ", ",
        columns!(results),
        " from json_each($1) as wanted
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
    for round in inserted {
        sqlx::query(
            "insert into rounds (pool_id, position, server, round_id, ended_at, received_at,
                                 report, settings_id, voided_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(pool.0)
        .bind(round.position.cast_signed())
        .bind(round.round.parts().server.as_str())
        .bind(round.round.parts().round_id.as_str())
        .bind(round.round.ended_at().unix_micros())
        .bind(round.received_at.unix_micros())
        .bind(json_text(&round.round)?)
        .bind(round.settings.0)
        .bind(round.voided_at.map(u64::cast_signed))
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    projection: ProjectionId,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    for result in inserted {
        sqlx::query(
            "insert into results (book, position, number, players, win_probability_a, theta, draws,
                                  brier, log_loss, right_halves, score_halves, favourites,
                                  favourite_predicted, favourite_score_halves, favourite_brier)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)",
        )
        .bind(projection.0)
        .bind(result.position.cast_signed())
        .bind(result.predictions.rounds.cast_signed())
        .bind(json_text(&result.players)?)
        .bind(result.win_probability.get())
        .bind(result.theta)
        .bind(result.predictions.draws.cast_signed())
        .bind(result.predictions.brier)
        .bind(result.predictions.log_loss)
        .bind(result.predictions.right_halves.cast_signed())
        .bind(result.predictions.score_halves.cast_signed())
        .bind(result.predictions.favourites.rounds.cast_signed())
        .bind(result.predictions.favourites.predicted)
        .bind(result.predictions.favourites.score_halves.cast_signed())
        .bind(result.predictions.favourites.brier)
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}
