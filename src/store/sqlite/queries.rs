//! The queries that PostgreSQL would not understand. Whole batches of whole numbers travel as one
//! JSON text (`json_each`), binary content in it as hexadecimal digits.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::Connection;
use super::sql::{entries, execute, json_text, pools, read_all, rounds};
use crate::domain::{PlayerId, RoundId, ServerName, Timestamp};
use crate::rating::GroupTotals;
use crate::store::content;
use crate::store::{
    EntryChunk, Generation, LoggedRound, PlayerRecord, PoolId, PoolRecord, RecordedRound,
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
    pool: PoolId,
    saved: &[PlayerRecord],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(players),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         value ->> 7, value ->> 8
         from json_each($2) where true",
        on_conflict!(players)
    ))
    .bind(pool.0)
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

pub(crate) async fn find_chunks(
    connection: &mut Connection,
    pool: PoolId,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<EntryChunk>, StoreError> {
    let query = sqlx::query(select!(
        entries,
        "from json_each($2) as wanted",
        join_one!(
            entries,
            "entries.pool_id = $1 and entries.player_id = wanted.value ->> 0
             and entries.chunk = wanted.value ->> 1 and",
            is_current!(entries, active_generation!())
        )
    ))
    .bind(pool.0)
    .bind(rows_text(wanted, |(player, chunk)| {
        json!([player.steam_id64(), chunk])
    }));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn save_chunks(
    connection: &mut Connection,
    pool: PoolId,
    saved: &[EntryChunk],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(saved.len());
    for chunk in saved {
        let (first_position, ended_from) = entries::bounds(&chunk.entries);
        rows.push(json!([
            chunk.player.steam_id64(),
            chunk.chunk,
            chunk.generation.0,
            first_position,
            ended_from,
            chunk.latest.unix_micros(),
            hex(&content::of_chunk(&chunk.entries)?),
        ]));
    }
    let query = sqlx::query(concat!(
        insert_into!(entries),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5,
         unhex(value ->> 6)
         from json_each($2) where true",
        on_conflict!(entries)
    ))
    .bind(pool.0)
    .bind(Value::from(rows).to_string());
    execute(connection, query).await
}

/// Bytes, for `unhex`.
fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits
        .map(|digit| char::from(DIGITS[usize::from(digit)]))
        .collect()
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
         cross join results on results.pool_id = rounds.pool_id
                           and results.position = rounds.position and",
        is_current!(results, "pools.generation")
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
    pool: PoolId,
    generation: Generation,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(inserted.len());
    for result in inserted {
        let content = hex(&content::of_result(result)?);
        rows.push(json!([result.position, result.predictions.rounds, content]));
    }
    let query = sqlx::query(concat!(
        insert_into!(results),
        "value ->> 0, value ->> 1, unhex(value ->> 2) from json_each($3)"
    ))
    .bind(pool.0)
    .bind(generation.0)
    .bind(Value::from(rows).to_string());
    execute(connection, query).await
}

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    pool: PoolId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(round_groups),
        "value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6,
         value ->> 7, value ->> 8, value ->> 9
         from json_each($2) where true",
        on_conflict!(round_groups)
    ))
    .bind(pool.0)
    .bind(rows_text(added, |(group, sums)| {
        json!([
            group.kind.name(),
            group.name,
            sums.rounds.cast_signed(),
            sums.draws.cast_signed(),
            sums.right_halves.cast_signed(),
            sums.score_halves.cast_signed(),
            sums.predicted.cast_signed(),
            sums.brier.cast_signed(),
            sums.log_loss.cast_signed(),
            sums.lead,
        ])
    }));
    execute(connection, query).await
}
