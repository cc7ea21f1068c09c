//! Queries for prunes: their records, and the deletion of old rows.

use std::collections::BTreeMap;

use super::{Connection, Fields, Row, bound, execute, json_text, last_player, read_value};
use crate::domain::PlayerId;
use crate::rating::{GroupKind, GroupTotals, RoundGroup};
use crate::store::{PoolId, PruneRecord, PrunedRound, StoreError};

pub(crate) async fn insert(
    connection: &mut Connection,
    pool: PoolId,
    prune: &PruneRecord,
) -> Result<(), StoreError> {
    let groups: Vec<_> = prune
        .groups
        .iter()
        .map(|(group, sums)| (group.kind.name(), &group.name, sums))
        .collect();
    let text =
        "insert into prunes (pool_id, position, pruned_at, file, kept_window, last_received_at,
                             calibration, experience, group_sums)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    let values = (
        pool,
        prune.position,
        prune.pruned_at,
        &prune.file,
        prune.kept_window,
        prune.last_received_at,
        json_text(&prune.calibration)?,
        json_text(&prune.experience)?,
        json_text(&groups)?,
    );
    execute(&mut *connection, bound(text, values)).await?;
    let text = "update pools set pruned = $2 where id = $1";
    execute(connection, bound(text, (pool, prune.position))).await
}

pub(crate) fn record(row: &Row) -> Result<PruneRecord, StoreError> {
    let row = Fields::of(row, "prunes");
    let stored: Vec<(String, String, GroupTotals)> = row.json("group_sums")?;
    let groups: Option<BTreeMap<RoundGroup, GroupTotals>> = stored
        .into_iter()
        .map(|(kind, name, sums)| {
            let kind = GroupKind::ALL.into_iter().find(|of| of.name() == kind)?;
            Some((RoundGroup { kind, name }, sums))
        })
        .collect();
    Ok(PruneRecord {
        position: row.number("position")?,
        pruned_at: row.time("pruned_at")?,
        file: row.get("file")?,
        kept_window: row.number("kept_window")?,
        last_received_at: row.time("last_received_at")?,
        calibration: row.json("calibration")?,
        experience: row.json("experience")?,
        groups: groups.ok_or_else(|| row.corrupt("group_sums"))?,
    })
}

pub(crate) fn pruned_round(row: &Row) -> Result<PrunedRound, StoreError> {
    let row = Fields::of(row, "pruned_rounds");
    Ok(PrunedRound {
        server: row.parsed("server")?,
        round_id: row.parsed("round_id")?,
        pool: row.parsed("name")?,
        pruned_at: row.time("pruned_at")?,
        file: row.get("file")?,
    })
}

pub(crate) async fn delete_rounds(
    connection: &mut Connection,
    pool: PoolId,
    last: u64,
    limit: u32,
) -> Result<bool, StoreError> {
    let text = "select max(position) from (select position from rounds
         where pool_id = $1 and position <= $2 order by position limit $3) as some_rows";
    let end: Option<i64> = read_value(connection, bound(text, (pool, last, limit))).await?;
    let Some(end) = end else { return Ok(false) };
    for text in [
        "insert into pruned_rounds (server, round_id, pool_id, position)
         select server, round_id, pool_id, position from rounds
         where pool_id = $1 and position <= $2",
        "delete from rounds where pool_id = $1 and position <= $2",
    ] {
        execute(connection, bound(text, (pool, end))).await?;
    }
    Ok(true)
}

pub(crate) async fn delete_results(
    connection: &mut Connection,
    pool: PoolId,
    (after, last): (u64, u64),
    first: u64,
    limit: u32,
) -> Result<Option<u64>, StoreError> {
    let text = "select max(position) from (select position from results
         where pool_id = $1 and position > $2 and position <= $3
         order by position limit $4) as some_rows";
    let query = bound(text, (pool, after, last, limit));
    let end: Option<i64> = read_value(connection, query).await?;
    let Some(end) = end else { return Ok(None) };
    let text = "delete from results
         where pool_id = $1 and position > $2 and position <= $3 and number < $4";
    execute(connection, bound(text, (pool, after, end, first))).await?;
    Ok(Some(end.cast_unsigned()))
}

/// SQL statement that deletes the rows of `unrated_players` up to the log position `$4`, of players after `$2` up to
/// `$3`.
const DELETE_UNRATED: &str = "delete from unrated_players
     where pool_id = $1 and player_id > $2 and player_id <= $3 and position <= $4";

/// SQL statement that deletes rows of the rated rounds of the players behind `$2` up to `$3`. Keeps the last `$5` of
/// the rows that begin up to the log position `$4`, and the later ones. Keeps every row of a player who was reset up to
/// that position, because only all of them together give the player's state since the reset.
const DELETE_ENTRIES: &str = "delete from entries
     where pool_id = $1 and player_id > $2 and player_id <= $3
       and chunk <= (
           select max(latest.chunk) from entries as latest
           where latest.pool_id = entries.pool_id and latest.player_id = entries.player_id
                 and latest.first_position <= $4) - $5
       and not exists (
           select 1 from changes
           where changes.pool_id = entries.pool_id and changes.player_id = entries.player_id
                 and changes.position <= $4 and changes.kind = 'reset')";

pub(crate) async fn delete_entries(
    connection: &mut Connection,
    pool: PoolId,
    after: Option<PlayerId>,
    (last, kept): (u64, u64),
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let from = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let to = last_player(connection, last_player!("entries"), pool, from, limit).await?;
    let Some(to) = to else { return Ok(None) };
    let query = bound(DELETE_ENTRIES, (pool, from, to, last, kept));
    execute(connection, query).await?;
    Ok(Some(to))
}

pub(crate) async fn delete_unrated(
    connection: &mut Connection,
    pool: PoolId,
    after: Option<PlayerId>,
    last: u64,
    limit: u32,
) -> Result<Option<PlayerId>, StoreError> {
    let from = after.map_or(0, PlayerId::steam_id64).cast_signed();
    let text = last_player!("unrated_players");
    let to = last_player(connection, text, pool, from, limit).await?;
    let Some(to) = to else { return Ok(None) };
    execute(connection, bound(DELETE_UNRATED, (pool, from, to, last))).await?;
    Ok(Some(to))
}
