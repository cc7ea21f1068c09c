//! Queries of the tables `rebuilds` and `imports`, and the deletion of rows that rebuilds leave behind.

use super::{Connection, Fields, Row, bound, execute, last_player, read_value};
use crate::domain::{PlayerId, Progress, RoundAction, Timestamp};
use crate::store::{Generation, ImportRecord, PoolId, RebuildRecord, RebuiltRounds, StoreError};

pub(crate) async fn begin(
    connection: &mut Connection,
    pool: PoolId,
    (owner, now): (&str, Timestamp),
    change: Option<RebuiltRounds>,
    total: u64,
) -> Result<(), StoreError> {
    let text = "insert into rebuilds (pool_id, owner, renewed_at, round_position, voids, started_at, done, total,
                               cancelled, winner, rounds)
         values ($1, $2, $3, $4, $5, $3, 0, $6, 0, $7, $8)
         on conflict (pool_id) do update set
             owner = excluded.owner, renewed_at = excluded.renewed_at,
             round_position = excluded.round_position, voids = excluded.voids,
             started_at = excluded.started_at, done = 0, total = excluded.total, cancelled = 0,
             winner = excluded.winner, rounds = excluded.rounds";
    let values = (
        pool,
        owner,
        now,
        change.map(|change| change.position.cast_signed()),
        change.and_then(|change| match change.action {
            RoundAction::Void => Some(1_i64),
            RoundAction::Unvoid => Some(0),
            RoundAction::Correct { .. } => None,
        }),
        total,
        change.and_then(|change| Some(change.action.winner()?.to_string())),
        change.map_or(1, |change| change.rounds.cast_signed()),
    );
    execute(connection, bound(text, values)).await
}

pub(crate) async fn is_left_over(
    connection: &mut Connection,
    pool: PoolId,
) -> Result<bool, StoreError> {
    let query = bound("select pool_id from rebuilds where pool_id = $1", (pool,));
    Ok(read_value::<i64>(connection, query).await?.is_some())
}

pub(crate) fn is_cancelled(row: &Row) -> Result<bool, StoreError> {
    Ok(Fields::of(row, "rebuilds").number::<u8>("cancelled")? != 0)
}

pub(crate) fn record(row: &Row) -> Result<RebuildRecord, StoreError> {
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
    let text = "select max(position) from (select position from results
         where pool_id = $1 and position > $2 order by position limit $3) as some_rows";
    let end: Option<i64> = read_value(connection, bound(text, (pool, after, looked_at))).await?;
    let Some(end) = end else { return Ok(None) };
    let text = concat!(
        "delete from results where pool_id = $1 and position > $2 and position <= $3
         and (generation > $4 or generation < $5 and position > ",
        pruned_position!(),
        " or generation < (
             select max(newer.generation) from results as newer
             where newer.pool_id = results.pool_id and newer.position = results.position
                   and newer.generation <= ",
        active_generation!(),
        "))"
    );
    execute(connection, bound(text, (pool, after, end, keep, all))).await?;
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
    let end = last_player(connection, last_player!("entries"), pool, after, looked_at).await?;
    let Some(end) = end else { return Ok(None) };
    let text = concat!(
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
    );
    execute(connection, bound(text, (pool, after, end, keep, all))).await?;
    Ok(Some(end))
}

pub(crate) async fn save_import(
    connection: &mut Connection,
    import: &ImportRecord,
) -> Result<(), StoreError> {
    let text = "insert into imports (id, source, started_at, renewed_at, done, total)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (id) do update set
             renewed_at = excluded.renewed_at, done = excluded.done, total = excluded.total";
    let values = (
        &import.id,
        &import.source,
        import.started_at,
        import.renewed_at,
        import.done,
        import.total,
    );
    execute(connection, bound(text, values)).await
}

pub(crate) fn import(row: &Row) -> Result<ImportRecord, StoreError> {
    let row = Fields::of(row, "imports");
    Ok(ImportRecord {
        id: row.get("id")?,
        source: row.get("source")?,
        started_at: row.time("started_at")?,
        renewed_at: row.time("renewed_at")?,
        done: row.number("done")?,
        total: row.optional("total", Fields::number)?,
    })
}
