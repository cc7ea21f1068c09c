//! Queries of the table `rebuilds`, and the deletion of rows that rebuilds leave behind.

use super::{Connection, Fields, Row, execute};
use crate::domain::{PlayerId, Progress, RoundAction, Timestamp};
use crate::store::{Generation, PoolId, RebuildRecord, RebuiltRounds, StoreError};

pub(crate) async fn begin(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    change: Option<RebuiltRounds>,
    total: u64,
) -> Result<(), StoreError> {
    let query = sqlx::query(
        "insert into rebuilds (pool_id, owner, renewed_at, round_position, voids, started_at, done, total,
                               cancelled, winner, rounds)
         values ($1, $2, $3, $4, $5, $3, 0, $6, 0, $7, $8)
         on conflict (pool_id) do update set
             owner = excluded.owner, renewed_at = excluded.renewed_at,
             round_position = excluded.round_position, voids = excluded.voids,
             started_at = excluded.started_at, done = 0, total = excluded.total, cancelled = 0,
             winner = excluded.winner, rounds = excluded.rounds",
    )
    .bind(pool.0)
    .bind(owner)
    .bind(now.unix_micros())
    .bind(change.map(|change| change.position.cast_signed()))
    .bind(change.and_then(|change| match change.action {
        RoundAction::Void => Some(1_i64),
        RoundAction::Unvoid => Some(0),
        RoundAction::Correct { .. } => None,
    }))
    .bind(total.cast_signed())
    .bind(change.and_then(|change| Some(change.action.winner()?.to_string())))
    .bind(change.map_or(1, |change| change.rounds.cast_signed()));
    execute(connection, query).await
}

pub(crate) async fn get(
    connection: &mut Connection,
    pool: PoolId,
    lease_cutoff: Timestamp,
) -> Result<Option<RebuildRecord>, StoreError> {
    let row = sqlx::query(
        "select round_position, voids, started_at, renewed_at, done, total, cancelled, winner,
                rounds
         from rebuilds where pool_id = $1 and renewed_at >= $2",
    )
    .bind(pool.0)
    .bind(lease_cutoff.unix_micros())
    .fetch_optional(connection)
    .await?;
    row.as_ref().map(record).transpose()
}

pub(crate) async fn is_left_over(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<bool, StoreError> {
    let found = sqlx::query("select pool_id from rebuilds where pool_id = $1")
        .bind(pool.0)
        .fetch_optional(connection)
        .await?;
    Ok(found.is_some())
}

pub(crate) async fn renew(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
) -> Result<bool, StoreError> {
    let renewed =
        sqlx::query("update rebuilds set renewed_at = $3 where pool_id = $1 and owner = $2")
            .bind(pool.0)
            .bind(owner)
            .bind(now.unix_micros())
            .execute(connection)
            .await?;
    Ok(renewed.rows_affected() == 1)
}

pub(crate) async fn advance(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    progress: Progress,
) -> Result<Option<bool>, StoreError> {
    let cancelled = sqlx::query_scalar::<_, i64>(
        "update rebuilds set renewed_at = $3, done = $4, total = $5
         where pool_id = $1 and owner = $2 returning cancelled",
    )
    .bind(pool.0)
    .bind(owner)
    .bind(now.unix_micros())
    .bind(progress.done.cast_signed())
    .bind(progress.total.cast_signed())
    .fetch_optional(connection)
    .await?;
    Ok(cancelled.map(|cancelled| cancelled != 0))
}

pub(crate) async fn cancel(
    connection: &mut Connection,
    pool: PoolId,
    lease_cutoff: Timestamp,
) -> Result<bool, StoreError> {
    let cancelled =
        sqlx::query("update rebuilds set cancelled = 1 where pool_id = $1 and renewed_at >= $2")
            .bind(pool.0)
            .bind(lease_cutoff.unix_micros())
            .execute(connection)
            .await?;
    Ok(cancelled.rows_affected() == 1)
}

pub(crate) async fn finish(
    connection: &mut Connection,
    pool: PoolId,
    owner: &str,
) -> Result<bool, StoreError> {
    let finished = sqlx::query("delete from rebuilds where pool_id = $1 and owner = $2")
        .bind(pool.0)
        .bind(owner)
        .execute(connection)
        .await?;
    Ok(finished.rows_affected() == 1)
}

fn record(row: &Row) -> Result<RebuildRecord, StoreError> {
    let row = Fields::of(row, "rebuilds");
    let position = row.optional("round_position", Fields::number)?;
    let voids = row.optional("voids", Fields::number::<u8>)?;
    let winner = row.optional("winner", Fields::parsed)?;
    let action = match (voids, winner) {
        (Some(0), _) => Some(RoundAction::Unvoid),
        (Some(_), _) => Some(RoundAction::Void),
        (None, winner) => winner.map(|winner| RoundAction::Correct { winner }),
    };
    let rounds = row.number("rounds")?;
    let change = position.zip(action);
    Ok(RebuildRecord {
        change: change.map(|(position, action)| RebuiltRounds {
            position,
            action,
            rounds,
        }),
        progress: Progress {
            done: row.number("done")?,
            total: row.number("total")?,
        },
        started_at: row.optional("started_at", Fields::time)?,
        renewed_at: row.time("renewed_at")?,
        is_cancelled: row.number::<u8>("cancelled")? != 0,
    })
}

/// Deletes unneeded results of rounds after log position `after`, in a batch of up to `looked_at` examined rows.
/// Unneeded are results of generations (versions of computed rows) above `keep` or below `all`, and results that the
/// active generation has replaced. Results of pruned rounds below the generation `all` stay, since no rebuild writes
/// them again. The end of the batch is found first, which bounds the number of rows that are read. Returns this end.
pub(crate) async fn clear_results(
    connection: &mut Connection,
    pool: PoolId,
    after: u64,
    (looked_at, keep, all): (u32, Generation, Generation),
) -> Result<Option<u64>, StoreError> {
    let end = sqlx::query_scalar::<_, Option<i64>>(
        "select max(position) from (select position from results
         where pool_id = $1 and position > $2 order by position limit $3) as some_rows",
    )
    .bind(pool.0)
    .bind(after.cast_signed())
    .bind(i64::from(looked_at))
    .fetch_one(&mut *connection)
    .await?;
    let Some(end) = end else { return Ok(None) };
    let query = sqlx::query(concat!(
        "delete from results where pool_id = $1 and position > $2 and position <= $3
         and (generation > $4 or generation < $5 and position > ",
        pruned_position!(),
        " or generation < (
             select max(newer.generation) from results as newer
             where newer.pool_id = results.pool_id and newer.position = results.position
                   and newer.generation <= ",
        active_generation!(),
        "))"
    ))
    .bind(pool.0)
    .bind(after.cast_signed())
    .bind(end)
    .bind(keep.0)
    .bind(all.0);
    execute(connection, query).await?;
    Ok(Some(end.cast_unsigned()))
}

/// Deletes a batch of unneeded rows of the table `entries` like [`clear_results`]. All rows of a player are in one
/// batch.
pub(crate) async fn clear_entries(
    connection: &mut Connection,
    pool: PoolId,
    after: Option<PlayerId>,
    (looked_at, keep, all): (u32, Generation, Generation),
) -> Result<Option<PlayerId>, StoreError> {
    let after = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let row = sqlx::query(
        "select max(player_id) as player_id from (select player_id from entries
         where pool_id = $1 and player_id > $2 order by player_id limit $3) as some_rows",
    )
    .bind(pool.0)
    .bind(after)
    .bind(i64::from(looked_at))
    .fetch_one(&mut *connection)
    .await?;
    let Some(end) = Fields::of(&row, "entries").optional("player_id", Fields::player)? else {
        return Ok(None);
    };
    let query = sqlx::query(concat!(
        "delete from entries where pool_id = $1 and player_id > $2 and player_id <= $3
         and (generation > $4 or generation < $5 and first_position > ",
        pruned_position!(),
        " or generation < (
             select max(newer.generation) from entries as newer
             where newer.pool_id = entries.pool_id and newer.player_id = entries.player_id
                   and newer.chunk = entries.chunk and newer.generation <= ",
        active_generation!(),
        ") or length(content) = 0 and generation <= ",
        active_generation!(),
        ")"
    ))
    .bind(pool.0)
    .bind(after)
    .bind(end.steam_id64().cast_signed())
    .bind(keep.0)
    .bind(all.0);
    execute(connection, query).await?;
    Ok(Some(end))
}
