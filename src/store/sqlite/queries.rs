//! SQL queries that PostgreSQL does not understand, for SQLite.

use std::collections::BTreeMap;

use serde_json::json;
use sqlx::Row as _;

use super::Connection;
use super::batches::{
    bind_chunks, bind_groups, bind_players, bind_results, bind_rounds, rows_text,
};
use super::sql::rounds::entries;
use super::sql::{changes, execute, pools, prunes, read_all, rounds};
use crate::domain::{PlayerId, RoundId, ServerName};
use crate::rating::{GroupTotals, PlayerState, RoundGroup, RoundResult};
use crate::store::{
    Change, EntryChunk, Generation, LastRow, LoggedRound, PoolId, PoolRecord, PrunedRound,
    RecordedRound, RoundTraces, StoreError, StoredChunk, corrupt,
};

/// Returns servers and ids of rounds as a JSON list for the macro `json_rows`.
fn names_text(names: &[(ServerName, RoundId)]) -> String {
    rows_text(names, |(server, round_id)| json!([server, round_id]))
}

/// Reads a pool without locking it. A transaction that may write already holds SQLite's only write lock.
pub(crate) async fn lock_pool(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<PoolRecord, StoreError> {
    pools::get(connection, pool).await
}

pub(crate) async fn save_players(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    saved: &[(&PlayerState, LastRow<'_>)],
) -> Result<(), StoreError> {
    let query = sqlx::query(save_players!("$2", "$3", "$4"))
        .bind(pool.0)
        .bind(generation.map(|generation| generation.0));
    execute(connection, bind_players(query, saved)?).await
}

pub(crate) async fn find_chunks(
    connection: &mut Connection,
    pool: PoolId,
    generation: Option<Generation>,
    wanted: &[(PlayerId, u64)],
) -> Result<Vec<EntryChunk>, StoreError> {
    let query = sqlx::query(select!(
        entries,
        json_rows!("$2"),
        join_one!(
            entries,
            "entries.pool_id = $1 and entries.player_id = row ->> 0 and entries.chunk = row ->> 1 and",
            is_current!(entries, concat!("coalesce($3, ", active_generation!(), ")"))
        )
    ))
    .bind(pool.0)
    .bind(rows_text(wanted, |(player, chunk)| {
        json!([player.steam_id64(), chunk])
    }))
    .bind(generation.map(|generation| generation.0));
    read_all(connection, query, entries::record).await
}

pub(crate) async fn save_chunks(
    connection: &mut Connection,
    pool: PoolId,
    saved: &[StoredChunk],
) -> Result<(), StoreError> {
    let query = sqlx::query(save_chunks!("$2", "$3")).bind(pool.0);
    execute(connection, bind_chunks(query, saved)).await
}

/// Reads a pool, and looks up reported rounds. Sends both statements as one text, like
/// [`save_batch`](super::save_batch::save_batch).
pub(crate) async fn lock_pool_and_look_up(
    connection: &mut Connection,
    pool: PoolId,
    names: &[(ServerName, RoundId)],
) -> Result<(PoolRecord, Vec<RoundTraces>), StoreError> {
    let query = sqlx::query(concat!(
        select!(pools, "from pools where id = $1; "),
        look_up_rounds!(
            " from (select value ->> 0 as server, value ->> 1 as round_id from json_each($2)) as wanted"
        )
    ))
    .bind(pool.0)
    .bind(names_text(names));
    let rows = query.fetch_all(connection).await?;
    let (pool, traces) = rows.split_first().ok_or_else(|| corrupt("pools", "id"))?;
    if pool.try_column("log_length").is_err() {
        return Err(corrupt("pools", "id"));
    }
    let traces: Result<_, _> = traces.iter().map(rounds::traces).collect();
    Ok((pools::record(pool)?, traces?))
}

pub(crate) async fn find_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<RecordedRound>, StoreError> {
    let query = sqlx::query(select!(
        [rounds, results],
        json_rows!("$1"),
        "cross join rounds on rounds.server = row ->> 0 and rounds.round_id = row ->> 1
         cross join pools on pools.id = rounds.pool_id
         cross join results on results.pool_id = rounds.pool_id
                           and results.position = rounds.position and",
        is_current!(results, "pools.generation")
    ))
    .bind(names_text(names));
    read_all(connection, query, rounds::recorded).await
}

pub(crate) async fn find_pruned_rounds(
    connection: &mut Connection,
    names: &[(ServerName, RoundId)],
) -> Result<Vec<PrunedRound>, StoreError> {
    let query = sqlx::query(concat!(
        "select pruned_rounds.server, pruned_rounds.round_id, pools.name, prunes.pruned_at, prunes.file
         from json_each($1) as wanted",
        join_one!(
            pruned_rounds,
            "pruned_rounds.server = wanted.value ->> 0
             and pruned_rounds.round_id = wanted.value ->> 1"
        ),
        join_one!(pools, "pools.id = pruned_rounds.pool_id"),
        join_one!(prunes, prune_of_round!())
    ))
    .bind(names_text(names));
    read_all(connection, query, prunes::pruned_round).await
}

pub(crate) async fn insert_rounds(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[&LoggedRound],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_rounds!("$2"),
        "; ",
        insert_scoreboards!("$3", "$4")
    ));
    execute(connection, bind_rounds(query.bind(pool.0), inserted)?).await
}

pub(crate) async fn insert_changes(
    connection: &mut Connection,
    pool: PoolId,
    inserted: &[Change],
) -> Result<(), StoreError> {
    let query = sqlx::query(concat!(
        insert_into!(changes),
        "row ->> 0, row ->> 1, row ->> 2, row ->> 3, row ->> 4, row ->> 5, row ->> 6, row ->> 7, row ->> 8,
         row ->> 9, row ->> 10, row ->> 11, row ->> 12",
        json_rows!("$2")
    ))
    .bind(pool.0)
    .bind(rows_text(inserted, |change| {
        let columns = changes::Columns::of(&change.changed);
        json!([
            change.position,
            change.change_id,
            columns.kind,
            columns.player,
            columns.rating,
            columns.round,
            columns.winner,
            change.reason,
            change.made_at.unix_micros(),
            change.settings.0,
            columns.name,
            columns.kept,
            columns.calibration,
        ])
    }));
    execute(connection, query).await
}

pub(crate) async fn insert_results(
    connection: &mut Connection,
    pool: PoolId,
    generation: Generation,
    inserted: &[&RoundResult],
) -> Result<(), StoreError> {
    let query = sqlx::query(insert_results!("$2", "$3", "$4"))
        .bind(pool.0)
        .bind(generation.0);
    execute(connection, bind_results(query, inserted)?).await
}

pub(crate) async fn add_to_groups(
    connection: &mut Connection,
    pool: PoolId,
    added: &BTreeMap<RoundGroup, GroupTotals>,
) -> Result<(), StoreError> {
    let query = sqlx::query(add_to_groups!("$2")).bind(pool.0);
    execute(connection, bind_groups(query, added)).await
}
